// JSON pointers (RFC 6901), compiled into a tree so that one walk over a record finds every field.
//
// Thread safety: immutable once built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

// A set of up to 64 fields, one bit each.
using FieldSet = std::uint64_t;

struct PointerNode {
  std::string name;                  // of the object member
  std::optional<std::size_t> index;  // of the array element, when the name is a number
  FieldSet here = 0;                 // the fields whose pointer ends here
  FieldSet below = 0;                // the fields whose pointer ends here or in a descendant
  bool is_each = false;  // the elements of this array are scanned by pointers of their own
  std::vector<PointerNode> children;
  // The sizes of the names of the children: bit n is set if one has n bytes, or n + 64, and so on.
  std::uint64_t sizes = 0;
};

// Adds the pointer of field number `field` (below 64) to the tree.
Status AddPointer(std::string_view pointer, std::size_t field, PointerNode& root);

// Adds the pointer of the array whose elements are scanned one by one, as field number `field`.
// Must be called after all other pointers are added; none of them may lead to an element of it. One
// may lead to a member of an object that other records have in its place.
Status AddArray(std::string_view pointer, std::size_t field, PointerNode& root);

}  // namespace sash

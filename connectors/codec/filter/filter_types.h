// The types of expressions: what can be known before a record is read.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "connectors/codec/filter/filter_tree.h"

namespace sash {

// Sets the type of a node from the types of its operands, which are in the tree. Otherwise returns
// what is wrong and what would be right.
std::optional<std::string> SetType(const FilterTree& tree, FilterNode& node);

// Whether an expression of this type can be a condition.
inline bool MayBeBool(FilterType type) {
  return type == FilterType::kAny || type == FilterType::kBool;
}

// The operation as it is written: "&&", "startsWith()".
std::string_view Name(FilterOperation operation);
// The name of the type with its article: "an int".
std::string_view Name(FilterType type);

}  // namespace sash

// Keys of a mapping that cannot be used together.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"

namespace sash {

struct MappingFault {
  std::string_view
      key;  // of the format: "tombstone"; "operation", "time" and "id" of an edge; or of json
  std::size_t edge = 0;  // of the mapping, from 0
  std::string message;   // what is wrong and what would be right; it follows the key
};

// Empty if the mapping is right.
std::vector<MappingFault> MappingFaults(const FormatSpec& format);

}  // namespace sash

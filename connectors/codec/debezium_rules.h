// What a mapping of changes of rows (source.format.json.unwrap: debezium) must leave out.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"

namespace sash {

struct DebeziumFault {
  std::string_view key;  // of the format: "tombstone"; of json: "each", "text_at"; else of an edge
  std::size_t edge = 0;  // of the mapping, from 0
  std::string message;   // what is wrong and what would be right; it follows the key
};

// Empty for other mappings.
std::vector<DebeziumFault> DebeziumFaults(const FormatSpec& format);

}  // namespace sash

// JsonFields: the fields of one JSON record, each with its JSON pointer, in their order.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/infer/sample_table.h"

namespace sash {

struct JsonField {
  std::string pointer;  // RFC 6901
  SampledValue value;
};

// Fields deeper than this are not listed.
inline constexpr std::size_t kDeepestField = 6;

// Nothing when `record` is not a JSON object. Lists are one field each; members of objects in them
// are not listed.
std::optional<std::vector<JsonField>> ReadJsonFields(std::string_view record);

}  // namespace sash

// Mappings of JSON records with all fields, for tests of the decoder.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tests/connectors/codec/decoding.h"

namespace sash {

inline FormatSpec Json() {
  FormatSpec format;
  format.mapping = JsonMapping{
      .source = "/from", .target = "/to", .weight = "/w", .time = "/ts", .operation = "/op"};
  return format;
}

inline FormatSpec Integers() {
  FormatSpec format = Json();
  format.keys = KeyKind::kInteger;
  return format;
}

inline FormatSpec Rfc3339() {
  FormatSpec format = Json();
  format.time_unit = TimeUnit::kRfc3339;
  return format;
}

inline std::string JsonReasonFor(FormatSpec format, std::string_view record) {
  return ReasonOf(Decoding(std::move(format)).Decode(record));
}

}  // namespace sash

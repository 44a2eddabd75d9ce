// The fields beside the value that a format reads, for the checks of a configuration.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/envelope_field.h"
#include "connectors/codec/format_spec.h"
#include "windows/base/result.h"

namespace sash {

struct EnvelopeUse {
  std::string_view key;  // "source", "time", ..., or "where"
  std::string text;      // the field as it is written in a mapping
  EnvelopeField field;
  std::size_t edge = 0;  // of the mapping; not of `where`
};

// In the order of the mapping, then those of `where`. Fields and filters that are wrong are left
// out, and the attributes of CloudEvents, which may be in the value.
std::vector<EnvelopeUse> EnvelopeUsesOf(const FormatSpec& format);

// Those of them that the records of files do not have, as a list for people: "$key, $header.a".
// Empty: there are none.
std::string FieldsNotInFiles(const FormatSpec& format);

// An error if the event time is $timestamp, but times are not read as milliseconds.
Status CheckTimestampUnit(const FormatSpec& format);

}  // namespace sash

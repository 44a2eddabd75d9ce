// EnvelopeField: a mapped field that is beside the value of a record. It is written
//
//   $key            the record key as text
//   $key/pointer    a field of a record key that is JSON
//   $header.NAME    the last header of this name, as text
//   $topic  $partition  $timestamp (milliseconds since 1970)
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/codec/format_spec.h"
#include "windows/base/result.h"

namespace sash {

struct EnvelopeField {
  enum class From : std::uint8_t { kKey, kHeader, kTopic, kPartition, kTimestamp };
  From from = From::kKey;
  std::string name{};                    // of a header
  std::optional<std::string> pointer{};  // into the key; empty: the whole key, as text

  // Whether the records of files have it.
  bool is_in_files() const { return from == From::kTopic || from == From::kPartition; }

  friend bool operator==(const EnvelopeField&, const EnvelopeField&) = default;
};

// Whether a field of a mapping is written as a field of the envelope. JSON pointers never are, also
// behind kFromRecord.
constexpr bool IsEnvelopeText(std::string_view text) {
  return text.starts_with('$') && !text.starts_with(kFromRecord);
}

// The error says what would be right.
Result<EnvelopeField> ParseEnvelopeField(std::string_view text);

}  // namespace sash

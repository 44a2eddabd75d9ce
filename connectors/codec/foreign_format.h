// Recognizes, by their first bytes, formats that Sash does not read, and says what to do about
// them.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sash {

// The number of first bytes that identify a file's format.
inline constexpr std::size_t kForeignHeadBytes = 16;

// What a file that begins with `head` is, and what to do. Nothing when it may be text.
std::optional<std::string> WhyForeignFile(std::string_view head);

// What is wrong with the line ends of a file that begins with `text`, and what to do: there are
// only carriage returns, which end no line here.
std::optional<std::string> WhyForeignLines(std::string_view text);

// Whether a Kafka record begins with the framing of Confluent's Schema Registry. Registries number
// schemas from 1, so an id that needs four bytes is treated as other data, for example broken text.
inline bool IsFramed(std::string_view record) {
  constexpr std::size_t kFrameBytes =
      5;  // a zero byte and the schema id, most significant byte first
  return record.size() >= kFrameBytes && record[0] == '\0' && record[1] == '\0';
}

// What a Kafka record is, and what to do; nothing when it may be text. Always returns a text for a
// framed record.
std::optional<std::string> WhyForeignRecord(std::string_view record);

}  // namespace sash

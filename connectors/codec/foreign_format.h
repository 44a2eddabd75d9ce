// ForeignFormat: names data that Sash does not read, by its first bytes, and what to do about it.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sash {

// So many first bytes decide about a file.
inline constexpr std::size_t kForeignHeadBytes = 16;

// Of a file that begins with `head`: what it is, and the remedy. Nothing when it may be text.
std::optional<std::string> WhyForeignFile(std::string_view head);

// Whether a record of Kafka begins like the framing of Confluent's Schema Registry. Registries
// count schemas from 1 on: an id of more than three bytes is taken for other bytes, such as broken
// text.
inline bool IsFramed(std::string_view record) {
  constexpr std::size_t kFrameBytes =
      5;  // a zero byte and the schema id, most significant byte first
  return record.size() >= kFrameBytes && record[0] == '\0' && record[1] == '\0';
}

// Of a record of Kafka: as for a file. Every framed record has an answer.
std::optional<std::string> WhyForeignRecord(std::string_view record);

}  // namespace sash

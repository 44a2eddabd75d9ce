// Dead letters as lines of JSON: in the dead-letter file, and in the outbox before their topic.
//
// Invariants
//   (1) What ParseDeadLetter() reads of a line is what was refused: bytes that are not UTF-8 are
//       kept as Base64, and a key or value that was not there is told from an empty one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/refusal.h"

namespace sash {

// Every line begins so.
inline constexpr std::string_view kDeadLetterHead = R"({"topic":)";

// A refused record as a line of JSON, its end included: topic, partition, offset, timestamp,
// reason, stage, detail; key, or key_base64 when it is not UTF-8, when it has one; payload (null:
// none), or payload_base64; "truncated": true when only the first `most_bytes` of key and payload
// are there (or fewer, for whole characters).
std::string DeadLetterLine(const RefusedRecord& record, std::size_t most_bytes);

// A line, read.
struct DeadLetter {
  std::string topic{};
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  EventTime timestamp{};
  std::string reason{};
  std::string stage{};
  std::string detail{};
  std::optional<std::string> key{};
  std::optional<std::string> payload{};
  bool truncated = false;
};

// `line` with or without its end. An error says what is wrong with it.
Result<DeadLetter> ParseDeadLetter(std::string_view line);

}  // namespace sash

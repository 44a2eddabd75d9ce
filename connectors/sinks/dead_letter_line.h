// Dead letters as lines of JSON, in the dead-letter file and in the outbox of their topic.
//
// Thread safety: pure functions.
//
// Invariants
//   (1) ParseDeadLetter() returns exactly what was refused: bytes that are not UTF-8 are stored as
//       Base64, and a missing key or value differs from an empty one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/edge_places.h"
#include "windows/ingest/refusal.h"

namespace sash {

// The beginning of every line.
inline constexpr std::string_view kDeadLetterHead = R"({"topic":)";

// A refused record as a line of JSON, with its line end: topic, partition, offset, timestamp,
// reason, stage, detail; if only some edges are refused: places, a list of {mapping, element, edge,
// reason, detail}, without mapping if there is only one, and without element and edge if the
// mapping refuses all edges of the record; if it has a key: key, or key_base64 when the key is not
// UTF-8; payload (null: none), or payload_base64. If there are headers: headers, a list of {name,
// value}, each with _base64 when it is not UTF-8. "truncated": true if key and payload are cut to
// their first `most_bytes` (or a little less, for whole characters), or the headers did not fit
// beside them.
std::string DeadLetterLine(const RefusedRecord& record, std::size_t most_bytes);

// A parsed line.
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
  OwnHeaders headers{};  // those of the record
  // The edges that were refused, if the record gives several: the others were used.
  std::vector<MappedPlace> places{};
  bool truncated = false;
};

// `line` may have its line end or not. An error says what is wrong with the line.
Result<DeadLetter> ParseDeadLetter(std::string_view line);

}  // namespace sash

// RecordWriter: a generated edge as one JSON object or one CSV row, without the line end.
//
//   {"from":"v12","to":"v7","ts":1767225600000,"amount":5,"op":"add"}
//   source,target,time,weight,operation
//
// The amount is present when the stream has weights, the operation when it has removals; a removal
// has no amount (an empty cell in CSV). Keys need no escaping in either format.
//
// Thread safety: none; the returned views point into the writer.
// Invariants:
// (1) The text depends only on the edge and the options: no locale, no floating-point formatting.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "daemon/generate/edge_stream.h"
#include "windows/ingest/edge_event.h"

namespace sash {

enum class RecordFormat : std::uint8_t { kJson, kCsv };

inline constexpr std::size_t kMaxKeyPrefix = 64;

struct RecordOptions {
  RecordFormat format = RecordFormat::kJson;
  KeyKind keys = KeyKind::kString;
  std::string key_prefix = "v";  // of string keys of the graph's vertices
};

// Fails for a prefix that is too long or would need escaping in JSON or CSV.
Status Validate(const RecordOptions& options);

class RecordWriter {
 public:
  RecordWriter(const RecordOptions& options, const EdgeStreamOptions& stream);

  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  // The header row of CSV; empty for JSON.
  std::string Header() const;

  // Valid until the next Write().
  std::string_view Write(const GeneratedEdge& edge);

  // The source key of the last record as text.
  std::string_view source_key() const { return {source_begin_, source_length_}; }

 private:
  char* PutKey(char* at, std::uint64_t vertex) const;
  char* PutQuotedKey(char* at, std::uint64_t vertex) const;
  char* PutWeight(char* at, std::int32_t weight) const;
  char* PutJson(char* at, const GeneratedEdge& edge);
  char* PutCsv(char* at, const GeneratedEdge& edge);

  RecordOptions options_;
  WeightKind weights_;
  bool has_operation_;
  std::uint64_t first_episode_vertex_;
  std::array<char, 512> record_;  // two keys of at most 64 + 20, three numbers, the field names
  char* source_begin_ = nullptr;
  std::size_t source_length_ = 0;
};

}  // namespace sash

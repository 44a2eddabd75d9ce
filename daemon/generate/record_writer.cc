#include "daemon/generate/record_writer.h"

#include <charconv>
#include <cstring>

#include "daemon/generate/episode.h"

namespace sash {
namespace {

char* Put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

template <typename Integer>
char* PutInteger(char* at, Integer value) {
  return std::to_chars(at, at + 20, value).ptr;
}

std::string_view OperationText(Operation operation) {
  return operation == Operation::kRemove ? "remove" : "add";
}

}  // namespace

Status Validate(const RecordOptions& options) {
  if (options.key_prefix.size() > kMaxKeyPrefix) {
    return Error{ErrorCode::kInvalidArgument, "--key-prefix: must be at most 64 characters"};
  }
  for (const char c : options.key_prefix) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == ',') {
      return Error{ErrorCode::kInvalidArgument,
                   "--key-prefix: must be visible ASCII without quote, backslash and comma"};
    }
  }
  return Ok{};
}

RecordWriter::RecordWriter(const RecordOptions& options, const EdgeStreamOptions& stream)
    : options_(options),
      weights_(stream.weights),
      has_operation_(stream.removals > 0),
      first_episode_vertex_(std::uint64_t{1} << stream.scale) {
  SASH_CHECK(Validate(options).ok());
}

std::string RecordWriter::Header() const {
  if (options_.format == RecordFormat::kJson) return {};
  std::string header = "source,target,time";
  if (weights_ != WeightKind::kNone) header += ",weight";
  if (has_operation_) header += ",operation";
  return header;
}

char* RecordWriter::PutKey(char* at, std::uint64_t vertex) const {
  if (options_.keys == KeyKind::kInteger) return PutInteger(at, vertex);
  if (vertex < first_episode_vertex_) return PutInteger(Put(at, options_.key_prefix), vertex);
  const std::uint64_t planted = vertex - first_episode_vertex_;
  const std::uint64_t member = planted % kEpisodeStride;
  at = PutInteger(Put(at, member == 0 ? "hub-" : "ring-"), planted / kEpisodeStride);
  return member == 0 ? at : PutInteger(Put(at, "-"), member);
}

char* RecordWriter::PutQuotedKey(char* at, std::uint64_t vertex) const {
  if (options_.keys == KeyKind::kInteger) return PutKey(at, vertex);
  *at++ = '"';
  at = PutKey(at, vertex);
  *at++ = '"';
  return at;
}

char* RecordWriter::PutWeight(char* at, std::int32_t weight) const {
  if (weights_ == WeightKind::kInteger) return PutInteger(at, weight);
  at = PutInteger(at, weight / 100);
  *at++ = '.';
  *at++ = static_cast<char>('0' + weight / 10 % 10);
  *at++ = static_cast<char>('0' + weight % 10);
  return at;
}

char* RecordWriter::PutJson(char* at, const GeneratedEdge& edge) {
  const std::size_t quote = options_.keys == KeyKind::kString ? 1 : 0;
  at = Put(at, R"({"from":)");
  source_begin_ = at + quote;
  at = PutQuotedKey(at, edge.source);
  source_length_ = static_cast<std::size_t>(at - source_begin_) - quote;
  at = PutQuotedKey(Put(at, R"(,"to":)"), edge.target);
  at = PutInteger(Put(at, R"(,"ts":)"), edge.time_ms);
  if (weights_ != WeightKind::kNone && edge.operation == Operation::kAdd) {
    at = PutWeight(Put(at, R"(,"amount":)"), edge.weight);
  }
  if (has_operation_) {
    at = Put(at, R"(,"op":")");
    at = Put(Put(at, OperationText(edge.operation)), R"(")");
  }
  *at++ = '}';
  return at;
}

char* RecordWriter::PutCsv(char* at, const GeneratedEdge& edge) {
  source_begin_ = at;
  at = PutKey(at, edge.source);
  source_length_ = static_cast<std::size_t>(at - source_begin_);
  *at++ = ',';
  at = PutKey(at, edge.target);
  *at++ = ',';
  at = PutInteger(at, edge.time_ms);
  if (weights_ != WeightKind::kNone) {
    *at++ = ',';
    if (edge.operation == Operation::kAdd) at = PutWeight(at, edge.weight);
  }
  if (has_operation_) {
    *at++ = ',';
    at = Put(at, OperationText(edge.operation));
  }
  return at;
}

std::string_view RecordWriter::Write(const GeneratedEdge& edge) {
  char* const begin = record_.data();
  char* const end =
      options_.format == RecordFormat::kJson ? PutJson(begin, edge) : PutCsv(begin, edge);
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace sash

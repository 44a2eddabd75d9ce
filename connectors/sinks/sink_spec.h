// Where results go (configuration: sinks[]).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sash {

enum class VerticesWritten : std::uint8_t { kTop, kAll };

// Each result, or what changed from the job's result before.
enum class SinkContent : std::uint8_t { kResults, kDiffs };

// Whose results they are. A live process goes on behind what is there. A replay begins files anew.
// A bounded replay is given files that are empty, and begins nothing anew. Replays of both kinds
// have outboxes of their own.
enum class OutputMode : std::uint8_t { kLive, kReplay, kBoundedReplay };

struct FileSinkSpec {
  std::string path;
  std::vector<std::string> jobs;  // empty: every job
  VerticesWritten vertices = VerticesWritten::kTop;
  SinkContent content = SinkContent::kResults;
  bool checksum = false;  // each line ends with one
};

struct TerminalSinkSpec {};

// Where messages wait on disk until the broker has them.
struct OutboxSpec {
  std::string path;  // of a folder
  std::uint64_t limit_bytes = 256ull << 20;
};

// A topic, and how to reach it.
struct KafkaDestination {
  // "host:port,host:port"; "embedded" is for who opens it to resolve
  std::string brokers{};
  std::string topic{};
  OutboxSpec outbox{};
  std::map<std::string, std::string> options{};  // verbatim librdkafka options
  // As in KafkaSpec: how the file writes values that stand outside it.
  std::map<std::string, std::string> option_references{};
  // With one, messages are sent in transactions under it; empty: not so.
  std::string transactional_id{};
};

struct KafkaSinkSpec : KafkaDestination {
  std::vector<std::string> jobs;  // empty: every job
  VerticesWritten vertices = VerticesWritten::kTop;
  SinkContent content = SinkContent::kResults;
};

using SinkSpec = std::variant<FileSinkSpec, TerminalSinkSpec, KafkaSinkSpec>;

struct DeadLetterSpec {
  std::string path = "dead-letters.jsonl";
  std::uint64_t limit_bytes = 64ull << 20;  // at the limit, the older half is rotated out
  std::optional<KafkaDestination> kafka{};  // a topic to which each goes as well
};

}  // namespace sash

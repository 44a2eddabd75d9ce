// Where results go (configuration: sinks[]).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sash {

enum class VerticesWritten : std::uint8_t { kTop, kAll };

// Each result, the changes since the job's previous result, each row of each result, or what alerts
// tell.
enum class SinkContent : std::uint8_t { kResults, kDiffs, kRows, kAlerts };

// How rows are written.
enum class RowFormat : std::uint8_t { kJson, kCsv };

// The kind of process that writes the results. A live process appends to existing files. A replay
// empties them first. A bounded replay gets empty files and does not empty them. Both kinds of
// replay use separate outboxes.
enum class OutputMode : std::uint8_t { kLive, kReplay, kBoundedReplay };

struct FileSinkSpec {
  std::string path;
  std::vector<std::string> jobs;  // empty: every job
  VerticesWritten vertices = VerticesWritten::kTop;
  SinkContent content = SinkContent::kResults;
  bool partial = false;                 // also results that are not final
  bool checksum = false;                // each line ends with a checksum
  std::string name{};                   // by which alerts name it; may be empty
  RowFormat format = RowFormat::kJson;  // kCsv: only rows, of one job, without checksums
};

struct TerminalSinkSpec {};

// The folder where messages wait on disk until the broker has acknowledged them.
struct OutboxSpec {
  std::string path;  // of a folder
  std::uint64_t limit_bytes = 256ull << 20;
};

// A topic and the connection to it.
struct KafkaDestination {
  // "host:port,host:port". The caller must replace "embedded" before it opens the destination.
  std::string brokers{};
  std::string topic{};
  OutboxSpec outbox{};
  std::map<std::string, std::string> options{};  // verbatim librdkafka options
  // As in KafkaSpec: how the configuration file writes option values that are stored outside it.
  std::map<std::string, std::string> option_references{};
  // The id for transactions; empty: messages are sent without transactions.
  std::string transactional_id{};
};

struct KafkaSinkSpec : KafkaDestination {
  std::vector<std::string> jobs;  // empty: every job
  VerticesWritten vertices = VerticesWritten::kTop;
  SinkContent content = SinkContent::kResults;
  bool partial = false;  // as for a file
  std::string name{};    // likewise
};

// An HTTP or HTTPS receiver of results.
struct WebhookSinkSpec {
  enum class Format : std::uint8_t { kJson, kCsv, kCloudEvents, kAlertmanager };
  struct Secret {
    std::string text{};
    std::string reference{};  // how it is written in the configuration
    friend bool operator==(const Secret&, const Secret&) = default;
  };
  std::string name{};
  std::string url{};
  Format format = Format::kJson;
  std::vector<std::string> jobs{};  // empty: every job
  VerticesWritten vertices = VerticesWritten::kTop;
  SinkContent content = SinkContent::kResults;
  bool partial = false;                     // as for a file
  Secret secret{};                          // signs requests; empty: they are not signed
  std::map<std::string, Secret> headers{};  // added to each request, by name
  std::string ca{};           // PEM file of the certificates that are trusted; empty: the system's
  std::string certificate{};  // PEM file of the client; empty: none
  std::string key{};          // PEM file of its private key
  std::chrono::nanoseconds connect_timeout = std::chrono::seconds(5);
  std::chrono::nanoseconds timeout = std::chrono::seconds(15);        // of a whole request
  std::chrono::nanoseconds longest_pause = std::chrono::seconds(60);  // between two attempts
  OutboxSpec outbox{};
};

using SinkSpec = std::variant<FileSinkSpec, TerminalSinkSpec, KafkaSinkSpec, WebhookSinkSpec>;

struct DeadLetterSpec {
  std::string path = "dead-letters.jsonl";
  std::uint64_t limit_bytes = 64ull << 20;  // at the limit, the older half is rotated out
  std::optional<KafkaDestination> kafka{};  // a topic that also gets every letter
};

}  // namespace sash

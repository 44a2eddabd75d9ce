// Config: the whole configuration, one struct per YAML section. configs/reference.yaml documents
// each key with its unit, default and range; parse_config.h builds a Config.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "connectors/export/export_spec.h"
#include "connectors/export/slices/slice_source_spec.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/replay/replay_spec.h"
#include "connectors/sinks/alerts/alert_spec.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/ingest/time_policy.h"
#include "windows/jobs/job_spec.h"
#include "windows/slide/slices_alone.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct SourceConfig {
  std::variant<KafkaSpec, ReplaySpec, SliceSourceSpec> connector;
  FormatSpec format;
  TimePolicy time;
  DeadLetterSpec dead_letters;
  double refuse_at_most = 50;  // per cent of the records of a finite source

  // Whether it reads files, from their beginning to their end: not topics.
  bool is_replay() const { return !std::holds_alternative<KafkaSpec>(connector); }
  // The exported slices that it reads; null otherwise.
  const SliceSourceSpec* slices() const { return std::get_if<SliceSourceSpec>(&connector); }
  // What follows the last window, if it reads files.
  SourceEnd at_end() const {
    const auto* files = std::get_if<ReplaySpec>(&connector);
    return files != nullptr      ? files->at_end
           : slices() != nullptr ? slices()->at_end
                                 : SourceEnd::kExit;
  }
  // The span of `sashd --replay`; null otherwise.
  const ReplaySpan* span() const {
    const auto* kafka = std::get_if<KafkaSpec>(&connector);
    const std::optional<ReplaySpan>* const span = kafka != nullptr      ? &kafka->span
                                                  : slices() != nullptr ? &slices()->span
                                                                        : nullptr;
    return span != nullptr && *span ? &**span : nullptr;
  }
  // Whether the broker is inside this process.
  bool is_embedded() const {
    const auto* kafka = std::get_if<KafkaSpec>(&connector);
    return kafka != nullptr && kafka->brokers == "embedded";
  }
  // The partitions that this process reads, if it is one of several; null otherwise.
  const StreamShard* shard() const {
    const auto* kafka = std::get_if<KafkaSpec>(&connector);
    return kafka != nullptr && kafka->shard ? &*kafka->shard : nullptr;
  }
  // Whether the source has an end. At the end, every window is emitted and the process exits.
  bool is_finite() const { return is_replay() || span() != nullptr; }
};

struct TlsConfig {
  std::string certificate;  // paths of PEM files
  std::string key;
};

struct TokenConfig {
  std::string text;
  std::string reference;  // as written, if it came from ${env:NAME} or ${file:PATH}
};

struct TokensConfig {
  TokenConfig read;
  TokenConfig admin;
};

struct ListenAddress {
  std::string host;
  std::uint16_t port = 0;
};

struct HttpConfig {
  bool enabled = true;  // "off" disables it
  std::string host = "127.0.0.1";
  std::uint16_t port = 9640;  // 0: any free port; the log shows it
  // Both are set if the host is not a loopback address.
  std::optional<TlsConfig> tls{};
  std::optional<TokensConfig> tokens{};
  std::optional<ListenAddress> metrics_listen{};  // none: "off"
  // Connections of one client without a valid token. Values above three quarters of a listener's
  // connections have no effect.
  std::uint32_t connections_per_address = 192;
};

enum class LogFormat : std::uint8_t { kText, kJson };
enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarn, kError };

// Limit for lines of one kind of event: `burst` at once, then one per `every`.
struct LogRate {
  static constexpr std::uint32_t kMostBurst = 1'000'000;  // practically no limit

  std::uint32_t burst = 20;
  Duration every = std::chrono::seconds(5);
};

struct LogConfig {
  LogFormat format = LogFormat::kText;
  LogLevel level = LogLevel::kInfo;
  LogRate rate_limit{};
};

struct MemoryConfig {
  // Reading alone needs a queue, batches and tables. A lower limit would be reached at once.
  static constexpr std::uint64_t kLeastLimit = 64 << 20;

  enum class Kind : std::uint8_t { kAutomatic, kNone, kBytes };
  Kind kind = Kind::kAutomatic;   // a share of the memory available to the process
  std::uint64_t limit_bytes = 0;  // for kBytes
  std::string spill{};            // folder of the file with the edges of windows; empty: memory
};

struct RecoveryConfig {
  enum class Kind : std::uint8_t { kReplay, kCheckpoint };
  Kind kind = Kind::kReplay;
  std::string path = "state";  // the folder of the checkpoints or the journal
  bool is_placed = false;      // the configuration has a section `state`
  Duration interval = std::chrono::seconds(10);
  // If the mapping of the checkpoint's edges differs from the configured one (mapping_text.h): true
  // reads the windows again, false refuses to start.
  bool rebuilds = false;
};

struct Config {
  SourceConfig source;
  std::vector<WindowSpec> windows;  // at least one, unless `alone` is set
  std::vector<JobSpec> jobs;
  std::vector<std::string> plugins{};  // paths of folders and files from which plug-ins load
  std::size_t runners = 1;             // jobs that run at once, but see runners_now()
  std::vector<SinkSpec> sinks;
  std::vector<ExportSpec> exports;
  std::vector<AlertSpec> alerts;
  HttpConfig http;
  LogConfig log;
  MemoryConfig memory;
  RecoveryConfig recovery;  // recovery, state
  std::chrono::nanoseconds shutdown_deadline = std::chrono::seconds(10);
  // Only for a shard, instead of windows (ReduceToShard()). Not a key.
  std::optional<SlicesAlone> alone{};

  // A replay has one.
  std::size_t runners_now() const { return source.is_finite() ? 1 : runners; }
};

}  // namespace sash

#include "daemon/pipeline/source_factory.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/registry/schema_registry.h"
#include "connectors/export/slices/slice_source.h"
#include "connectors/export/snapshots/snapshot_source.h"
#include "connectors/kafka/kafka_source.h"
#include "connectors/replay/input_file.h"
#include "connectors/replay/replay_files.h"
#include "connectors/replay/replay_source.h"
#include "daemon/log/log_events.h"

namespace sash {
namespace {

constexpr std::string_view kEmbedded = "embedded";
constexpr int kMostDecodeThreads = 8;  // unless configured

// One core in four: the others are for librdkafka, the engine and the jobs.
int DecodeThreads(const KafkaSpec& spec) {
  if (spec.decode_threads > 0) return spec.decode_threads;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency() / 4), 1,
                    kMostDecodeThreads);
}

class ReplayHolder final : public SourceHolder {
 public:
  ReplayHolder(ReplaySpec spec, const SourceConfig& config, const SourceSurroundings& around)
      : source_(std::move(spec), config.format, around.partitions, around.queue, around.refusals,
                around.clock, around.progress) {}
  Source& source() override { return source_; }

 private:
  ReplaySource source_;
};

class SlicesHolder final : public SourceHolder {
 public:
  SlicesHolder(const SliceSourceSpec& spec, SliceSource::Wanted wanted,
               const SourceSurroundings& around)
      : source_(spec, std::move(wanted), around.partitions, around.queue, around.progress,
                around.log) {}
  Source& source() override { return source_; }

 private:
  SliceSource source_;
};

class SnapshotHolder final : public SourceHolder {
 public:
  SnapshotHolder(const SliceSourceSpec& spec, SliceSource::Wanted wanted,
                 const SourceSurroundings& around)
      : source_(spec, std::move(wanted), around.partitions, around.queue, around.progress) {}
  Source& source() override { return source_; }

 private:
  SnapshotSource source_;
};

class KafkaHolder final : public SourceHolder {
 public:
  KafkaHolder(KafkaSpec spec, const SourceConfig& config,
              std::vector<std::unique_ptr<Decoder>> decoders, std::shared_ptr<SchemaSource> schemas,
              const SourceSurroundings& around)
      : source_(std::move(spec), config.format, std::move(decoders), around.partitions,
                around.queue, around.refusals, around.clock, around.progress, config.time,
                around.log, std::move(schemas)) {}
  Source& source() override { return source_; }

 private:
  KafkaSource source_;
};

Result<std::unique_ptr<SourceHolder>> MakeKafka(KafkaSpec spec, const SourceConfig& config,
                                                const SourceSurroundings& around) {
  std::shared_ptr<SchemaSource> schemas;
  if (config.format.registry) schemas = std::make_shared<SchemaRegistry>(*config.format.registry);
  std::vector<std::unique_ptr<Decoder>> decoders;
  for (int i = 0; i < DecodeThreads(spec); ++i) {
    Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(config.format, {}, schemas);
    if (!decoder) return std::move(decoder).error().Within("source.format");
    decoders.push_back(std::move(decoder).value());
  }
  if (around.prefetch_bytes) {
    // Also limits one response of a broker; may not be less than message.max.bytes.
    const std::string bytes =
        std::to_string(std::max<std::size_t>(*around.prefetch_bytes, 1 << 20));
    spec.options.try_emplace("queued.max.messages.kbytes",
                             std::to_string(*around.prefetch_bytes >> 10));
    if (!spec.options.contains("message.max.bytes")) {
      spec.options.try_emplace("fetch.max.bytes", bytes);
    }
  }
  spec.resume = around.resume;
  spec.claims_group = around.broker == nullptr && !spec.span;
  if (around.broker != nullptr) spec.brokers = around.broker->bootstrap_servers();
  return std::unique_ptr<SourceHolder>(std::make_unique<KafkaHolder>(
      std::move(spec), config, std::move(decoders), std::move(schemas), around));
}

}  // namespace

Result<std::unique_ptr<EmbeddedBroker>> StartEmbeddedBroker(const SourceConfig& config,
                                                            EventLog& log) {
  const auto* kafka = std::get_if<KafkaSpec>(&config.connector);
  if (kafka == nullptr || kafka->brokers != kEmbedded) return std::unique_ptr<EmbeddedBroker>();
  Result<std::unique_ptr<EmbeddedBroker>> started = EmbeddedBroker::Start(kafka->topics);
  if (!started) return std::move(started).error().Within("embedded broker");
  log.Log(process_events::kEmbeddedBroker,
          "embedded broker listens on " + started.value()->bootstrap_servers());
  log.Log(process_events::kEmbeddedAlone, kEmbeddedBrokerNote);
  return started;
}

Status CheckSource(const SourceConfig& config) {
  if (const SliceSourceSpec* const slices = config.slices()) {
    std::error_code why;
    const bool is_folder = std::filesystem::is_directory(slices->path, why);
    if (is_folder) return Ok{};
    return Error{ErrorCode::kNotFound,
                 slices->path + ": " + (why ? why.message() : "it is not a folder")};
  }
  const auto* replay = std::get_if<ReplaySpec>(&config.connector);
  if (replay == nullptr) return Ok{};
  const Result<std::vector<std::string>> files = FilesOf(replay->paths);
  if (!files.ok()) return files.error();
  for (const std::string& file : files.value()) {
    std::error_code unknown;
    // A pipe must be opened only once: its writer notices every reader that leaves.
    if (file == "-" || std::filesystem::is_fifo(file, unknown)) continue;
    const Result<std::unique_ptr<InputFile>> opened = InputFile::Open(file);
    if (!opened.ok()) return Error(opened.error()).Within(file);
  }
  return Ok{};
}

Result<std::unique_ptr<SourceHolder>> MakeSource(const SourceConfig& config,
                                                 const SourceSurroundings& around) {
  if (const auto* replay = std::get_if<ReplaySpec>(&config.connector)) {
    ReplaySpec spec = *replay;
    // Times from the clock cannot make other events late.
    if (config.format.time_origin == TimeOrigin::kField) {
      spec.ahead_limit = config.time.ahead_limit;
    }
    return std::unique_ptr<SourceHolder>(
        std::make_unique<ReplayHolder>(std::move(spec), config, around));
  }
  if (const SliceSourceSpec* const slices = config.slices()) {
    SliceSource::Wanted wanted{.keys = config.format.keys,
                               .pane = around.pane,
                               .filters = config.format.window_filters,
                               .dedupes = config.time.dedupe_within > Duration::zero()};
    if (const auto snapshot = FindSnapshot(slices->path)) {
      SliceSourceSpec spec = *slices;
      spec.path = *snapshot;
      return std::unique_ptr<SourceHolder>(
          std::make_unique<SnapshotHolder>(spec, std::move(wanted), around));
    }
    return std::unique_ptr<SourceHolder>(
        std::make_unique<SlicesHolder>(*slices, std::move(wanted), around));
  }
  return MakeKafka(std::get<KafkaSpec>(config.connector), config, around);
}

}  // namespace sash

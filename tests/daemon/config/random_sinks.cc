#include "tests/daemon/config/random_sinks.h"

#include <algorithm>

#include "connectors/sinks/named_rows.h"
#include "connectors/sinks/result_diff.h"

namespace sash {

std::vector<std::string> RandomSinks::Jobs(const Config& config) {
  std::vector<std::string> jobs;
  for (const JobSpec& job : config.jobs) {
    if (random_.Coin()) jobs.push_back(job.name);
  }
  return jobs;
}

SinkContent RandomSinks::Content(const Config& config, VerticesWritten vertices,
                                 const std::vector<std::string>& jobs) {
  const bool listed = std::ranges::all_of(config.jobs, [&](const JobSpec& job) {
    return HasDiffs(job.parameters) || std::ranges::find(jobs, job.name) == jobs.end();
  });
  const bool has_rows = std::ranges::all_of(config.jobs, [&](const JobSpec& job) {
    return HasRows(job.parameters) || std::ranges::find(jobs, job.name) == jobs.end();
  });
  if (has_rows && random_.Coin()) return SinkContent::kRows;
  if (vertices == VerticesWritten::kAll || !listed) return SinkContent::kResults;
  return random_.Pick(SinkContent::kResults, SinkContent::kDiffs);
}

SinkSpec RandomSinks::Sink(const Config& config, std::uint64_t index) {
  if (random_.Coin()) return TerminalSinkSpec{};
  if (random_.Coin()) return KafkaSink(config, index);
  FileSinkSpec file{"out/" + std::to_string(index) + random_.Text() + "x",
                    {},
                    random_.Pick(VerticesWritten::kTop, VerticesWritten::kAll)};
  file.jobs = Jobs(config);
  file.content = Content(config, file.vertices, file.jobs);
  file.checksum = random_.Coin();
  const bool can_be_csv =
      file.content == SinkContent::kRows && file.jobs.size() == 1 && !file.checksum;
  if (can_be_csv) file.format = random_.Pick(RowFormat::kJson, RowFormat::kCsv);
  return file;
}

ExportSpec RandomSinks::Export(const Config& config, std::uint64_t index) {
  ExportSpec frozen{.path = "export" + std::to_string(index) + "/" + random_.Text() + "x",
                    .every = 1 + static_cast<std::uint32_t>(random_.Number(1000)),
                    .keep = 1 + static_cast<std::uint32_t>(random_.Number(1000)),
                    .limit_bytes = 65536 + random_.Number(1 << 30),
                    .kind = random_.Pick(ExportKind::kFrozen, ExportKind::kParquet)};
  for (std::size_t i = 0; i <= random_.Number(config.windows.size()); ++i) {
    frozen.windows.push_back(config.windows[i].name);
  }
  if (frozen.kind == ExportKind::kFrozen) {
    frozen.leases = static_cast<std::uint32_t>(random_.Number(10'001));
    frozen.lease_ttl = random_.Time();
    frozen.lease_limit_bytes = 65536 + random_.Number(1 << 30);
  }
  return frozen;
}

void RandomSinks::Destination(const Config& config, const std::string& name, KafkaDestination& to) {
  to.brokers = random_.Pick("b:1", "a:1,[::1]:65535");
  const auto* source = std::get_if<KafkaSpec>(&config.source.connector);
  if (source != nullptr && random_.Coin()) to.brokers = source->brokers;
  to.topic = "results." + name;
  to.outbox = {"box/" + name + random_.Text() + "x", (1 << 20) + random_.Number(1 << 30)};
  if (random_.Coin()) {
    to.options = {
        {"debug", random_.Text()}, {"client.id", ""}, {random_.Text() + "!", random_.Text()}};
  }
}

KafkaSinkSpec RandomSinks::KafkaSink(const Config& config, std::uint64_t index) {
  KafkaSinkSpec sink;
  Destination(config, std::to_string(index), sink);
  if (sink.brokers != "embedded" && random_.Coin()) {
    sink.transactional_id = sink.topic + random_.Text();
  }
  sink.vertices = random_.Pick(VerticesWritten::kTop, VerticesWritten::kAll);
  sink.jobs = Jobs(config);
  sink.content = Content(config, sink.vertices, sink.jobs);
  return sink;
}

}  // namespace sash

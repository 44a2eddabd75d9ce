#include "daemon/check/check_config.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/kafka/kafka_options.h"
#include "connectors/sinks/kafka/producer_options.h"
#include "daemon/check/format_check.h"
#include "daemon/check/named_files.h"
#include "daemon/check/schemas.h"
#include "daemon/config/error_list.h"
#include "daemon/config/job_baselines.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/window_extents.h"
#include "daemon/http/tls_material.h"
#include "daemon/plugins/job_plugin.h"

namespace sash {
namespace {

// `options`: the key of the section that holds the options.
void Add(const std::string& options, const std::vector<KafkaOptionError>& errors,
         ParsedConfig& parsed) {
  for (const KafkaOptionError& error : errors) {
    const std::string key = error.key.empty() ? options : options + "." + error.key;
    parsed.Fail(key, error.what);
  }
}

void AddTls(const TlsConfig& tls, ParsedConfig& parsed) {
  if (tls.certificate.empty() || tls.key.empty()) return;  // already reported as an error
  for (const TlsTrouble& trouble : ReadTlsMaterial(tls.certificate, tls.key).troubles) {
    parsed.Fail(trouble.key, trouble.what);
  }
}

void AddWebhooks(ParsedConfig& parsed) {
  for (std::size_t i = 0; i < parsed.config.sinks.size(); ++i) {
    const auto* hook = std::get_if<WebhookSinkSpec>(&parsed.config.sinks[i]);
    if (hook == nullptr || hook->certificate.empty() == hook->key.empty()) continue;
    const char* const given = hook->key.empty() ? "certificate" : "key";
    parsed.Fail("sinks[" + std::to_string(i) + "].webhook." + given,
                "is only useful with both `certificate` and `key`; give both, or neither");
  }
}

// Reports windows that would be cut into more slices than allowed: by all windows of their axis
// together, or by the memory limit; and those that cannot be read live or again.
void AddWindows(ParsedConfig& parsed) {
  const Config& config = parsed.config;
  for (std::size_t i = 0; i < config.windows.size(); ++i) {
    const WindowSpec& window = config.windows[i];
    const std::int64_t pane = PaneOf(config.windows, window.by);
    std::optional<std::string> why = WhyTooManyPanes(window, pane);
    if (!why && config.memory.kind == MemoryConfig::Kind::kBytes) {
      why = WhyNotWithin(window, pane, config.memory.limit_bytes);
    }
    const std::string path = "windows[" + std::to_string(i) + "].";
    if (why) parsed.Fail(path + "length", *std::move(why));
    for (const auto& [key, is_given] :
         {std::pair("live", window.live), std::pair("retain", window.retain > 0)}) {
      if (!is_given || config.memory.spill.empty()) continue;
      parsed.Fail(path + key, "does not go with memory.spill, which keeps edges on disk alone");
    }
  }
}

// A shard exports slices of event time that do not depend on clocks, and do not know other shards.
void AddShard(ParsedConfig& parsed) {
  const Config& config = parsed.config;
  const auto* const kafka = std::get_if<KafkaSpec>(&config.source.connector);
  if (kafka == nullptr || !kafka->shard) return;
  const std::string key = "source.kafka.partitions";
  if (std::ranges::none_of(config.exports, &ExportSpec::slices)) {
    parsed.Fail(key,
                "a shard does nothing but export slices; add {parquet: {path: export, slices: "
                "true}} to `exports`, or leave out `partitions`");
  }
  if (config.source.is_embedded()) {
    parsed.Fail(key,
                "no other shard can read from the embedded broker; give the address of a broker in "
                "source.kafka.brokers, or leave out `partitions`");
  }
  if (config.source.format.time_origin == TimeOrigin::kClock) {
    parsed.Fail("source.time.from",
                "is `clock`, which is different in each shard (source.kafka.partitions); give "
                "`field` or `kafka`");
  }
  for (std::size_t i = 0; i < config.windows.size(); ++i) {
    if (config.windows[i].by == WindowAxis::kEventTime) continue;
    parsed.Fail(JoinIndex("windows", i) + ".by",
                fmt::format("a window by {} needs the whole stream, and each shard "
                            "(source.kafka.partitions) has a part of it; give `event_time`",
                            config.windows[i].by == WindowAxis::kEvents ? "number of events"
                                                                        : "processing time"));
  }
}

// The folder, or the nearest one around it that exists, is in shared memory.
bool IsInSharedMemory(std::filesystem::path path) {
  struct statfs about {};
  while (::statfs(path.empty() ? "." : path.c_str(), &about) != 0) {
    if (path.empty() || path == path.parent_path()) return false;
    path = path.parent_path();
  }
  return about.f_type == TMPFS_MAGIC;
}

// Reports exports in shared memory that may take all of the memory limit.
void AddExports(ParsedConfig& parsed) {
  const Config& config = parsed.config;
  if (config.memory.kind != MemoryConfig::Kind::kBytes) return;
  std::uint64_t together = 0;
  for (std::size_t i = 0; i < config.exports.size(); ++i) {
    if (!IsInSharedMemory(config.exports[i].path)) continue;
    together += config.exports[i].limit_bytes;
    if (together < config.memory.limit_bytes) continue;
    parsed.Fail(ExportKey(config.exports[i], i, "limit"),
                "leaves nothing of memory.limit (" + FormatSize(config.memory.limit_bytes) +
                    "), in which snapshots in shared memory count; give a lower limit, a folder on "
                    "a disk, or a higher memory.limit");
  }
}

// Loads the plug-ins of jobs, and compares the baselines and alerts of these jobs with what their
// results have.
void AddPlugins(ParsedConfig& parsed) {
  for (std::size_t i = 0; i < parsed.config.jobs.size(); ++i) {
    for (PluginFault& fault : LoadPluginOf(parsed.config.jobs[i], parsed.config.plugins)) {
      parsed.Fail(JoinIndex("jobs", i) + "." + fault.key, std::move(fault.message));
    }
  }
  if (!parsed.errors.empty()) return;
  for (std::size_t i = 0; i < parsed.config.jobs.size(); ++i) {
    const JobSpec& job = parsed.config.jobs[i];
    if (!std::holds_alternative<PluginParameters>(job.parameters)) continue;
    auto alone = WhyWithoutBaseline(job, parsed.config.jobs, parsed.config.windows);
    if (alone) parsed.Fail(JoinIndex("jobs", i) + ".baseline.window", *std::move(alone));
  }
  for (std::size_t i = 0; i < parsed.config.alerts.size(); ++i) {
    const AlertSpec& alert = parsed.config.alerts[i];
    const auto job = std::ranges::find(parsed.config.jobs, alert.job, &JobSpec::name);
    const bool is_of_plugin = job != parsed.config.jobs.end() &&
                              std::holds_alternative<PluginParameters>(job->parameters);
    if (!is_of_plugin) continue;  // it was compared when it was read
    for (AlertFault& fault : FindAlertFaults(alert, parsed.config)) {
      parsed.Fail(JoinIndex("alerts", i) + "." + std::string(fault.key), std::move(fault.message));
    }
  }
}

}  // namespace

ParsedConfig LoadAndCheckConfig(const std::string& path) {
  ParsedConfig parsed = LoadConfig(path);
  // Checks that span several keys run only when each key is valid by itself.
  if (parsed.errors.empty()) AddSchemas(parsed);
  if (parsed.errors.empty()) {
    AddFormat(parsed);
    AddWindows(parsed);
    AddShard(parsed);
    AddExports(parsed);
    AddPlugins(parsed);
  }
  const auto* kafka = std::get_if<KafkaSpec>(&parsed.config.source.connector);
  if (kafka != nullptr && !kafka->options.empty()) {
    Add("source.kafka.options", FindWrongKafkaOptions(*kafka), parsed);
  }
  const auto& letters = parsed.config.source.dead_letters.kafka;
  if (letters && !letters->options.empty()) {
    Add("source.dead_letters.options", FindWrongProducerOptions(letters->options), parsed);
  }
  for (std::size_t i = 0; i < parsed.config.sinks.size(); ++i) {
    const auto* sink = std::get_if<KafkaSinkSpec>(&parsed.config.sinks[i]);
    if (sink == nullptr || sink->options.empty()) continue;
    Add("sinks[" + std::to_string(i) + "].kafka.options",
        FindWrongProducerOptions(sink->options, sink->transactional_id), parsed);
  }
  AddWebhooks(parsed);
  if (parsed.config.http.tls) AddTls(*parsed.config.http.tls, parsed);
  AddSharedFiles(parsed);
  std::ranges::stable_sort(parsed.errors, {}, [&](const ConfigError& error) {
    return std::pair(std::ranges::find(parsed.files, error.file), error.line);
  });
  KeepReadable(parsed.errors, std::exchange(parsed.left_out, 0));
  return parsed;
}

}  // namespace sash

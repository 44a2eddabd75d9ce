#include "daemon/changes/config_reload.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "daemon/check/check_config.h"
#include "daemon/log/log_events.h"
#include "daemon/pipeline/shard_config.h"

namespace sash {
namespace {

// What a shard takes from `windows`.
std::string PaneAndFilters(const SlicesAlone& slices) {
  return fmt::format("a pane of {} s and {} filters",
                     std::chrono::duration<double>(slices.pane).count(), slices.filters.size());
}

}  // namespace

ConfigReload::ConfigReload(std::string file, Config running, EventLog& log)
    : file_(std::move(file)), running_(std::move(running)), log_(log) {}

void ConfigReload::Follow(std::vector<WindowSpec> windows, WindowPanes panes,
                          std::vector<JobSpec> jobs, std::vector<AlertSpec> alerts) {
  running_.windows = std::move(windows);
  running_.jobs = std::move(jobs);
  running_.alerts = std::move(alerts);
  panes_ = std::move(panes);
}

ConfigReload::Outcome ConfigReload::Refuse(std::vector<ConfigError> errors) {
  ++failed_;
  last_succeeded_ = false;
  for (const ConfigError& error : errors) {
    log_.Log(process_events::kReloadWrong, "reload: " + error.ToString(), {{"key", error.key}});
  }
  log_.Log(process_events::kReloadRefused,
           fmt::format("reload: {} is wrong; nothing changed", file_));
  return {std::move(errors), {}};
}

ConfigReload::Outcome ConfigReload::Read(const std::function<Status(const Config&)>& apply) {
  ParsedConfig parsed = LoadAndCheckConfig(file_);
  if (!parsed.errors.empty()) return Refuse(std::move(parsed.errors));
  if (running_.alone && parsed.config.source.shard() == nullptr) {
    return Refuse({{file_, 1, "source.kafka.partitions",
                    "is not given any more, and a shard cannot become a process that reads all "
                    "partitions; start sashd again, with another path of the export"}});
  }
  if (running_.alone) ReduceToShard(parsed.config);
  std::vector<ConfigChange> changes = FindChanges(running_, parsed.config, panes_);
  if (running_.alone && running_.alone != parsed.config.alone) {
    changes.push_back(
        {"windows", PaneAndFilters(*running_.alone), PaneAndFilters(*parsed.config.alone)});
  }
  Config wanted = WithLiveChanges(running_, parsed.config, panes_);
  if (Status applied = apply(wanted); !applied) {
    return Refuse({{file_, 1, "", applied.error().message}});
  }
  running_ = std::move(wanted);
  ++succeeded_;
  last_succeeded_ = true;
  if (changes.empty()) {
    log_.Log(process_events::kReloadUnchanged, "reload: nothing has changed in " + file_);
  }
  for (const ConfigChange& change : changes) {
    if (change.live) {
      log_.Log(process_events::kReloadChanged, "reload: changed " + change.ToString(),
               {{"key", change.key}});
    } else {
      log_.Log(process_events::kReloadNeedsRestart, "reload: needs a restart: " + change.ToString(),
               {{"key", change.key}});
    }
  }
  return {{}, std::move(changes)};
}

}  // namespace sash

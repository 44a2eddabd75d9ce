#include "daemon/changes/config_reload.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "daemon/check/check_config.h"
#include "daemon/log/log_events.h"

namespace sash {

ConfigReload::ConfigReload(std::string file, Config running, EventLog& log)
    : file_(std::move(file)), running_(std::move(running)), log_(log) {}

void ConfigReload::Follow(std::vector<WindowSpec> windows, WindowPanes panes,
                          std::vector<JobSpec> jobs) {
  running_.windows = std::move(windows);
  running_.jobs = std::move(jobs);
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
  std::vector<ConfigChange> changes = FindChanges(running_, parsed.config, panes_);
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

// ConfigReload: reads the configuration again while the process runs.
//
// Thread safety: counts() may be called from any thread, the rest belongs to the main thread.
//
// Invariants
//   (1) All or nothing: a configuration with any error, or one that cannot be applied, changes
//       nothing, and each error is logged.
//   (2) running() is the configuration in effect. Changes that need a restart are not in it, and
//       are reported again at every reload until the restart.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/config/config_change.h"
#include "daemon/config/parse_config.h"
#include "daemon/metrics/daemon_metrics.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

class ConfigReload {
 public:
  // `running` was read from `file`.
  ConfigReload(std::string file, Config running, EventLog& log);

  // Either errors or changes.
  struct Outcome {
    std::vector<ConfigError> errors;
    std::vector<ConfigChange> changes;
  };

  // Reads the file again. If it is valid, calls `apply` with the configuration that takes effect
  // from now on, before the changes are logged. If `apply` fails, nothing has changed.
  Outcome Read(const std::function<Status(const Config&)>& apply);

  // Called when windows, jobs and alerts have changed without a reload; `panes` are those that the
  // windows share.
  void Follow(std::vector<WindowSpec> windows, WindowPanes panes, std::vector<JobSpec> jobs,
              std::vector<AlertSpec> alerts);

  const Config& running() const { return running_; }

  ReloadCounts counts() const { return {succeeded_, failed_, last_succeeded_}; }

 private:
  Outcome Refuse(std::vector<ConfigError> errors);

  const std::string file_;
  Config running_;
  WindowPanes panes_;
  EventLog& log_;
  std::atomic<std::uint64_t> succeeded_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
  std::atomic<bool> last_succeeded_ = true;
};

}  // namespace sash

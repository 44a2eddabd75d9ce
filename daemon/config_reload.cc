#include "daemon/config_reload.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "daemon/check_config.h"
#include "daemon/config/config_change.h"

namespace sash {

ConfigReload::ConfigReload(std::string file, Config running, EventLog& log)
    : file_(std::move(file)), running_(std::move(running)), log_(log) {}

void ConfigReload::Read(const std::function<void(const Config&)>& apply) {
  const ParsedConfig parsed = LoadAndCheckConfig(file_);
  last_succeeded_ = parsed.errors.empty();
  if (!parsed.errors.empty()) {
    ++failed_;
    for (const ConfigError& error : parsed.errors) {
      log_.Log(LogSeverity::kError, "reload: " + error.ToString());
    }
    log_.Log(LogSeverity::kError, fmt::format("reload: {} is wrong; nothing changed", file_));
    return;
  }
  ++succeeded_;
  const std::vector<ConfigChange> changes = FindChanges(running_, parsed.config);
  running_ = WithLiveChanges(running_, parsed.config);
  apply(running_);
  if (changes.empty()) log_.Log(LogSeverity::kInfo, "reload: nothing has changed in " + file_);
  for (const ConfigChange& change : changes) {
    if (change.live) {
      log_.Log(LogSeverity::kInfo, "reload: changed " + change.ToString());
    } else {
      log_.Log(LogSeverity::kWarning, "reload: needs a restart: " + change.ToString());
    }
  }
}

}  // namespace sash

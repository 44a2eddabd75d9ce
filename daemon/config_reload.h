// ConfigReload: reads the configuration of a running process again.
//
// Thread safety: Read() belongs to one thread; counts() may be called from any thread.
//
// Invariants
//   (1) All or nothing: a configuration with any error changes nothing, and each error is logged.
//   (2) running() is what the process does; what needs a restart is not in it, and is said again at
//       every reload until then.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "daemon/config/config.h"
#include "daemon/metrics/daemon_metrics.h"
#include "windows/base/event_log.h"

namespace sash {

class ConfigReload {
 public:
  // `file` is what `running` was read from.
  ConfigReload(std::string file, Config running, EventLog& log);

  // Reads the file again. `apply` is called with the configuration that the process has from now on,
  // if it is right, before the changes are logged.
  void Read(const std::function<void(const Config&)>& apply);

  const Config& running() const { return running_; }

  ReloadCounts counts() const { return {succeeded_, failed_, last_succeeded_}; }

 private:
  const std::string file_;
  Config running_;
  EventLog& log_;
  std::atomic<std::uint64_t> succeeded_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
  std::atomic<bool> last_succeeded_ = true;
};

}  // namespace sash

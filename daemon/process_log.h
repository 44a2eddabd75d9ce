// ProcessLog: the process's log on standard error, text or JSON lines (configuration: log).
//
// Thread safety: Log() may be called from any thread.
#pragma once

#include <memory>
#include <string_view>

#include "daemon/config/config.h"
#include "windows/base/event_log.h"

namespace spdlog {
class logger;
}

namespace sash {

class ProcessLog final : public EventLog {
 public:
  explicit ProcessLog(const LogConfig& config);
  ~ProcessLog() override;

  void Log(LogSeverity severity, std::string_view message) override;

  // Any thread may call it.
  void SetLevel(LogLevel level);

 private:
  const bool json_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace sash

// ProcessLog: the process's log on standard error, text or JSON lines (configuration: log).
//
// Each line holds the id of its event: JSON as member `event`, with the fields as further members;
// text between level and message.
//
// Thread safety: Log() may be called from any thread.
#pragma once

#include <memory>

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

  void Write(const LogLine& line) override;

  // Any thread may call it.
  void SetLevel(LogLevel level);

 private:
  const bool json_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace sash

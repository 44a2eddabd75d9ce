// ProcessLog: the process's log on standard error, text or JSON lines (configuration: log).
//
// Each line holds the id of its event: JSON as member `event`, with the fields as further members;
// text between level and message.
//
// What repeats is held back (LogPacer). The next line of its kind that is written says how many
// were; TellHeld() does when none comes, and so does the end.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <memory>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/log/log_pacer.h"
#include "daemon/metrics/log_counts.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"

namespace spdlog {
class logger;
}

namespace sash {

class ProcessLog final : public EventLog {
 public:
  ProcessLog(const LogConfig& config, const Clock& clock);
  ~ProcessLog() override;

  void Write(const LogLine& line) override;

  // Says how many lines of a kind were held back, where one may be written again. Called now and
  // then.
  void TellHeld() { Tell(pacer_.TakeDue()); }
  void TellAllHeld() { Tell(pacer_.TakeAll()); }

  std::vector<LogCounts> counts() const { return pacer_.counts(); }

  // What of the configuration can change while it runs.
  void Follow(const LogConfig& config);

 private:
  void Tell(const std::vector<LogPacer::Told>& told);
  void Put(const LogLine& line, const HeldLines& held);

  const bool json_;
  std::unique_ptr<spdlog::logger> logger_;
  LogPacer pacer_;
};

}  // namespace sash

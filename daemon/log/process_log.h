// ProcessLog: the process's log on standard error, text or JSON lines (configuration: log).
//
// Each line holds the id of its event: JSON as member `event`, with the fields as further members;
// text between level and message.
//
// Repeated lines are held back (LogPacer). The next line of the same kind says how many were held
// back; if none comes, ReportHeld() or the end of the process does.
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

  // Reports the lines held back, for each kind that may write a line again. Called periodically.
  void ReportHeld() { WriteSummaries(pacer_.TakeDue()); }
  void ReportAllHeld() { WriteSummaries(pacer_.TakeAll()); }

  std::vector<LogCounts> counts() const { return pacer_.counts(); }

  // Applies the settings that can change while it runs.
  void Follow(const LogConfig& config);

 private:
  void WriteSummaries(const std::vector<LogPacer::Summary>& summaries);
  void Put(const LogLine& line, const HeldLines& held);

  const bool json_;
  std::unique_ptr<spdlog::logger> logger_;
  LogPacer pacer_;
};

}  // namespace sash

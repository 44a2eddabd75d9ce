// KeptLog: a log that a test can read.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

class KeptLog final : public EventLog {
 public:
  void Write(const LogLine& line) override {
    constexpr std::string_view kNames[] = {"debug", "info", "warning", "error"};
    const MutexLock lock(mutex_);
    lines_.push_back(std::string(kNames[static_cast<int>(line.event.severity)]) + ": " +
                     std::string(line.message));
  }

  // "severity: message" of each line.
  std::vector<std::string> lines() const {
    const MutexLock lock(mutex_);
    return lines_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash

// ReadyState: the reasons why nothing, or not everything, can be read now; one log line per change.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) A subject has one reason at a time. A log line is written when the reason's identity
//       changes. The text may change without a log line, because it can hold counters and
//       durations.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

class ReadyState {
 public:
  explicit ReadyState(EventLog& log) : log_(log) {}

  void Set(const std::string& subject, const LogEvent& event, std::string_view identity,
           std::string text, std::initializer_list<LogField> fields = {});

  // Logs `message` if there was a reason.
  void Clear(const std::string& subject, const LogEvent& event, std::string_view message,
             std::initializer_list<LogField> fields = {});

  bool IsSet(const std::string& subject) const;
  std::vector<std::string> Reasons() const;

 private:
  struct Reason {
    std::string identity;
    std::string text;
  };
  EventLog& log_;
  mutable Mutex mutex_;
  std::map<std::string, Reason> reasons_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash

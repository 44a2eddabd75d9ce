// LogPacer: which lines of the log are written at once, and which are held back and reported as a
// number, so that repeated lines do not fill the disk.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) For each kind of event, `burst` lines pass, then one line per `every`. Kinds do not affect
//       each other. An event that is kAlways passes.
//   (2) Every line that is held back is reported once, as part of a number: by the next line of its
//       kind that passes, else by TakeDue() as soon as a line may pass, else by TakeAll().
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/metrics/log_counts.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

// Lines of one kind that were held back.
struct HeldLines {
  std::uint64_t lines = 0;
  std::chrono::duration<double> span{};      // since the first of them
  std::chrono::duration<double> last_ago{};  // since the last of them
};

class LogPacer {
 public:
  // What is written about the lines of one kind that were held back.
  struct Summary {
    LogEvent event;
    HeldLines held;
    std::string last;  // its message
  };

  LogPacer(const LogRate& rate, const Clock& clock) : clock_(clock), rate_(rate) {}

  // Empty: the line is held back. Otherwise the lines of its kind held back since the last that
  // passed.
  std::optional<HeldLines> Pass(const LogLine& line);

  // The kinds that have lines held back and may pass a line by now, the oldest first.
  std::vector<Summary> TakeDue() { return Take(false); }
  std::vector<Summary> TakeAll() { return Take(true); }

  void SetRate(const LogRate& rate);

  // For each kind seen since the start.
  std::vector<LogCounts> counts() const;

 private:
  struct Kind {
    LogEvent event;
    double passes = 0;  // how many may pass, as of `filled`
    SteadyTime filled{};
    std::uint64_t held = 0;  // held back and not yet reported
    SteadyTime first_held{};
    SteadyTime last_held{};
    std::string last{};
    LogCounts counts;
  };

  std::vector<Summary> Take(bool all);
  static void Fill(Kind& kind, const LogRate& rate, SteadyTime now);
  static HeldLines TakeHeld(Kind& kind, SteadyTime now);

  const Clock& clock_;
  mutable Mutex mutex_;
  LogRate rate_ SASH_GUARDED_BY(mutex_);
  std::map<std::string_view, Kind> kinds_
      SASH_GUARDED_BY(mutex_);  // ids live as long as the process
};

}  // namespace sash

// ServiceNotifier: reports the state of the process to the service manager (sd_notify of systemd),
// and feeds its watchdog while the pipeline makes progress.
//
// Without NOTIFY_SOCKET, which systemd sets for Type=notify, it does nothing.
//
// Thread safety: belongs to one thread, the main thread.
//
// Invariants
//   (1) It never waits: a message that the manager does not take at once is dropped.
//   (2) STATUS= is sent when it changes, and only then.
//   (3) WATCHDOG=1 is sent only by Look(), only after progress, and at most a few times in the
//       interval that the manager allows.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/pipeline/pipeline_standing.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"

namespace sash {

// Whether the pipeline has made progress since the last call.
class PipelinePulse {
 public:
  bool Beats(const PipelineStanding& standing);

 private:
  std::optional<std::uint64_t> rounds_;
};

class ServiceNotifier {
 public:
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. Logs once when nothing can be sent.
  explicit ServiceNotifier(EventLog& log);
  ~ServiceNotifier();
  ServiceNotifier(const ServiceNotifier&) = delete;
  ServiceNotifier& operator=(const ServiceNotifier&) = delete;

  // Called when every part has been started.
  void Ready();

  // Call it a few times a second, with the reasons for not being ready and the pipeline's state.
  void Look(const std::vector<std::string>& not_ready, const PipelineStanding& standing,
            SteadyTime now);

  // Called when the process ends. `patience`: how long that may take; empty: the manager's default.
  void Stopping(std::optional<std::chrono::nanoseconds> patience);

 private:
  void Send(std::string_view message);

  EventLog& log_;
  int socket_ = -1;
  std::string address_;  // as in NOTIFY_SOCKET; an abstract address begins with '@'
  std::optional<std::chrono::microseconds> watchdog_;
  std::optional<SteadyTime> last_beat_;
  std::string status_;
  PipelinePulse pulse_;
};

}  // namespace sash

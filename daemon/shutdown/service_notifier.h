// ServiceNotifier: tells the service manager how the process is (sd_notify of systemd), and feeds
// its watchdog while the pipeline makes progress.
//
// Without NOTIFY_SOCKET, which systemd sets for Type=notify, it does nothing.
//
// Thread safety: belongs to one thread, the main thread.
//
// Invariants
//   (1) It never waits: a message that the manager does not take at once is dropped.
//   (2) STATUS= is sent when it changes, and only then.
//   (3) WATCHDOG=1 is sent only by Look(), only for a beat, and at most a few times in the time
//       that the manager grants.
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

// Whether something has moved since it was asked last.
class PipelinePulse {
 public:
  bool Beats(const PipelineStanding& standing);

 private:
  std::optional<std::uint64_t> rounds_;
};

class ServiceNotifier {
 public:
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. `log` is told once when nothing can be
  // sent.
  explicit ServiceNotifier(EventLog& log);
  ~ServiceNotifier();
  ServiceNotifier(const ServiceNotifier&) = delete;
  ServiceNotifier& operator=(const ServiceNotifier&) = delete;

  // Every part has been started.
  void Ready();

  // To be called a few times a second: why nothing can be read now, and how the pipeline stands.
  void Look(const std::vector<std::string>& not_ready, const PipelineStanding& standing,
            SteadyTime now);

  // The process ends. `patience` is how long that may take; without it, what the manager grants.
  void Stopping(std::optional<std::chrono::nanoseconds> patience);

 private:
  void Send(std::string_view message);

  EventLog& log_;
  int socket_ = -1;
  std::string address_;  // as in NOTIFY_SOCKET; '@' begins an abstract one
  std::optional<std::chrono::microseconds> watchdog_;
  std::optional<SteadyTime> last_beat_;
  std::string status_;
  PipelinePulse pulse_;
};

}  // namespace sash

// ShutdownGuard: a thread that ensures that stopping does not take for ever.
//
// While it lives, a signal or the deadline makes it call `cut_short` once. If the process has not
// ended a moment later, or another signal comes, it is ended by force: the next start rebuilds the
// state from the stream.
//
// Thread safety: belongs to the main thread. `cut_short` is called in the guard's own thread and
// must not wait for anything: a run that is stuck in a write would block the guard.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "daemon/shutdown/stop_request.h"
#include "windows/base/event_log.h"

namespace sash {

class ShutdownGuard {
 public:
  // Without a deadline it acts only on a signal. Use of force is logged.
  ShutdownGuard(StopRequest& stop, EventLog& log, std::optional<std::chrono::nanoseconds> deadline,
                std::function<void()> cut_short);
  ~ShutdownGuard() { Release(); }

  // Whether it has called `cut_short`. Any thread may ask.
  bool acted() const { return acted_; }

  // Ends the guard. Idempotent.
  void Release();

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Watch(std::optional<std::chrono::nanoseconds> deadline);
  void EndByForce(Time until);

  StopRequest& stop_;
  EventLog& log_;
  const std::function<void()> cut_short_;
  std::atomic<bool> released_ = false;
  std::atomic<bool> acted_ = false;
  std::thread thread_;
};

}  // namespace sash

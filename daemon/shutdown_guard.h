// ShutdownGuard: a thread that sees to it that stopping does not take for ever.
//
// While it lives, a signal or the deadline makes it call `cut_short` once; if the process has not
// ended a moment after that, it is ended by force: state is rebuilt from the stream at the next
// start.
//
// Thread safety: belongs to the main thread. `cut_short` is called in the guard's own thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "daemon/stop_request.h"

namespace sash {

class ShutdownGuard {
 public:
  // Acts on a signal alone.
  ShutdownGuard(StopRequest& stop, std::function<void()> cut_short);
  // Acts on a signal or when the deadline is near.
  ShutdownGuard(std::chrono::nanoseconds deadline, StopRequest& stop,
                std::function<void()> cut_short);
  ~ShutdownGuard() { Release(); }

  // Ends the guard; true when it had to act. Idempotent.
  bool Release();

 private:
  void Watch(std::optional<std::chrono::steady_clock::time_point> deadline);
  void EndByForce(std::chrono::steady_clock::time_point until);

  StopRequest& stop_;
  const std::function<void()> cut_short_;
  std::atomic<bool> released_ = false;
  std::atomic<bool> acted_ = false;
  std::thread thread_;
};

}  // namespace sash

#include "daemon/shutdown_guard.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace sash {
namespace {

using std::chrono::steady_clock;
constexpr std::chrono::milliseconds kStep{50};
constexpr std::chrono::seconds kGrace{5};  // for what was cut short, beyond which force is used
constexpr int kForcedExit = 1;

}  // namespace

ShutdownGuard::ShutdownGuard(StopRequest& stop, std::function<void()> cut_short)
    : stop_(stop), cut_short_(std::move(cut_short)), thread_([this] { Watch(std::nullopt); }) {}

ShutdownGuard::ShutdownGuard(std::chrono::nanoseconds deadline, StopRequest& stop,
                             std::function<void()> cut_short)
    : stop_(stop),
      cut_short_(std::move(cut_short)),
      // A fifth is kept for writing what is there and for the last commit.
      thread_([this, until = steady_clock::now() + deadline * 4 / 5] { Watch(until); }) {}

bool ShutdownGuard::Release() {
  released_ = true;
  if (thread_.joinable()) thread_.join();
  return acted_;
}

void ShutdownGuard::Watch(std::optional<steady_clock::time_point> deadline) {
  while (!released_) {
    const bool signalled = stop_.Wait(kStep) == StopRequest::Cause::kSignal;
    if (released_) return;
    if (signalled || (deadline && steady_clock::now() >= *deadline)) {
      acted_ = true;
      cut_short_();
      EndByForce(steady_clock::now() + kGrace);
      return;
    }
  }
}

void ShutdownGuard::EndByForce(steady_clock::time_point until) {
  while (!released_ && steady_clock::now() < until) std::this_thread::sleep_for(kStep);
  if (released_) return;
  std::fputs("sashd: did not stop in time, ended by force\n", stderr);
  _exit(kForcedExit);
}

}  // namespace sash

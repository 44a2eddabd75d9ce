#include "daemon/shutdown/shutdown_guard.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "daemon/log/log_events.h"

namespace sash {
namespace {

using std::chrono::steady_clock;
constexpr std::chrono::milliseconds kStep{50};
constexpr std::chrono::seconds kGrace{5};       // for work that was cut short on request
constexpr std::chrono::seconds kLeastGrace{1};  // whatever the deadline
constexpr int kForcedExit = 1;

}  // namespace

ShutdownGuard::ShutdownGuard(StopRequest& stop, EventLog& log,
                             std::optional<std::chrono::nanoseconds> deadline,
                             std::function<void()> cut_short)
    : stop_(stop), log_(log), cut_short_(std::move(cut_short)) {
  try {
    thread_ = std::thread([this, deadline] { Watch(deadline); });
  } catch (const std::system_error& error) {  // no memory for its stack, or too many threads
    log_.Log(process_events::kNoDeadline,
             std::string("stopping without a deadline: no thread for it: ") + error.what());
  }
}

void ShutdownGuard::Release() {
  released_ = true;
  if (thread_.joinable()) thread_.join();
}

void ShutdownGuard::Watch(std::optional<std::chrono::nanoseconds> deadline) {
  const Time begun = steady_clock::now();
  std::optional<Time> end;
  std::optional<Time> cut;
  if (deadline) {
    // The rest of the time is for the run to notice, for writing results, and for the last commit.
    const std::chrono::nanoseconds rest = std::max<std::chrono::nanoseconds>(
        *deadline / 5, std::min<std::chrono::nanoseconds>(kLeastGrace, *deadline / 2));
    end = begun + *deadline;
    cut = *end - rest;
  }
  while (!released_) {
    const bool signalled = stop_.Wait(kStep) == StopRequest::Cause::kSignal;
    if (released_) return;
    const Time now = steady_clock::now();
    if (!signalled && !(cut && now >= *cut)) continue;
    acted_ = true;
    cut_short_();
    const Time patience = now + kGrace;
    EndByForce(std::max(now + kLeastGrace, end ? std::min(*end, patience) : patience));
    return;
  }
}

void ShutdownGuard::EndByForce(Time until) {
  bool signalled = false;
  while (!released_ && !signalled && steady_clock::now() < until) {
    signalled = stop_.Wait(kStep) == StopRequest::Cause::kSignal;
  }
  if (released_) return;
  log_.Log(process_events::kForced,
           signalled ? "ended by force, on another signal"
                     : "ended by force: the work in progress did not stop in time");
  _exit(kForcedExit);
}

}  // namespace sash

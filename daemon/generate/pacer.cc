#include "daemon/generate/pacer.h"

#include <algorithm>
#include <ctime>

namespace sash {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

}  // namespace

std::uint64_t Pacer::DueBy(SteadyTime now) const {
  if (now < start_) return 0;
  const double elapsed = duration<double>(now - start_).count();
  auto due = static_cast<std::uint64_t>(elapsed * rate_) + 1;
  // Rounding must not wake a sleeper at DueAt(n) while n is not due.
  if (DueAt(due) <= now) ++due;
  return due;
}

SteadyTime Pacer::DueAt(std::uint64_t number) const {
  const duration<double> after(static_cast<double>(number) / rate_);
  return start_ + std::chrono::duration_cast<nanoseconds>(after);
}

void SleepBriefly(SteadyTime until) {
  const SteadyTime now = std::chrono::steady_clock::now();
  const SteadyTime wake = std::min(until, now + milliseconds(100));
  if (wake <= now) return;
  const auto since_boot = wake.time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_boot);
  const timespec at{
      .tv_sec = seconds.count(),
      .tv_nsec = (since_boot - std::chrono::duration_cast<nanoseconds>(seconds)).count()};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
}

}  // namespace sash

#include "daemon/memory/memory_watch.h"

#include <fmt/format.h>
#include <pthread.h>

#include <utility>

#include "daemon/log/log_events.h"

namespace sash {
namespace {

// As much as a few sources may read between two looks.
constexpr std::uint64_t kNear = 512 << 20;
constexpr std::chrono::seconds kBetweenReleases{1};
constexpr std::chrono::milliseconds kBetweenReleasesWhenFull{200};

constexpr std::string_view kRemedy =
    "raise memory.limit, or shorten windows, source.time.disorder or keep_results";

}  // namespace

MemoryWatch::MemoryWatch(MemoryLimit limit, MemorySurroundings surroundings)
    : limit_(std::move(limit)), around_(std::move(surroundings)), budget_(limit_.bytes) {
  status_.slow_bytes = budget_.slow_bytes();
  status_.limit_bytes = limit_.bytes;
}

void MemoryWatch::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "memory watch");
    while (!stop.stop_requested()) {
      SleepFor(stop, Look());
    }
  });
}

void MemoryWatch::Stop() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  around_.progress.intake_held = false;
  around_.progress.intake_pause = 0;
}

std::chrono::milliseconds MemoryWatch::Look() {
  const SteadyTime now = around_.clock.Steady();
  std::uint64_t used = around_.used();
  if (used >= budget_.slow_bytes()) {
    // Memory that the allocator only keeps for later is given back before it counts as used.
    const auto between = used >= budget_.full_bytes() ? Duration(kBetweenReleasesWhenFull)
                                                      : Duration(kBetweenReleases);
    if (!released_at_ || now - *released_at_ >= between) {
      released_at_ = now;
      around_.release();
      used = around_.used();
    }
  }
  const MemoryBudget::Verdict verdict = budget_.Observe(used, now);
  around_.progress.intake_held = verdict.state == MemoryState::kFull;
  around_.progress.intake_pause = verdict.pause.count();
  Say(verdict.state, used, now);
  {
    const MutexLock lock(mutex_);
    status_.state = verdict.state;
    status_.used_bytes = used;
  }
  return used + kNear < budget_.slow_bytes() ? kBetweenLooks : kBetweenLooksWhenNear;
}

void MemoryWatch::Say(MemoryState state, std::uint64_t used, SteadyTime now) {
  if (std::exchange(found_, state) != state) found_since_ = now;
  std::optional<SteadyTime>& said_at = said_at_.at(static_cast<std::size_t>(state));
  const bool is_due =
      state > said_ || now - found_since_ >= kLasting || now - last_line_ >= kBetweenLines;
  if (state == said_ || !is_due || (said_at && now - *said_at < kBetweenLines)) return;
  said_ = state;
  said_at = last_line_ = now;
  const std::string use = fmt::format("memory: {} of {} ({}) are used or reserved", SizeText(used),
                                      SizeText(limit_.bytes), limit_.origin);
  switch (state) {
    case MemoryState::kNormal:
      return around_.log.Log(process_events::kMemoryNormal, use + ": reading at full speed");
    case MemoryState::kSlowed:
      return around_.log.Log(process_events::kMemorySlowed, use + ": reading is slowed down");
    case MemoryState::kFull:
      return around_.log.Log(
          process_events::kMemoryFull,
          fmt::format("{}: nothing more is read until some is free; {}", use, kRemedy));
  }
}

MemoryStatus MemoryWatch::status() const {
  const MutexLock lock(mutex_);
  return status_;
}

std::optional<std::string> MemoryWatch::not_ready() const {
  const MemoryStatus now = status();
  if (now.state != MemoryState::kFull) return std::nullopt;
  return fmt::format("memory: {} of {} ({}) are used or reserved, so nothing more is read; {}",
                     SizeText(now.used_bytes), SizeText(now.limit_bytes), limit_.origin, kRemedy);
}

}  // namespace sash

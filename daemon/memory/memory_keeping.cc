#include "daemon/memory/memory_keeping.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <limits>

#include "daemon/log/log_events.h"
#include "daemon/memory/allocator.h"
#include "daemon/memory/process_memory.h"
#include "windows/base/mutex.h"

namespace sash {

MemoryKeeping::MemoryKeeping(const MemoryConfig& config, EventLog& log)
    : config_(config),
      log_(log),
      limit_(ChooseMemoryLimit(config, LeastCeiling(FindCgroupCeiling(), resource_ceilings_))) {}

void MemoryKeeping::Watch(MemoryHolder& holder) {
  holder_ = &holder;
  if (limit_) WatchLimit(holder);
  tender_ = std::jthread([this](const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "memory tender");
    const SystemClock clock;  // the holder's clock may be destroyed before the thread ends
    do {
      TendMemory(tending_, Room(), clock.Steady());
    } while (SleepFor(stop, kBetweenTendings));
  });
}

void MemoryKeeping::WatchLimit(MemoryHolder& holder) {
  watch_.emplace(*limit_, MemorySurroundings{.progress = holder.progress(),
                                             .clock = holder.clock(),
                                             .log = log_,
                                             .used =
                                                 [this] {
                                                   return UseToCompare(
                                                       *limit_, resource_ceilings_,
                                                       {.reserved = holder_->ReservedBytes(),
                                                        .shared = holder_->SharedBytes()});
                                                 },
                                             .release = ReleaseIdleMemory});
}

void MemoryKeeping::Start() {
  if (!watch_) return;
  SayLimit();
  watch_->Start();
}

void MemoryKeeping::Stop() {
  if (watch_) watch_->Stop();
}

// Reports a limit that is not written in the configuration.
void MemoryKeeping::SayLimit() {
  if (!limit_->warning.empty()) {
    log_.Log(process_events::kMemoryLimitDoubtful, limit_->warning);
  } else if (config_.kind == MemoryConfig::Kind::kAutomatic) {
    log_.Log(process_events::kMemoryLimit,
             fmt::format("memory: the limit is {} ({})", SizeText(limit_->bytes), limit_->origin));
  }
}

std::optional<std::string> MemoryKeeping::not_ready() const {
  if (!watch_) return std::nullopt;
  return watch_->not_ready();
}

MemoryCounts MemoryKeeping::CountMemory() const {
  MemoryCounts counts{.used = UsedMemory(),
                      .reserved = holder_->ReservedBytes(),
                      .shared = holder_->SharedBytes(),
                      .limit = {},
                      .allocated = AllocatedMemory()};
  if (watch_) {
    counts.limit = limit_->bytes;
    counts.state = static_cast<int>(watch_->status().state);
  }
  return counts;
}

std::uint64_t MemoryKeeping::Room() const {
  if (!watch_) return std::numeric_limits<std::uint64_t>::max();
  const MemoryStatus memory = watch_->status();
  return memory.slow_bytes - std::min(memory.slow_bytes, memory.used_bytes);
}

std::optional<std::string> MemoryKeeping::WhyStuck() {
  if (!watch_ || !holder_->is_finite()) return std::nullopt;
  ReplayStanding standing = holder_->Replayed();
  standing.used_bytes = watch_->status().used_bytes;
  if (!stuck_replay_.Observe(standing, holder_->clock().Steady())) return std::nullopt;
  const MemoryStatus memory = watch_->status();
  return fmt::format(
      "memory: the replay cannot go on: {} of {} ({}) are used or reserved, nothing is left that "
      "could give memory back, and there is more to read. The largest parts: {}. Raise "
      "memory.limit, or shorten windows, source.time.disorder or keep_results",
      SizeText(memory.used_bytes), SizeText(memory.limit_bytes), limit_->origin,
      holder_->Holders());
}

}  // namespace sash

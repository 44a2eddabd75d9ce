// MemoryKeeping: the memory of the process against its limit, if it has one, and what the allocator
// holds free.
//
// Thread safety: CountMemory() and not_ready() may be called from any thread, the rest belongs to
// the main thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/memory/memory_holder.h"
#include "daemon/memory/memory_limit.h"
#include "daemon/memory/memory_tending.h"
#include "daemon/memory/memory_watch.h"
#include "daemon/memory/stuck_replay.h"
#include "daemon/metrics/daemon_metrics.h"
#include "windows/base/event_log.h"

namespace sash {

class MemoryKeeping {
 public:
  // Chooses the limit.
  MemoryKeeping(const MemoryConfig& config, EventLog& log);

  const std::optional<MemoryLimit>& limit() const { return limit_; }

  // Before the holder is built, which outlives it. The allocator is tended from now on.
  void Watch(MemoryHolder& holder);

  void Start();
  void Stop();

  // Why nothing is read, while that is so.
  std::optional<std::string> not_ready() const;
  MemoryCounts CountMemory() const;

  // Why a replay will never go on; nothing while it may. To be asked a few times a second.
  std::optional<std::string> WhyStuck();

 private:
  static constexpr std::chrono::milliseconds kBetweenTendings{250};

  void WatchLimit(MemoryHolder& holder);
  void SayLimit();
  std::uint64_t Room() const;

  const MemoryConfig config_;
  EventLog& log_;
  const std::vector<MappedCeiling> resource_ceilings_ = FindResourceCeilings();
  const std::optional<MemoryLimit> limit_;
  const MemoryHolder* holder_ = nullptr;
  std::optional<MemoryWatch> watch_;  // with a limit
  StuckReplay stuck_replay_;
  MemoryTending tending_;  // the thread's
  std::jthread tender_;    // last: it reads the others
};

}  // namespace sash

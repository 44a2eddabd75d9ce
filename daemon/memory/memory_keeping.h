// MemoryKeeping: compares the memory of the process with its limit, if it has one, and controls how
// much the allocator holds free.
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

  // Called before the holder is built, which outlives this object. Starts the control of the
  // allocator.
  void Watch(MemoryHolder& holder);

  void Start();
  void Stop();

  // Why reading is stopped, while it is.
  std::optional<std::string> not_ready() const;
  MemoryCounts CountMemory() const;

  // Why a replay will never go on; empty while it may. Call it a few times a second.
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
  std::optional<MemoryWatch> watch_;  // set if there is a limit
  StuckReplay stuck_replay_;
  MemoryTending tending_;  // belongs to the thread
  std::jthread tender_;    // last: it reads the other members
};

}  // namespace sash

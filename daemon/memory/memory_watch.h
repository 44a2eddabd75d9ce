// MemoryWatch: compares the use of memory with the limit, and slows the sources down near the
// limit.
//
// Thread safety: Look() belongs to one thread, after Start() to its thread; status() and
// not_ready() may be called from any thread; Start() and Stop() belong to the owner.
//
// Invariants
//   (1) StreamProgress holds the result of the newest Look(); after Stop() nothing is held back.
//   (2) A state that is worse than the last one logged gets a line in the log at once; a better one
//       when it has lasted kLasting or nothing was logged for kBetweenLines. Each state has at most
//       one line every kBetweenLines, whatever the others have. A state that lasts is logged:
//       memory.full always appears in the end.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "daemon/memory/memory_budget.h"
#include "daemon/memory/memory_limit.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/ingest/source.h"

namespace sash {

struct MemoryStatus {
  MemoryState state = MemoryState::kNormal;
  std::uint64_t used_bytes = 0;
  std::uint64_t slow_bytes = 0;  // reading is slowed down from here on
  std::uint64_t limit_bytes = 0;
};

struct MemorySurroundings {
  StreamProgress& progress;
  const Clock& clock;
  EventLog& log;
  std::function<std::uint64_t()> used;  // bytes
  std::function<void()> release;        // gives back memory that is free but kept
};

class MemoryWatch {
 public:
  static constexpr std::chrono::milliseconds kBetweenLooks{100};
  static constexpr std::chrono::milliseconds kBetweenLooksWhenNear{20};
  static constexpr std::chrono::seconds kBetweenLines{5};
  static constexpr std::chrono::seconds kLasting{1};

  MemoryWatch(MemoryLimit limit, MemorySurroundings surroundings);
  ~MemoryWatch() { Stop(); }

  void Start();
  void Stop();

  // Measures the use and acts on it. Returns the time until the next look.
  std::chrono::milliseconds Look();

  MemoryStatus status() const;

  // Why reading is stopped, while it is.
  std::optional<std::string> not_ready() const;

 private:
  void Say(MemoryState state, std::uint64_t used, SteadyTime now);

  const MemoryLimit limit_;
  const MemorySurroundings around_;
  MemoryBudget budget_;
  std::optional<SteadyTime> released_at_;
  MemoryState said_ = MemoryState::kNormal;
  std::array<std::optional<SteadyTime>, 3> said_at_;  // by state
  SteadyTime last_line_{};
  MemoryState found_ = MemoryState::kNormal;  // in the newest look
  SteadyTime found_since_{};

  mutable Mutex mutex_;
  MemoryStatus status_ SASH_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sash

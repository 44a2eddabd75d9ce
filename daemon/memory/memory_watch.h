// MemoryWatch: holds the use of memory against the limit, and the sources back when it comes near.
//
// Thread safety: Look() belongs to one thread, that of Start() once it was called; status() and
// not_ready() to any; Start() and Stop() to the owner.
//
// Invariants
//   (1) StreamProgress says what the newest Look() found, and nothing is held after Stop().
//   (2) A state that is worse than the one said last is one line in the log at once, a better one
//       when it has lasted kLasting or nothing was said for kBetweenLines; each state has at most
//       one line every kBetweenLines, whatever the others have. One that lasts is said: nobody
//       waits in vain for memory.full.
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
  std::uint64_t slow_bytes = 0;  // from where on reading is slowed down
  std::uint64_t limit_bytes = 0;
};

struct MemorySurroundings {
  StreamProgress& progress;
  const Clock& clock;
  EventLog& log;
  std::function<std::uint64_t()> used;  // bytes
  std::function<void()> release;        // what is free but kept
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

  // Asks for the use and acts on it. Returns when to look again.
  std::chrono::milliseconds Look();

  MemoryStatus status() const;

  // Why nothing is read, while that is so.
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
  MemoryState found_ = MemoryState::kNormal;  // by the newest look
  SteadyTime found_since_{};

  mutable Mutex mutex_;
  MemoryStatus status_ SASH_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sash

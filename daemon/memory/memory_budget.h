// MemoryBudget: how fast the source may be read, from the memory in use and the limit.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) From 80 % of the limit on, each batch is followed by a pause that grows with the use, up to
//       kLongestPause. From 95 % on the budget is full and nothing more is read.
//   (2) The last 5 % are for data already read: batches in the queue, a slice that is being frozen.
//   (3) A state ends a little below the use at which it began, and full ends only after kSettle, so
//       that the state does not change with every slice.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "windows/base/clock.h"

namespace sash {

enum class MemoryState : std::uint8_t { kNormal, kSlowed, kFull };

std::string_view Name(MemoryState state);

class MemoryBudget {
 public:
  static constexpr std::chrono::milliseconds kLongestPause{50};
  static constexpr std::chrono::milliseconds kSettle{200};

  explicit MemoryBudget(std::uint64_t limit_bytes);

  struct Verdict {
    MemoryState state = MemoryState::kNormal;
    std::chrono::milliseconds pause{0};  // after each batch, unless full
  };
  Verdict Observe(std::uint64_t used_bytes, SteadyTime now);

  std::uint64_t limit_bytes() const { return limit_; }
  std::uint64_t slow_bytes() const { return slow_; }  // reading is slowed down from here on
  std::uint64_t full_bytes() const { return full_; }

 private:
  MemoryState Next(std::uint64_t used, SteadyTime now);

  const std::uint64_t limit_;
  const std::uint64_t slow_;
  const std::uint64_t full_;
  MemoryState state_ = MemoryState::kNormal;
  std::optional<SteadyTime> below_full_;  // since when, while full
};

}  // namespace sash

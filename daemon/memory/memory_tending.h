// MemoryTending: how much memory the allocator may hold free, and in which pages, so that an
// advance finds memory that the kernel has already handed over, and the process does not stay at
// its peak size.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) If less than Least() is free in large pieces, it is filled up, a little at each look, so
//       that an advance does not wait for the kernel.
//   (2) Memory is given back only when more than Most() has been free for SurplusAfter(), because
//       the next advance asks for what an advance has freed; then all free memory is given back.
//       With huge pages, getting it again takes long: giving back splits them, and the kernel hands
//       out small pages until it finds the time to join them.
//   (3) Only a process that holds kWorthIt or more uses huge pages: in a small one they waste too
//       much by rounding up.
//   (4) When there is no room, nothing is filled up and no huge page is asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "windows/base/clock.h"

namespace sash {

class MemoryTending {
 public:
  static constexpr std::uint64_t kWorthIt = 128 << 20;
  static constexpr std::uint64_t kFreshAtOnce = 16 << 20;  // see invariant (1)

  // In bytes; `allocated` is what is handed out.
  static std::uint64_t Least(std::uint64_t allocated);
  static std::uint64_t Most(std::uint64_t allocated);
  static std::chrono::seconds SurplusAfter(std::uint64_t allocated);

  // All in bytes.
  struct Use {
    std::uint64_t allocated = 0;
    std::uint64_t idle = 0;
    std::uint64_t roomy = 0;  // RoomyIdleMemory(): the part of `idle` in large pieces
    std::uint64_t room = 0;   // how much more the process may take
  };

  enum class Action : std::uint8_t { kNone, kWarm, kRelease };
  struct Plan {
    bool huge_pages = false;
    Action action = Action::kNone;
  };

  // Call it a few times a second.
  Plan Observe(const Use& use, SteadyTime now);

 private:
  std::optional<SteadyTime> above_since_;
};

// Reads the allocator's figures and carries out the plan. Does nothing without jemalloc.
void TendMemory(MemoryTending& tending, std::uint64_t room, SteadyTime now);

}  // namespace sash

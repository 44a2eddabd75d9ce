// MemoryTending: how much the allocator may hold free, and in which pages, so that an advance finds
// memory that the kernel has handed over already, and the process does not stay as large as it
// once was.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Less than Least() that is not in pieces is filled up, a little at each look: the waiting is
//       not an advance's.
//   (2) It is given back only when it has been more than Most() for SurplusAfter(), then all of it:
//       what an advance frees the next one asks for again. Where there are huge pages that takes
//       long: giving back cuts them up, and what comes in their place is small until the kernel
//       finds the time to join it.
//   (3) Huge pages are for a process that holds kWorthIt or more: in a small one what they round up
//       is much.
//   (4) Where there is no room, nothing is filled up and no huge page is asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "windows/base/clock.h"

namespace sash {

class MemoryTending {
 public:
  static constexpr std::uint64_t kWorthIt = 128 << 20;
  static constexpr std::uint64_t kFreshAtOnce = 16 << 20;  // of invariant (1)

  // In bytes, of what is handed out.
  static std::uint64_t Least(std::uint64_t allocated);
  static std::uint64_t Most(std::uint64_t allocated);
  static std::chrono::seconds SurplusAfter(std::uint64_t allocated);

  // All in bytes.
  struct Use {
    std::uint64_t allocated = 0;
    std::uint64_t idle = 0;
    std::uint64_t roomy = 0;  // RoomyIdleMemory(): of these, what is not in pieces
    std::uint64_t room = 0;   // how much more the process may become
  };

  enum class Action : std::uint8_t { kNone, kWarm, kRelease };
  struct Plan {
    bool huge_pages = false;
    Action action = Action::kNone;
  };

  // To be asked a few times a second.
  Plan Observe(const Use& use, SteadyTime now);

 private:
  std::optional<SteadyTime> above_since_;
};

// Asks the allocator and does it. Does nothing without jemalloc.
void TendMemory(MemoryTending& tending, std::uint64_t room, SteadyTime now);

}  // namespace sash

#include "daemon/memory/memory_tending.h"

#include <algorithm>

#include "daemon/memory/allocator.h"

namespace sash {

std::uint64_t MemoryTending::Least(std::uint64_t allocated) {
  constexpr std::uint64_t kEnough = 256 << 20;
  if (allocated < kWorthIt) return 0;
  return std::min(allocated / 32, kEnough);
}

std::uint64_t MemoryTending::Most(std::uint64_t allocated) {
  constexpr std::uint64_t kOfASmallProcess = 32 << 20;
  return kOfASmallProcess + allocated / 8;
}

std::chrono::seconds MemoryTending::SurplusAfter(std::uint64_t allocated) {
  return std::chrono::seconds(allocated < kWorthIt ? 3 : 60);
}

MemoryTending::Plan MemoryTending::Observe(const Use& use, SteadyTime now) {
  const std::uint64_t least = Least(use.allocated);
  const bool has_room = use.room >= least;
  Plan plan{.huge_pages = has_room && use.allocated >= kWorthIt};
  if (use.idle <= Most(use.allocated)) {
    above_since_.reset();
    if (has_room && use.roomy < least) plan.action = Action::kWarm;
  } else if (!above_since_) {
    above_since_ = now;
  } else if (now - *above_since_ >= SurplusAfter(use.allocated)) {
    above_since_.reset();
    plan.action = Action::kRelease;
  }
  return plan;
}

void TendMemory(MemoryTending& tending, std::uint64_t room, SteadyTime now) {
  const std::optional<std::uint64_t> allocated = AllocatedMemory();
  const std::optional<std::uint64_t> idle = IdleMemory();
  const std::optional<std::uint64_t> roomy = RoomyIdleMemory();
  if (!allocated || !idle || !roomy) return;
  const MemoryTending::Plan plan =
      tending.Observe({.allocated = *allocated, .idle = *idle, .roomy = *roomy, .room = room}, now);
  AllowHugePages(plan.huge_pages);
  switch (plan.action) {
    case MemoryTending::Action::kNone:
      return;
    case MemoryTending::Action::kWarm:
      return WarmMemory(MemoryTending::Least(*allocated), MemoryTending::kFreshAtOnce);
    case MemoryTending::Action::kRelease:
      return ReleaseIdleMemory();
  }
}

}  // namespace sash

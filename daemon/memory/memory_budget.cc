#include "daemon/memory/memory_budget.h"

#include <algorithm>

namespace sash {
namespace {

constexpr std::uint64_t Percent(std::uint64_t bytes, std::uint64_t percent) {
  return bytes / 100 * percent;
}

}  // namespace

std::string_view Name(MemoryState state) {
  switch (state) {
    case MemoryState::kNormal:
      return "normal";
    case MemoryState::kSlowed:
      return "slowed";
    case MemoryState::kFull:
      return "full";
  }
  return "";
}

MemoryBudget::MemoryBudget(std::uint64_t limit_bytes)
    : limit_(limit_bytes), slow_(Percent(limit_bytes, 80)), full_(Percent(limit_bytes, 95)) {}

MemoryState MemoryBudget::Next(std::uint64_t used, SteadyTime now) {
  if (used >= full_) {
    below_full_.reset();
    return MemoryState::kFull;
  }
  if (state_ == MemoryState::kFull) {
    if (used >= full_ - Percent(limit_, 1)) return MemoryState::kFull;
    if (!below_full_) below_full_ = now;
    if (now - *below_full_ < kSettle) return MemoryState::kFull;
    below_full_.reset();
  }
  const bool was_normal = state_ == MemoryState::kNormal;
  return used >= slow_ - (was_normal ? 0 : Percent(limit_, 2)) ? MemoryState::kSlowed
                                                               : MemoryState::kNormal;
}

MemoryBudget::Verdict MemoryBudget::Observe(std::uint64_t used_bytes, SteadyTime now) {
  state_ = Next(used_bytes, now);
  Verdict verdict{.state = state_};
  if (state_ == MemoryState::kSlowed) {
    const std::uint64_t over = used_bytes > slow_ ? used_bytes - slow_ : 0;
    const double share = static_cast<double>(over) / static_cast<double>(full_ - slow_);
    verdict.pause = std::chrono::ceil<std::chrono::milliseconds>(kLongestPause * share);
  }
  return verdict;
}

}  // namespace sash

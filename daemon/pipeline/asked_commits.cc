#include "daemon/pipeline/asked_commits.h"

#include <algorithm>
#include <ranges>

namespace sash {

void AskedCommits::Ask(std::uint64_t advances, const RewindPoint& point) {
  asked_.push_back({advances, point});
  if (asked_.size() > kMost) asked_.pop_front();
}

std::uint64_t AskedCommits::Acknowledged(const std::optional<RewindPoint>& committed) {
  if (!committed) return acknowledged_;
  const auto newest = std::ranges::find(asked_.rbegin(), asked_.rend(), *committed, &Asked::point);
  if (newest == asked_.rend()) return acknowledged_;
  acknowledged_ = newest->advances;
  asked_.erase(asked_.begin(), newest.base());
  return acknowledged_;
}

}  // namespace sash

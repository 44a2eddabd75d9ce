#include "connectors/sinks/held_results.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sash {

bool HeldResults::Holds(const ResultIdentity& result) const {
  if (!result.is_in_series()) {
    const auto held = cuts_.find(result.origin);
    return held != cuts_.end() && held->second.Holds(result.position, result.cut);
  }
  const auto found = origins_.find(result.origin);
  return found != origins_.end() && std::ranges::binary_search(found->second.held, result.position);
}

void HeldResults::Add(const ResultIdentity& result) {
  if (!result.is_in_series()) return cuts_[result.origin].Add(result.position, result.cut);
  std::deque<std::int64_t>& held = origins_[result.origin].held;
  const auto place = std::ranges::lower_bound(held, result.position);
  if (place == held.end() || *place != result.position) held.insert(place, result.position);
}

void HeldResults::Add(const HeldResults& others) {
  for (const auto& [origin, positions] : others.origins_) {
    std::deque<std::int64_t>& held = origins_[origin].held;
    std::deque<std::int64_t> all;
    std::ranges::set_union(held, positions.held, std::back_inserter(all));
    held = std::move(all);
  }
  for (const auto& [origin, cuts] : others.cuts_) cuts_[origin].Add(cuts);
}

void HeldResults::Forget(const ResultIdentity& result) {
  if (!result.is_in_series()) return;
  const auto found = origins_.find(result.origin);
  if (found == origins_.end()) return;
  std::deque<std::int64_t>& held = found->second.held;
  held.erase(held.begin(), std::ranges::upper_bound(held, result.position));
}

std::vector<ResultIdentity> HeldResults::Newest(std::size_t most) const {
  std::vector<ResultIdentity> newest;
  for (const auto& [origin, positions] : origins_) {
    const std::size_t count = std::min(most, positions.held.size());
    for (auto at = positions.held.end() - static_cast<std::ptrdiff_t>(count);
         at != positions.held.end(); ++at) {
      newest.push_back({origin, *at});
    }
  }
  return newest;
}

bool HeldResults::Admit(const ResultIdentity& identity) {
  if (!identity.is_in_series()) {
    if (Holds(identity)) return false;
    Add(identity);
    return true;
  }
  Origin& origin = origins_[identity.origin];
  while (!origin.held.empty() && origin.held.front() < identity.position) origin.held.pop_front();
  if (!origin.held.empty() && origin.held.front() == identity.position) return false;
  if (!identity.origin.alert.empty() && origin.held.empty()) {
    origins_.erase(identity.origin);  // or each subject of an alert would stay
    return true;
  }
  return std::exchange(origin.newest, identity.position) != identity.position;
}

std::size_t HeldResults::size() const {
  std::size_t count = 0;
  for (const auto& [origin, positions] : origins_) count += positions.held.size();
  return count;
}

}  // namespace sash

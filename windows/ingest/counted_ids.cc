#include "windows/ingest/counted_ids.h"

#include "windows/base/allocated_bytes.h"

namespace sash {

void CountedIds::Arrive(std::uint32_t slice, std::vector<IdentifiedEdge> edges) {
  if (edges.empty()) return;
  bytes_ += AllocatedBytes(edges) + sizeof(Arrived);
  const MutexLock lock(arrived_mutex_);
  arrived_.push_back({slice, std::move(edges)});
}

// Takes over what came since the last reader.
void CountedIds::IndexArrived() const {
  std::vector<Arrived> arrived;
  {
    const MutexLock lock(arrived_mutex_);
    arrived.swap(arrived_);
  }
  constexpr std::size_t kIndexed = sizeof(Entry) + 64;  // with the node of the map
  std::size_t freed = 0;
  const std::size_t before = entries_.size();
  for (const Arrived& each : arrived) {
    for (const IdentifiedEdge& edge : each.edges) {
      const auto place = static_cast<std::uint32_t>(entries_.size());
      const auto [newest, is_first] = newest_.try_emplace(edge.id, place);
      if (!is_first && entries_[newest->second].slice == each.slice) {
        entries_[newest->second].edge = edge;
        continue;
      }
      entries_.push_back({edge, each.slice, is_first ? kNone : newest->second});
      newest->second = place;
    }
    freed += AllocatedBytes(each.edges) + sizeof(Arrived);
  }
  bytes_ += (entries_.size() - before) * kIndexed;
  bytes_ -= freed;
}

std::optional<IdentifiedEdge> CountedIds::Newest(EdgeId id, std::uint32_t slices) const {
  const MutexLock lock(index_mutex_);
  IndexArrived();
  const auto newest = newest_.find(id);
  std::uint32_t place = newest == newest_.end() ? kNone : newest->second;
  while (place != kNone && entries_[place].slice > slices) place = entries_[place].before;
  if (place == kNone) return std::nullopt;
  return entries_[place].edge;
}

}  // namespace sash

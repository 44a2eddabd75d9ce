#include "windows/ingest/slice_tail.h"

#include <limits>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {

std::uint32_t NewestEvents::Put(VertexId v, std::uint32_t event) {
  if (2 * (used_ + 1) > slots_.size()) Grow();
  Slot& slot = slots_[PlaceOf(v)];
  if (slot.vertex != v) ++used_;
  slot.vertex = v;
  return std::exchange(slot.event, event);
}

void NewestEvents::Grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.vertex != kNoVertex) slots_[PlaceOf(slot.vertex)] = slot;
  }
}

std::size_t SliceTail::Arrived::bytes() const {
  return AllocatedBytes(events) + AllocatedBytes(ids) + sizeof(Arrived);
}

void SliceTail::Show(std::vector<TailEvent> events, std::vector<TailId> ids) {
  SASH_CHECK(events.size() < std::numeric_limits<std::uint32_t>::max() - shown_);
  for (TailId& id : ids) id.event += shown_;
  shown_ += static_cast<std::uint32_t>(events.size());
  Arrived arrived{std::move(events), std::move(ids)};
  bytes_ += arrived.bytes();
  const MutexLock lock(arrived_mutex_);
  arrived_.push_back(std::move(arrived));
}

void SliceTail::Chain(TailRole role, VertexId v) const {
  const auto place = static_cast<std::size_t>(role);
  const auto number = static_cast<std::uint32_t>(events_.size() - 1);
  before_.back()[place % 2] = newest_[place].Put(v, number);
}

void SliceTail::Index(const TailEvent& event) const {
  events_.push_back(event);
  before_.push_back({NewestEvents::kNone, NewestEvents::kNone});
  if (event.operation == Operation::kRemoveVertex) return Chain(TailRole::kRemoved, event.source);
  Chain(TailRole::kSource, event.source);
  Chain(TailRole::kTarget, event.target);
}

// Takes over what was shown since the last reader.
void SliceTail::IndexArrived() const {
  std::vector<Arrived> arrived;
  {
    const MutexLock lock(arrived_mutex_);
    arrived.swap(arrived_);
  }
  if (arrived.empty()) return;
  constexpr std::size_t kIndexed = sizeof(TailEvent) + 2 * sizeof(std::uint32_t);
  std::size_t freed = 0;
  std::size_t indexed = 0;
  for (const Arrived& each : arrived) {
    for (const TailEvent& event : each.events) Index(event);
    for (const TailId& id : each.ids) ids_.Add(id);
    freed += each.bytes();
    indexed += each.events.size() * kIndexed;
  }
  std::size_t tables = ids_.bytes();
  for (const NewestEvents& newest : newest_) tables += newest.bytes();
  bytes_ += indexed + (tables - table_bytes_);
  bytes_ -= freed;
  table_bytes_ = tables;
}

}  // namespace sash

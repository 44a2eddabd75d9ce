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
  const auto number = static_cast<std::uint32_t>(indexed_.size() - 1);
  indexed_.back().before[place % 2] = newest_[place].Put(v, number);
}

void SliceTail::Index(const TailEvent& event, std::uint32_t batch) const {
  indexed_.push_back({.batch = batch});
  if (event.operation == Operation::kRemoveVertex) return Chain(TailRole::kRemoved, event.source);
  Chain(TailRole::kSource, event.source);
  Chain(TailRole::kTarget, event.target);
}

// The slots of the vertices lie anywhere in memory, so they are fetched ahead.
void SliceTail::Index(std::vector<TailEvent> events) const {
  constexpr std::size_t kAhead = 16;
  const NewestEvents& sources = newest_[static_cast<std::size_t>(TailRole::kSource)];
  const NewestEvents& targets = newest_[static_cast<std::size_t>(TailRole::kTarget)];
  const auto batch = static_cast<std::uint32_t>(batches_.size());
  const auto first = static_cast<std::uint32_t>(indexed_.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i + kAhead < events.size()) {
      sources.Fetch(events[i + kAhead].source);
      targets.Fetch(events[i + kAhead].target);
    }
    Index(events[i], batch);
  }
  batches_.push_back({first, std::move(events)});
}

// Takes over what was shown since the last reader.
void SliceTail::IndexArrived() const {
  std::vector<Arrived> arrived;
  {
    const MutexLock lock(arrived_mutex_);
    arrived.swap(arrived_);
  }
  if (arrived.empty()) return;
  std::size_t count = 0;
  for (const Arrived& each : arrived) count += each.events.size();
  newest_[static_cast<std::size_t>(TailRole::kSource)].Expect(count);
  newest_[static_cast<std::size_t>(TailRole::kTarget)].Expect(count);
  std::size_t freed = 0;
  for (Arrived& each : arrived) {
    freed += AllocatedBytes(each.ids);
    Index(std::move(each.events));
    for (const TailId& id : each.ids) ids_.Add(id);
  }
  std::size_t tables = ids_.bytes();
  for (const NewestEvents& newest : newest_) tables += newest.bytes();
  bytes_ += count * sizeof(Indexed) + (tables - table_bytes_);
  bytes_ -= freed;
  table_bytes_ = tables;
}

}  // namespace sash

#include "windows/ingest/deduplicator.h"

#include <algorithm>
#include <bit>

#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kMostTakenPercent = 70;
constexpr std::size_t kTakenPercentAfterRebuild = 35;

bool IsOfOneRecord(const IdentifiedEdge& a, const IdentifiedEdge& b) {
  return a.partition == b.partition && a.offset == b.offset;
}

// `within` before `time`.
EventTime TimeBefore(EventTime time, Duration within) {
  return time < EventTime::min() + within ? EventTime::min() : time - within;
}

}  // namespace

bool MakesDuplicate(const IdentifiedEdge& newest, const IdentifiedEdge& edge, Duration within) {
  return newest.time >= TimeBefore(edge.time, within) && !IsOfOneRecord(newest, edge);
}

EventTime Deduplicator::Before(EventTime time) const { return TimeBefore(time, within_); }

std::size_t Deduplicator::SlotOf(EdgeId id) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_(id) & mask;
  while (slots_[slot].id.is_set() && slots_[slot].id != id) slot = (slot + 1) & mask;
  return slot;
}

void Deduplicator::BeginSlice(EventTime begin) {
  begin_ = std::max(begin_, begin);
  if (Before(begin_) <= rebuilt_ || slots_.size() == kFirstSlots) return;
  Rebuild();
}

// Every older edge of an id that is of another record is more than `within` before the newest edge
// that counted, so it cannot make a later edge a duplicate. So one edge for each id is enough, also
// when it is of the record of the edge that is judged.
bool Deduplicator::Counts(const IdentifiedEdge& edge) {
  IdentifiedEdge counted = edge;
  counted.time = std::max(edge.time, begin_);
  std::size_t slot = SlotOf(edge.id);
  if (slots_[slot].id.is_set()) {
    IdentifiedEdge& newest = slots_[slot];
    if (MakesDuplicate(newest, counted, within_)) return false;
    newest = counted;
    if (keeps_counted_) counted_.push_back(counted);
    return true;
  }
  if ((size_ + 1) * 100 > slots_.size() * kMostTakenPercent) {
    Rebuild();
    slot = SlotOf(edge.id);
  }
  slots_[slot] = counted;
  ++size_;
  if (keeps_counted_) counted_.push_back(counted);
  return true;
}

// Drops the ids that no later edge can need, and chooses the number of slots for the others.
void Deduplicator::Rebuild() { Restore(State()); }

std::vector<IdentifiedEdge> Deduplicator::State() const {
  std::vector<IdentifiedEdge> state;
  const EventTime oldest = Before(begin_);
  for (const IdentifiedEdge& slot : slots_) {
    if (slot.id.is_set() && slot.time >= oldest) state.push_back(slot);
  }
  return state;
}

void Deduplicator::Restore(std::span<const IdentifiedEdge> state) {
  const std::size_t least = state.size() * 100 / kTakenPercentAfterRebuild;
  slots_ = std::vector<IdentifiedEdge>(std::max(kFirstSlots, std::bit_ceil(least)));
  size_ = state.size();
  rebuilt_ = begin_;
  for (const IdentifiedEdge& edge : state) {
    SASH_CHECK(edge.id.is_set());
    IdentifiedEdge& slot = slots_[SlotOf(edge.id)];
    SASH_CHECK(!slot.id.is_set());
    slot = edge;
  }
}

}  // namespace sash

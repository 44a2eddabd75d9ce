#include "windows/ingest/slicer.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// The slice of `events`, which are in order already.
void FillColumns(const std::deque<BufferedEvent>& events, Slice& slice) {
  auto kind = WeightColumn::Kind::kOnes;
  bool only_adds = true;
  for (const BufferedEvent& event : events) {
    kind = std::max(kind, WeightColumn::KindOf(event.weight));
    only_adds = only_adds && event.operation == Operation::kAdd;
  }
  slice.sources.reserve(events.size());
  slice.targets.reserve(events.size());
  if (!only_adds) slice.operations.reserve(events.size());
  slice.weights = WeightColumn(events.size(), kind);
  for (const BufferedEvent& event : events) {
    slice.weights.Set(slice.sources.size(), event.weight);
    slice.sources.push_back(event.source);
    slice.targets.push_back(event.target);
    if (!only_adds) slice.operations.push_back(event.operation);
  }
}

// Both accounts belong to one partition order: `from` holds records read before those of `into`.
void Merge(const SliceAccount& from, SliceAccount& into) {
  into.late += from.late;
  into.refused += from.refused;
  for (const auto& [partition, share] : from.shares) {
    const auto [found, added] = into.shares.try_emplace(partition, share);
    if (!added && share.rewind_offset < found->second.rewind_offset) {
      found->second.rewind_offset = share.rewind_offset;
      found->second.newest_before = share.newest_before;
    }
  }
}

}  // namespace

Position PaneBegin(Position position, Position pane) {
  const Position remainder = position % pane;
  return position - remainder - (remainder < 0 ? pane : 0);
}

Slicer::OpenSlice& Slicer::Open(Position position) {
  const Position begin = PaneBegin(position, pane_);
  SASH_CHECK(begin >= closed_until_);
  return open_[begin];
}

PartitionShare& Slicer::Share(SliceAccount& account, PartitionIndex partition, std::int64_t offset,
                              std::optional<EventTime> newest_before) {
  const auto [found, added] = account.shares.try_emplace(partition);
  if (added) {
    found->second.rewind_offset = offset;
    found->second.newest_before = newest_before;
  }
  return found->second;
}

void Slicer::Store(OpenSlice& slice, const BufferedEvent& event, std::uint64_t accepted,
                   std::optional<EventTime> newest_before) {
  SliceAccount& account = slice.account;
  PartitionShare& share = Share(account, event.partition, event.offset, newest_before);
  share.least = std::min(share.least, event.offset);
  share.greatest = std::max(share.greatest, event.offset);
  account.least_time = std::min(account.least_time.value_or(event.time), event.time);
  account.greatest_time = std::max(account.greatest_time.value_or(event.time), event.time);
  account.last_accepted = accepted;
  slice.events.push_back(event);
  ++open_events_;
}

void Slicer::Add(Position position, const BufferedEvent& event, std::uint64_t accepted,
                 std::optional<EventTime> newest_before) {
  OpenSlice& slice = Open(position);
  slice.account.has_on_time = true;
  Store(slice, event, accepted, newest_before);
  const Position begin = PaneBegin(position, pane_);
  const auto [newest, added] = newest_pane_.try_emplace(event.partition, begin);
  if (!added) newest->second = std::max(newest->second, begin);
}

void Slicer::AddLate(Position position, const BufferedEvent& event, std::uint64_t accepted,
                     std::optional<EventTime> newest_before) {
  Store(Open(std::max(position, closed_until_)), event, accepted, newest_before);
}

SliceAccount& Slicer::CountingAccount(PartitionIndex partition) {
  const auto newest = newest_pane_.find(partition);
  if (newest != newest_pane_.end()) {
    const auto open = open_.lower_bound(newest->second);
    if (open != open_.end()) return open->second.account;
  }
  // The partition has said nothing yet: the first slice, which closes next; or nothing is open.
  has_waiting_ = true;
  return waiting_;
}

void Slicer::CountLate(PartitionIndex partition, std::int64_t offset,
                       std::optional<EventTime> newest) {
  SliceAccount& account = CountingAccount(partition);
  Share(account, partition, offset, newest);
  ++account.late;
}

void Slicer::CountRefused(PartitionIndex partition, std::int64_t offset,
                          std::optional<EventTime> newest) {
  SliceAccount& account = CountingAccount(partition);
  Share(account, partition, offset, newest);
  ++account.refused;
}

std::optional<Position> Slicer::NextEnd() const {
  if (open_.empty()) return std::nullopt;
  return open_.begin()->first + pane_;
}

std::shared_ptr<const Slice> Slicer::CloseNext(std::span<const std::uint32_t> ranks) {
  SASH_CHECK(!open_.empty());
  auto node = open_.extract(open_.begin());
  OpenSlice& open = node.mapped();
  std::deque<BufferedEvent>& events = open.events;
  const auto order = [&](const BufferedEvent& event) {
    return std::tuple(event.time, ranks[event.partition], event.offset);
  };
  if (!std::ranges::is_sorted(events, {}, order)) std::ranges::sort(events, {}, order);

  auto slice = std::make_shared<Slice>();
  slice->id = SliceId{next_id_++};
  slice->begin = node.key();
  slice->end = node.key() + pane_;
  slice->account = std::move(open.account);
  if (has_waiting_ && slice->account.has_on_time) {
    Merge(waiting_, slice->account);
    waiting_ = SliceAccount();
    has_waiting_ = false;
  }
  FillColumns(events, *slice);
  open_events_ -= events.size();
  closed_until_ = std::max(closed_until_, slice->end);
  return slice;
}

void Slicer::CloseUntil(Position position) {
  SASH_CHECK(open_.empty() || open_.begin()->first >= position);
  closed_until_ = std::max(closed_until_, position);
}

}  // namespace sash

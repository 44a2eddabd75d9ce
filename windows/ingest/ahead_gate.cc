#include "windows/ingest/ahead_gate.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// If the wall clock has lost more than this against the steady clock, it was set back.
constexpr std::chrono::seconds kSetBack{1};
// In a partition that is not live, more records than this must follow an event and be in time: a
// few of them could be late records while the clock is wrong.
constexpr std::size_t kEnoughBehind = AheadGate::kNewest / 10;

}  // namespace

AheadGate::Partition& AheadGate::At(PartitionIndex partition) {
  if (partition >= partitions_.size()) partitions_.resize(partition + std::size_t{1});
  return partitions_[partition];
}

void AheadGate::Know(PartitionIndex partition, const Reach& reach) { At(partition).reach = reach; }

void AheadGate::Begin(EventTime wall, SteadyTime now, bool in_need) {
  if (has_begun_ && (now - now_) - (wall - wall_) > kSetBack) valid_ = seen_;
  has_begun_ = true;
  wall_ = wall;
  now_ = now;
  in_need_ = in_need;
}

bool AheadGate::IsFull(PartitionIndex partition) const {
  if (partition >= partitions_.size() || !partitions_[partition].holds) return false;
  const Partition& asked = partitions_[partition];
  return asked.held.events().size() - asked.next_event >= kMostEvents ||
         asked.held.bytes() >= kMostBytes;
}

std::optional<AheadGate::Head> AheadGate::HeadOf(PartitionIndex partition) const {
  if (partition >= partitions_.size() || !partitions_[partition].holds) return std::nullopt;
  const Partition& asked = partitions_[partition];
  const EdgeEvent& event = asked.held.events()[asked.next_event];
  return Head{.time = HeadTime(asked),
              .offset = event.offset,
              .since = asked.arrivals[asked.next_event].at,
              .events = asked.held.events().size() - asked.next_event};
}

// The time of the newest event of the first record that is held.
EventTime AheadGate::HeadTime(const Partition& partition) {
  const std::size_t first = partition.next_event;
  return partition.held.NewestOf(first, partition.held.RecordEnd(first));
}

void AheadGate::See(PartitionIndex partition, EventTime newest) {
  ring_[seen_++ % kNewest] = {newest, partition, At(partition).reach.live, IsAhead(newest)};
}

// Only the newest records of the batch stay in the ring, so the others are only counted: each event
// as a record, because the numbers need only ascend.
void AheadGate::SeeAll(const EventBatch& batch) {
  const std::vector<EdgeEvent>& events = batch.events();
  std::size_t begin = events.size();
  for (std::size_t records = 0; begin > 0 && records < kNewest;) {
    --begin;
    if (!events[begin].further) ++records;
  }
  seen_ += begin;
  for (std::size_t i = begin; i < events.size();) {
    const std::size_t end = batch.RecordEnd(i);
    See(events[i].partition, batch.NewestOf(i, end));
    i = end;
  }
}

void AheadGate::Pass(std::span<EventBatch> batches, bool any_ahead) {
  for (EventBatch& batch : batches) {
    batch.compared_at = wall_;
    if (any_ahead || MustWait(batch)) {
      Sort(batch);
      continue;
    }
    SeeAll(batch);
    for (const Mark& mark : batch.marks()) {
      if (mark.kind == Mark::Kind::kLeaves) Leave(At(mark.partition));
    }
  }
  if (!holding()) return;
  for (PartitionIndex p = 0; p < partitions_.size(); ++p) {
    if (partitions_[p].holds) ReleaseHead(partitions_[p], batches.back());
  }
}

// Whether the batch has an event or mark of a partition that holds something.
bool AheadGate::MustWait(const EventBatch& batch) const {
  if (!holding()) return false;
  const auto holds = [this](const auto& item) {
    return item.partition < partitions_.size() && partitions_[item.partition].holds;
  };
  return std::ranges::any_of(batch.events(), holds) || std::ranges::any_of(batch.marks(), holds);
}

void AheadGate::Sort(EventBatch& batch) {
  EventBatch passed;
  passed.start = std::move(batch.start);
  passed.caught_up = batch.caught_up;
  passed.compared_at = batch.compared_at;
  passed.anchors = std::move(batch.anchors);
  passed.filters = batch.filters;
  passed.begins_filters = batch.begins_filters;
  SASH_CHECK(!batch.end_of_source);
  auto mark = batch.marks().begin();
  for (std::size_t i = 0; i <= batch.events().size();) {
    for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
      Partition& partition = At(mark->partition);
      if (mark->kind == Mark::Kind::kLeaves) Leave(partition);
      EventBatch& into = partition.holds ? partition.held : passed;
      into.AddMark(mark->kind, mark->partition, mark->offset);
    }
    if (i == batch.events().size()) break;
    const std::size_t end = batch.RecordEnd(i);
    Take(batch, i, end, passed);
    i = end;
  }
  batch = std::move(passed);
}

// Takes the record whose events are those from `first` to before `end`.
void AheadGate::Take(const EventBatch& batch, std::size_t first, std::size_t end,
                     EventBatch& passed) {
  const EdgeEvent& taken = batch.events()[first];
  const EventTime newest = batch.NewestOf(first, end);
  Partition& partition = At(taken.partition);
  const std::uint64_t serial = seen_;
  See(taken.partition, newest);
  if (!partition.holds) {
    if (!IsAhead(newest) || taken.offset < partition.reach.awaited_until) {
      for (std::size_t i = first; i < end; ++i) passed.AddCopy(batch, i, keys_);
      return;
    }
    partition.holds = true;
    ++held_partitions_;
    passed.AddMark(Mark::Kind::kBehind, taken.partition);
  }
  for (std::size_t i = first; i < end; ++i) {
    partition.held.AddCopy(batch, i, keys_);
    partition.arrivals.push_back({serial, now_});
  }
}

// Moves the first held events and marks that need not wait any more.
void AheadGate::ReleaseHead(Partition& partition, EventBatch& into) {
  const EventBatch& held = partition.held;
  const auto index = static_cast<PartitionIndex>(&partition - partitions_.data());
  while (true) {
    for (; partition.next_mark < held.marks().size(); ++partition.next_mark) {
      const Mark& mark = held.marks()[partition.next_mark];
      if (mark.before_event > partition.next_event) break;
      into.AddMark(mark.kind, mark.partition, mark.offset);
    }
    if (partition.next_event == held.events().size()) break;
    if (IsAhead(HeadTime(partition)) && !IsRefused(index, partition)) break;
    const std::size_t end = held.RecordEnd(partition.next_event);
    while (partition.next_event < end) into.AddCopy(held, partition.next_event++, keys_);
  }
  if (partition.next_event == held.events().size()) {
    Settle(partition);
    return;
  }
  if (partition.next_event < kMostEvents) return;
  // Frees the memory of the events that have left.
  EventBatch rest;
  for (std::size_t i = partition.next_event; i <= held.events().size(); ++i) {
    for (; partition.next_mark < held.marks().size(); ++partition.next_mark) {
      const Mark& mark = held.marks()[partition.next_mark];
      if (mark.before_event > i) break;
      rest.AddMark(mark.kind, mark.partition, mark.offset);
    }
    if (i < held.events().size()) rest.AddCopy(held, i, keys_);
  }
  partition.arrivals.erase(
      partition.arrivals.begin(),
      partition.arrivals.begin() + static_cast<std::ptrdiff_t>(partition.next_event));
  partition.held = std::move(rest);
  partition.next_event = 0;
  partition.next_mark = 0;
}

// The partition holds nothing any more.
void AheadGate::Settle(Partition& partition) {
  partition.held = EventBatch();
  partition.arrivals.clear();
  partition.next_event = 0;
  partition.next_mark = 0;
  partition.holds = false;
  --held_partitions_;
}

// The partition has left: its events are dropped, and its end is not waited for any more.
void AheadGate::Leave(Partition& partition) {
  partition.reach = {};
  if (!partition.holds) return;
  dropped_ += partition.held.events().size() - partition.next_event;
  Settle(partition);
}

bool AheadGate::IsRefused(PartitionIndex index, const Partition& partition) const {
  return IsRefusedByOthers(index, partition) || IsRefusedByHistory(partition);
}

// Whether a record shows that an event with this time is wrong: the record was in time when it was
// read, and is earlier than the event by more than ahead_limit. A later record may have been in
// time only because the clock had nearly reached both.
bool AheadGate::SpeaksAgainst(const Seen& seen, EventTime time) const {
  return !seen.ahead && seen.time < time - policy_.ahead_limit;
}

// By the records that were read after the event.
bool AheadGate::IsRefusedByOthers(PartitionIndex index, const Partition& partition) const {
  const EventTime time = HeadTime(partition);
  const std::uint64_t own = partition.arrivals[partition.next_event].serial;
  std::size_t asked = 1;  // itself
  std::size_t in_time = 0;
  std::size_t in_time_behind = 0;  // of these, in the event's partition
  for (std::uint64_t serial = std::max(own + 1, OldestSeen()); serial < seen_; ++serial) {
    const Seen& seen = SeenAt(serial);
    const bool is_behind = seen.partition == index;
    if (!seen.live && !is_behind && !in_need_) continue;
    ++asked;
    if (!SpeaksAgainst(seen, time)) continue;
    ++in_time;
    if (is_behind) ++in_time_behind;
  }
  const bool is_certain =
      in_need_ || partition.reach.live || IsFull(index) || in_time_behind > kEnoughBehind;
  return is_certain && in_time * 10 > asked;
}

// By the records read before the event as well, when nothing more comes.
bool AheadGate::IsRefusedByHistory(const Partition& partition) const {
  const Arrival& arrival = partition.arrivals[partition.next_event];
  if (now_ - arrival.at < kPatience || !AllRead() || arrival.serial < valid_) return false;
  const EventTime time = HeadTime(partition);
  std::size_t all = 0;
  std::size_t in_time = 0;
  std::size_t live = 0;
  std::size_t live_in_time = 0;
  for (std::uint64_t serial = std::max(valid_, OldestSeen()); serial < seen_; ++serial) {
    const Seen& seen = SeenAt(serial);
    const bool counts = SpeaksAgainst(seen, time);
    ++all;
    if (counts) ++in_time;
    if (!seen.live) continue;
    ++live;
    if (counts) ++live_in_time;
  }
  if (live_in_time > 0) return live_in_time * 10 > live;
  return in_time * 10 > all * 9;
}

bool AheadGate::AllRead() const {
  for (PartitionIndex p = 0; p < partitions_.size(); ++p) {
    if (!partitions_[p].reach.at_end && !IsFull(p)) return false;
  }
  return true;
}

}  // namespace sash

#include "windows/ingest/slicer.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// Adds the times and offsets of a log's events to the account of its slice.
void Describe(const PartitionLog& log, SliceAccount& account) {
  account.least_time = std::min(account.least_time.value_or(log.least_time()), log.least_time());
  account.greatest_time =
      std::max(account.greatest_time.value_or(log.greatest_time()), log.greatest_time());
  PartitionShare& share = account.shares.at(log.partition());
  share.least = std::min(share.least, log.first_offset());
  share.greatest = std::max(share.greatest, log.last_offset());
}

// `from` counts records that were read before those of `into`.
void MergeAccounts(const SliceAccount& from, SliceAccount& into) {
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

void Slicer::Dedupe(Duration within) { deduplicator_.emplace(within); }

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

// The newest log of the event's partition; a new log if there is none, or if the event's offset is
// below the log's last offset.
PartitionLog& Slicer::LogFor(OpenSlice& slice, const BufferedEvent& event,
                             std::optional<EventTime> newest_before) {
  const auto behind = slice.logs.upper_bound(event.partition);
  if (behind != slice.logs.begin()) {
    PartitionLog& newest = std::prev(behind)->second;
    if (newest.partition() == event.partition && event.offset >= newest.last_offset()) {
      return newest;
    }
  }
  Share(slice.account, event.partition, event.offset, newest_before);
  open_bytes_ += sizeof(PartitionLog) + kNodeBytes;
  return slice.logs
      .emplace_hint(behind, event.partition, PartitionLog(event.partition, keeps_places_))
      ->second;
}

// Makes the pane of `position` the place of the event's partition.
void Slicer::Enter(Position position, const BufferedEvent& event, std::uint64_t accepted,
                   std::optional<EventTime> newest_before) {
  Place& place = places_[event.partition];
  place.begin = PaneBegin(position, pane_);
  place.newest_pane = std::max(place.newest_pane.value_or(place.begin), place.begin);
  place.slice = &Open(position);
  SliceAccount& account = place.slice->account;
  if (!std::exchange(account.has_on_time, true)) {
    // By event time, edges of the record may be late and have no number.
    const std::uint64_t before = accepted - 1;
    account.accepted_before = before - std::min<std::uint64_t>(before, event.edges_before);
  }
  place.log = &LogFor(*place.slice, event, newest_before);
}

void Slicer::AddLate(Position position, const BufferedEvent& event, std::uint64_t accepted,
                     std::optional<EventTime> newest_before) {
  OpenSlice& slice = Open(std::max(position, closed_until_));
  slice.account.last_accepted = accepted;
  open_bytes_ += LogFor(slice, event, newest_before).Append(event);
  ++open_events_;
}

SliceAccount& Slicer::CountingAccount(PartitionIndex partition, std::optional<Position> reached) {
  if (reached && !IsClosed(*reached)) {
    const Position begin = PaneBegin(*reached, pane_);
    const auto open = open_.find(begin);
    return open == open_.end() ? counted_[begin] : open->second.account;
  }
  std::optional<Position> newest_pane = reached;
  if (partition < places_.size() && places_[partition].newest_pane) {
    newest_pane = places_[partition].newest_pane;
  }
  if (newest_pane) {
    const auto open = open_.lower_bound(*newest_pane);
    if (open != open_.end()) return open->second.account;
  }
  // The partition has no event yet, so the record counts in the slice that closes next; or no pane
  // is open.
  has_waiting_ = true;
  return waiting_;
}

void Slicer::CountLate(PartitionIndex partition, std::int64_t offset,
                       std::optional<EventTime> newest, std::optional<Position> reached) {
  SliceAccount& account = CountingAccount(partition, reached);
  Share(account, partition, offset, newest);
  ++account.late;
}

void Slicer::CountRefused(PartitionIndex partition, std::int64_t offset,
                          std::optional<EventTime> newest, std::optional<Position> reached) {
  SliceAccount& account = CountingAccount(partition, reached);
  Share(account, partition, offset, newest);
  ++account.refused;
}

void Slicer::CountStored(Position position, std::uint64_t late, std::uint64_t refused) {
  SliceAccount& account = CountingAccount(0, position);
  account.late += late;
  account.refused += refused;
}

// Panes before `begin` will have no event any more: their counts wait for the next slice.
void Slicer::WaitBefore(Position begin) {
  while (!counted_.empty() && counted_.begin()->first < begin) {
    if (keeps_apart_) {
      passed_.insert(counted_.extract(counted_.begin()));
      continue;
    }
    MergeAccounts(counted_.begin()->second, waiting_);
    has_waiting_ = true;
    counted_.erase(counted_.begin());
  }
}

// Adds the counts that belong to a slice that closes.
void Slicer::TakeCounts(Slice& slice) {
  WaitBefore(slice.begin);
  if (const auto counted = counted_.extract(slice.begin)) {
    MergeAccounts(counted.mapped(), slice.account);
  }
  if (keeps_apart_) {
    closed_apart_ = TakeApart();
    return;
  }
  if (!has_waiting_ || !slice.account.has_on_time) return;
  MergeAccounts(waiting_, slice.account);
  waiting_ = SliceAccount();
  has_waiting_ = false;
}

std::vector<PaneCounts> Slicer::CountsApart() const {
  std::vector<PaneCounts> counts;
  if (has_waiting_) counts.push_back({{}, waiting_.late, waiting_.refused});
  for (const auto* const panes : {&passed_, &counted_}) {
    for (const auto& [begin, account] : *panes) {
      counts.push_back({EventTime(Duration(begin)), account.late, account.refused});
    }
  }
  for (const auto& [begin, open] : open_) {
    if (open.account.late == 0 && open.account.refused == 0) continue;
    counts.push_back({EventTime(Duration(begin)), open.account.late, open.account.refused});
  }
  std::ranges::sort(counts, {}, &PaneCounts::begin);
  return counts;
}

// Those of panes that have closed, and of no pane.
std::vector<PaneCounts> Slicer::TakeApart() {
  std::vector<PaneCounts> counts;
  if (std::exchange(has_waiting_, false)) {
    counts.push_back({{}, waiting_.late, waiting_.refused});
    waiting_ = SliceAccount();
  }
  for (const auto& [begin, account] : passed_) {
    counts.push_back({EventTime(Duration(begin)), account.late, account.refused});
  }
  passed_.clear();
  return counts;
}

std::vector<OpenTail> Slicer::ShowOpen() {
  std::vector<OpenTail> tails;
  for (auto& [begin, open] : open_) {
    if (!open.tail) open.tail = std::make_shared<SliceTail>();
    std::vector<TailEvent> fresh;
    for (auto& [partition, log] : open.logs) {
      if (log.shown() == log.size()) continue;
      fresh.reserve(fresh.size() + log.size() - log.shown());
      log.ForEachEventFrom(log.shown(), [&](const BufferedEvent& event) {
        fresh.push_back({.time = event.time,
                         .source = event.source,
                         .target = event.target,
                         .weight = event.weight,
                         .passes = event.passes,
                         .log_offset = log.first_offset(),
                         .partition = partition,
                         .type = event.type,
                         .operation = event.operation});
      });
      log.Show(log.size());
    }
    if (!fresh.empty()) open.tail->Show(std::move(fresh));
    tails.push_back({begin, open.tail, open.tail->shown()});
  }
  return tails;
}

void Slicer::HideOpen() {
  for (auto& [begin, open] : open_) {
    open.tail.reset();
    for (auto& [partition, log] : open.logs) log.Show(0);
  }
}

std::size_t Slicer::bytes() const {
  return open_bytes_ + open_.size() * (sizeof(OpenSlice) + kNodeBytes) +
         (counted_.size() + passed_.size()) * (sizeof(SliceAccount) + kNodeBytes) +
         (deduplicator_ ? deduplicator_->bytes() : 0);
}

std::size_t Slicer::tail_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [begin, open] : open_) bytes += open.tail ? open.tail->bytes() : 0;
  return bytes;
}

void Slicer::Judge(FilterBits fresh, const NumberedTypeFilters& by_type) {
  HideOpen();
  for (auto& [begin, open] : open_) {
    FilterBits passed = 0;
    for (auto& [partition, log] : open.logs) {
      const PartitionLog::Judged judged = log.Judge(fresh, by_type);
      open_bytes_ += judged.grown;
      passed |= judged.passed;
    }
    open.account.on_time_passes &= ~fresh;
    if (open.account.has_on_time) open.account.on_time_passes |= passed;
  }
}

std::optional<Position> Slicer::NextEnd() const {
  if (open_.empty()) return std::nullopt;
  return open_.begin()->first + pane_;
}

std::optional<Position> Slicer::NextEnd(FilterBits filter) const {
  if (filter == kNoFilter) return NextEnd();
  for (const auto& [begin, open] : open_) {
    if ((open.account.on_time_passes & filter) != 0) return begin + pane_;
  }
  return std::nullopt;
}

// Keeps the logs of the slice that closes, for TakeLogs().
void Slicer::KeepLogs(std::span<PartitionLog* const> sorted, std::size_t bytes) {
  auto kept = std::make_shared<SliceLogs>();
  kept->bytes = bytes;
  for (PartitionLog* const log : sorted) kept->logs.push_back(std::move(*log));
  for (const DuplicateEdge& duplicate : duplicates_) kept->duplicates.push_back(duplicate.place);
  std::ranges::sort(kept->duplicates);
  kept->apart = std::exchange(closed_apart_, {});
  closed_logs_ = std::move(kept);
}

std::shared_ptr<const Slice> Slicer::CloseNext(std::span<const std::uint32_t> ranks) {
  SASH_CHECK(!open_.empty());
  auto node = open_.extract(open_.begin());
  OpenSlice& open = node.mapped();
  for (Place& place : places_) {
    if (place.slice == &open) place.slice = nullptr;
  }
  std::vector<PartitionLog*> sorted;
  std::size_t bytes = 0;
  for (auto& [partition, log] : open.logs) {
    Describe(log, open.account);
    sorted.push_back(&log);
    open_events_ -= log.size();
    bytes += log.bytes() + sizeof(PartitionLog) + kNodeBytes;
  }
  open_bytes_ -= bytes;
  std::ranges::sort(sorted, {}, [&](const PartitionLog* log) {
    return std::pair(ranks[log->partition()], log->first_offset());
  });
  const std::vector<const PartitionLog*> logs(sorted.begin(), sorted.end());

  auto slice = std::make_shared<Slice>();
  slice->id = SliceId{next_id_++};
  slice->begin = node.key();
  slice->end = node.key() + pane_;
  slice->account = std::move(open.account);
  TakeCounts(*slice);
  if (deduplicator_) {
    deduplicator_->BeginSlice(EventTime(Duration(slice->begin)));
    duplicates_ = FillWithoutDuplicates(logs, *deduplicator_, *slice);
  } else {
    FillInOrder(logs, *slice);
  }
  if (keeps_places_) KeepLogs(sorted, bytes);
  closed_until_ = std::max(closed_until_, slice->end);
  return slice;
}

SlicerState Slicer::StateWithoutEvents() const {
  SlicerState state{.closed_until = closed_until_,
                    .next_id = next_id_,
                    .open = {},
                    .newest_panes = {},
                    .waiting = {}};
  for (const auto& [begin, open] : open_) {
    SliceAccount& account = state.open.emplace_back(begin).account;
    account.has_on_time = open.account.has_on_time;
    account.on_time_passes = open.account.on_time_passes;
    // Its first event from here on will be the next one.
    account.accepted_before = open.account.last_accepted;
  }
  for (const Place& place : places_) state.newest_panes.push_back(place.newest_pane);
  return state;
}

SlicerState Slicer::State() const {
  SlicerState state = StateWithoutEvents();
  auto next = state.open.begin();
  for (const auto& [begin, open] : open_) {
    OpenSliceState& copy = *next++;
    copy.account = open.account;
    for (const auto& [partition, log] : open.logs) {
      if (log.size() > 0) copy.logs.push_back(log.Copy());
    }
  }
  for (const auto& [begin, account] : counted_) {
    const auto place = std::ranges::lower_bound(state.open, begin, {}, &OpenSliceState::begin);
    if (place != state.open.end() && place->begin == begin) {
      MergeAccounts(account, place->account);
    } else {
      state.open.insert(place, {.begin = begin, .account = account, .logs = {}});
    }
  }
  if (has_waiting_) state.waiting = waiting_;
  if (deduplicator_) state.counted = deduplicator_->State();
  return state;
}

void Slicer::Restore(SlicerState state) {
  SASH_CHECK(open_.empty() && places_.empty() && !has_waiting_);
  closed_until_ = state.closed_until;
  next_id_ = state.next_id;
  for (OpenSliceState& from : state.open) {
    SASH_CHECK(from.begin >= closed_until_);
    // Only counts, without an event: State().
    if (from.logs.empty() && !from.account.has_on_time && !from.account.shares.empty()) {
      counted_[from.begin] = std::move(from.account);
      continue;
    }
    OpenSlice& open = Open(from.begin);
    open.account = std::move(from.account);
    for (PartitionLog& log : from.logs) {
      open_events_ += log.size();
      open_bytes_ += log.bytes() + sizeof(PartitionLog) + kNodeBytes;
      const PartitionIndex partition = log.partition();
      open.logs.emplace(partition, std::move(log));
    }
  }
  places_.resize(state.newest_panes.size());
  for (std::size_t p = 0; p < places_.size(); ++p) places_[p].newest_pane = state.newest_panes[p];
  has_waiting_ = state.waiting.has_value();
  if (has_waiting_) waiting_ = *std::move(state.waiting);
  if (deduplicator_) deduplicator_->Restore(state.counted);
}

void Slicer::CloseUntil(Position position) {
  SASH_CHECK(open_.empty() || open_.begin()->first >= position);
  WaitBefore(position);
  closed_until_ = std::max(closed_until_, position);
}

}  // namespace sash

#include "windows/ingest/slicer.h"

#include <algorithm>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {

Position PaneBegin(Position position, Position pane) {
  const Position remainder = position % pane;
  return position - remainder - (remainder < 0 ? pane : 0);
}

void Slicer::Dedupe(Duration within) { deduplicator_.emplace(within); }

OpenPane& Slicer::Open(Position position) {
  const Position begin = PaneBegin(position, pane_);
  SASH_CHECK(begin >= closed_until_);
  return open_[begin];
}

// Makes the pane of `position` the place of the event's partition.
void Slicer::Enter(Position position, const BufferedEvent& event, std::uint64_t accepted,
                   std::optional<EventTime> newest_before) {
  Place& place = places_[event.partition];
  place.begin = PaneBegin(position, pane_);
  place.newest_pane = std::max(place.newest_pane.value_or(place.begin), place.begin);
  place.pane = &Open(position);
  SliceAccount& account = place.pane->account;
  if (!std::exchange(account.has_on_time, true)) {
    // By event time, edges of the record may be late and have no number.
    const std::uint64_t before = accepted - 1;
    account.accepted_before = before - std::min<std::uint64_t>(before, event.edges_before);
  }
  place.log = &place.pane->LogFor(event, newest_before, keeps_places_, open_bytes_);
}

void Slicer::AddLate(Position position, const BufferedEvent& event, std::uint64_t accepted,
                     std::optional<EventTime> newest_before) {
  OpenPane& pane = Open(std::max(position, closed_until_));
  pane.account.last_accepted = accepted;
  PartitionLog& log = pane.LogFor(event, newest_before, keeps_places_, open_bytes_);
  open_bytes_ += log.Append(event);
  ++open_events_;
}

SliceAccount& Slicer::CountingAccount(PartitionIndex partition, std::optional<Position> reached) {
  if (reached && !IsClosed(*reached)) {
    const Position begin = PaneBegin(*reached, pane_);
    const auto open = open_.find(begin);
    return open == open_.end() ? counts_.OfPane(begin) : open->second.account;
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
  return counts_.WithoutPane();
}

void Slicer::CountLate(PartitionIndex partition, std::int64_t offset,
                       std::optional<EventTime> newest, std::optional<Position> reached) {
  SliceAccount& account = CountingAccount(partition, reached);
  (void)account.ShareOf(partition, offset, newest);
  ++account.late;
}

void Slicer::CountRefused(PartitionIndex partition, std::int64_t offset,
                          std::optional<EventTime> newest, std::optional<Position> reached) {
  SliceAccount& account = CountingAccount(partition, reached);
  (void)account.ShareOf(partition, offset, newest);
  ++account.refused;
}

void Slicer::CountStored(Position position, std::uint64_t late, std::uint64_t refused) {
  SliceAccount& account = CountingAccount(0, position);
  account.late += late;
  account.refused += refused;
}

std::vector<PaneCounts> Slicer::CountsApart() const {
  std::vector<PaneCounts> counts = counts_.Counts();
  for (const auto& [begin, open] : open_) {
    if (open.account.late == 0 && open.account.refused == 0) continue;
    counts.push_back({EventTime(Duration(begin)), open.account.late, open.account.refused});
  }
  std::ranges::sort(counts, {}, &PaneCounts::begin);
  return counts;
}

std::vector<OpenTail> Slicer::ShowOpen() {
  std::vector<OpenTail> tails;
  for (auto& [begin, open] : open_) tails.push_back(open.Show(begin, deduplicator_.has_value()));
  counts_.ForecastFor(tails);
  return tails;
}

std::shared_ptr<const OpenIds> Slicer::ShowIds(
    const std::vector<OpenTail>& tails,
    const std::shared_ptr<const std::vector<std::uint32_t>>& ranks) {
  if (!deduplicator_) return nullptr;
  if (!counted_ids_) {
    counted_ids_ = std::make_shared<CountedIds>(deduplicator_->State());
    counted_ids_from_ = closed_until_;
    deduplicator_->KeepCounted(true);
  }
  return std::make_shared<const OpenIds>(tails, counted_ids_, counted_ids_->slices(),
                                         deduplicator_->within(), ranks);
}

// To be called before the slice that begins at `begin` closes. Ids that no open slice can need are
// dropped with the old object. Earlier cuts still read that object.
void Slicer::RenewCountedIds(Position begin) {
  if (!counted_ids_ || begin <= counted_ids_from_) return;
  const auto passed =
      static_cast<std::uint64_t>(begin) - static_cast<std::uint64_t>(counted_ids_from_);
  if (passed <= static_cast<std::uint64_t>(deduplicator_->within().count())) return;
  deduplicator_->KeepCounted(false);
  counted_ids_.reset();
}

void Slicer::HideOpen() {
  if (deduplicator_) deduplicator_->KeepCounted(false);
  counted_ids_.reset();
  for (auto& [begin, open] : open_) open.Hide();
}

std::size_t Slicer::bytes() const {
  return open_bytes_ + open_.size() * (sizeof(OpenPane) + kMapNodeBytes) + counts_.bytes() +
         (deduplicator_ ? deduplicator_->bytes() : 0);
}

std::size_t Slicer::tail_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [begin, open] : open_) bytes += open.tail_bytes();
  if (counted_ids_) bytes += counted_ids_->bytes();
  return bytes;
}

void Slicer::Judge(FilterBits fresh, const NumberedTypeFilters& by_type) {
  HideOpen();
  for (auto& [begin, open] : open_) open_bytes_ += open.Judge(fresh, by_type);
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
  kept->apart = counts_.TakeClosed();
  closed_logs_ = std::move(kept);
}

std::shared_ptr<const Slice> Slicer::CloseNext(std::span<const std::uint32_t> ranks) {
  SASH_CHECK(!open_.empty());
  auto node = open_.extract(open_.begin());
  OpenPane& open = node.mapped();
  for (Place& place : places_) {
    if (place.pane == &open) place.pane = nullptr;
  }
  const std::vector<PartitionLog*> sorted = open.Close(ranks);
  const std::size_t bytes = open.log_bytes();
  open_events_ -= open.events();
  open_bytes_ -= bytes;
  const std::vector<const PartitionLog*> logs(sorted.begin(), sorted.end());

  auto slice = std::make_shared<Slice>();
  slice->id = SliceId{next_id_++};
  slice->begin = node.key();
  slice->end = node.key() + pane_;
  slice->account = std::move(open.account);
  counts_.MoveTo(*slice);
  if (deduplicator_) {
    RenewCountedIds(slice->begin);
    deduplicator_->BeginSlice(EventTime(Duration(slice->begin)));
    duplicates_ = FillWithoutDuplicates(logs, *deduplicator_, *slice);
    if (counted_ids_) counted_ids_->Show(deduplicator_->TakeCounted());
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
    open.CopyLogs(copy);
  }
  counts_.AddTo(state);
  if (deduplicator_) state.counted = deduplicator_->State();
  return state;
}

void Slicer::Restore(SlicerState state) {
  SASH_CHECK(open_.empty() && places_.empty() && !counts_.has_waiting());
  closed_until_ = state.closed_until;
  next_id_ = state.next_id;
  for (OpenSliceState& from : state.open) {
    SASH_CHECK(from.begin >= closed_until_);
    // Only counts, without an event: State().
    if (from.logs.empty() && !from.account.has_on_time && !from.account.shares.empty()) {
      counts_.OfPane(from.begin) = std::move(from.account);
      continue;
    }
    OpenPane& open = Open(from.begin);
    open.Restore(from);
    open_events_ += open.events();
    open_bytes_ += open.log_bytes();
  }
  places_.resize(state.newest_panes.size());
  for (std::size_t p = 0; p < places_.size(); ++p) places_[p].newest_pane = state.newest_panes[p];
  counts_.RestoreWithoutPane(std::move(state.waiting));
  if (deduplicator_) deduplicator_->Restore(state.counted);
}

void Slicer::CloseUntil(Position position) {
  SASH_CHECK(open_.empty() || open_.begin()->first >= position);
  counts_.PassUntil(position);
  closed_until_ = std::max(closed_until_, position);
}

}  // namespace sash

#include "windows/slide/round_replay.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

using Item = RoundOutline::Item;
using ItemKind = RoundOutline::ItemKind;

// The number of records of an item, each event counted as one.
std::size_t Records(const Item& item) {
  switch (item.kind) {
    case ItemKind::kEvents:
      return item.count;
    case ItemKind::kRefused:
      return 1;
    default:
      return 0;
  }
}

std::uint64_t Records(const RoundOutline& round) {
  std::uint64_t sum = 0;
  for (const Item& item : round.items) sum += Records(item);
  return sum;
}

}  // namespace

void RoundReplay::LookAhead() {
  for (; seen_ < rounds_.size() && seen_records_ < records_ahead_; ++seen_) {
    for (const Item& item : rounds_[seen_].items) {
      if (Records(item) == 0) continue;
      if (item.partition >= wanted_.size()) wanted_.resize(item.partition + std::size_t{1});
      std::int64_t& until = wanted_[item.partition];
      until = std::max(until, item.offset + 1);
      has_grown_ = true;
    }
    seen_records_ += Records(rounds_[seen_]);
  }
}

RoundReplay::Partition& RoundReplay::At(PartitionIndex partition) {
  while (partition >= partitions_.size()) {
    const auto next = static_cast<PartitionIndex>(partitions_.size());
    partitions_.emplace_back().at_end = std::ranges::find(read_, next) == read_.end();
  }
  return partitions_[partition];
}

void RoundReplay::Hold(EventBatch batch) {
  SASH_CHECK(!batch.start && !batch.end_of_source);
  const std::uint64_t number = first_held_ + held_.size();
  auto mark = batch.marks().begin();
  for (std::size_t i = 0; i <= batch.events().size(); ++i) {
    for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
      Partition& partition = At(mark->partition);
      partition.at_end = mark->kind == Mark::Kind::kCaughtUp || mark->kind == Mark::Kind::kJoins ||
                         mark->kind == Mark::Kind::kLeaves;
      if (mark->kind != Mark::Kind::kRefused) continue;
      partition.records.push_back({mark->offset, number, i, true});
    }
    if (i == batch.events().size()) break;
    const EdgeEvent& event = batch.events()[i];
    At(event.partition).at_end = false;
    At(event.partition).records.push_back({event.offset, number, i, false});
  }
  for (const PartitionAnchor& known : batch.anchors) {
    known_.NoteAnchor(known.partition, known.anchor);
  }
  held_.push_back(std::move(batch));
}

// Whether all records of the round are held. If they can never be, sets difference_ and returns
// false.
bool RoundReplay::IsThere(const RoundOutline& round) {
  struct Need {
    std::size_t records = 0;
    std::int64_t last = 0;  // offset
  };
  std::vector<Need> needs;
  for (const Item& item : round.items) {
    if (item.partition >= needs.size()) needs.resize(item.partition + std::size_t{1});
    if (Records(item) == 0) continue;
    needs[item.partition].records += Records(item);
    needs[item.partition].last = item.offset;
  }
  for (PartitionIndex p = 0; p < needs.size(); ++p) {
    const Partition& partition = At(p);
    if (partition.records.size() >= needs[p].records) continue;
    const bool is_behind =
        !partition.records.empty() && partition.records.back().offset >= needs[p].last;
    if (is_behind || partition.at_end) {
      difference_ = "records up to offset " + std::to_string(needs[p].last) + " are gone";
    }
    return false;
  }
  return true;
}

// `begin`: the number of records of the item's partition in earlier items of the round.
bool RoundReplay::FitsItem(const Item& item, std::size_t begin) {
  const std::deque<Record>& records = At(item.partition).records;
  for (std::size_t i = begin; i < begin + Records(item); ++i) {
    if (records[i].is_refused != (item.kind == ItemKind::kRefused)) return false;
  }
  if (Records(item) == 0) return true;
  const std::size_t end = begin + Records(item);
  // A round takes whole records, so the event after its last one is of another record.
  // Behind refused edges come the others of their record.
  return records[end - 1].offset == item.offset &&
         (item.kind == ItemKind::kRefused || end == records.size() ||
          records[end].offset != item.offset);
}

bool RoundReplay::Fits(const RoundOutline& round) {
  std::vector<std::size_t> had(partitions_.size());
  for (const Item& item : round.items) {
    std::size_t& begin = had[item.partition];
    if (!FitsItem(item, begin)) {
      difference_ = "offset " + std::to_string(item.offset) + " was " +
                    (item.kind == ItemKind::kRefused ? "refused" : "the last of several events") +
                    ", but is not now";
      return false;
    }
    begin += Records(item);
  }
  return true;
}

void RoundReplay::Append(const Item& item, const EventTime* times, EventBatch& batch) {
  Partition& partition = At(item.partition);
  for (std::uint64_t i = 0; i < item.count; ++i) {
    const Record record = partition.records[i];
    batch.AddCopy(held_[record.batch - first_held_], record.event, keys_);
    if (times != nullptr) batch.SetLastTime(times[i]);
  }
  switch (item.kind) {
    case ItemKind::kEvents:
      break;
    case ItemKind::kRefused:
      batch.AddMark(Mark::Kind::kRefused, item.partition, item.offset);
      break;
    case ItemKind::kGap:
      batch.AddMark(Mark::Kind::kGap, item.partition);
      break;
    case ItemKind::kCaughtUp:
      batch.AddMark(Mark::Kind::kCaughtUp, item.partition);
      break;
    case ItemKind::kBehind:
      batch.AddMark(Mark::Kind::kBehind, item.partition);
      break;
    case ItemKind::kJoins:
      batch.AddMark(Mark::Kind::kJoins, item.partition, item.offset);
      break;
    case ItemKind::kLeaves:
      batch.AddMark(Mark::Kind::kLeaves, item.partition);
      break;
  }
  const auto had = static_cast<std::ptrdiff_t>(Records(item));
  if (had == 0) return;
  partition.had = item.offset;
  std::erase_if(changes_, [&](const Mark& mark) {
    return mark.kind == Mark::Kind::kGap && mark.partition == item.partition;
  });
  partition.records.erase(partition.records.begin(), partition.records.begin() + had);
}

std::optional<RoundReplay::Round> RoundReplay::Next() {
  if (done()) return std::nullopt;
  const RoundOutline& outline = rounds_.front();
  if (!IsThere(outline) || !Fits(outline)) return std::nullopt;
  Round round{.at = outline.at, .batch = {}};
  if (outline.has_batch) {
    round.batch.emplace();
    round.batch->caught_up = outline.caught_up;
    const EventTime* times = outline.times.empty() ? nullptr : outline.times.data();
    for (const Item& item : outline.items) {
      Append(item, times, *round.batch);
      if (times != nullptr) times += item.count;
    }
  }
  seen_records_ -= Records(outline);
  --seen_;
  rounds_.pop_front();
  LookAhead();
  ++handed_out_;
  ReleaseHeld();
  return round;
}

// Releases the first batches, as long as rounds have had all their records.
void RoundReplay::ReleaseHeld() {
  std::uint64_t oldest = first_held_ + held_.size();
  for (const Partition& partition : partitions_) {
    if (!partition.records.empty()) oldest = std::min(oldest, partition.records.front().batch);
  }
  for (; first_held_ < oldest; ++first_held_) {
    for (const Mark& mark : held_.front().marks()) {
      if (mark.kind == Mark::Kind::kCaughtUp || mark.kind == Mark::Kind::kBehind) {
        At(mark.partition).stands = mark.kind;
      }
    }
    KeepChanges(held_.front());
    caught_up_ = held_.front().caught_up;
    held_.pop_front();
  }
}

void RoundReplay::KeepChanges(const EventBatch& gone) {
  for (const Mark& mark : gone.marks()) {
    if (mark.kind == Mark::Kind::kJoins || mark.kind == Mark::Kind::kLeaves) {
      changes_.push_back(mark);
    }
    if (mark.kind != Mark::Kind::kGap) continue;
    // If events of the partition follow the mark in the batch, rounds have had them, with the gap
    // if it was one then. Else the gap is before a record that is still to come.
    const auto behind = gone.events().begin() + static_cast<std::ptrdiff_t>(mark.before_event);
    const auto is_its = [&](const EdgeEvent& event) { return event.partition == mark.partition; };
    if (std::none_of(behind, gone.events().end(), is_its)) changes_.push_back(mark);
  }
}

bool RoundReplay::WasHad(PartitionIndex partition, std::int64_t offset) const {
  return partition < partitions_.size() && partitions_[partition].had &&
         offset <= *partitions_[partition].had;
}

std::vector<EventBatch> RoundReplay::TakeRest() {
  SASH_CHECK(done());
  std::vector<EventBatch> rest;
  EventBatch stands;
  stands.caught_up = caught_up_;
  for (const Mark& mark : changes_) stands.AddMark(mark.kind, mark.partition, mark.offset);
  for (PartitionIndex p = 0; p < partitions_.size(); ++p) {
    if (partitions_[p].stands) stands.AddMark(*partitions_[p].stands, p);
  }
  if (!stands.empty()) rest.push_back(std::move(stands));
  for (const EventBatch& from : held_) {
    EventBatch to;
    to.caught_up = from.caught_up;
    to.compared_at = from.compared_at;
    to.filters = from.filters;
    to.begins_filters = from.begins_filters;
    auto mark = from.marks().begin();
    for (std::size_t i = 0; i <= from.events().size(); ++i) {
      for (; mark != from.marks().end() && mark->before_event == i; ++mark) {
        if (mark->kind == Mark::Kind::kRefused && WasHad(mark->partition, mark->offset)) continue;
        to.AddMark(mark->kind, mark->partition, mark->offset);
      }
      if (i == from.events().size()) break;
      const EdgeEvent& event = from.events()[i];
      if (!WasHad(event.partition, event.offset)) to.AddCopy(from, i, keys_);
    }
    if (!to.empty()) rest.push_back(std::move(to));
  }
  held_.clear();
  partitions_.clear();
  // The anchors come last, after the marks of partitions that join.
  if (!known_.anchors.empty()) rest.push_back(std::move(known_));
  return rest;
}

}  // namespace sash

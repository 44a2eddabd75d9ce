// Gated: a stream behind an AheadGate, whose machine has a clock that the test can set wrong.
//
// Thread safety: none.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "windows/ingest/ahead_gate.h"

namespace sash::testing {

// The true time when the stream begins; the clock of the machine may show another time.
inline const EventTime kStart = EventTime(std::chrono::hours(24 * 365 * 50));

// A stream that is read in rounds, and the records that the gate passes.
class Gated {
 public:
  explicit Gated(std::size_t partitions = 1, Duration limit = std::chrono::minutes(1))
      : gate_({.ahead_limit = limit, .check_ahead = true}, KeyKind::kString),
        offsets_(partitions),
        live_(partitions, true),
        passed(partitions) {}

  void ClockIsWrongBy(Duration by) { wrong_ = by; }
  void SetLive(PartitionIndex partition, bool live) { live_[partition] = live; }
  void Await(PartitionIndex partition, std::int64_t until) { awaited_ = {partition, until}; }

  // Adds a record to the next round. Its time is the true time plus `after`.
  void Say(Duration after = {}, PartitionIndex partition = 0) { SayRecord({after}, partition); }
  // The same with several events.
  void SayRecord(const std::vector<Duration>& after, PartitionIndex partition = 0) {
    EventBatch& batch = batches_.front();
    const std::string key = std::to_string(offsets_[partition]);
    const TextRef payload = batch.Store(key);
    for (std::size_t i = 0; i < after.size(); ++i) {
      batch.Add({.time = Now() + after[i],
                 .offset = offsets_[partition],
                 .source = KeyRef::Text(batch.Store(key)),
                 .target = KeyRef::Text(batch.Store(key)),
                 .payload = payload,
                 .partition = partition,
                 .further = i > 0});
    }
    batch.AddOrigins(after.size(), Now(), key, true);
    ++offsets_[partition];
  }
  void Refused(PartitionIndex partition = 0) {
    batches_.front().AddMark(Mark::Kind::kRefused, partition, offsets_[partition]++);
  }
  void Leave(PartitionIndex partition) {
    batches_.front().AddMark(Mark::Kind::kLeaves, partition);
    left_.insert(partition);
  }
  // Adds an anchor, by which the partition is recognised.
  void NoteAnchor(PartitionIndex partition, std::int64_t offset) {
    batches_.front().NoteAnchor(partition, {.offset = offset});
  }

  // Does a round. Returns the offsets of partition 0 that passed in it.
  std::vector<std::int64_t> Round(Duration later = std::chrono::milliseconds(20),
                                  bool in_need = false) {
    elapsed_ += later;
    const std::size_t before = passed[0].size();
    for (PartitionIndex p = 0; p < offsets_.size(); ++p) {
      if (left_.contains(p)) continue;
      gate_.Know(p, {.live = live_[p],
                     .at_end = live_[p],
                     .awaited_until = p == awaited_.first ? awaited_.second : 0});
    }
    gate_.Begin(Now() + wrong_, SteadyTime(elapsed_), in_need);
    const bool any_ahead = std::ranges::any_of(
        batches_[0].events(), [&](const EdgeEvent& event) { return gate_.IsAhead(event.time); });
    gate_.Pass(batches_, any_ahead);
    for (const EventBatch& batch : batches_) Note(batch);
    batches_ = {};
    return {passed[0].begin() + static_cast<std::ptrdiff_t>(before), passed[0].end()};
  }
  std::vector<std::int64_t> RoundOf(std::size_t records) {
    for (std::size_t i = 0; i < records; ++i) Say();
    return Round();
  }

  EventTime Now() const { return kStart + elapsed_; }
  const AheadGate& gate() const { return gate_; }

 private:
  void Note(const EventBatch& batch) {
    for (const PartitionAnchor& known : batch.anchors) anchors.push_back(known.anchor.offset);
    auto mark = batch.marks().begin();
    for (std::size_t i = 0; i <= batch.events().size(); ++i) {
      for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
        if (mark->kind == Mark::Kind::kRefused) passed[mark->partition].push_back(mark->offset);
        if (mark->kind == Mark::Kind::kBehind) ++behind;
        if (mark->kind == Mark::Kind::kLeaves) left.push_back(mark->partition);
      }
      if (i == batch.events().size()) break;
      const EdgeEvent& event = batch.events()[i];
      passed[event.partition].push_back(event.offset);
      if (gate_.IsAhead(event.time)) refused.push_back(event.offset);
      EXPECT_EQ(batch.Text(event.source.text()), std::to_string(event.offset));
      EXPECT_EQ(batch.Text(batch.OriginOf(event)->key), std::to_string(event.offset));
    }
  }

  AheadGate gate_;
  std::vector<std::int64_t> offsets_;
  std::vector<bool> live_;
  std::set<PartitionIndex> left_;
  std::pair<PartitionIndex, std::int64_t> awaited_{};
  Duration wrong_{};
  Duration elapsed_ = std::chrono::seconds(1);
  std::array<EventBatch, 1> batches_;

 public:
  std::vector<std::vector<std::int64_t>> passed;
  std::vector<std::int64_t> refused;  // passed, but the engine will refuse them by the same clock
  int behind = 0;
  std::vector<PartitionIndex> left;
  std::vector<std::int64_t> anchors;
};

inline std::vector<std::int64_t> Offsets(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> offsets;
  for (; from < to; ++from) offsets.push_back(from);
  return offsets;
}

}  // namespace sash::testing

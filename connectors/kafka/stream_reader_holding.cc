// Who has to wait: for memory, for slower partitions, or for the clock.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/stream_reader.h"

namespace sash {
namespace {

constexpr const char* kAhead = "ahead";
constexpr std::chrono::seconds kUnheardOf{2};

}  // namespace

bool StreamReader::IsEarly(const Partition& partition) const {
  return partition.position < partition.awaited_until &&
         progress_.horizon.LiesBeyond(partition.index, partition.position);
}

bool StreamReader::IsAwaited(const Partition& partition) const {
  return partition.position < partition.awaited_until && !IsEarly(partition);
}

void StreamReader::HoldBack() {
  if (progress_.intake_held) return HoldAll();
  if (std::exchange(held_, false)) LetGo();
  const bool is_lone =
      partitions_.size() < 2 && std::ranges::none_of(partitions_, &Partition::paused);
  if (is_lone && !gate_.holding()) return;
  const SteadyTime now = clock_.Steady();
  std::vector<DriftControl::Partition> views;
  views.reserve(partitions_.size());
  for (const Partition& partition : partitions_) {
    // What follows an event that is ahead of the clock shows which of the two is wrong. Until it is
    // known, the partition holds nobody back.
    const std::optional<AheadGate::Head> head = gate_.HeadOf(partition.index);
    const bool is_full = gate_.IsFull(partition.index);
    views.push_back({.newest = head ? head->time : partition.newest,
                     .caught_up = partition.caught_up,
                     .idle = partition.caught_up && now - partition.active_at >= policy_.idle_after,
                     .paused = partition.paused,
                     .awaited = IsAwaited(partition) || (head && !is_full),
                     .early = IsEarly(partition) || is_full});
  }
  const DriftControl::Verdict verdict =
      drift_.Decide(views, progress_.open_events.load(std::memory_order_relaxed));
  SetPaused(verdict.resume, false);
  SetPaused(verdict.pause, true);
  counters_.pauses += verdict.pause.size();
}

// Each partition's events up to the first that is ahead of the clock go on.
void StreamReader::HoldAhead() {
  for (const Partition& partition : partitions_) {
    gate_.Know(partition.index, {.live = IsLive(partition),
                                 .at_end = IsAtEnd(partition),
                                 .awaited_until = partition.awaited_until});
  }
  gate_.Begin(now_, steady_, progress_.intake_held);
  const std::uint64_t before = gate_.dropped();
  gate_.Pass(batches(), any_ahead_);
  if (const std::uint64_t lost = gate_.dropped() - before; lost > 0) {
    counters_.lost_records += lost;
    log_.Log(kafka_events::kPartitionGap,
             fmt::format("kafka: {} records that waited for the clock are lost: their topic was "
                         "deleted, so they cannot be read again",
                         lost),
             {{"lost", lost}});
  }
  SayAhead();
}

// Once it lasts: one record that is wrong is soon found out.
void StreamReader::SayAhead() {
  std::uint64_t events = 0;
  std::string names;
  EventTime farthest = EventTime::min();
  for (const Partition& partition : partitions_) {
    const std::optional<AheadGate::Head> head = gate_.HeadOf(partition.index);
    if (!head || steady_ - head->since < AheadGate::kPatience) continue;
    events += head->events;
    farthest = std::max(farthest, head->time);
    names += (names.empty() ? "" : ", ") + NameOf(partition.pair);
  }
  if (events == 0) {
    return ready_.Clear(kAhead, kafka_events::kAheadReleased,
                        "kafka: no record waits for the clock any more");
  }
  using std::chrono::floor;
  using std::chrono::seconds;
  const auto ahead_by = floor<seconds>(farthest) - floor<seconds>(now_);
  ready_.Set(
      kAhead, kafka_events::kAheadHeld, "ahead",
      fmt::format("kafka: {} records wait, none is refused: in {} the next event is {} s ahead "
                  "of this machine's clock, which shows {:%FT%TZ} (source.time.ahead_limit: "
                  "{:g} s); is the clock behind? Reading goes on by itself when it is right",
                  events, names, ahead_by.count(), floor<seconds>(now_),
                  std::chrono::duration<double>(policy_.ahead_limit).count()),
      {{"records", events}, {"seconds", ahead_by.count()}});
}

// In every round, since an assignment anew ends pauses.
void StreamReader::HoldAll() {
  std::vector<std::size_t> reading;
  std::vector<std::size_t> awaited;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    if (IsAwaited(partitions_[i])) {
      if (partitions_[i].paused) awaited.push_back(i);
      continue;
    }
    MarkBehind(partitions_[i]);
    partitions_[i].check_end = false;
    if (!partitions_[i].paused) reading.push_back(i);
  }
  SetPaused(awaited, false);
  SetPaused(reading, true);
  held_ = true;
}

// Drift control decides anew who is ahead. An end that was known is told by nobody again.
void StreamReader::LetGo() {
  std::vector<std::size_t> paused;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    partitions_[i].check_end = true;
    partitions_[i].active_at = clock_.Steady();
    if (partitions_[i].paused) paused.push_back(i);
  }
  SetPaused(paused, false);
}

void StreamReader::SetPaused(const std::vector<std::size_t>& places, bool paused) {
  if (places.empty()) return;
  std::vector<TopicPartition> pairs;
  for (const std::size_t place : places) {
    if (!partitions_[place].finished) pairs.push_back(partitions_[place].pair);
  }
  if (pairs.empty()) return;
  const Status status = paused ? consumer_.Pause(pairs) : consumer_.Resume(pairs);
  if (!status) {
    log_.Log(kafka_events::kPauseFailed, fmt::format("kafka: {}", status.error().message));
  }
  // Also after a failure: a partition that is thought resumed and is not is the watchdog's.
  const SteadyTime now = clock_.Steady();
  for (const std::size_t place : places) {
    Partition& partition = partitions_[place];
    // Of a partition that nobody asks for, nobody hears that it is gone.
    if (paused && !partition.paused) partition.paused_at = now;
    if (!paused && partition.paused && now - partition.paused_at >= kUnheardOf) Doubt(partition);
    partition.paused = partition.finished || paused;
    if (paused) partition.live_until = {};
  }
}

}  // namespace sash

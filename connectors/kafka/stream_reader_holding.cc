// Who has to wait: for memory, or for slower partitions.
#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/stream_reader.h"

namespace sash {

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
  if (partitions_.size() < 2) return;
  const SteadyTime now = clock_.Steady();
  std::vector<DriftControl::Partition> views;
  views.reserve(partitions_.size());
  for (const Partition& partition : partitions_) {
    views.push_back({.newest = partition.newest,
                     .caught_up = partition.caught_up,
                     .idle = partition.caught_up && now - partition.active_at >= policy_.idle_after,
                     .paused = partition.paused,
                     .awaited = IsAwaited(partition),
                     .early = IsEarly(partition)});
  }
  const DriftControl::Verdict verdict =
      drift_.Decide(views, progress_.open_events.load(std::memory_order_relaxed));
  SetPaused(verdict.resume, false);
  SetPaused(verdict.pause, true);
  counters_.pauses += verdict.pause.size();
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
  for (const std::size_t place : places) {
    Partition& partition = partitions_[place];
    partition.paused = partition.finished || paused;
  }
}

}  // namespace sash

#include "connectors/kafka/intake_hold.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace sash {

bool IntakeHold::IsEarly(const ReadPartition& partition) const {
  return partition.position < partition.awaited_until &&
         progress_.horizon.LiesBeyond(partition.index, partition.position);
}

bool IntakeHold::IsAwaited(const ReadPartition& partition) const {
  return partition.position < partition.awaited_until && !IsEarly(partition);
}

void IntakeHold::Serve() {
  const bool is_full = is_memory_full();
  if (std::exchange(holds_all_, is_full) && !is_full) Release();
  Hold(is_full);
  if (is_full) return;
  const bool is_lone =
      partitions_.size() < 2 && std::ranges::none_of(partitions_, &ReadPartition::paused);
  if (!is_lone || gate_.holding()) ControlDrift();
}

void IntakeHold::ControlDrift() {
  const SteadyTime now = clock_.Steady();
  std::vector<DriftControl::Partition> views;
  views.reserve(partitions_.size());
  for (const ReadPartition& partition : partitions_) {
    // The records after an event that is ahead of the clock show which of the two is wrong. So the
    // partition is read on, and no other partition is held back because of that event.
    const std::optional<AheadGate::Head> head = gate_.HeadOf(partition.index);
    const bool is_full = gate_.IsFull(partition.index);
    views.push_back({.newest = head ? head->time : partition.newest,
                     .caught_up = partition.caught_up,
                     .idle = partition.caught_up && now - partition.active_at >= idle_after_,
                     .paused = partition.paused,
                     .awaited = IsAwaited(partition) || (head && !is_full),
                     .early = IsEarly(partition) || is_full || partition.awaits_schema});
  }
  const DriftControl::Verdict verdict =
      drift_.Decide(views, progress_.open_events.load(std::memory_order_relaxed));
  assignment_.SetPaused(verdict.resume, false);
  assignment_.SetPaused(verdict.pause, true);
  counters_.pauses += verdict.pause.size();
}

void IntakeHold::Hold(bool all) {
  std::vector<std::size_t> reading;
  std::vector<std::size_t> awaited;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    ReadPartition& partition = partitions_[i];
    if (!partition.awaits_schema) {
      if (!all) continue;
      if (IsAwaited(partition)) {
        if (partition.paused) awaited.push_back(i);
        continue;
      }
    }
    partitions_.MarkBehind(partition);
    partition.repair.check_end = false;
    if (!partition.paused) reading.push_back(i);
  }
  assignment_.SetPaused(awaited, false);
  assignment_.SetPaused(reading, true);
}

// Drift control then decides again which partitions are ahead. The ends are asked for, because
// librdkafka does not report an end a second time.
void IntakeHold::Release() {
  std::vector<std::size_t> paused;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    partitions_[i].repair.check_end = true;
    partitions_[i].active_at = clock_.Steady();
    if (partitions_[i].paused && !partitions_[i].awaits_schema) paused.push_back(i);
  }
  assignment_.SetPaused(paused, false);
}

}  // namespace sash

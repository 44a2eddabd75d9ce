#include "windows/ingest/watermark.h"

#include <algorithm>

namespace sash {

void Watermark::Assign(PartitionIndex partition, std::optional<EventTime> newest, SteadyTime now) {
  At(partition) = {.newest = newest, .heard = now, .assigned = true, .caught_up = false};
  holder_.reset();
}

bool Watermark::IsIdle(PartitionIndex partition, SteadyTime now) const {
  const Partition& asked = partitions_[partition];
  return asked.caught_up && now - asked.heard >= policy_.idle_after;
}

PartitionStanding Watermark::StandingOf(PartitionIndex partition, SteadyTime now) const {
  if (partition >= partitions_.size()) return {};
  const Partition& asked = partitions_[partition];
  if (!asked.assigned) return {.newest = asked.newest};
  return {.assigned = true,
          .caught_up = asked.caught_up,
          .idle = IsIdle(partition, now),
          .newest = asked.newest,
          .silent = now - asked.heard};
}

// Where the watermark may be while no partition is active.
std::optional<EventTime> Watermark::InSilence(EventTime wall) const {
  OtherPartitions::Standing others{.are_idle = true};
  if (others_ != nullptr) others = others_->Now();
  const bool by_clock = policy_.on_silence == SilencePolicy::kClock && current_;
  if (others.are_idle && by_clock) return wall - policy_.disorder;
  return others.until;
}

std::optional<EventTime> Watermark::Advance(SteadyTime now, EventTime wall) {
  std::optional<EventTime> least;
  bool any_active = false;
  bool unknown = false;
  holder_.reset();
  for (PartitionIndex p = 0; p < partitions_.size(); ++p) {
    if (!partitions_[p].assigned || IsIdle(p, now)) continue;
    any_active = true;
    const std::optional<EventTime> passed = Passed(p);
    unknown = unknown || !passed;
    if (passed && (!least || *passed < *least)) {
      least = passed;
      holder_ = p;
    }
  }
  if (unknown) {  // a partition without an event holds the watermark
    holder_.reset();
    return current_;
  }
  if (!any_active) least = InSilence(wall);
  if (least) current_ = std::max(current_.value_or(*least), *least);
  return current_;
}

}  // namespace sash

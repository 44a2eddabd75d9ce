#include "windows/slide/stream_partitions.h"

#include "windows/base/check.h"

namespace sash {

std::optional<EventTime> StreamPartitions::Begin(const StreamStart& start, SteadyTime now) {
  ranks_ = table_.Ranks();
  places_.resize(ranks_.size());
  for (const PartitionIndex partition : start.partitions) {
    places_[partition].assigned = true;
    watermark_.Assign(partition, std::nullopt, now);
  }
  std::optional<EventTime> last_before;
  for (const RewindPosition& position : start.resumed.positions) {
    places_[position.partition].next_offset = position.offset;
    places_[position.partition].anchor = position.anchor;
    watermark_.Assign(position.partition, position.newest_before, now);
    last_before = std::max(last_before, position.newest_before);
  }
  gap_until_ = start.resumed.gap_until;
  return last_before;
}

void StreamPartitions::BeginRestored(const StreamStart& start, SteadyTime now) {
  ranks_ = table_.Ranks();
  places_.resize(ranks_.size());
  for (const PartitionIndex partition : start.partitions) {
    if (!IsRead(partition)) {
      Join(partition, std::nullopt, now);
      continue;
    }
    places_[partition].assigned = true;
    watermark_.Assign(partition, watermark_.Newest(partition), now);
    if (start.stood) {
      watermark_.Heard(partition, *start.stood - stood_[partition].silent);
      if (stood_[partition].caught_up) watermark_.CaughtUp(partition);
    }
  }
  stood_.clear();
  for (const RewindPosition& position : start.resumed.positions) {
    places_[position.partition].next_offset = position.offset;
    places_[position.partition].anchor = position.anchor;
  }
}

void StreamPartitions::Join(PartitionIndex partition, std::optional<std::int64_t> offset,
                            SteadyTime now) {
  ranks_ = table_.Ranks();
  places_.resize(ranks_.size());
  places_[partition].assigned = true;
  if (offset) places_[partition].next_offset = offset;
  watermark_.Assign(partition, watermark_.Newest(partition), now);
  watermark_.CaughtUp(partition);
}

void StreamPartitions::Leave(PartitionIndex partition) {
  places_[partition].assigned = false;
  watermark_.Unassign(partition);
}

void StreamPartitions::Capture(EngineState& state, SteadyTime now) const {
  state.partitions.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    const PartitionStanding standing = watermark_.StandingOf(p, now);
    Stood stood{standing.silent, standing.caught_up, places_[p].assigned};
    if (p < stood_.size()) stood = stood_[p];  // the stream has not begun: as it was restored
    state.partitions[p] = {.pair = table_.At(p),
                           .assigned = stood.assigned,
                           .gap = places_[p].gap,
                           .next_offset = places_[p].next_offset,
                           .newest = watermark_.Newest(p),
                           .silent = stood.silent,
                           .caught_up = stood.caught_up,
                           .anchor = places_[p].anchor};
  }
  state.watermark = watermark_.Current();
  state.gap_until = gap_until_;
}

void StreamPartitions::Restore(const EngineState& state) {
  SASH_CHECK(places_.empty() && table_.size() >= state.partitions.size());
  std::vector<std::optional<EventTime>> newest;
  for (const PartitionState& partition : state.partitions) {
    places_.push_back(
        {.gap = partition.gap, .next_offset = partition.next_offset, .anchor = partition.anchor});
    newest.push_back(partition.newest);
    stood_.push_back({partition.silent, partition.caught_up, partition.assigned});
  }
  ranks_ = table_.Ranks();
  watermark_.Restore(state.watermark, newest);
  gap_until_ = state.gap_until;
}

void StreamPartitions::NoteAnchors(const std::vector<PartitionAnchor>& anchors) {
  for (const PartitionAnchor& known : anchors) {
    if (known.partition < places_.size()) places_[known.partition].anchor = known.anchor;
  }
}

void StreamPartitions::AddPositions(std::vector<std::optional<RewindPosition>> first,
                                    RewindPoint& point) const {
  first.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    if (!places_[p].assigned) continue;
    // If nothing is retained, the next record is the first one needed. But then a gap that no
    // window has reported yet would be forgotten: a partition without a position finds it again.
    if (!first[p] && places_[p].next_offset && !places_[p].gap) {
      first[p] = RewindPosition{p, *places_[p].next_offset, watermark_.Newest(p)};
    }
    if (!first[p]) continue;
    first[p]->anchor = places_[p].anchor;
    point.positions.push_back(*first[p]);
  }
}

std::optional<EventTime> StreamPartitions::newest() const {
  std::optional<EventTime> newest;
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    newest = std::max(newest, watermark_.Newest(p));
  }
  return newest;
}

std::uint64_t StreamPartitions::CountIdle(SteadyTime now) const {
  std::uint64_t idle = 0;
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    idle += places_[p].assigned && watermark_.IsIdle(p, now) ? 1 : 0;
  }
  return idle;
}

std::vector<CutPartition> StreamPartitions::Cut() const {
  std::vector<CutPartition> cut;
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    if (!places_[p].assigned) continue;
    cut.push_back({p, places_[p].next_offset, watermark_.Newest(p)});
  }
  return cut;
}

void StreamPartitions::FillStandings(SteadyTime now,
                                     std::vector<PartitionStanding>& standings) const {
  standings.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    standings[p] = watermark_.StandingOf(p, now);
    standings[p].late = places_[p].late;
    standings[p].refused = places_[p].refused;
  }
}

}  // namespace sash

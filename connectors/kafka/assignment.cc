#include "connectors/kafka/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "connectors/kafka/log_events.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kSeekTimeout{1};
// A partition that is paused for longer is not fetched, so its deletion may go unnoticed.
constexpr std::chrono::seconds kUnheardOf{2};

}  // namespace

Status Assignment::Begin(const OpenedStream& stream) {
  partitions_.Clear();
  round_.Reset();
  StreamStart start{
      .partitions = {}, .resumed = stream.resumed, .stood = {}, .from_state = stream.from_state};
  for (const OpenedPartition& opened : stream.partitions) {
    Add(opened);
    start.partitions.push_back(opened.index);
  }
  std::ranges::sort(start.partitions);
  round_.last().start = std::move(start);
  doubts_.Reset();
  std::vector<PartitionOffset> positions;
  for (const ReadPartition& partition : partitions_) {
    positions.push_back({partition.pair, partition.position, {}});
  }
  if (Status assigned = consumer_.Assign(positions); !assigned) return assigned;
  for (ReadPartition& partition : partitions_) {
    if (partition.until && partition.position >= *partition.until) Finish(partition);
  }
  return Ok{};
}

void Assignment::Add(const OpenedPartition& opened) {
  ReadPartition partition;
  partition.pair = opened.pair;
  partition.index = opened.index;
  partition.position = opened.start.offset;
  partition.position_last_round = opened.start.offset;
  partition.newest = opened.newest_before;
  partition.awaited_until = opened.awaited_until;
  partition.until = opened.until;
  partition.active_at = clock_.Steady();
  partition.identity.anchor = opened.anchor;
  if (span_) partition.span = std::make_unique<SpanIntake>(*span_, policy_, keys_);
  partitions_.Append(std::move(partition));
  if (opened.renewed) ++counters_.partitions_renewed;
  if (opened.start.gap) round_.last().AddMark(Mark::Kind::kGap, opened.index);
  counters_.lost_records += static_cast<std::uint64_t>(opened.start.lost);
}

void Assignment::AssignAll() {
  std::vector<std::size_t> paused;
  std::vector<PartitionOffset> positions;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    if (partitions_[i].finished) continue;
    if (partitions_[i].paused) paused.push_back(i);
    partitions_[i].repair.delivers = false;
    positions.push_back({partitions_[i].pair, partitions_[i].position, {}});
  }
  // librdkafka may keep a pause across an assignment without reporting it. A partition that is
  // still ahead is paused again in this round.
  SetPaused(paused, false);
  if (const Status status = consumer_.Assign(positions); !status) {
    log_.Log(kafka_events::kAssignFailed, fmt::format("kafka: {}", status.error().message));
  }
}

void Assignment::Reposition(ReadPartition& partition) {
  partition.repair.delivers = false;
  const Status sought = consumer_.Seek({partition.pair, partition.position, {}});
  doubts_.Look(kSeekTimeout);
  if (sought) return;
  // A partition whose fetcher stopped (offset out of range) cannot seek, but it can be assigned.
  AssignAll();
}

void Assignment::SetPaused(const std::vector<std::size_t>& places, bool paused) {
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
  // Also after a failure: the watchdog finds a partition that counts as resumed and is not.
  const SteadyTime now = clock_.Steady();
  for (const std::size_t place : places) {
    ReadPartition& partition = partitions_[place];
    if (paused && !partition.paused) partition.paused_at = now;
    if (!paused && partition.paused && now - partition.paused_at >= kUnheardOf) {
      doubts_.Doubt(partition);
    }
    partition.paused = partition.finished || paused;
    if (paused) partition.live_until = {};
  }
}

Result<LogBounds> Assignment::AskForBounds(const ReadPartition& partition) {
  Result<LogBounds> bounds = consumer_.QueryBounds(partition.pair, kQuestionTimeout);
  doubts_.Look(kQuestionTimeout);
  return bounds;
}

void Assignment::MarkCaughtUp(ReadPartition& partition) {
  partition.repair.check_end = false;
  partition.awaited_until = 0;  // there is no more
  partition.begins = false;
  if (span_) return Finish(partition);
  if (std::exchange(partition.caught_up, true)) return;
  round_.last().AddMark(Mark::Kind::kCaughtUp, partition.index);
}

void Assignment::Finish(ReadPartition& partition) {
  if (partition.finished) return;
  SetPaused({partitions_.PlaceOf(partition)}, true);
  partition.finished = true;
  partition.caught_up = true;
  if (partition.span) partition.span->Finish(round_.last());
  round_.last().AddMark(Mark::Kind::kCaughtUp, partition.index);
}

bool Assignment::Finished() const {
  return span_ && std::ranges::all_of(partitions_, &ReadPartition::finished);
}

std::uint64_t Assignment::left_out_of_span() const {
  std::uint64_t events = 0;
  for (const ReadPartition& partition : partitions_) {
    if (partition.span) events += partition.span->left_out();
  }
  return events;
}

}  // namespace sash

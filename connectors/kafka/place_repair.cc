#include "connectors/kafka/place_repair.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/start_offsets.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {

void PlaceRepair::Serve() {
  CheckEnds();
  RepositionLost();
  LookForStalls();
}

// librdkafka reports an end once. After the loss of a broker it does not report it again.
void PlaceRepair::CheckEnds() {
  for (ReadPartition& partition : partitions_) {
    if (!partition.repair.check_end || !partition.reach.reachable || partition.caught_up) continue;
    if (partition.identity.doubtful) continue;
    const Result<LogBounds> bounds = assignment_.AskForBounds(partition);
    if (!bounds) return;
    partition.repair.check_end = false;
    partition.end = bounds.value().high;
    if (bounds.value().high == partition.position) assignment_.MarkCaughtUp(partition);
  }
}

void PlaceRepair::RepositionLost() {
  for (ReadPartition& partition : partitions_) {
    if (!partition.repair.reposition || partition.identity.doubtful) continue;
    const Result<LogBounds> bounds = assignment_.AskForBounds(partition);
    if (!bounds) {
      const std::string name = NameOf(partition.pair);
      partition.failed = true;
      ready_.Set(name, kafka_events::kPartitionOutOfRange, "reposition",
                 fmt::format("kafka: {}: the next offset, {}, is out of range: {}", name,
                             partition.position, bounds.error().message),
                 {{"topic", partition.pair.topic},
                  {"partition", partition.pair.partition},
                  {"offset", partition.position}});
      return;
    }
    RepositionLost(partition, bounds.value());
  }
}

void PlaceRepair::RepositionLost(ReadPartition& partition, const LogBounds& bounds) {
  ReadPartition::Repair& repair = partition.repair;
  const std::int64_t lost = bounds.low - partition.position;
  repair.headroom = repair.overtaken ? NextHeadroom(repair.headroom, lost) : 0;
  repair.overtaken = lost > 0;
  const StartDecision decision = DecideContinuation(partition.position, bounds, repair.headroom);
  repair.reposition = false;
  repair.unreadable.reset();
  partition.end = bounds.high;
  partition.position = decision.offset;
  counters_.lost_records += static_cast<std::uint64_t>(decision.lost);
  if (decision.gap) round_.last().AddMark(Mark::Kind::kGap, partition.index);
  if (!decision.remark.empty()) {
    log_.Log(kafka_events::kPartitionGap,
             fmt::format("kafka: {}: {}", NameOf(partition.pair), decision.remark),
             {{"topic", partition.pair.topic},
              {"partition", partition.pair.partition},
              {"offset", decision.offset},
              {"lost", decision.lost}});
  }
  assignment_.Reposition(partition);
}

void PlaceRepair::LookForStalls() {
  std::vector<StallWatchdog::Partition> views;
  views.reserve(partitions_.size());
  for (const ReadPartition& partition : partitions_) {
    views.push_back({.position = partition.position,
                     .expected = !partition.paused && partition.reach.reachable &&
                                 !partition.repair.reposition && !partition.identity.doubtful});
  }
  for (const std::size_t place : watchdog_.Suspects(views, clock_.Steady())) {
    ReadPartition& partition = partitions_[place];
    const Result<LogBounds> bounds = assignment_.AskForBounds(partition);
    if (!bounds) return;
    partition.end = bounds.value().high;
    if (bounds.value().low > partition.position || bounds.value().high < partition.position) {
      partitions_.MarkBehind(partition);
      partition.repair.reposition = true;
    } else if (bounds.value().high == partition.position) {
      assignment_.MarkCaughtUp(partition);
    } else {
      ++counters_.stalls;
      ReportStalled(partition, bounds.value().high);
      partitions_.MarkBehind(partition);
      assignment_.Reposition(partition);
    }
  }
}

// The reason stays until the next record. A partition that has an error of its own keeps that
// reason, which says more.
void PlaceRepair::ReportStalled(ReadPartition& partition, std::int64_t end) {
  if (std::exchange(partition.failed, true)) return;
  const std::string name = NameOf(partition.pair);
  ready_.Set(name, kafka_events::kPartitionStalled, "stalled",
             fmt::format("kafka: {}: stalled at offset {} of {}, reading is started again there",
                         name, partition.position, end),
             {{"topic", partition.pair.topic},
              {"partition", partition.pair.partition},
              {"offset", partition.position}});
}

}  // namespace sash

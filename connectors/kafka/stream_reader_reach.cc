// Whether partitions can be read, and from where: brokers that are away, ends, lost places, stalls.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/reachability.h"
#include "connectors/kafka/stream_reader.h"

namespace sash {
namespace {

constexpr int kMissesUntilUnreachable = 2;
constexpr std::chrono::seconds kSeekTimeout{1};
constexpr const char* kPartitions = "partitions";

}  // namespace

void StreamReader::ReadInbox() {
  InboxContents inbox = consumer_.TakeInbox();
  for (const InboxContents::Line& line : inbox.log) log_.Log(line.event, line.text);
  if (inbox.log_dropped > 0) {
    log_.Log(kafka_events::kClientDropped,
             fmt::format("kafka: {} lines of librdkafka were dropped", inbox.log_dropped),
             {{"dropped", inbox.log_dropped}});
  }
  if (!inbox.connection_text.empty()) {
    connection_text_ = std::move(inbox.connection_text);
    topic_refused_ = inbox.topic_refused;
  }
  if (inbox.all_brokers_down) {
    for (Partition& partition : partitions_) LoseReach(partition);
    SayReach();
  }
  if (!inbox.statistics.empty()) ReadStatistics(inbox.statistics);
}

void StreamReader::ReadStatistics(const std::string& statistics) {
  const auto reaches = ReadReachability(statistics);
  if (!reaches) return;
  for (const PartitionReach& reach : *reaches) {
    Partition* partition = Find(reach.pair.topic, reach.pair.partition);
    if (partition == nullptr) continue;  // it has not joined yet
    if (!reach.reachable) {
      if (++partition->misses >= kMissesUntilUnreachable) LoseReach(*partition);
      continue;
    }
    partition->misses = 0;
    if (!std::exchange(partition->reachable, true)) partition->check_end = true;
  }
  SayReach();
}

void StreamReader::LoseReach(Partition& partition) {
  partition.reachable = false;
  MarkBehind(partition);
}

void StreamReader::SayReach() {
  std::string names;
  std::size_t lost = 0;
  for (const Partition& partition : partitions_) {
    if (partition.reachable) continue;
    ++lost;
    names += (names.empty() ? "" : ", ") + NameOf(partition.pair);
  }
  if (lost == partitions_.size() && topic_refused_) {
    ready_.Clear(kBrokers, kafka_events::kBrokersBack, "kafka: the brokers can be reached again");
    ready_.Set(kPartitions, kafka_events::kTopicRefused, "topic",
               fmt::format("kafka: {}", connection_text_));
    return;
  }
  if (lost == partitions_.size()) {
    ready_.Set(kBrokers, kafka_events::kBrokersLost, "down",
               fmt::format("kafka: no broker can be reached: {}", connection_text_));
    return;
  }
  ready_.Clear(kBrokers, kafka_events::kBrokersBack, "kafka: the brokers can be reached again");
  if (lost > 0) {
    ready_.Set(kPartitions, kafka_events::kPartitionsLost, names,
               fmt::format("kafka: the brokers of {} of {} partitions cannot be reached ({}): {}",
                           lost, partitions_.size(), names, connection_text_));
  } else {
    ready_.Clear(kPartitions, kafka_events::kPartitionsBack,
                 "kafka: all partitions can be reached again");
  }
}

// librdkafka tells an end once; after the loss of a broker nobody tells that it still is the end.
void StreamReader::CheckEnds() {
  for (Partition& partition : partitions_) {
    if (!partition.check_end || !partition.reachable || partition.caught_up) continue;
    if (partition.doubtful) continue;
    const Result<LogBounds> bounds = AskForBounds(partition);
    if (!bounds) return;
    partition.check_end = false;
    partition.end = bounds.value().high;
    if (bounds.value().high == partition.position) MarkCaughtUp(partition);
  }
}

void StreamReader::RepositionLost() {
  for (Partition& partition : partitions_) {
    if (!partition.reposition || partition.doubtful) continue;
    const Result<LogBounds> bounds = AskForBounds(partition);
    const std::string name = NameOf(partition.pair);
    if (!bounds) {
      partition.failed = true;
      ready_.Set(name, kafka_events::kPartitionOutOfRange, "reposition",
                 fmt::format("kafka: {}: the next offset, {}, is out of range: {}", name,
                             partition.position, bounds.error().message),
                 {{"topic", partition.pair.topic},
                  {"partition", partition.pair.partition},
                  {"offset", partition.position}});
      return;
    }
    const std::int64_t lost = bounds.value().low - partition.position;
    partition.headroom = partition.overtaken ? NextHeadroom(partition.headroom, lost) : 0;
    partition.overtaken = lost > 0;
    const StartDecision decision =
        DecideContinuation(partition.position, bounds.value(), partition.headroom);
    partition.reposition = false;
    partition.unreadable.reset();
    partition.end = bounds.value().high;
    partition.position = decision.offset;
    counters_.lost_records += static_cast<std::uint64_t>(decision.lost);
    if (decision.gap) last_batch().AddMark(Mark::Kind::kGap, partition.index);
    if (!decision.remark.empty()) {
      log_.Log(kafka_events::kPartitionGap, fmt::format("kafka: {}: {}", name, decision.remark),
               {{"topic", partition.pair.topic},
                {"partition", partition.pair.partition},
                {"offset", decision.offset},
                {"lost", decision.lost}});
    }
    Reposition(partition);
  }
}

void StreamReader::Reposition(Partition& partition) {
  partition.delivers = false;
  const Status sought = consumer_.Seek({partition.pair, partition.position, {}});
  LookForBreaks(kSeekTimeout);
  if (sought) return;
  // A partition whose fetcher stopped (offset out of range) cannot seek; it can be assigned anew.
  AssignAll();
}

void StreamReader::AssignAll() {
  std::vector<std::size_t> paused;
  std::vector<PartitionOffset> positions;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    if (partitions_[i].finished) continue;
    if (partitions_[i].paused) paused.push_back(i);
    partitions_[i].delivers = false;
    positions.push_back({partitions_[i].pair, partitions_[i].position, {}});
  }
  // A pause could outlive the assignment unseen; who is still ahead is paused again.
  SetPaused(paused, false);
  if (const Status status = consumer_.Assign(positions); !status) {
    log_.Log(kafka_events::kAssignFailed, fmt::format("kafka: {}", status.error().message));
  }
}

void StreamReader::LookForStalls() {
  std::vector<StallWatchdog::Partition> views;
  views.reserve(partitions_.size());
  for (const Partition& partition : partitions_) {
    views.push_back(
        {.position = partition.position,
         .expected = !partition.paused && partition.reachable && !partition.reposition &&
                     !partition.doubtful});
  }
  for (const std::size_t place : watchdog_.Suspects(views, clock_.Steady())) {
    Partition& partition = partitions_[place];
    const Result<LogBounds> bounds = AskForBounds(partition);
    if (!bounds) return;
    partition.end = bounds.value().high;
    if (bounds.value().low > partition.position || bounds.value().high < partition.position) {
      MarkBehind(partition);
      partition.reposition = true;
    } else if (bounds.value().high == partition.position) {
      MarkCaughtUp(partition);
    } else {
      ++counters_.stalls;
      SayStalled(partition, bounds.value().high);
      MarkBehind(partition);
      Reposition(partition);
    }
  }
}

// Until its next record. An error of its own tells more.
void StreamReader::SayStalled(Partition& partition, std::int64_t end) {
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

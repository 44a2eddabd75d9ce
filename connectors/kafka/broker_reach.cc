#include "connectors/kafka/broker_reach.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/reachability.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

constexpr int kMissesUntilUnreachable = 2;
constexpr const char* kPartitions = "partitions";

}  // namespace

void BrokerReach::ReadInbox() {
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
    for (ReadPartition& partition : partitions_) Lose(partition);
    Report();
  }
  if (!inbox.statistics.empty()) ReadStatistics(inbox.statistics);
}

void BrokerReach::ReadStatistics(const std::string& statistics) {
  const auto reaches = ReadReachability(statistics);
  if (!reaches) return;
  for (const PartitionReach& reach : *reaches) {
    ReadPartition* partition = partitions_.Find(reach.pair.topic, reach.pair.partition);
    if (partition == nullptr) continue;  // it has not joined yet
    if (!reach.reachable) {
      if (++partition->reach.misses >= kMissesUntilUnreachable) Lose(*partition);
      continue;
    }
    partition->reach.misses = 0;
    if (!std::exchange(partition->reach.reachable, true)) partition->repair.check_end = true;
  }
  Report();
}

void BrokerReach::Lose(ReadPartition& partition) {
  partition.reach.reachable = false;
  partitions_.MarkBehind(partition);
}

void BrokerReach::Report() {
  std::string names;
  std::size_t lost = 0;
  for (const ReadPartition& partition : partitions_) {
    if (partition.reach.reachable) continue;
    ++lost;
    names += (names.empty() ? "" : ", ") + NameOf(partition.pair);
  }
  const bool is_all = lost > 0 && lost == partitions_.size();
  if (is_all && topic_refused_) {
    ready_.Clear(kBrokers, kafka_events::kBrokersBack, "kafka: the brokers can be reached again");
    ready_.Set(kPartitions, kafka_events::kTopicRefused, "topic",
               fmt::format("kafka: {}", connection_text_));
    return;
  }
  if (is_all) {
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

}  // namespace sash

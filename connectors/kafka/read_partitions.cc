#include "connectors/kafka/read_partitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {

ReadPartition* ReadPartitions::Find(std::string_view topic, std::int32_t partition) {
  const auto before = [&](const ReadPartition& candidate) {
    const int order = std::string_view(candidate.pair.topic).compare(topic);
    return order < 0 || (order == 0 && candidate.pair.partition < partition);
  };
  const auto found = std::ranges::partition_point(partitions_, before);
  if (found == partitions_.end() || found->pair.topic != topic ||
      found->pair.partition != partition) {
    return nullptr;
  }
  return &*found;
}

ReadPartition ReadPartitions::Joining(const TopicPartition& pair, PartitionIndex index,
                                      std::int64_t begin, std::int64_t end, SteadyTime now) const {
  ReadPartition partition;
  partition.pair = pair;
  partition.index = index;
  partition.position = partition.position_last_round = begin;
  partition.end = end;
  partition.newest = LeastNewest();
  partition.active_at = now;
  partition.caught_up = true;
  partition.begins = begin < end;
  return partition;
}

void ReadPartitions::Append(ReadPartition partition) {
  partitions_.push_back(std::move(partition));
}

void ReadPartitions::Insert(ReadPartition partition) {
  const auto place =
      std::ranges::lower_bound(partitions_, partition.pair, {}, &ReadPartition::pair);
  partitions_.insert(place, std::move(partition));
}

void ReadPartitions::MarkBehind(ReadPartition& partition) {
  if (partition.finished) return;
  all_caught_up_ = false;
  partition.live_until = {};
  if (!std::exchange(partition.caught_up, false)) return;
  round_.last().AddMark(Mark::Kind::kBehind, partition.index);
}

void ReadPartitions::Recover(ReadPartition& partition) {
  if (std::exchange(consumer_failed_, false)) {
    ready_.Clear(kConsumerSubject, kafka_events::kReadingResumed, "kafka: reading again");
  }
  if (!std::exchange(partition.failed, false)) return;
  const std::string name = NameOf(partition.pair);
  ready_.Clear(name, kafka_events::kPartitionResumed, fmt::format("kafka: {}: reading again", name),
               {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
}

std::optional<EventTime> ReadPartitions::LeastNewest() const {
  std::optional<EventTime> least;
  for (const ReadPartition& partition : partitions_) {
    if (partition.newest && (!least || *partition.newest < *least)) least = partition.newest;
  }
  return least;
}

}  // namespace sash

#include "connectors/kafka/unreadable_batches.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {

// librdkafka asks for the batch again, for ever; it skips a batch of an old format whose checksum
// is wrong. It does not report where a batch ends (2.0.2), so the only way past it is to delete it
// from the topic.
void UnreadableBatches::Note(const Polled& polled, ReadPartition& partition) {
  if (partition.finished) return;
  partitions_.MarkBehind(partition);
  partition.failed = true;
  const std::int64_t offset = polled.record.offset;
  if (std::exchange(partition.repair.unreadable, offset) != offset) ++counters_.unreadable_batches;
  const std::string name = NameOf(partition.pair);
  ready_.Set(name, kafka_events::kPartitionUnreadable,
             fmt::format("{} at {}", polled.identity, offset),
             fmt::format("kafka: {}: the batch at offset {} cannot be read ({}); it is requested "
                         "until it can be read or is gone from the topic",
                         name, offset, polled.text),
             {{"topic", partition.pair.topic},
              {"partition", partition.pair.partition},
              {"offset", offset}});
}

void UnreadableBatches::Pass(std::int64_t next, ReadPartition& partition) {
  if (!std::exchange(partition.repair.unreadable, std::nullopt) || next <= partition.position) {
    return;
  }
  counters_.lost_records += static_cast<std::uint64_t>(next - partition.position);
  round_.last().AddMark(Mark::Kind::kGap, partition.index);
  log_.Log(kafka_events::kPartitionPassedOver,
           fmt::format("kafka: {}: offsets {} to {} could not be read", NameOf(partition.pair),
                       partition.position, next - 1),
           {{"topic", partition.pair.topic},
            {"partition", partition.pair.partition},
            {"offset", partition.position},
            {"lost", next - partition.position}});
}

}  // namespace sash

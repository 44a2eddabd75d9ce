// TopicChanges: finds partitions that were added to the topics, or that the topics no longer have;
// with a pattern of topics, also topics that were created or deleted.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) A partition that is added to a topic, or whose topic is new and matches the pattern, is
//       found within 10 s, joins, and is read from its beginning. While one cannot be read yet,
//       every window may lack records: that is a gap.
//   (2) A partition leaves when two looks in a row did not find it and it delivered nothing. A
//       single look may ask a broker that has not heard of an added partition. That a topic is
//       missing in the list of all topics is not enough: permissions may hide it. So a broker is
//       asked for it by name too.
//   (3) With a span nothing joins or leaves.
//   (4) With a shard, only its own partitions join.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/assignment.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/read_partitions.h"
#include "connectors/kafka/topic_choice.h"
#include "windows/base/event_log.h"

namespace sash {

class TopicChanges {
 public:
  TopicChanges(ConsumerHandle& consumer, ReadPartitions& partitions, ReadRound& round,
               IdentityDoubts& doubts, Assignment& assignment, PartitionTable& table,
               KafkaCounters& counters, ReadyState& ready, EventLog& log, const Clock& clock,
               const KafkaSpec& spec)
      : consumer_(consumer),
        partitions_(partitions),
        round_(round),
        doubts_(doubts),
        assignment_(assignment),
        table_(table),
        counters_(counters),
        ready_(ready),
        log_(log),
        clock_(clock),
        pattern_(spec.topic_pattern),
        choice_(spec),
        shard_(spec.shard),
        has_span_(spec.span.has_value()) {}

  // All partitions that there are now are assigned.
  void Begin() { looked_at_ = clock_.Steady(); }

  // Asks the brokers every few seconds. True: a partition joined or left, so places have changed.
  bool Look();

  // Whether there are partitions that were added and cannot be read yet.
  bool has_unread() const { return unread_ > 0; }

  // Whether a partition has joined or left since the last call; true at first.
  bool TakeChange() { return std::exchange(has_changed_, false); }

 private:
  using Counts = std::map<std::string, std::int32_t>;
  bool IsRead(const std::string& topic) const;
  std::uint64_t JoinAdded(const Counts& counts);
  void Join(const TopicPartition& pair, const LogBounds& bounds, bool is_new_topic);
  std::optional<std::set<std::string>> FindDeleted(const Counts& counts);
  bool LeaveGone(const Counts& counts, const std::set<std::string>& deleted);
  void Leave(ReadPartition& partition);
  void ReportUnmatched();
  void ReportUnread(const std::vector<TopicPartition>& unread, const std::string& why);

  ConsumerHandle& consumer_;
  ReadPartitions& partitions_;
  ReadRound& round_;
  IdentityDoubts& doubts_;
  Assignment& assignment_;
  PartitionTable& table_;
  KafkaCounters& counters_;
  ReadyState& ready_;
  EventLog& log_;
  const Clock& clock_;
  const std::string pattern_;
  const TopicChoice choice_;
  const std::optional<StreamShard> shard_;
  const bool has_span_;
  bool has_changed_ = true;  // TakeChange()
  SteadyTime looked_at_{};
  std::size_t unread_ = 0;
};

}  // namespace sash

// How the Kafka source reads (configuration: source.kafka).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/record_anchor.h"
#include "windows/ingest/replay_span.h"
#include "windows/ingest/stream_shard.h"

namespace sash {

struct StartCommitted {  // earliest where nothing was committed
  friend bool operator==(const StartCommitted&, const StartCommitted&) = default;
};
struct StartEarliest {
  friend bool operator==(const StartEarliest&, const StartEarliest&) = default;
};
struct StartLatest {
  friend bool operator==(const StartLatest&, const StartLatest&) = default;
};
struct StartTimestamp {
  EventTime time;  // first record whose Kafka timestamp is not before it
  friend bool operator==(const StartTimestamp&, const StartTimestamp&) = default;
};
struct StartExplicit {
  std::map<std::string, std::map<std::int32_t, std::int64_t>> offsets;  // others: earliest
  friend bool operator==(const StartExplicit&, const StartExplicit&) = default;
};
using StartPolicy =
    std::variant<StartCommitted, StartEarliest, StartLatest, StartTimestamp, StartExplicit>;

// The state of a partition in a checkpoint.
struct ResumedPartition {
  std::optional<std::int64_t> next;  // the offset to be read next, if a record was read before
  std::optional<EventTime> newest;   // the newest event time before that
  // The records below were read before the restart. The engine waits until it has them again.
  std::int64_t awaited_until = 0;
  std::optional<RecordAnchor> anchor{};  // a record by which the partition is recognised
  // If it is set, the group's commit decides. A commit of Sash between `next` and `reached`
  // confirms this state. Otherwise the commit was moved, and the states of all partitions are void.
  std::optional<std::int64_t> reached{};
};

struct KafkaSpec {
  std::string brokers = "embedded";  // or "host:port,host:port"
  std::vector<std::string> topics;   // at least one, or a pattern
  std::string topic_pattern{};       // of their names (TopicChoice); empty: they are named
  // The topics to which this process writes results and dead letters. Not a key of the
  // configuration.
  std::vector<std::string> own_topics{};
  std::string group = "sash";
  // This process reads only these of the topics' partitions; none: all of them.
  std::optional<StreamShard> shard{};
  StartPolicy start = StartCommitted{};
  // The number of threads that decode records (DecodeTeam); 0: one for every four cores, from 1 to
  // 8. A replay of a span uses one.
  int decode_threads = 0;
  std::map<std::string, std::string> options;  // verbatim librdkafka options
  // When a partition with more records delivers none for this long, reading starts again there.
  Duration stall_after = std::chrono::seconds(60);
  // These partitions continue at their checkpoint, whatever `start` says. Not a key of the
  // configuration. For a partition with several lives, the newest life in the PartitionTable
  // counts.
  std::map<TopicPartition, ResumedPartition> resume;
  // Options whose value comes from outside the file, as the file has them: "${env:NAME}". Their
  // values must never be printed.
  std::map<std::string, std::string> option_references;
  // Whether this process must be the only reader of the group, and commits as its member. Not a key
  // of the configuration: false for the embedded broker and for a span.
  bool claims_group = false;
  // Only for sashd --replay; not a key of the configuration. Reading starts at the first record
  // whose Kafka timestamp is not before `from`, whatever `start` is, and it ends. Nothing is
  // committed.
  std::optional<ReplaySpan> span{};
};

}  // namespace sash

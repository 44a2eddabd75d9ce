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

// How a partition stood when the stream was left, as a checkpoint has it.
struct ResumedPartition {
  std::optional<std::int64_t> next;  // the offset to be read next, where a record told it
  std::optional<EventTime> newest;   // the newest event time before that
  // What lies below was read before the stream was left, and is awaited: the engine does nothing
  // else until it has it again.
  std::int64_t awaited_until = 0;
  std::optional<RecordAnchor> anchor{};  // a record by which the partition is known again
  // Then the group's commit has the last word: it lies between `next` and this, and is ours, or
  // somebody has moved it, and what is said here holds for no partition.
  std::optional<std::int64_t> reached{};
};

// A stretch of the topics' history: the events whose time is in [from, to).
struct ReplaySpan {
  EventTime from;
  EventTime to;
  // Of the windows by event time: what is late is told by it. 0 without such windows: nothing is.
  Duration pane{};
};

struct KafkaSpec {
  std::string brokers = "embedded";  // or "host:port,host:port"
  std::vector<std::string> topics;   // at least one
  std::string group = "sash";
  StartPolicy start = StartCommitted{};
  // How many threads decode records, a stretch each of what has come; 0: as many as the machine has
  // cores to spare. A replay of a span takes one.
  int decode_threads = 0;
  std::map<std::string, std::string> options;  // verbatim librdkafka options
  // After as long without a record from a partition that has more, reading starts there again.
  Duration stall_after = std::chrono::seconds(60);
  // These partitions are read on from where they stood, whatever `start` says. Not a key of the
  // configuration. Of a partition with several lives, the newest counts that the table knows.
  std::map<TopicPartition, ResumedPartition> resume;
  // Options whose value stands outside the file, as the file has them: "${env:NAME}". Their values
  // must never be printed.
  std::map<std::string, std::string> option_references;
  // Whether it has to be the only one that reads for the group, and commits as its member. Not a
  // key of the configuration: false for brokers that nobody else knows.
  bool claims_group = false;
  // Of sashd --replay; no file says it. Reading starts at the first record whose Kafka timestamp is
  // not before `from`, whatever `start` is, and has an end; nothing is committed.
  std::optional<ReplaySpan> span{};
};

}  // namespace sash

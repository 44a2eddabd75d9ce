// ConsumerHandle: the part of librdkafka that the Kafka source uses, as values and Results.
//
// Thread safety: belongs to one thread, except Close()'s caller, who comes after it. librdkafka's
// callbacks only put what they were told into an inbox.
//
// Invariants
//   (1) One record at a time leaves the consumer queue: the batch API of librdkafka 2.0.2 skips
//       offsets after pause and resume.
//   (2) Callbacks are served by ServeCallbacks() alone, so they go on while records wait.
//   (3) The group stores offsets and nothing else: there is no subscription, so no rebalance.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/offset_commits.h"
#include "connectors/kafka/partition_offset.h"
#include "connectors/kafka/record_intake.h"
#include "connectors/kafka/start_offsets.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

namespace sash {

// What one poll returned. The views live until the next Poll(), or those of a record that is kept
// until LetGo().
struct Polled {
  // kUnreadable: a batch that came is not what it says; it will be fetched again, or is passed
  // over.
  enum class Kind : std::uint8_t { kRecord, kEnd, kOutOfRange, kUnreadable, kError };
  Kind kind = Kind::kRecord;
  // Of the other kinds: topic, partition, and the offset of kEnd, or the first one of the batch.
  KafkaRecord record;
  std::string identity;  // kError, kUnreadable: librdkafka's name of the error
  std::string text;      // of what is no record and no end
};

// What the callbacks were told since the last look.
struct InboxContents {
  struct Line {
    LogEvent event;
    std::string text;
  };
  std::vector<Line> log;
  std::uint64_t log_dropped = 0;
  std::string connection_identity;  // the newest error of the connections; empty: none
  std::string connection_text;
  bool topic_refused = false;  // that error is about a topic: the brokers themselves are there
  bool all_brokers_down = false;
  std::string statistics;  // the newest; empty: none
};

class ConsumerHandle {
 public:
  // Contacts the brokers in the background; an error is one of the options.
  static Result<std::unique_ptr<ConsumerHandle>> Open(const KafkaSpec& spec);
  // The same without statistics, for one to which nothing is assigned.
  static Result<std::unique_ptr<ConsumerHandle>> OpenUnread(const KafkaSpec& spec);
  ~ConsumerHandle();
  ConsumerHandle(const ConsumerHandle&) = delete;
  ConsumerHandle& operator=(const ConsumerHandle&) = delete;

  // These ask a broker and wait for at most `timeout`. kNotFound: there is no such topic. None
  // makes a topic that is not there.
  // What the brokers of the cluster call themselves: "host:port".
  Result<std::vector<std::string>> Brokers(std::chrono::milliseconds timeout);
  Result<std::int32_t> PartitionCount(const std::string& topic, std::chrono::milliseconds timeout);
  // Of the topics that are read now, in one question; without those of which nothing is known.
  Result<std::map<std::string, std::int32_t>> PartitionCounts(std::chrono::milliseconds timeout);
  Result<LogBounds> QueryBounds(const TopicPartition& pair, std::chrono::milliseconds timeout);
  // Of the pairs that have a commit.
  Result<std::vector<PartitionOffset>> Committed(std::span<const TopicPartition> pairs,
                                                 std::chrono::milliseconds timeout);
  // Of each pair the first offset whose timestamp is not before `time`; negative: there is none.
  Result<std::vector<PartitionOffset>> OffsetsAt(std::span<const TopicPartition> pairs,
                                                 EventTime time, std::chrono::milliseconds timeout);

  // The end of each pair, up to which its records can be read. All of them are asked for at once.
  Result<std::vector<PartitionOffset>> Ends(std::span<const TopicPartition> pairs,
                                            std::chrono::milliseconds timeout);
  // Whether the topic is compacted.
  Result<bool> IsCompacted(const std::string& topic, std::chrono::milliseconds timeout);

  // The end as the last fetch saw it.
  std::optional<std::int64_t> KnownEnd(const TopicPartition& pair) const;

  Status Assign(std::span<const PartitionOffset> positions);  // replaces what was assigned
  Status Seek(const PartitionOffset& position);
  Status Pause(std::span<const TopicPartition> pairs);
  Status Resume(std::span<const TopicPartition> pairs);

  // The next record or happening, or nothing after `timeout`.
  const Polled* Poll(std::chrono::milliseconds timeout);
  // The record that Poll() returned last lives until LetGo(). There is no bound: its bytes are the
  // caller's to count.
  void Keep();
  void LetGo();
  // The record that Poll() returned last lives until the next one is kept in this place, or until
  // LetGoLast().
  void KeepLast(std::size_t place);
  void LetGoLast();
  // Of the record that Poll() returned last, unless it is kept: names and values, in their order.
  std::vector<std::pair<std::string, std::string>> Headers() const;
  // Grows when reading may have been broken off (BreakWatch), before what was read afterwards is
  // polled.
  std::uint64_t breaks() const;
  void ServeCallbacks();
  InboxContents TakeInbox();

  OffsetCommits& commits();

  // False when librdkafka did not close in time: its handle is then left to the end of the process,
  // because destroying it would wait for ever (known of 2.0.2).
  bool Close(std::chrono::milliseconds timeout);

 private:
  struct Handle;
  explicit ConsumerHandle(std::unique_ptr<Handle> handle);
  static Result<std::unique_ptr<ConsumerHandle>> OpenWith(const KafkaSpec& spec,
                                                          bool has_statistics);

  std::unique_ptr<Handle> handle_;
  Polled polled_;
};

}  // namespace sash

// ConsumerHandle: the part of librdkafka that the Kafka source uses, as values and Results.
//
// Thread safety: belongs to one thread. Another thread may call Close() when that thread has ended,
// and Interrupt() at any time.
// librdkafka's callbacks only write into an inbox.
//
// Invariants
//   (1) One record at a time leaves the consumer queue: the batch API of librdkafka 2.0.2 skips
//       offsets after pause and resume.
//   (2) Only ServeCallbacks() serves callbacks, so they go on while records wait.
//   (3) The group only stores offsets: there is no subscription, so there is no rebalance.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "connectors/kafka/broker_questions.h"
#include "connectors/kafka/consumer_inbox.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/offset_commits.h"
#include "connectors/kafka/partition_offset.h"
#include "connectors/kafka/record_intake.h"
#include "connectors/kafka/start_offsets.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

namespace sash {

// What one poll returned. The views are valid until the next Poll(); those of a kept record until
// LetGo().
struct Polled {
  // kUnreadable: a batch is corrupt; librdkafka fetches it again, or skips it.
  enum class Kind : std::uint8_t { kRecord, kEnd, kOutOfRange, kUnreadable, kError };
  Kind kind = Kind::kRecord;
  // For other kinds only topic, partition and offset are set. The offset is the end (kEnd) or the
  // first offset of the batch (kUnreadable).
  KafkaRecord record;
  std::string identity;  // kError, kUnreadable: librdkafka's name of the error
  std::string text;      // the error; empty for kRecord and kEnd
};

class ConsumerHandle {
 public:
  // Contacts the brokers in the background. An error means a wrong option.
  static Result<std::unique_ptr<ConsumerHandle>> Open(const KafkaSpec& spec);
  // Opens a consumer without statistics, which never gets an assignment.
  static Result<std::unique_ptr<ConsumerHandle>> OpenUnread(const KafkaSpec& spec);
  ~ConsumerHandle();
  ConsumerHandle(const ConsumerHandle&) = delete;
  ConsumerHandle& operator=(const ConsumerHandle&) = delete;

  // What the brokers know about topics and offsets.
  BrokerQuestions& brokers();
  // The first offset and the end of a partition. kNotFound: there is no such partition. A broker
  // that is silent delays this question for at most BoundsQuestion::kPatience.
  Result<LogBounds> QueryBounds(const TopicPartition& pair, std::chrono::milliseconds timeout);
  // From now on QueryBounds() returns an error at once; one that waits does too.
  void Interrupt();
  // The end at the time of the last fetch.
  std::optional<std::int64_t> KnownEnd(const TopicPartition& pair) const;

  Status Assign(std::span<const PartitionOffset> positions);  // replaces what was assigned
  Status Seek(const PartitionOffset& position);
  Status Pause(std::span<const TopicPartition> pairs);
  Status Resume(std::span<const TopicPartition> pairs);

  // The next record or event; null after `timeout`.
  const Polled* Poll(std::chrono::milliseconds timeout);
  // Keeps the record that Poll() returned last until LetGo(). Nothing limits the kept bytes: the
  // caller counts them.
  void Keep();
  void LetGo();
  // Keeps the record that Poll() returned last until another one is kept in this place, or until
  // LetGoLast().
  void KeepLast(std::size_t place);
  void LetGoLast();
  // BreakWatch::breaks(). It grows before Poll() returns records that were fetched after the break.
  std::uint64_t breaks() const;
  void ServeCallbacks();
  InboxContents TakeInbox();

  OffsetCommits& commits();

  // False when librdkafka did not close in time. Its handle then stays until the process ends,
  // because destroying it would wait for ever (known for 2.0.2). If a question for bounds is still
  // under way, the handle is destroyed after it.
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

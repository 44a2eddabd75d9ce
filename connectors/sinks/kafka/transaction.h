// Transaction: one transaction of a TransactionalProducer, from its beginning to its end.
//
// Thread safety: none.
//
// Invariants
//   (1) After Commit() returned true, readers of committed messages see all sent messages and the
//       offsets that the group commits. After any call returned false, call Abort(), unless the
//       producer itself has failed (kFatal, kFenced).
//   (2) While a call waits, it regularly calls `go_on` to ask whether to continue.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "connectors/kafka/partition_offset.h"
#include "connectors/sinks/kafka/topic_message.h"
#include "connectors/sinks/kafka/transactional_producer.h"
#include "connectors/sinks/outbox.h"

namespace sash {

class Transaction {
 public:
  // Why the transaction failed.
  struct Failure {
    TransactionalProducer::Step step;
    bool never = false;                       // the cause is a message that can never be delivered
    std::optional<std::uint64_t> to_blame{};  // the id of that message, if it is known
  };
  using Unpack = Result<TopicMessage> (*)(const Outbox::Message& message);
  using GoOn = std::function<bool()>;

  Transaction(TransactionalProducer& producer, Unpack unpack, GoOn go_on)
      : producer_(producer), unpack_(unpack), go_on_(std::move(go_on)) {}

  bool Begin() { return Passes(producer_.Begin()); }

  // Sends the messages and waits until the brokers have them. `one_by_one`: sends them one at a
  // time, to find the message that the brokers refuse.
  bool Send(std::span<const Outbox::Message> messages, bool one_by_one);
  // The offset of the newest message of each partition.
  const std::map<std::int32_t, std::int64_t>& newest() const { return newest_; }

  bool Commit(const std::string& group, std::span<const PartitionOffset> offsets);

  // False when the producer cannot be used any more.
  bool Abort();

  const Failure& failure() const { return failure_; }

 private:
  using Step = TransactionalProducer::Step;

  bool SendOne(const Outbox::Message& message);
  bool AwaitReports(std::size_t most_in_flight);
  template <typename Ask>
  bool Await(const Ask& ask);
  bool Passes(const Step& step);
  bool Fail(std::string_view why, bool never = false, std::optional<std::uint64_t> to_blame = {});

  TransactionalProducer& producer_;
  const Unpack unpack_;
  const GoOn go_on_;
  std::set<std::uint64_t> in_flight_;
  std::map<std::int32_t, std::int64_t> newest_;
  bool alone_ = false;  // at most one message is in flight
  Failure failure_;
};

}  // namespace sash

// Transaction: one of a TransactionalProducer's, from its beginning to its end.
//
// Thread safety: none.
//
// Invariants
//   (1) After true from Commit() everything that was sent, and what the group commits, is there for
//       whoever reads what is committed. After false from anything Abort() is due.
//   (2) Who waits is asked every now and then whether to go on.
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
  // Why it came to nothing.
  struct Failure {
    TransactionalProducer::Step step;
    bool never = false;                       // some message never gets into the topic, and so
    std::optional<std::uint64_t> to_blame{};  // it is this one, if that is known
  };
  using Unpack = Result<TopicMessage> (*)(const Outbox::Message& message);
  using GoOn = std::function<bool()>;

  Transaction(TransactionalProducer& producer, Unpack unpack, GoOn go_on)
      : producer_(producer), unpack_(unpack), go_on_(std::move(go_on)) {}

  bool Begin() { return Passes(producer_.Begin()); }

  // They are with the brokers then. `one_by_one`: so that it shows which one they refuse.
  bool Send(std::span<const Outbox::Message> messages, bool one_by_one);
  // Where each partition's newest one is.
  const std::map<std::int32_t, std::int64_t>& newest() const { return newest_; }

  bool Commit(const std::string& group, std::span<const PartitionOffset> offsets);

  // False when the producer is of no use any more.
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
  bool alone_ = false;  // at most one message is on its way
  Failure failure_;
};

}  // namespace sash

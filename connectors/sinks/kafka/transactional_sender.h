// TransactionalSender: sends the messages of an outbox in transactions, each result once.
//
// What came to the outbox together is in one transaction, with others that wait. With it is
// committed which results the topic then has (CommittedMarks). So after a restart, and when a
// transaction's fate is unknown, that is read, and what is there is not sent again.
//
// Thread safety: as OutboxSender.
//
// Invariants
//   (1) Before Begin() nobody is fenced: who stands by sends nothing.
//   (2) Whoever takes the id last sends. One that was fenced by another process never sends again,
//       and says so. One whose transaction timed out, which the brokers call by the same name,
//       finds that nobody else has committed since, and goes on.
//   (3) A transaction has at most kMostInFlight messages and about kMostBytes, or those that came
//       together, if these are more.
//   (4) A replay's transactions are as whole, but it does not know what is in the topic: all of it
//       is sent, under an id of its own that nobody else has.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "connectors/sinks/kafka/committed_marks.h"
#include "connectors/sinks/kafka/outbox_sender.h"
#include "connectors/sinks/kafka/transaction.h"
#include "connectors/sinks/kafka/transactional_producer.h"
#include "windows/base/event_log.h"

namespace sash {

class TransactionalSender final : public OutboxSender {
 public:
  // `outbox_name`: which outbox it is, over restarts; of a replay it is empty.
  TransactionalSender(const KafkaDestination& to, OutboxCargo cargo, Outbox& outbox,
                      ReadyState& state, EventLog& log, std::string outbox_name);
  ~TransactionalSender() override { Stop(); }

  void Begin() override;
  void AddCounts(KafkaSinkCounts& counts) const override;

 private:
  using Batch = std::vector<Outbox::Message>;
  using Messages = std::span<const Outbox::Message>;
  using Step = TransactionalProducer::Step;

  bool is_exact() const { return !outbox_name_.empty(); }

  void Run() override;
  bool IsReady();
  std::optional<CommittedMarks> ReadMarks();
  bool IsStillOurs();
  bool Claim();
  Batch TakeBatch();
  void Process(const Batch& batch);
  Batch Unsent(const Batch& batch, SentMarks& marks);
  bool Transact(Messages messages, CommittedMarks next);
  bool Commit(Transaction& transaction, CommittedMarks& next);
  void GiveUp(Transaction& transaction, Messages messages);
  bool GoesOn(SteadyTime since);
  void Retreat(Messages messages, const Transaction::Failure& failure);
  void Renew(const Step& why);
  void SayHeld();

  const std::string outbox_name_;
  const std::string id_;
  std::atomic<bool> begun_ = false;

  // Of the thread.
  std::unique_ptr<TransactionalProducer> producer_;
  bool initialised_ = false;
  bool claimed_ = false;
  bool in_doubt_ = false;  // fenced, or timed out
  bool fenced_ = false;
  CommittedMarks committed_;
  std::string by_;       // as this one has committed, or tried to
  std::string seen_by_;  // as was committed before
  SteadyTime committed_at_{};
  bool one_by_one_ = false;  // some message is too large, or refused: which one?
  bool said_held_ = false;

  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<std::uint64_t> aborts_ = 0;
  std::atomic<std::uint64_t> held_ = 0;  // not sent, since the topic had them
};

}  // namespace sash

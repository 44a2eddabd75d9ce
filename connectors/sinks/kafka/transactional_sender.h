// TransactionalSender: sends the messages of an outbox in transactions, each result exactly once.
//
// Messages that were appended to the outbox together are in one transaction, possibly with other
// waiting messages. The transaction also commits which results the topic then contains
// (CommittedMarks). After a restart, and when the outcome of a transaction is unknown, the sender
// reads these marks and does not send again what the topic already contains.
//
// Thread safety: like OutboxSender.
//
// Invariants
//   (1) Before Begin() it does not fence other producers: a standby process sends nothing.
//   (2) The process that took the id last sends. A process that another one fenced never sends
//       again and reports this. If only its transaction timed out, the brokers report the same
//       error; then the marks show that no other process has committed since, and it continues.
//   (3) A transaction has at most kMostInFlight messages and about kMostBytes; or more, if more
//       were appended together.
//   (4) The transactions of a replay are atomic too, but a replay does not read what is in the
//       topic: it sends everything, under a unique id.
//   (5) A message that the brokers refuse is found by sending one at a time, and left out. Those
//       that were sent with it are sent again.
//   (6) Results on earlier windows (ResultIdentity::is_past) have no marks: after a restart, such a
//       message may be sent again, with the same key.
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
  // `outbox_name`: the stable name of the outbox (NameOfOutbox); empty for a replay.
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

  // Used only by the thread.
  std::unique_ptr<TransactionalProducer> producer_;
  bool initialised_ = false;
  bool claimed_ = false;
  bool in_doubt_ = false;  // fenced, or a transaction timed out
  bool fenced_ = false;
  CommittedMarks committed_;
  std::string by_;       // the name under which this process commits
  std::string seen_by_;  // the name that was committed before
  SteadyTime committed_at_{};
  bool one_by_one_ = false;  // to find the message that is too large or refused
  bool said_held_ = false;

  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<std::uint64_t> aborts_ = 0;
  std::atomic<std::uint64_t> held_ = 0;  // not sent because the topic already had them
};

}  // namespace sash

#include "connectors/sinks/kafka/transactional_sender.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/kafka/unique_digits.h"
#include "connectors/sinks/kafka/log_events.h"

namespace sash {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Outcome = TransactionalProducer::Outcome;

constexpr seconds kInitStep{1};    // the longest wait for an answer during a stop
constexpr seconds kQuestion{5};    // the longest wait for the committed marks
constexpr seconds kInDoubt{3};     // gives another process time to commit its name
constexpr hours kCommitAgain{24};  // brokers forget offsets after some days

constexpr const char* kMarks = "marks";

}  // namespace

TransactionalSender::TransactionalSender(const KafkaDestination& to, OutboxCargo cargo,
                                         Outbox& outbox, ReadyState& state, EventLog& log,
                                         std::string outbox_name)
    : OutboxSender(to, std::move(cargo), outbox, state, log),
      outbox_name_(std::move(outbox_name)),
      id_(is_exact() ? to.transactional_id : to.transactional_id + "-replay-" + UniqueDigits()) {}

void TransactionalSender::Begin() {
  begun_ = true;
  Wake();
}

void TransactionalSender::AddCounts(KafkaSinkCounts& counts) const {
  OutboxSender::AddCounts(counts);
  counts.transactions = KafkaSinkCounts::Transactions{commits_, aborts_, held_};
}

void TransactionalSender::Run() {
  while (!stopping_) {
    if (!begun_ || fenced_ || !IsReady()) {
      Wait(kAfterFailure);
      continue;
    }
    const Batch batch = TakeBatch();
    if (!batch.empty()) {
      Process(batch);
      continue;
    }
    static_cast<void>(producer_->producer().Poll(milliseconds(0)));
    LookAtBrokers(producer_->producer(), !outbox_.has_next());
    const bool due = is_exact() && Now() - committed_at_ > kCommitAgain;
    if (due && Transact({}, committed_)) continue;
    Wait(kIdle);
  }
  producer_.reset();
}

// Whether transactions can begin. Each step waits for an answer, at most a few seconds.
bool TransactionalSender::IsReady() {
  if (Now() < not_before_) return false;
  if (in_doubt_ && !IsStillOurs()) return false;
  if (!producer_) {
    auto opened = TransactionalProducer::Open(to_, id_, cargo_.spread);
    if (!opened) {
      SayWaiting(outbox_events::kDeliveryFailed, "open", opened.error().message);
      return false;
    }
    producer_ = std::move(opened).value();
  }
  if (!initialised_) {
    const Step step = producer_->Init(kInitStep);
    static_cast<void>(producer_->producer().Poll(milliseconds(0)));
    if (step.outcome == Outcome::kAgain) {
      SayWaiting(outbox_events::kDeliveryFailed, "init", step.why);
      LookAtBrokers(producer_->producer(), false);
      return false;
    }
    if (step.outcome != Outcome::kDone) {
      Renew(step);
      return false;
    }
    initialised_ = true;
  }
  if (!is_exact() || claimed_) return true;
  return claimed_ = Claim();
}

// The committed marks; no value when they cannot be read now, which is reported.
std::optional<CommittedMarks> TransactionalSender::ReadMarks() {
  Result<CommittedMarks> read = CommittedMarks::Read(to_, id_, kQuestion);
  if (read) return std::move(read).value();
  SayWaiting(outbox_events::kDeliveryFailed, kMarks, read.error().message);
  not_before_ = Now() + kAfterFailure;
  return std::nullopt;
}

// Whether no other process has committed since this one was fenced. Then only its transaction timed
// out.
bool TransactionalSender::IsStillOurs() {
  const std::optional<CommittedMarks> read = ReadMarks();
  if (!read) return false;
  const std::string& by = read->marks.by();
  in_doubt_ = false;
  fenced_ = by != by_ && by != seen_by_;
  if (!fenced_) return true;
  SayWaiting(outbox_events::kFenced, "fenced",
             fmt::format("another process sends as {}; this one does not send until it is "
                         "restarted",
                         id_));
  return false;
}

// Reads which results the topic contains, and commits that this process continues from there.
bool TransactionalSender::Claim() {
  std::optional<CommittedMarks> read = ReadMarks();
  if (!read) return false;
  committed_ = *std::move(read);
  seen_by_ = committed_.marks.by();
  by_ = outbox_name_ + "." + UniqueDigits();
  committed_.marks.SetBy(by_);
  if (!Transact({}, committed_)) return false;
  seen_by_ = by_;
  return true;
}

TransactionalSender::Batch TransactionalSender::TakeBatch() {
  Batch batch;
  std::size_t bytes = 0;
  while (Now() >= not_before_) {
    const bool full = batch.size() >= kMostInFlight || bytes >= kMostBytes;
    if (full && !batch.back().more) break;
    std::optional<Outbox::Message> next = Take();
    if (!next) break;  // the outbox has no more, or cannot be read now
    bytes += next->key.size() + next->value.size();
    batch.push_back(std::move(*next));
  }
  // Unless the rest of the line is not there any more, because the brokers refused it.
  if (!batch.empty() && batch.back().more && outbox_.has_next()) {
    outbox_.ReturnAll();
    batch.clear();
  }
  return batch;
}

void TransactionalSender::Process(const Batch& batch) {
  CommittedMarks next = committed_;
  const Batch unsent = Unsent(batch, next.marks);
  if (!unsent.empty() && !Transact(unsent, std::move(next))) {
    outbox_.ReturnAll();
    return;
  }
  for (const Outbox::Message& message : unsent) CountDelivered(message.key);
  held_ += batch.size() - unsent.size();
  for (const Outbox::Message& message : batch) Acknowledge(message.id);
  if (!unsent.empty() || !outbox_.has_next()) SayHeld();
}

// The messages that are not in the topic; notes them in `marks`. Marks are about results in order,
// so they say nothing about results on earlier windows, which users ask for in any order.
TransactionalSender::Batch TransactionalSender::Unsent(const Batch& batch, SentMarks& marks) {
  if (!is_exact()) return batch;
  Batch unsent;
  std::optional<ResultIdentity> begun;  // the rows of a result are behind each other in a line
  for (const Outbox::Message& message : batch) {
    const std::optional<ResultIdentity> identity = IdentityOfKey(message.key);
    const bool has_mark = identity && identity->is_in_series();
    if (has_mark && identity != begun) {
      if (marks.Holds(*identity)) continue;
      marks.Note(*identity, outbox_name_);
    }
    begun = message.more ? identity : std::nullopt;
    unsent.push_back(message);
  }
  return unsent;
}

// Returns whether the transaction is committed. If false, it is not, or the outcome is unknown
// until the marks are read.
bool TransactionalSender::Transact(Messages messages, CommittedMarks next) {
  const SteadyTime since = Now();
  Transaction transaction(*producer_, cargo_.unpack, [&] { return GoesOn(since); });
  if (!transaction.Begin() || !transaction.Send(messages, one_by_one_) ||
      !Commit(transaction, next)) {
    GiveUp(transaction, messages);
    return false;
  }
  committed_ = std::move(next);
  committed_at_ = Now();
  ++commits_;
  one_by_one_ = false;
  return true;
}

// Commits the transaction together with the marks; adds the places of the messages to them.
bool TransactionalSender::Commit(Transaction& transaction, CommittedMarks& next) {
  if (!is_exact()) return transaction.Commit(id_, {});
  for (const auto& [partition, offset] : transaction.newest()) next.At(partition, offset);
  const auto offsets = next.Offsets();
  if (!offsets) {
    state_.Set(kMarks, outbox_events::kTooManyJobs, kMarks,
               fmt::format("{}: {}", name_, offsets.error().message), {{"sink", name_}});
    not_before_ = Now() + kAfterFailure;
    return false;
  }
  state_.Clear(kMarks, outbox_events::kMarksFit,
               fmt::format("{}: the marks of all jobs fit again", name_), {{"sink", name_}});
  return transaction.Commit(id_, offsets.value());
}

void TransactionalSender::GiveUp(Transaction& transaction, Messages messages) {
  const Transaction::Failure failure = transaction.failure();
  ++aborts_;
  retries_ += messages.size();
  const bool useless = failure.step.outcome == Outcome::kFatal ||
                       failure.step.outcome == Outcome::kFenced || !transaction.Abort();
  if (useless) return Renew(transaction.failure().step);
  Retreat(messages, failure);
}

// Called while a transaction waits for brokers.
bool TransactionalSender::GoesOn(SteadyTime since) {
  if (Now() - since > kOverdue) SayOverdue();
  LookAtBrokers(producer_->producer(), false);
  return !stopping_;
}

// Handles the cause of an aborted transaction.
void TransactionalSender::Retreat(Messages messages, const Transaction::Failure& failure) {
  if (failure.to_blame) {
    const auto lost = std::ranges::find(messages, *failure.to_blame, &Outbox::Message::id);
    Refuse(lost->key, failure.step.why);
    Acknowledge(lost->id);
    return;
  }
  // Until a transaction succeeds: after a refusal the broker expects other sequence numbers, so the
  // next transaction fails once for another reason.
  if (failure.never) one_by_one_ = true;
  if (failure.never || failure.step.why.empty()) return;
  SayWaiting(outbox_events::kDeliveryFailed, failure.step.why, failure.step.why);
  not_before_ = Now() + kAfterFailure;
}

void TransactionalSender::Renew(const Step& why) {
  producer_.reset();
  initialised_ = false;
  claimed_ = false;
  not_before_ = Now() + kAfterFailure;
  if (stopping_) return;
  if (why.outcome != Outcome::kFenced || !is_exact()) {
    SayWaiting(outbox_events::kProducerRenewed, "fatal",
               "a new producer sends the messages in flight again: " + why.why);
    return;
  }
  SayWaiting(outbox_events::kInDoubt, "in doubt",
             fmt::format("a transaction took too long, or another process sends as {}: "
                         "{}",
                         id_, why.why));
  in_doubt_ = true;
  not_before_ = Now() + kInDoubt;
}

void TransactionalSender::SayHeld() {
  if (held_ == 0 || std::exchange(said_held_, true)) return;
  log_.Log(outbox_events::kAlreadyThere,
           fmt::format("{}: {} {} that the topic already has are not sent again", name_,
                       held_.load(), cargo_.things),
           {{"sink", name_}});
}

}  // namespace sash

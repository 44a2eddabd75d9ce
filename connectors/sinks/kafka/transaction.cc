#include "connectors/sinks/kafka/transaction.h"

#include <chrono>
#include <utility>

namespace sash {
namespace {

using std::chrono::milliseconds;
using Outcome = TransactionalProducer::Outcome;

constexpr milliseconds kPoll{20};
constexpr milliseconds kStep{500};  // the time between two calls of go_on

}  // namespace

bool Transaction::Send(std::span<const Outbox::Message> messages, bool one_by_one) {
  alone_ = one_by_one || messages.size() == 1;
  for (const Outbox::Message& message : messages) {
    if (!SendOne(message)) return false;
    if (one_by_one && !AwaitReports(0)) return false;
  }
  return AwaitReports(0);
}

bool Transaction::SendOne(const Outbox::Message& message) {
  const Result<TopicMessage> unpacked = unpack_(message);
  if (!unpacked) return Fail(unpacked.error().message, true, message.id);
  for (;;) {
    const auto sent = producer_.producer().Send(message.id, unpacked.value());
    if (!sent) return Fail(sent.error().message);
    switch (sent.value()) {
      case TopicProducer::Sent::kTaken:
        in_flight_.insert(message.id);
        return true;
      case TopicProducer::Sent::kTooLarge:
        return Fail("larger than message.max.bytes", true, message.id);
      case TopicProducer::Sent::kFull:
        if (in_flight_.empty()) {
          return Fail("larger than queue.buffering.max.kbytes", true, message.id);
        }
        if (!AwaitReports(in_flight_.size() - 1)) return false;
    }
  }
}

bool Transaction::AwaitReports(std::size_t most_in_flight) {
  bool failed = false;
  while (in_flight_.size() > most_in_flight && !failed) {
    for (const TopicProducer::Report& report : producer_.producer().Poll(kPoll)) {
      if (in_flight_.erase(report.id) == 0) continue;
      if (report.outcome == TopicProducer::Outcome::kDelivered) {
        newest_[report.partition] = report.offset;
      } else if (!std::exchange(failed, true)) {
        const bool never = report.outcome != TopicProducer::Outcome::kFailed;
        Fail(report.why, never, never && alone_ ? std::optional(report.id) : std::nullopt);
      }
    }
    if (const auto fatal = producer_.Fatal()) return Passes(*fatal);
    if (!go_on_()) return Fail("stopped");
  }
  return !failed;
}

bool Transaction::Commit(const std::string& group, std::span<const PartitionOffset> offsets) {
  if (!offsets.empty() && !Await([&] { return producer_.Commits(group, offsets, kStep); })) {
    return false;
  }
  return Await([&] { return producer_.Commit(kStep); });
}

bool Transaction::Abort() {
  const Failure cause = failure_;
  const bool aborted = Await([&] { return producer_.Abort(kStep); });
  if (aborted) failure_ = cause;
  // Discards the reports of purged messages.
  static_cast<void>(producer_.producer().Poll(milliseconds(0)));
  return aborted;
}

template <typename Ask>
bool Transaction::Await(const Ask& ask) {
  for (;;) {
    const Step step = ask();
    if (step.outcome != Outcome::kAgain) return Passes(step);
    if (!go_on_()) return Fail(step.why);
  }
}

bool Transaction::Passes(const Step& step) {
  if (step.outcome == Outcome::kDone) return true;
  failure_ = {.step = step};
  return false;
}

bool Transaction::Fail(std::string_view why, bool never, std::optional<std::uint64_t> to_blame) {
  failure_ = {.step = {Outcome::kAbort, std::string(why)}, .never = never, .to_blame = to_blame};
  return false;
}

}  // namespace sash

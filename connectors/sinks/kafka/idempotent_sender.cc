#include "connectors/sinks/kafka/idempotent_sender.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "connectors/sinks/kafka/log_events.h"

namespace sash {

using std::chrono::milliseconds;

void IdempotentSender::Run() {
  while (!stopping_) {
    if (!HasProducer()) {
      Wait(kAfterFailure);
      continue;
    }
    SendMore();
    const milliseconds patience = in_flight_.empty() ? milliseconds(0) : kPollWhileInFlight;
    for (const TopicProducer::Report& report : producer_->Poll(patience)) Settle(report);
    Observe();
    if (!in_flight_.empty() || stopping_) continue;
    if (Now() < not_before_) {
      Wait(std::chrono::duration_cast<milliseconds>(kAfterFailure));
    } else if (!held_ && !outbox_.has_next()) {
      Wait(kIdle);
    }
  }
  producer_.reset();
}

bool IdempotentSender::HasProducer() {
  if (producer_) return true;
  auto opened = TopicProducer::Open(to_.brokers, to_.topic, to_.options, cargo_.spread);
  if (!opened) {
    SayWaiting(outbox_events::kDeliveryFailed, "open", opened.error().message);
    return false;
  }
  producer_ = std::move(opened).value();
  return true;
}

void IdempotentSender::SendMore() {
  while (in_flight_.size() < kMostInFlight && in_flight_bytes_ < kMostBytes &&
         Now() >= not_before_) {
    if (!held_) held_ = Take();
    if (!held_) return;
    // A message that failed in a batch is sent alone, to find out whether it is the cause.
    const bool wants_to_be_alone = alone_.contains(held_->id);
    const bool others_are_out = !in_flight_.empty();
    const bool one_is_alone = others_are_out && alone_.contains(in_flight_.begin()->first);
    if (one_is_alone || (wants_to_be_alone && others_are_out)) return;
    if (!Send(*held_)) return;
    held_.reset();
  }
}

bool IdempotentSender::Send(const Outbox::Message& message) {
  const Result<TopicMessage> unpacked = cargo_.unpack(message);
  if (!unpacked) {
    Refuse(message.key, unpacked.error().message);
    Acknowledge(message.id);
    return true;
  }
  const Result<TopicProducer::Sent> sent = producer_->Send(message.id, unpacked.value());
  if (!sent) {
    SayWaiting(outbox_events::kDeliveryFailed, sent.error().message, sent.error().message);
    not_before_ = Now() + kAfterFailure;
    return false;
  }
  if (sent.value() == TopicProducer::Sent::kFull) {
    if (!in_flight_.empty()) return false;
    Refuse(message.key, "larger than queue.buffering.max.kbytes");
    Acknowledge(message.id);
    return true;
  }
  if (sent.value() == TopicProducer::Sent::kTooLarge) {
    Refuse(message.key, "larger than message.max.bytes");
    Acknowledge(message.id);
    return true;
  }
  const std::size_t bytes = unpacked.value().bytes();
  in_flight_bytes_ += bytes;
  in_flight_.emplace(message.id, InFlight{message.key, bytes, Now()});
  return true;
}

void IdempotentSender::Settle(const TopicProducer::Report& report) {
  const auto found = in_flight_.find(report.id);
  if (found == in_flight_.end()) return;
  const InFlight sent = std::move(found->second);
  in_flight_.erase(found);
  in_flight_bytes_ -= sent.bytes;
  const bool was_alone = alone_.erase(report.id) > 0;
  switch (report.outcome) {
    case TopicProducer::Outcome::kDelivered:
      CountDelivered(sent.key);
      Acknowledge(report.id);
      return;
    case TopicProducer::Outcome::kTooLarge:
      if (!was_alone) {
        alone_.insert(report.id);
        ++retries_;
        Return(report.id);
        return;
      }
      [[fallthrough]];
    case TopicProducer::Outcome::kRefused:
      Refuse(sent.key, report.why);
      Acknowledge(report.id);
      return;
    case TopicProducer::Outcome::kFailed:
      ++retries_;
      Return(report.id);
      not_before_ = Now() + kAfterFailure;
      SayWaiting(outbox_events::kDeliveryFailed, report.why, report.why);
      return;
  }
}

// Returns also the held message: it is newer and must not be sent before this one.
void IdempotentSender::Return(std::uint64_t id) {
  outbox_.Return(id);
  if (!held_) return;
  outbox_.Return(held_->id);
  held_.reset();
}

void IdempotentSender::Observe() {
  if (const auto fatal = producer_->Fatal()) {
    SayWaiting(outbox_events::kProducerRenewed, "fatal",
               "a new producer sends the messages in flight again: " + *fatal);
    Renew();
    return;
  }
  const bool overdue = !in_flight_.empty() && Now() - in_flight_.begin()->second.since > kOverdue;
  if (overdue) SayOverdue();
  LookAtBrokers(*producer_, in_flight_.empty() && !held_ && !outbox_.has_next());
}

void IdempotentSender::Renew() {
  producer_.reset();
  retries_ += in_flight_.size();
  in_flight_.clear();
  in_flight_bytes_ = 0;
  held_.reset();
  outbox_.ReturnAll();
  not_before_ = Now() + kAfterFailure;
}

}  // namespace sash

#include "connectors/sinks/kafka/outbox_sender.h"

#include <fmt/format.h>
#include <pthread.h>

#include <utility>
#include <vector>

#include "connectors/sinks/kafka/log_events.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kPollWhileInFlight{20};
constexpr seconds kIdle{1};          // how soon trouble is noticed while there is nothing to send
constexpr seconds kAfterFailure{1};  // before it is tried again
constexpr seconds kProbeEvery{1};
constexpr seconds kProbePatience{2};
constexpr seconds kOverdue{10};  // without an acknowledgement

constexpr const char* kBrokers = "brokers";
constexpr const char* kDelivery = "delivery";
constexpr const char* kOutbox = "outbox";

std::string RefusedSubject(std::string_view key) {
  return "refused " + std::string(OriginOfKey(key));
}

SteadyTime Now() { return std::chrono::steady_clock::now(); }

}  // namespace

OutboxSender::OutboxSender(const KafkaDestination& to, OutboxCargo cargo, Outbox& outbox,
                           ReadyState& state)
    : to_(to), cargo_(std::move(cargo)), outbox_(outbox), state_(state) {}

void OutboxSender::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "outbox sender");
    Run();
  });
}

void OutboxSender::Stop() {
  stopping_ = true;
  Wake();
  if (thread_.joinable()) thread_.join();
}

void OutboxSender::Wake() {
  {
    const std::lock_guard lock(mutex_);
    news_ = true;
  }
  woken_.notify_one();
}

void OutboxSender::Wait(milliseconds patience) {
  std::unique_lock lock(mutex_);
  woken_.wait_for(lock, patience, [this] { return news_ || stopping_; });
  news_ = false;
}

bool OutboxSender::AwaitEmpty(milliseconds patience) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_for(lock, patience, [this] { return outbox_.waiting() == 0; });
}

void OutboxSender::Acknowledge(std::uint64_t id) {
  outbox_.Acknowledge(id);
  if (outbox_.waiting() > 0) return;
  const std::lock_guard lock(mutex_);  // else the one who waits could miss it
  emptied_.notify_all();
}

void OutboxSender::Run() {
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

bool OutboxSender::HasProducer() {
  if (producer_) return true;
  auto opened = TopicProducer::Open(to_.brokers, to_.topic, to_.options, cargo_.spread);
  if (!opened) {
    state_.Set(kDelivery, outbox_events::kDeliveryFailed, "open",
               fmt::format("{}: {}", name_, opened.error().message), {{"sink", name_}});
    return false;
  }
  producer_ = std::move(opened).value();
  return true;
}

void OutboxSender::SendMore() {
  while (in_flight_.size() < kMostInFlight && in_flight_bytes_ < kMostBytes &&
         Now() >= not_before_) {
    if (!held_) {
      Result<std::optional<Outbox::Message>> next = outbox_.Next();
      if (!next) {
        state_.Set(kOutbox, outbox_events::kUnreadable, "read",
                   fmt::format("{}: {}", name_, next.error().message), {{"sink", name_}});
        not_before_ = Now() + kAfterFailure;
        return;
      }
      state_.Clear(kOutbox, outbox_events::kReadable,
                   fmt::format("{}: the outbox can be read again", name_), {{"sink", name_}});
      held_ = std::move(next).value();
    }
    if (!held_) return;
    // What failed in a batch shows only alone whether it is to blame.
    const bool wants_to_be_alone = alone_.contains(held_->id);
    const bool others_are_out = !in_flight_.empty();
    const bool one_is_alone = others_are_out && alone_.contains(in_flight_.begin()->first);
    if (one_is_alone || (wants_to_be_alone && others_are_out)) return;
    if (!Send(*held_)) return;
    held_.reset();
  }
}

bool OutboxSender::Send(const Outbox::Message& message) {
  const Result<TopicMessage> unpacked = cargo_.unpack(message);
  if (!unpacked) {
    Refuse(message.key, unpacked.error().message);
    Acknowledge(message.id);
    return true;
  }
  const Result<TopicProducer::Sent> sent = producer_->Send(message.id, unpacked.value());
  if (!sent) {
    state_.Set(
        kDelivery, outbox_events::kDeliveryFailed, sent.error().message,
        fmt::format("{}: {} wait in the outbox: {}", name_, cargo_.things, sent.error().message),
        {{"sink", name_}});
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

void OutboxSender::Settle(const TopicProducer::Report& report) {
  const auto found = in_flight_.find(report.id);
  if (found == in_flight_.end()) return;
  const InFlight sent = std::move(found->second);
  in_flight_.erase(found);
  in_flight_bytes_ -= sent.bytes;
  const bool was_alone = alone_.erase(report.id) > 0;
  switch (report.outcome) {
    case TopicProducer::Outcome::kDelivered:
      ++delivered_;
      Acknowledge(report.id);
      state_.Clear(kBrokers, outbox_events::kBrokersBack,
                   fmt::format("{}: {} are delivered", name_, cargo_.things), {{"sink", name_}});
      state_.Clear(kDelivery, outbox_events::kDeliveryResumed,
                   fmt::format("{}: {} are delivered again", name_, cargo_.things),
                   {{"sink", name_}});
      state_.Clear(RefusedSubject(sent.key), outbox_events::kMessagesResumed,
                   fmt::format("{}: {} of {}}} are delivered again", name_, cargo_.things,
                               OriginOfKey(sent.key)),
                   {{"sink", name_}});
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
      state_.Set(kDelivery, outbox_events::kDeliveryFailed, report.why,
                 fmt::format("{}: {} wait in the outbox: {}", name_, cargo_.things, report.why),
                 {{"sink", name_}});
      return;
  }
}

// With the one that is held, which is newer and must not go before it.
void OutboxSender::Return(std::uint64_t id) {
  outbox_.Return(id);
  if (!held_) return;
  outbox_.Return(held_->id);
  held_.reset();
}

void OutboxSender::Refuse(std::string_view key, std::string_view why) {
  ++refused_;
  SayLost(key, why);
}

void OutboxSender::SayLost(std::string_view key, std::string_view why) {
  state_.Set(RefusedSubject(key), outbox_events::kMessageLost, why,
             fmt::format("{}: the newest of the {} of {}}} is lost to the topic: {}", name_,
                         cargo_.things, OriginOfKey(key), why),
             {{"sink", name_}});
}

void OutboxSender::Observe() {
  if (const auto fatal = producer_->Fatal()) {
    state_.Set(kDelivery, outbox_events::kProducerRenewed, "fatal",
               fmt::format("{}: a new producer sends again what was on its way: {}", name_, *fatal),
               {{"sink", name_}});
    Renew();
    return;
  }
  const bool overdue = !in_flight_.empty() && Now() - in_flight_.begin()->second.since > kOverdue;
  if (overdue) {
    state_.Set(kDelivery, outbox_events::kDeliveryOverdue, "overdue",
               fmt::format("{}: no acknowledgement for {} s; {} wait in the outbox", name_,
                           kOverdue.count(), cargo_.things),
               {{"sink", name_}});
  }
  // Connections that were closed for idleness are trouble too, to librdkafka: ask before it is
  // said.
  const bool trouble = producer_->TakeTrouble().has_value();
  const bool open_question = state_.IsSet(kBrokers) || state_.IsSet(kDelivery);
  if (!stopping_ && (trouble || (open_question && Now() >= probe_at_))) Probe();
}

void OutboxSender::Probe() {
  const Status probed = producer_->Probe(kProbePatience);
  probe_at_ = Now() + kProbeEvery;
  if (!probed.ok()) {
    const bool topic = probed.error().code == ErrorCode::kNotFound;
    state_.Set(
        kBrokers, topic ? outbox_events::kTopicMissing : outbox_events::kBrokersLost,
        topic ? probed.error().message : "down",
        fmt::format("{}: {}; {} wait in the outbox", name_, probed.error().message, cargo_.things),
        {{"sink", name_}});
    return;
  }
  state_.Clear(kBrokers, outbox_events::kBrokersBack,
               fmt::format("{}: a broker can be reached", name_), {{"sink", name_}});
  // With nothing to send nothing else would end it.
  if (in_flight_.empty() && !held_ && !outbox_.has_next()) {
    state_.Clear(kDelivery, outbox_events::kDeliveryResumed,
                 fmt::format("{}: a broker can be reached", name_), {{"sink", name_}});
  }
}

void OutboxSender::Renew() {
  producer_.reset();
  retries_ += in_flight_.size();
  in_flight_.clear();
  in_flight_bytes_ = 0;
  held_.reset();
  outbox_.ReturnAll();
  not_before_ = Now() + kAfterFailure;
}

}  // namespace sash

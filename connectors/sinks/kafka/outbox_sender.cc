#include "connectors/sinks/kafka/outbox_sender.h"

#include <fmt/format.h>
#include <pthread.h>

#include <utility>

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kProbeEvery{1};
constexpr seconds kProbePatience{2};

constexpr const char* kBrokers = "brokers";
constexpr const char* kDelivery = "delivery";
constexpr const char* kOutbox = "outbox";

std::string RefusedSubject(std::string_view key) {
  return "refused " + std::string(OriginOfKey(key));
}

}  // namespace

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

void OutboxSender::AddCounts(KafkaSinkCounts& counts) const {
  counts.delivered += delivered_;
  counts.refused += refused_;
  counts.retries += retries_;
}

std::optional<Outbox::Message> OutboxSender::Take() {
  Result<std::optional<Outbox::Message>> next = outbox_.Next();
  if (!next) {
    state_.Set(kOutbox, "read", fmt::format("{}: {}", name_, next.error().message),
               LogSeverity::kError);
    not_before_ = Now() + kAfterFailure;
    return std::nullopt;
  }
  state_.Clear(kOutbox, fmt::format("{}: the outbox can be read again", name_));
  return std::move(next).value();
}

void OutboxSender::Acknowledge(std::uint64_t id) {
  outbox_.Acknowledge(id);
  if (outbox_.waiting() > 0) return;
  const std::lock_guard lock(mutex_);  // else the one who waits could miss it
  emptied_.notify_all();
}

void OutboxSender::Refuse(std::string_view key, std::string_view why) {
  ++refused_;
  SayLost(key, why);
}

void OutboxSender::SayLost(std::string_view key, std::string_view why) {
  state_.Set(RefusedSubject(key), why,
             fmt::format("{}: the newest of the {} of {}}} is lost to the topic: {}", name_,
                         cargo_.things, OriginOfKey(key), why),
             LogSeverity::kError);
}

void OutboxSender::CountDelivered(std::string_view key) {
  ++delivered_;
  state_.Clear(kBrokers, fmt::format("{}: {} are delivered", name_, cargo_.things));
  state_.Clear(kDelivery, fmt::format("{}: {} are delivered again", name_, cargo_.things));
  state_.Clear(RefusedSubject(key), fmt::format("{}: {} of {}}} are delivered again", name_,
                                                cargo_.things, OriginOfKey(key)));
}

void OutboxSender::SayWaiting(std::string_view identity, std::string_view why) {
  state_.Set(kDelivery, identity,
             fmt::format("{}: {} wait in the outbox: {}", name_, cargo_.things, why));
}

void OutboxSender::SayOverdue() {
  SayWaiting("overdue", fmt::format("no acknowledgement for {} s", kOverdue.count()));
}

void OutboxSender::LookAtBrokers(TopicProducer& producer, bool idle) {
  // Connections that were closed for idleness are trouble too, to librdkafka: ask before it is
  // said.
  const bool trouble = producer.TakeTrouble().has_value();
  const bool open_question = state_.IsSet(kBrokers) || state_.IsSet(kDelivery);
  if (!stopping_ && (trouble || (open_question && Now() >= probe_at_))) Probe(producer, idle);
}

void OutboxSender::Probe(TopicProducer& producer, bool idle) {
  const Status probed = producer.Probe(kProbePatience);
  probe_at_ = Now() + kProbeEvery;
  if (!probed.ok()) {
    const bool topic = probed.error().code == ErrorCode::kNotFound;
    state_.Set(
        kBrokers, topic ? probed.error().message : "down",
        fmt::format("{}: {}; {} wait in the outbox", name_, probed.error().message, cargo_.things));
    return;
  }
  state_.Clear(kBrokers, fmt::format("{}: a broker can be reached", name_));
  // With nothing to send nothing else would end it.
  if (idle) state_.Clear(kDelivery, fmt::format("{}: a broker can be reached", name_));
}

}  // namespace sash

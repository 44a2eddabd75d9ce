#include "connectors/sinks/kafka/outbox_sender.h"

#include <fmt/format.h>
#include <pthread.h>

#include <utility>

#include "connectors/sinks/kafka/log_events.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kProbeEvery{1};
constexpr seconds kProbePatience{2};

constexpr const char* kBrokers = "brokers";
constexpr const char* kDelivery = "delivery";
constexpr const char* kOutbox = "outbox";
constexpr const char* kDamaged = "damaged";

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
    const MutexLock lock(mutex_);
    news_ = true;
  }
  woken_.NotifyOne();
}

void OutboxSender::Wait(milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (!news_ && !stopping_ && woken_.WaitUntil(mutex_, deadline)) continue;
  news_ = false;
}

bool OutboxSender::AwaitEmpty(milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (outbox_.waiting() > 0 && emptied_.WaitUntil(mutex_, deadline)) continue;
  return outbox_.waiting() == 0;
}

void OutboxSender::AddCounts(KafkaSinkCounts& counts) const {
  counts.delivered += delivered_;
  counts.refused += refused_;
  counts.retries += retries_;
}

std::optional<Outbox::Message> OutboxSender::Take() {
  Result<std::optional<Outbox::Message>> next = outbox_.Next();
  TellNotes();
  if (!next) {
    state_.Set(kOutbox, outbox_events::kUnreadable, "read",
               fmt::format("{}: {}", name_, next.error().message), {{"sink", name_}});
    not_before_ = Now() + kAfterFailure;
    return std::nullopt;
  }
  state_.Clear(kOutbox, outbox_events::kReadable,
               fmt::format("{}: the outbox can be read again", name_), {{"sink", name_}});
  return std::move(next).value();
}

void OutboxSender::TellNotes() {
  for (const Outbox::Note& note : outbox_.TakeNotes()) {
    refused_ += note.lost;
    switch (note.kind) {
      case Outbox::Note::Kind::kMadeAgain:
        log_.Log(outbox_events::kFileMade, fmt::format("{}: {}", name_, note.text),
                 {{"sink", name_}});
        break;
      case Outbox::Note::Kind::kCut:
        log_.Log(outbox_events::kFileCut, fmt::format("{}: {}", name_, note.text),
                 {{"sink", name_}, {"lost", note.lost}});
        break;
      case Outbox::Note::Kind::kDamaged:
        state_.Set(kDamaged, outbox_events::kDamaged, note.text,
                   fmt::format("{}: {}; its messages do not reach the topic; the line is kept in "
                               "{}/damaged",
                               name_, note.text, to_.outbox.path),
                   {{"sink", name_}});
        break;
    }
  }
}

void OutboxSender::Acknowledge(std::uint64_t id) {
  outbox_.Acknowledge(id);
  if (outbox_.waiting() > 0) return;
  const MutexLock lock(mutex_);  // otherwise a waiting thread could miss the notification
  emptied_.NotifyAll();
}

void OutboxSender::Refuse(std::string_view key, std::string_view why) {
  ++refused_;
  SayLost(key, why);
}

void OutboxSender::SayLost(std::string_view key, std::string_view why) {
  state_.Set(RefusedSubject(key), outbox_events::kMessageLost, why,
             fmt::format("{}: the newest of the {} of {}}} does not reach the topic: {}", name_,
                         cargo_.things, OriginOfKey(key), why),
             {{"sink", name_}});
}

void OutboxSender::CountDelivered(std::string_view key) {
  ++delivered_;
  state_.Clear(kBrokers, outbox_events::kBrokersBack,
               fmt::format("{}: {} are delivered", name_, cargo_.things), {{"sink", name_}});
  state_.Clear(kDelivery, outbox_events::kDeliveryResumed,
               fmt::format("{}: {} are delivered again", name_, cargo_.things), {{"sink", name_}});
  state_.Clear(kDamaged, outbox_events::kMessagesResumed,
               fmt::format("{}: {} are delivered, after a damaged line", name_, cargo_.things),
               {{"sink", name_}});
  state_.Clear(
      RefusedSubject(key), outbox_events::kMessagesResumed,
      fmt::format("{}: {} of {}}} are delivered again", name_, cargo_.things, OriginOfKey(key)),
      {{"sink", name_}});
}

void OutboxSender::SayWaiting(const LogEvent& event, std::string_view identity,
                              std::string_view why) {
  state_.Set(kDelivery, event, identity,
             fmt::format("{}: {} wait in the outbox: {}", name_, cargo_.things, why),
             {{"sink", name_}});
}

void OutboxSender::SayOverdue() {
  SayWaiting(outbox_events::kDeliveryOverdue, "overdue",
             fmt::format("no acknowledgement for {} s", kOverdue.count()));
}

void OutboxSender::LookAtBrokers(TopicProducer& producer, bool idle) {
  // librdkafka also reports connections that were closed because they were idle, so ask a broker
  // before reporting trouble.
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
        kBrokers, topic ? outbox_events::kTopicMissing : outbox_events::kBrokersLost,
        topic ? probed.error().message : "down",
        fmt::format("{}: {}; {} wait in the outbox", name_, probed.error().message, cargo_.things),
        {{"sink", name_}});
    return;
  }
  state_.Clear(kBrokers, outbox_events::kBrokersBack,
               fmt::format("{}: a broker can be reached", name_), {{"sink", name_}});
  // When there is nothing to send, only this can end the state.
  if (idle) {
    state_.Clear(kDelivery, outbox_events::kDeliveryResumed,
                 fmt::format("{}: a broker can be reached", name_), {{"sink", name_}});
  }
}

}  // namespace sash

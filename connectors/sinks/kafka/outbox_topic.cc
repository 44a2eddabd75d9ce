#include "connectors/sinks/kafka/outbox_topic.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "connectors/sinks/kafka/idempotent_sender.h"
#include "connectors/sinks/kafka/log_events.h"
#include "connectors/sinks/kafka/outbox_name.h"
#include "connectors/sinks/kafka/topic_producer.h"
#include "connectors/sinks/kafka/transactional_sender.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kAskEvery{50};
constexpr std::chrono::seconds kRoomPatience{60};
// The overhead per message that librdkafka counts.
constexpr std::size_t kFrameBytes = 128;

std::unique_ptr<OutboxSender> MakeSender(const KafkaDestination& to, const OutboxCargo& cargo,
                                         Outbox& outbox, ReadyState& state, EventLog& log,
                                         std::string outbox_name) {
  if (to.transactional_id.empty()) {
    return std::make_unique<IdempotentSender>(to, cargo, outbox, state, log);
  }
  return std::make_unique<TransactionalSender>(to, cargo, outbox, state, log,
                                               std::move(outbox_name));
}

}  // namespace

Result<std::unique_ptr<OutboxTopic>> OutboxTopic::Open(const KafkaDestination& to,
                                                       OutboxCargo cargo, bool replay,
                                                       EventLog& log) {
  Result<std::unique_ptr<Outbox>> outbox = Outbox::Open(to.outbox, replay, cargo.head);
  if (!outbox) return std::move(outbox).error().Within(cargo.name);
  std::string name;
  if (!to.transactional_id.empty() && !replay) {
    Result<std::string> known = NameOfOutbox(to.outbox.path);
    if (!known) return std::move(known).error().Within(cargo.name);
    name = std::move(known).value();
  }
  std::unique_ptr<OutboxTopic> topic(
      new OutboxTopic(to, std::move(cargo), std::move(outbox).value(), std::move(name), log));
  if (const std::uint64_t waiting = topic->outbox_->waiting(); waiting > 0) {
    log.Log(outbox_events::kWaiting,
            fmt::format("{}: {} {} from an earlier run wait in {}", topic->cargo_.name, waiting,
                        topic->cargo_.things, to.outbox.path),
            {{"sink", topic->cargo_.name}, {"waiting", waiting}});
  }
  topic->sender_->TellNotes();
  topic->sender_->Start();
  return topic;
}

OutboxTopic::OutboxTopic(const KafkaDestination& to, OutboxCargo cargo,
                         std::unique_ptr<Outbox> outbox, std::string outbox_name, EventLog& log)
    : to_(to),
      cargo_(std::move(cargo)),
      most_bytes_(MostMessageBytes(to.options)),
      state_(log),
      outbox_(std::move(outbox)),
      sender_(MakeSender(to_, cargo_, *outbox_, state_, log, std::move(outbox_name))) {}

bool OutboxTopic::IsTooLarge(std::size_t message_bytes) const {
  return message_bytes + kFrameBytes > most_bytes_;
}

OutboxTopic::Posted OutboxTopic::Post(std::string_view key, std::string_view value,
                                      std::size_t message_bytes) {
  if (IsTooLarge(message_bytes)) {
    ++too_large_;
    return Posted::kTooLarge;
  }
  const Outbox::Pair alone{key, value};
  return Post({&alone, 1});
}

OutboxTopic::Posted OutboxTopic::PostWhenRoom(std::string_view key, std::string_view value,
                                              std::size_t message_bytes) {
  if (IsTooLarge(message_bytes)) return Post(key, value, message_bytes);
  const Outbox::Pair alone{key, value};
  return PostWhenRoom({&alone, 1});
}

OutboxTopic::Posted OutboxTopic::Post(std::span<const Outbox::Pair> together) {
  const bool too_late = is_transactional() && dropped_ > 0;
  if (too_late || !outbox_->Append(together)) {
    dropped_ += together.size();
    return Posted::kFull;
  }
  sender_->Wake();
  return Posted::kTaken;
}

OutboxTopic::Posted OutboxTopic::PostWhenRoom(std::span<const Outbox::Pair> together) {
  if (dropped_ > 0 || !AwaitRoom(together)) return Post(together);
  sender_->Wake();
  return Posted::kTaken;
}

bool OutboxTopic::TryPost(std::span<const Outbox::Pair> together) {
  if (!outbox_->AppendToHalf(together)) return false;
  sender_->Wake();
  return true;
}

// Waits for room; returns whether the messages were taken.
bool OutboxTopic::AwaitRoom(std::span<const Outbox::Pair> together) {
  std::uint64_t delivered = sender_->delivered();
  auto since = std::chrono::steady_clock::now();
  while (!outbox_->Append(together)) {
    if (outbox_->waiting() == 0) return false;  // the outbox is empty: waiting gives no more room
    static_cast<void>(sender_->AwaitEmpty(kAskEvery));
    const auto now = std::chrono::steady_clock::now();
    if (const std::uint64_t count = sender_->delivered(); count != delivered) {
      delivered = count;
      since = now;
    } else if (now - since > kRoomPatience) {
      return false;
    }
  }
  return true;
}

Status OutboxTopic::Flush() {
  Status flushed = outbox_->Flush();
  sender_->TellNotes();
  if (!flushed) return std::move(flushed).error().Within(cargo_.name);
  return Ok{};
}

Status OutboxTopic::Drain(const std::function<bool()>& go_on, bool only_while_ready) {
  while (!sender_->AwaitEmpty(kAskEvery)) {
    if (go_on() && (!only_while_ready || state_.Reasons().empty())) continue;
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{}: {} {} are not delivered; they wait in {}", cargo_.name,
                             outbox_->waiting(), cargo_.things, to_.outbox.path)};
  }
  return Ok{};
}

void OutboxTopic::SayTooLarge(std::string_view key) {
  sender_->SayLost(key,
                   fmt::format("it is larger than message.max.bytes ({}); raise this limit here "
                               "and at the broker, or list fewer rows",
                               most_bytes_));
}

KafkaSinkCounts OutboxTopic::Counts() const {
  KafkaSinkCounts counts{.topic = to_.topic,
                         .sink = cargo_.sink,
                         .refused = too_large_,
                         .dropped = dropped_,
                         .waiting = outbox_->waiting(),
                         .outbox_bytes = outbox_->bytes(),
                         .outbox_limit_bytes = to_.outbox.limit_bytes,
                         .ready = state_.Reasons().empty()};
  sender_->AddCounts(counts);
  return counts;
}

}  // namespace sash

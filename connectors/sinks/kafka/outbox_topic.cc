#include "connectors/sinks/kafka/outbox_topic.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "connectors/sinks/kafka/log_events.h"
#include "connectors/sinks/kafka/topic_producer.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kAskEvery{50};
constexpr std::chrono::seconds kRoomPatience{60};
// What a message weighs beside its bytes, in librdkafka's count.
constexpr std::size_t kFrameBytes = 128;

}  // namespace

Result<std::unique_ptr<OutboxTopic>> OutboxTopic::Open(const KafkaDestination& to,
                                                       OutboxCargo cargo, bool replay,
                                                       EventLog& log) {
  Result<std::unique_ptr<Outbox>> outbox = Outbox::Open(to.outbox, replay, cargo.head);
  if (!outbox) return std::move(outbox).error().Within(cargo.name);
  std::unique_ptr<OutboxTopic> topic(
      new OutboxTopic(to, std::move(cargo), std::move(outbox).value(), log));
  if (const std::uint64_t waiting = topic->outbox_->waiting(); waiting > 0) {
    log.Log(outbox_events::kWaiting,
            fmt::format("{}: {} {} wait in {} since an earlier life", topic->cargo_.name, waiting,
                        topic->cargo_.things, to.outbox.path),
            {{"sink", topic->cargo_.name}, {"waiting", waiting}});
  }
  topic->sender_.Start();
  return topic;
}

OutboxTopic::OutboxTopic(const KafkaDestination& to, OutboxCargo cargo,
                         std::unique_ptr<Outbox> outbox, EventLog& log)
    : to_(to),
      cargo_(std::move(cargo)),
      most_bytes_(MostMessageBytes(to.options)),
      state_(log),
      outbox_(std::move(outbox)),
      sender_(to_, cargo_, *outbox_, state_) {}

OutboxTopic::Posted OutboxTopic::Post(std::string_view key, std::string_view value,
                                      std::size_t message_bytes) {
  if (message_bytes + kFrameBytes > most_bytes_) {
    ++too_large_;
    return Posted::kTooLarge;
  }
  if (!outbox_->Append(key, value)) {
    ++dropped_;
    return Posted::kFull;
  }
  sender_.Wake();
  return Posted::kTaken;
}

OutboxTopic::Posted OutboxTopic::PostWhenRoom(std::string_view key, std::string_view value,
                                              std::size_t message_bytes) {
  if (message_bytes + kFrameBytes > most_bytes_ || dropped_ > 0 || !AwaitRoom(key, value)) {
    return Post(key, value, message_bytes);
  }
  sender_.Wake();
  return Posted::kTaken;
}

// Whether it was taken.
bool OutboxTopic::AwaitRoom(std::string_view key, std::string_view value) {
  std::uint64_t delivered = sender_.delivered();
  auto since = std::chrono::steady_clock::now();
  while (!outbox_->Append(key, value)) {
    if (outbox_->waiting() == 0) return false;  // it is not for want of room that will come
    static_cast<void>(sender_.AwaitEmpty(kAskEvery));
    const auto now = std::chrono::steady_clock::now();
    if (const std::uint64_t count = sender_.delivered(); count != delivered) {
      delivered = count;
      since = now;
    } else if (now - since > kRoomPatience) {
      return false;
    }
  }
  return true;
}

Status OutboxTopic::Flush() {
  if (Status flushed = outbox_->Flush(); !flushed) {
    return std::move(flushed).error().Within(cargo_.name);
  }
  return Ok{};
}

Status OutboxTopic::Drain(const std::function<bool()>& go_on, bool only_while_ready) {
  while (!sender_.AwaitEmpty(kAskEvery)) {
    if (go_on() && (!only_while_ready || state_.Reasons().empty())) continue;
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{}: {} {} are not delivered; they wait in {}", cargo_.name,
                             outbox_->waiting(), cargo_.things, to_.outbox.path)};
  }
  return Ok{};
}

void OutboxTopic::SayTooLarge(std::string_view key) {
  sender_.SayLost(key, fmt::format("it is larger than message.max.bytes ({}); raise that here and "
                                   "at the broker, or list less",
                                   most_bytes_));
}

KafkaSinkCounts OutboxTopic::Counts() const {
  return {.topic = to_.topic,
          .sink = cargo_.sink,
          .delivered = sender_.delivered(),
          .retries = sender_.retries(),
          .refused = sender_.refused() + too_large_,
          .dropped = dropped_,
          .waiting = outbox_->waiting(),
          .outbox_bytes = outbox_->bytes(),
          .outbox_limit_bytes = to_.outbox.limit_bytes,
          .ready = state_.Reasons().empty()};
}

}  // namespace sash

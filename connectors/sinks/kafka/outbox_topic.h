// OutboxTopic: a Kafka topic, an outbox on disk before it, and a thread between them.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) What was posted and flushed is in the topic or in the outbox, and is sent again and again,
//       by the next process too, until the brokers acknowledge it.
//   (2) Post() never waits for a broker. What does not fit is not taken, and counted.
//   (3) With a transactional id, what was posted together gets there together
//       (TransactionalSender). Once something did not fit nothing more is taken: what follows would
//       be known as the newest, and what was dropped as older than that.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/ready_state.h"
#include "connectors/sinks/kafka/kafka_sink_counts.h"
#include "connectors/sinks/kafka/outbox_sender.h"
#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

class OutboxTopic {
 public:
  // Contacts no broker yet: that one is away is a state, not an error. `log` outlives it. A replay
  // has an outbox of its own, which it empties.
  static Result<std::unique_ptr<OutboxTopic>> Open(const KafkaDestination& to, OutboxCargo cargo,
                                                   bool replay, EventLog& log);

  // kTooLarge: beyond message.max.bytes, so no broker would take it; counted as refused.
  // kFull: beyond the limit of the outbox; counted as dropped.
  enum class Posted : std::uint8_t { kTaken, kTooLarge, kFull };
  // `message_bytes`: what key, value and headers of the message to be sent take.
  Posted Post(std::string_view key, std::string_view value, std::size_t message_bytes);
  // As Post(), but waits for room as long as the brokers acknowledge something every minute: for
  // who may take its time. Once that was in vain, it waits no more.
  Posted PostWhenRoom(std::string_view key, std::string_view value, std::size_t message_bytes);

  // The same of messages that belong together, none of which IsTooLarge().
  Posted Post(std::span<const Outbox::Pair> together);
  Posted PostWhenRoom(std::span<const Outbox::Pair> together);

  bool IsTooLarge(std::size_t message_bytes) const;
  bool is_transactional() const { return !to_.transactional_id.empty(); }

  // See OutboxSender.
  void Begin() { sender_->Begin(); }

  Status Flush();

  // Waits until everything is delivered, as long as `go_on` says so; it is asked every now and
  // then. With `only_while_ready` a reason not to be ready ends it too. An error says what stays in
  // the outbox.
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready);

  // Counts a message that is not posted since it IsTooLarge().
  void CountTooLarge() { ++too_large_; }
  // Says that such a one, or one that came back as kTooLarge, is lost, until one of its origin
  // passes.
  void SayTooLarge(std::string_view key);

  const std::string& name() const { return cargo_.name; }
  std::size_t most_bytes() const { return most_bytes_; }  // of a message
  ReadyState& state() { return state_; }                  // reasons of the owner, beside its own
  std::vector<std::string> NotReady() const { return state_.Reasons(); }
  KafkaSinkCounts Counts() const;

 private:
  bool AwaitRoom(std::span<const Outbox::Pair> together);
  OutboxTopic(const KafkaDestination& to, OutboxCargo cargo, std::unique_ptr<Outbox> outbox,
              std::string outbox_name, EventLog& log);

  const KafkaDestination to_;
  const OutboxCargo cargo_;
  const std::size_t most_bytes_;
  ReadyState state_;
  const std::unique_ptr<Outbox> outbox_;
  std::atomic<std::uint64_t> too_large_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;
  const std::unique_ptr<OutboxSender> sender_;  // last: its thread uses the others
};

}  // namespace sash

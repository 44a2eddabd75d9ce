// OutboxTopic: a Kafka topic with an outbox on disk, and a thread that sends from one to the other.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) A message that was posted and flushed is in the topic or in the outbox. It is sent again,
//       also after a restart, until the brokers acknowledge it.
//   (2) Post() never waits for a broker. A message that does not fit is not taken, and is counted.
//   (3) With a transactional id, messages that were posted together reach the topic together
//       (TransactionalSender). Once a message did not fit, no more are taken: a later message would
//       become the newest mark, and the dropped message would then count as already sent.
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
#include "connectors/sinks/kafka/outbox_sender.h"
#include "connectors/sinks/kafka_sink_counts.h"
#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

class OutboxTopic {
 public:
  // Does not contact a broker: a missing broker is a state (NotReady), not an error. `log` must
  // outlive the object. A replay uses a separate outbox, which it empties first.
  static Result<std::unique_ptr<OutboxTopic>> Open(const KafkaDestination& to, OutboxCargo cargo,
                                                   bool replay, EventLog& log);

  // kTooLarge: larger than message.max.bytes, so no broker would take it; counted as refused.
  // kFull: does not fit within the limit of the outbox; counted as dropped.
  enum class Posted : std::uint8_t { kTaken, kTooLarge, kFull };
  // `message_bytes`: the size of key, value and headers of the Kafka message.
  Posted Post(std::string_view key, std::string_view value, std::size_t message_bytes);
  // Like Post(), but waits for room while the brokers acknowledge at least one message per minute.
  // For callers that may be slow. After a message was dropped, it does not wait any more.
  Posted PostWhenRoom(std::string_view key, std::string_view value, std::size_t message_bytes);

  // The same for messages that belong together. None of them may be too large (IsTooLarge).
  Posted Post(std::span<const Outbox::Pair> together);
  Posted PostWhenRoom(std::span<const Outbox::Pair> together);

  // For messages that no commit waits for: if they would fill more than half of the outbox, they
  // are not taken, and not counted. False: they are not taken.
  [[nodiscard]] bool TryPost(std::span<const Outbox::Pair> together);

  bool IsTooLarge(std::size_t message_bytes) const;
  bool is_transactional() const { return !to_.transactional_id.empty(); }

  // See OutboxSender.
  void Begin() { sender_->Begin(); }

  Status Flush();

  // Waits until everything is delivered, while `go_on` returns true; it is called every 50 ms. With
  // `only_while_ready`, a reason in NotReady() also ends the wait. The error says how many messages
  // are left in the outbox.
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready);

  // Counts a message that is not posted because it is too large.
  void CountTooLarge() { ++too_large_; }
  // Reports that such a message, or one with the result kTooLarge, is lost. The report ends when a
  // message of the same origin is delivered.
  void SayTooLarge(std::string_view key);

  const std::string& name() const { return cargo_.name; }
  std::size_t most_bytes() const { return most_bytes_; }  // of a message
  ReadyState& state() { return state_; }                  // the owner may add its own reasons
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

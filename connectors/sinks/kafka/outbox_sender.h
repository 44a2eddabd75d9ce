// OutboxSender: the base class of senders: a thread that sends the messages of an outbox to a Kafka
// topic.
//
// OutboxCargo: describes the messages in the outbox: their names in reports, and how to send them.
//
// Thread safety: every public member may be called from any thread; Start() and Stop() only once.
//
// Invariants
//   (1) A message is acknowledged to the outbox once it is permanently in the topic, or once it is
//       certain that it never will be (too large, refused). The second case is counted and
//       reported.
//   (2) After all other failures the sender tries again without limit, except where a derived class
//       says otherwise.
//   (3) Only the sender's thread contacts the brokers; other threads never wait for them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "connectors/kafka/ready_state.h"
#include "connectors/sinks/kafka/topic_producer.h"
#include "connectors/sinks/kafka_sink_counts.h"
#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

struct OutboxCargo {
  std::string name;       // begins every report: "kafka sink results"
  std::string things;     // "results"
  std::string sink;       // the label in metrics: "kafka:results"
  std::string_view head;  // the beginning of every key in the outbox
  TopicProducer::Spread spread = TopicProducer::Spread::kByOrigin;
  // Makes the Kafka message from a message of the outbox. An error counts the message as refused.
  Result<TopicMessage> (*unpack)(const Outbox::Message& message) = nullptr;
};

class OutboxSender {
 public:
  static constexpr std::size_t kMostInFlight = 1000;
  static constexpr std::size_t kMostBytes = 8 << 20;

  // `outbox`, `state` and `log` must outlive it.
  OutboxSender(const KafkaDestination& to, OutboxCargo cargo, Outbox& outbox, ReadyState& state,
               EventLog& log)
      : to_(to), cargo_(std::move(cargo)), outbox_(outbox), state_(state), log_(log) {}
  virtual ~OutboxSender() = default;  // derived classes call Stop() in their destructors
  OutboxSender(const OutboxSender&) = delete;
  OutboxSender& operator=(const OutboxSender&) = delete;

  void Start();
  // Does not wait for messages in flight: they are sent again after a restart.
  void Stop();
  // Call it after new messages were added to the outbox.
  void Wake();
  // Call it once no other process works in place of this one. Only some derived classes wait for
  // it before they send.
  virtual void Begin() {}

  // Whether the outbox is empty or becomes empty within `patience`.
  bool AwaitEmpty(std::chrono::milliseconds patience);

  // Reports that a message will never reach the topic. The report ends when a message of the same
  // origin is delivered.
  void SayLost(std::string_view key, std::string_view why);

  // Reports events on the files of the outbox. A damaged line is counted as refused.
  void TellNotes();

  std::uint64_t delivered() const { return delivered_; }
  // Adds its counters to `counts`.
  virtual void AddCounts(KafkaSinkCounts& counts) const;

 protected:
  static constexpr std::chrono::seconds kIdle{1};          // between checks when nothing waits
  static constexpr std::chrono::seconds kAfterFailure{1};  // pause before the next try
  static constexpr std::chrono::seconds kOverdue{10};      // time without an acknowledgement
  static constexpr std::chrono::milliseconds kPollWhileInFlight{20};

  static SteadyTime Now() { return std::chrono::steady_clock::now(); }

  virtual void Run() = 0;  // runs in the thread until stopping_

  // The next message of the outbox. None also when the outbox cannot be read, which is reported.
  std::optional<Outbox::Message> Take();
  void Acknowledge(std::uint64_t id);
  void Refuse(std::string_view key, std::string_view why);
  void CountDelivered(std::string_view key);
  void SayWaiting(const LogEvent& event, std::string_view identity, std::string_view why);
  void SayOverdue();
  // Reports whether a broker answers, if there is a reason to ask. `idle`: no message waits.
  void LookAtBrokers(TopicProducer& producer, bool idle);
  void Wait(std::chrono::milliseconds patience);

  const KafkaDestination to_;
  const OutboxCargo cargo_;
  const std::string& name_ = cargo_.name;
  Outbox& outbox_;
  ReadyState& state_;
  EventLog& log_;
  SteadyTime not_before_{};  // used only by the thread: the end of a pause after a failure

  std::atomic<std::uint64_t> delivered_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<bool> stopping_ = false;

 private:
  void Probe(TopicProducer& producer, bool idle);

  SteadyTime probe_at_{};  // used only by the thread
  Mutex mutex_;
  CondVar woken_;
  CondVar emptied_;
  bool news_ SASH_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace sash

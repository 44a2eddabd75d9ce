// OutboxSender: a thread that brings what is in an outbox to a Kafka topic, and what all kinds of
// it have in common.
//
// OutboxCargo: what it is that waits there, for what is said of it and how it is sent.
//
// Thread safety: every public member may be called from any thread, Start() and Stop() once.
//
// Invariants
//   (1) A message is acknowledged to the outbox once it is in the topic for good, or once it is
//       known that it never will be (too large, refused); that is counted, and said.
//   (2) Whatever else fails is tried again for ever, but where a kind says otherwise.
//   (3) Nobody else talks to the brokers, and nobody waits for them here.
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
#include "connectors/sinks/kafka/kafka_sink_counts.h"
#include "connectors/sinks/kafka/topic_producer.h"
#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

struct OutboxCargo {
  std::string name;       // begins what is said: "kafka sink results"
  std::string things;     // "results"
  std::string sink;       // for a metric's label: "kafka:results"
  std::string_view head;  // how every key in the outbox begins
  TopicProducer::Spread spread = TopicProducer::Spread::kByOrigin;
  // What is sent of a message of the outbox; an error makes it one that is refused.
  Result<TopicMessage> (*unpack)(const Outbox::Message& message) = nullptr;
};

class OutboxSender {
 public:
  static constexpr std::size_t kMostInFlight = 1000;
  static constexpr std::size_t kMostBytes = 8 << 20;

  // The others outlive it.
  OutboxSender(const KafkaDestination& to, OutboxCargo cargo, Outbox& outbox, ReadyState& state,
               EventLog& log)
      : to_(to), cargo_(std::move(cargo)), outbox_(outbox), state_(state), log_(log) {}
  virtual ~OutboxSender() = default;  // a kind stops in its own destructor
  OutboxSender(const OutboxSender&) = delete;
  OutboxSender& operator=(const OutboxSender&) = delete;

  void Start();
  // Leaves what is on its way: the next process sends it again.
  void Stop();
  // There is something new in the outbox.
  void Wake();
  // Nobody else is at work in place of this process any more. Not every kind waits for it.
  virtual void Begin() {}

  // Whether the outbox is empty, or gets so within `patience`.
  bool AwaitEmpty(std::chrono::milliseconds patience);

  // Says that a message never reaches the topic, until one of its origin passes.
  void SayLost(std::string_view key, std::string_view why);

  // Says what happened to the files of the outbox. What is damaged is counted as refused.
  void TellNotes();

  std::uint64_t delivered() const { return delivered_; }
  // What it counts.
  virtual void AddCounts(KafkaSinkCounts& counts) const;

 protected:
  static constexpr std::chrono::seconds kIdle{1};          // how soon trouble is noticed then
  static constexpr std::chrono::seconds kAfterFailure{1};  // before it is tried again
  static constexpr std::chrono::seconds kOverdue{10};      // without an acknowledgement
  static constexpr std::chrono::milliseconds kPollWhileInFlight{20};

  static SteadyTime Now() { return std::chrono::steady_clock::now(); }

  virtual void Run() = 0;  // the thread, until stopping_

  // The next message of the outbox; none, too, when it cannot be read, which is said.
  std::optional<Outbox::Message> Take();
  void Acknowledge(std::uint64_t id);
  void Refuse(std::string_view key, std::string_view why);
  void CountDelivered(std::string_view key);
  void SayWaiting(const LogEvent& event, std::string_view identity, std::string_view why);
  void SayOverdue();
  // Says whether a broker answers, when there is a reason to ask; `idle`: nothing waits.
  void LookAtBrokers(TopicProducer& producer, bool idle);
  void Wait(std::chrono::milliseconds patience);

  const KafkaDestination to_;
  const OutboxCargo cargo_;
  const std::string& name_ = cargo_.name;
  Outbox& outbox_;
  ReadyState& state_;
  EventLog& log_;
  SteadyTime not_before_{};  // of the thread: a pause after a failure

  std::atomic<std::uint64_t> delivered_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<bool> stopping_ = false;

 private:
  void Probe(TopicProducer& producer, bool idle);

  SteadyTime probe_at_{};  // of the thread
  Mutex mutex_;
  CondVar woken_;
  CondVar emptied_;
  bool news_ SASH_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace sash

// OutboxSender: a thread that brings what is in an outbox to a Kafka topic.
//
// OutboxCargo: what it is that waits there, for what is said of it and how it is sent.
//
// Thread safety: every member may be called from any thread, Start() and Stop() once.
//
// Invariants
//   (1) A message is acknowledged to the outbox once the brokers acknowledged it, or once it is
//       known that they never will (too large, refused); that is counted, and said.
//   (2) Whatever else fails is tried again for ever.
//   (3) At most kMostInFlight messages and about kMostBytes of them are with librdkafka.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "connectors/kafka/ready_state.h"
#include "connectors/sinks/kafka/topic_producer.h"
#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/clock.h"
#include "windows/base/thread_annotations.h"

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

  // `outbox` and `state` outlive it.
  OutboxSender(const KafkaDestination& to, OutboxCargo cargo, Outbox& outbox, ReadyState& state);
  ~OutboxSender() { Stop(); }

  void Start();
  // Leaves what is on its way: the next process sends it again.
  void Stop();
  // There is something new in the outbox.
  void Wake();

  // Whether the outbox is empty, or gets so within `patience`.
  bool AwaitEmpty(std::chrono::milliseconds patience);

  void Return(std::uint64_t id);

  // Says that a message never reaches the topic, until one of its origin passes.
  void SayLost(std::string_view key, std::string_view why);

  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t refused() const { return refused_; }
  std::uint64_t retries() const { return retries_; }

 private:
  struct InFlight {
    std::string key;
    std::size_t bytes = 0;
    SteadyTime since{};
  };

  void Run();
  bool HasProducer();
  void SendMore();
  bool Send(const Outbox::Message& message);
  void Refuse(std::string_view key, std::string_view why);
  void Acknowledge(std::uint64_t id);
  void Settle(const TopicProducer::Report& report);
  void Observe();
  void Probe();
  void Renew();
  void Wait(std::chrono::milliseconds patience);

  const KafkaDestination to_;
  const OutboxCargo cargo_;
  const std::string& name_ = cargo_.name;
  Outbox& outbox_;
  ReadyState& state_;

  // Of the thread.
  std::unique_ptr<TopicProducer> producer_;
  std::map<std::uint64_t, InFlight> in_flight_;
  std::size_t in_flight_bytes_ = 0;
  std::set<std::uint64_t> alone_;        // too large in a batch: to be sent alone
  std::optional<Outbox::Message> held_;  // does not fit now
  SteadyTime not_before_{};              // a pause after a failure
  SteadyTime probe_at_{};

  std::atomic<std::uint64_t> delivered_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_;
  std::condition_variable woken_;
  std::condition_variable emptied_;
  bool news_ SASH_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace sash

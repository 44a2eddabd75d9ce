// OutboxSender: a thread that brings what is in an outbox to a Kafka topic.
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

class OutboxSender {
 public:
  static constexpr std::size_t kMostInFlight = 1000;
  static constexpr std::size_t kMostBytes = 8 << 20;

  // `outbox` and `state` outlive it. `name` begins what is said: "kafka sink results".
  OutboxSender(const KafkaSinkSpec& spec, std::string name, Outbox& outbox, ReadyState& state);
  ~OutboxSender() { Stop(); }

  void Start();
  // Leaves what is on its way: the next process sends it again.
  void Stop();
  // There is something new in the outbox.
  void Wake();

  // Whether the outbox is empty, or gets so within `patience`.
  bool AwaitEmpty(std::chrono::milliseconds patience);

  void Return(std::uint64_t id);

  // Counts a message that was too large, or refused, and says so until one of its origin passes.
  void Refuse(std::string_view key, std::string_view why);

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
  void Acknowledge(std::uint64_t id);
  void Settle(const TopicProducer::Report& report);
  void Observe();
  void Probe();
  void Renew();
  void Wait(std::chrono::milliseconds patience);

  const KafkaSinkSpec spec_;
  const std::string name_;
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

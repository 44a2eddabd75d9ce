// TopicProducer: messages to one Kafka topic, and what became of each.
//
// Spread::kByOrigin: keys are JSON objects, and all members of a key but the last decide the
// partition, so the messages whose keys differ in the last member alone stay in order. kByKey: the
// key as a whole does, as by Kafka's own producers; without one the partition is left to chance.
//
// Thread safety: none; one thread sends, polls and probes. librdkafka's own threads only call the
// partitioner, which knows nothing but its arguments.
//
// Invariants
//   (1) Each message that Send() took is reported once by Poll(), unless the producer is destroyed
//       before: then nobody knows what became of it.
//   (2) The destructor does not wait for deliveries.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/kafka/topic_message.h"
#include "windows/base/result.h"

struct rd_kafka_s;

namespace sash {

class TopicProducer {
 public:
  enum class Outcome : std::uint8_t {
    kDelivered,
    kTooLarge,  // alone or together with others in its batch
    kRefused,   // the broker will never take it
    kFailed,    // may be tried again
  };
  struct Report {
    std::uint64_t id = 0;
    Outcome outcome = Outcome::kDelivered;
    std::string why;
    std::int32_t partition = -1;  // kDelivered: where it is
    std::int64_t offset = -1;
  };

  enum class Spread : std::uint8_t { kByOrigin, kByKey };

  // Contacts nobody yet. An error is a wrong option. With a transactional id it sends within
  // transactions alone: see TransactionalProducer.
  static Result<std::unique_ptr<TopicProducer>> Open(
      const std::string& brokers, const std::string& topic,
      const std::map<std::string, std::string>& options, Spread spread = Spread::kByOrigin,
      const std::string& transactional_id = {});

  ~TopicProducer();
  TopicProducer(const TopicProducer&) = delete;
  TopicProducer& operator=(const TopicProducer&) = delete;

  enum class Sent : std::uint8_t { kTaken, kFull, kTooLarge };
  Result<Sent> Send(std::uint64_t id, const TopicMessage& message);

  // Waits for reports, at most so long.
  std::vector<Report> Poll(std::chrono::milliseconds patience);

  // The newest complaint of the connections, when there was one since the last call.
  std::optional<std::string> TakeTrouble();

  // Why this producer can send nothing more; another one can.
  std::optional<std::string> Fatal() const;

  // Asks a broker for the topic. kUnavailable: none answers; kNotFound: the topic's error.
  Status Probe(std::chrono::milliseconds patience);

  rd_kafka_s* native();

 private:
  struct Handle;
  explicit TopicProducer(std::unique_ptr<Handle> handle);

  const std::unique_ptr<Handle> handle_;
};

// All members of a key but the last, as text.
std::string_view OriginOfKey(std::string_view key);

// What key and value together may be, with these options (message.max.bytes).
std::size_t MostMessageBytes(const std::map<std::string, std::string>& options);

}  // namespace sash

// TopicProducer: sends messages to one Kafka topic and reports the outcome of each.
//
// Spread::kByOrigin: keys are JSON objects, and all members of a key except the last determine the
// partition. So messages whose keys differ only in the last member stay in order. Rows of a result,
// whose last member is "row", are in the partition in which the result would be. Spread::kByKey:
// the whole key determines the partition, as in Kafka's own producers; without a key it is random.
//
// Thread safety: none; one thread sends, polls and probes. librdkafka's own threads only call the
// partitioner, which uses only its arguments.
//
// Invariants
//   (1) Poll() reports each message that Send() took once, unless the producer is destroyed before:
//       then the outcome is unknown.
//   (2) The destructor does not wait for deliveries.
//   (3) An idempotent producer reports a message as delivered only if a broker has reported its
//       offset. When a later batch of a partition succeeds, librdkafka concludes that the brokers
//       have all earlier ones. This is wrong for the first batch of a producer: a broker that
//       refuses it, for example while the leader changes, knows nothing of the producer and takes
//       the second batch, which was sent already. Such a message has failed, and may be in the
//       topic or not.
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
    kFailed,    // can be tried again
  };
  struct Report {
    std::uint64_t id = 0;
    Outcome outcome = Outcome::kDelivered;
    std::string why;
    std::int32_t partition = -1;  // kDelivered: the place of the message
    std::int64_t offset = -1;
  };

  enum class Spread : std::uint8_t { kByOrigin, kByKey };

  // Does not contact a broker. An error means a wrong option. With a transactional id it can send
  // only within transactions: see TransactionalProducer.
  static Result<std::unique_ptr<TopicProducer>> Open(
      const std::string& brokers, const std::string& topic,
      const std::map<std::string, std::string>& options, Spread spread = Spread::kByOrigin,
      const std::string& transactional_id = {});

  ~TopicProducer();
  TopicProducer(const TopicProducer&) = delete;
  TopicProducer& operator=(const TopicProducer&) = delete;

  enum class Sent : std::uint8_t { kTaken, kFull, kTooLarge };
  Result<Sent> Send(std::uint64_t id, const TopicMessage& message);

  // Returns the new reports; waits for them up to `patience`.
  std::vector<Report> Poll(std::chrono::milliseconds patience);

  // The newest connection error, if there was one since the last call.
  std::optional<std::string> TakeTrouble();

  // Why this producer cannot send any more; a new producer can.
  std::optional<std::string> Fatal() const;

  // Asks a broker for the topic. kUnavailable: no broker answers; kNotFound: the topic's error.
  Status Probe(std::chrono::milliseconds patience);

  rd_kafka_s* native();

 private:
  struct Handle;
  explicit TopicProducer(std::unique_ptr<Handle> handle);

  const std::unique_ptr<Handle> handle_;
};

// All members of a key except the last, as text; without the last two if the last is "row" or
// "cut".
std::string_view OriginOfKey(std::string_view key);

// The largest size of a message with these options (message.max.bytes).
std::size_t MostMessageBytes(const std::map<std::string, std::string>& options);

}  // namespace sash

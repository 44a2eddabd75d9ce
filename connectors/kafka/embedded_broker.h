// EmbeddedBroker: a Kafka broker inside the process, on a loopback port, for demos and tests.
//
// It is librdkafka's mock cluster with one broker. Other clients can produce and consume at
// bootstrap_servers(), and consumer groups store offsets. But nothing outlives the process, a
// partition keeps about its newest 5 MiB, and offsets cannot be looked up by time.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "windows/base/result.h"

namespace sash {

// The note for users of the embedded broker; the log, the API and the forecast of --check show it.
inline constexpr const char* kEmbeddedBrokerNote =
    "source.kafka.brokers is `embedded`, the default: the broker is inside this process, so no "
    "records of other brokers are read, and its records are lost when the process ends; use it for "
    "trials only, otherwise set host:port";

class EmbeddedBroker {
 public:
  static constexpr std::int32_t kPartitions = 4;  // of every topic

  // Creates `topics`; others are created when a client asks for them.
  static Result<std::unique_ptr<EmbeddedBroker>> Start(const std::vector<std::string>& topics);

  ~EmbeddedBroker();  // clients see the broker disappear
  EmbeddedBroker(const EmbeddedBroker&) = delete;
  EmbeddedBroker& operator=(const EmbeddedBroker&) = delete;

  // "127.0.0.1:port", for KafkaSpec::brokers and for other programs of this machine.
  const std::string& bootstrap_servers() const { return bootstrap_servers_; }

 private:
  struct Cluster;
  explicit EmbeddedBroker(std::unique_ptr<Cluster> cluster);

  std::unique_ptr<Cluster> cluster_;
  std::string bootstrap_servers_;
};

}  // namespace sash

// KafkaSinkCounts: what a Kafka sink counts; all since its start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sash {

struct KafkaSinkCounts {
  std::string topic;
  std::string sink;             // which one, for a metric's label: "kafka:results"
  std::uint64_t delivered = 0;  // acknowledged by the brokers
  std::uint64_t retries = 0;
  std::uint64_t refused = 0;  // never to be delivered
  std::uint64_t dropped = 0;  // did not fit into the outbox
  std::uint64_t waiting = 0;  // in the outbox, or on their way
  std::uint64_t outbox_bytes = 0;
  std::uint64_t outbox_limit_bytes = 0;
  bool ready = true;

  struct Transactions {
    std::uint64_t committed = 0;
    std::uint64_t aborted = 0;
    std::uint64_t held = 0;  // messages that were not sent, since the topic had them
  };
  std::optional<Transactions> transactions{};  // of a transactional sink
};

}  // namespace sash

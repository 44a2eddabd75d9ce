// KafkaSinkCounts: the counters of a Kafka sink, since its start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sash {

struct KafkaSinkCounts {
  std::string topic;
  std::string sink;             // the label in metrics: "kafka:results"
  std::uint64_t delivered = 0;  // acknowledged by the brokers
  std::uint64_t retries = 0;
  std::uint64_t refused = 0;  // cannot be delivered
  std::uint64_t dropped = 0;  // did not fit into the outbox
  std::uint64_t waiting = 0;  // in the outbox or in flight
  std::uint64_t outbox_bytes = 0;
  std::uint64_t outbox_limit_bytes = 0;
  bool ready = true;

  struct Transactions {
    std::uint64_t committed = 0;
    std::uint64_t aborted = 0;
    std::uint64_t held = 0;  // messages not sent because the topic already had them
  };
  std::optional<Transactions> transactions{};  // only for a transactional sink
};

}  // namespace sash

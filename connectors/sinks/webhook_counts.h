// WebhookCounts: the counters of a webhook sink, since its start.
#pragma once

#include <cstdint>
#include <string>

namespace sash {

struct WebhookCounts {
  std::string sink{};           // the label in metrics: "webhook:hook"
  std::uint64_t delivered = 0;  // acknowledged by the receiver (2xx)
  std::uint64_t retries = 0;    // attempts that failed and are repeated
  std::uint64_t parked = 0;     // the receiver refused them for good
  std::uint64_t refused = 0;    // lost, because a file of the outbox was damaged
  std::uint64_t dropped = 0;    // did not fit into the outbox
  std::uint64_t waiting = 0;    // in the outbox
  std::uint64_t outbox_bytes = 0;
  std::uint64_t outbox_limit_bytes = 0;
  std::uint64_t requests = 0;
  double request_seconds = 0;  // of all requests
  bool ready = true;
};

}  // namespace sash

// WebhookRequest: the HTTP request that delivers one result to a webhook.
//
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_spec.h"

namespace sash {

struct WebhookRequest {
  std::string body{};
  std::vector<std::string> headers{};  // "Name: value"
};

// `now`: the time of the attempt, which the signature contains. The body and the idempotency key
// are the same for each attempt.
WebhookRequest MakeWebhookRequest(const WebhookSinkSpec& spec, const Outbox::Message& message,
                                  std::chrono::seconds now);

// The rows of a result, each with its line end, as the value of a message: values of an outbox are
// JSON on one line. The request has the rows themselves.
std::string RowsAsValue(std::string_view rows);

// job/window/end of the window; for windows by events, job/window/number of the last event. An
// alert has alert/subject before the last part; the subject is percent-encoded, and a long one is
// replaced by its SHA-256. That of a result on an earlier window ends with /past. `key` as
// ResultKey() makes it.
std::string IdempotencyKey(std::string_view key);

// "t=SECONDS,v1=HEX", where HEX is the HMAC-SHA256 of "SECONDS.BODY".
std::string WebhookSignature(std::string_view secret, std::chrono::seconds now,
                             std::string_view body);

// kPark: the receiver refuses the delivery for good, so repeating it does not help.
enum class WebhookOutcome : std::uint8_t { kDelivered, kRetry, kPark };
WebhookOutcome OutcomeOf(long status);

}  // namespace sash

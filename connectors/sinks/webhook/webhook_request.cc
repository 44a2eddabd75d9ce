#include "connectors/sinks/webhook/webhook_request.h"

#include <fmt/format.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_key.h"
#include "connectors/sinks/time_text.h"
#include "windows/base/check.h"
#include "windows/base/percent.h"

namespace sash {
namespace {

constexpr std::size_t kLongestSubject = 256;  // encoded

std::string HexOf(std::span<const unsigned char> bytes) {
  std::string hex;
  for (const unsigned char byte : bytes) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string DigestOf(std::string_view text) {
  std::array<unsigned char, 32> digest{};
  SASH_CHECK(gnutls_hash_fast(GNUTLS_DIG_SHA256, text.data(), text.size(), digest.data()) == 0);
  return "sha256:" + HexOf(digest);
}

// The subject of an alert as a part of a header: it may be any text.
std::string EncodedSubject(std::string_view subject) {
  std::string encoded = PercentEncoded(subject);
  return encoded.size() <= kLongestSubject ? encoded : DigestOf(subject);
}

std::string_view EventTypeOf(SinkContent content, const std::optional<ResultIdentity>& result) {
  switch (content) {
    case SinkContent::kResults:
      if (result && result->is_past) return "sash.result.past";
      return !result || result->cut.empty() ? "sash.result" : "sash.result.partial";
    case SinkContent::kDiffs:
      return "sash.diff";
    case SinkContent::kAlerts:
      return "sash.alert";
    case SinkContent::kRows:
      break;  // no event has rows
  }
  return "";
}

// The result as the data of an event of CloudEvents 1.0, in structured mode.
std::string CloudEventOf(const WebhookSinkSpec& spec, const Outbox::Message& message) {
  const std::optional<ResultIdentity> result = IdentityOfKey(message.key);
  JsonText json;
  json.BeginObject().Key("specversion").Text("1.0");
  json.Key("id").Text(IdempotencyKey(message.key));
  json.Key("source").Text("/sash/" + spec.name);
  json.Key("type").Text(EventTypeOf(spec.content, result));
  if (result) json.Key("subject").Text(result->origin.job);
  if (result && !result->origin.counted) {
    const EventTime end{std::chrono::nanoseconds(result->position)};
    json.Key("time").Text(TimeText(end));
  }
  json.Key("datacontenttype").Text("application/json");
  json.Key("data").Raw(message.value).EndObject();
  return std::move(json).Take();
}

std::string_view ContentTypeOf(const WebhookSinkSpec& spec) {
  switch (spec.format) {
    case WebhookSinkSpec::Format::kCsv:
      return "text/csv; charset=utf-8; header=present";
    case WebhookSinkSpec::Format::kCloudEvents:
      return "application/cloudevents+json; charset=utf-8";
    case WebhookSinkSpec::Format::kJson:
    case WebhookSinkSpec::Format::kAlertmanager:
      break;
  }
  return spec.content == SinkContent::kRows ? "application/x-ndjson" : "application/json";
}

// What is not from RowsAsValue() stays as it is.
std::string RowsOfValue(const std::string& value) {
  const auto json = nlohmann::json::parse(value, nullptr, false);
  return json.is_string() ? json.get<std::string>() : value;
}

}  // namespace

std::string RowsAsValue(std::string_view rows) {
  JsonText json;
  json.Text(rows);
  return std::move(json).Take();
}

std::string IdempotencyKey(std::string_view key) {
  const std::optional<ResultIdentity> result = IdentityOfKey(key);
  if (!result) return std::string(key);
  const std::string position =
      result->origin.counted ? std::to_string(result->position)
                             : TimeText(EventTime(std::chrono::nanoseconds(result->position)));
  const std::string alert =
      result->origin.alert.empty()
          ? ""
          : fmt::format("{}/{}/", result->origin.alert, EncodedSubject(result->origin.subject));
  const std::string cut = result->cut.empty() ? "" : "/" + DigestOf(result->cut);
  return fmt::format("{}/{}/{}{}{}{}", result->origin.job, result->origin.window, alert, position,
                     cut, result->is_past ? "/past" : "");
}

std::string WebhookSignature(std::string_view secret, std::chrono::seconds now,
                             std::string_view body) {
  const std::string text = fmt::format("{}.{}", now.count(), body);
  std::array<unsigned char, 32> digest{};
  SASH_CHECK(gnutls_hmac_get_len(GNUTLS_MAC_SHA256) == digest.size());
  SASH_CHECK(gnutls_hmac_fast(GNUTLS_MAC_SHA256, secret.data(), secret.size(), text.data(),
                              text.size(), digest.data()) == 0);
  return fmt::format("t={},v1={}", now.count(), HexOf(digest));
}

WebhookRequest MakeWebhookRequest(const WebhookSinkSpec& spec, const Outbox::Message& message,
                                  std::chrono::seconds now) {
  WebhookRequest request;
  const bool event = spec.format == WebhookSinkSpec::Format::kCloudEvents;
  request.body = event ? CloudEventOf(spec, message) : message.value;
  if (spec.content == SinkContent::kRows) request.body = RowsOfValue(message.value);
  request.headers.push_back(fmt::format("Content-Type: {}", ContentTypeOf(spec)));
  if (!message.key.empty()) {
    request.headers.push_back("Idempotency-Key: " + IdempotencyKey(message.key));
  }
  if (!spec.secret.text.empty()) {
    request.headers.push_back("Sash-Signature: " +
                              WebhookSignature(spec.secret.text, now, request.body));
  }
  for (const auto& [name, value] : spec.headers) {
    request.headers.push_back(fmt::format("{}: {}", name, value.text));
  }
  return request;
}

WebhookOutcome OutcomeOf(long status) {
  if (status >= 200 && status < 300) return WebhookOutcome::kDelivered;
  if (status == 408 || status == 425 || status == 429) return WebhookOutcome::kRetry;
  if (status >= 300 && status < 500) return WebhookOutcome::kPark;
  return WebhookOutcome::kRetry;
}

}  // namespace sash

#include "connectors/sinks/webhook/webhook_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;

const Outbox::Message kAnswer{
    .id = 1,
    .key = R"({"job":"x","window":"w","window_end":"2026-01-01T00:05:00.000Z"})",
    .value = R"({"schema":1})"};

WebhookSinkSpec SomeHook() {
  WebhookSinkSpec spec;
  spec.name = "hook";
  return spec;
}

// The digest is that of `printf 1700000000.hello | openssl dgst -sha256 -hmac key`.
TEST(WebhookRequestTest, TheSignatureIsAnHmacOfTheTimeAndTheBody) {
  EXPECT_EQ(WebhookSignature("key", seconds(1700000000), "hello"),
            "t=1700000000,v1=4d583a269f4f276a3fa80ff31b5a01879a848096983222a17893d198418939aa");
}

TEST(WebhookRequestTest, TheBodyOfJsonIsTheResult) {
  WebhookSinkSpec spec = SomeHook();
  EXPECT_THAT(MakeWebhookRequest(spec, kAnswer, seconds(5)).headers,
              ElementsAre("Content-Type: application/json",
                          "Idempotency-Key: x/w/2026-01-01T00:05:00.000Z"));
  EXPECT_EQ(MakeWebhookRequest(spec, kAnswer, seconds(5)).body, kAnswer.value);
  spec.secret.text = "key";
  EXPECT_EQ(MakeWebhookRequest(spec, kAnswer, seconds(5)).headers.at(2),
            "Sash-Signature: " + WebhookSignature("key", seconds(5), kAnswer.value));
}

TEST(WebhookRequestTest, AnEventHasTheResultAsItsData) {
  WebhookSinkSpec spec = SomeHook();
  spec.format = WebhookSinkSpec::Format::kCloudEvents;
  const WebhookRequest request = MakeWebhookRequest(spec, kAnswer, seconds(5));
  EXPECT_EQ(request.headers.at(0), "Content-Type: application/cloudevents+json; charset=utf-8");
  EXPECT_EQ(request.body,
            R"({"specversion":"1.0","id":"x/w/2026-01-01T00:05:00.000Z","source":"/sash/hook",)"
            R"("type":"sash.result","subject":"x","time":"2026-01-01T00:05:00.000Z",)"
            R"("datacontenttype":"application/json","data":{"schema":1}})");
}

TEST(WebhookRequestTest, AWindowByEventsHasNoTime) {
  WebhookSinkSpec spec = SomeHook();
  spec.format = WebhookSinkSpec::Format::kCloudEvents;
  spec.content = SinkContent::kDiffs;
  const Outbox::Message message{
      .id = 1, .key = R"({"job":"x","window":"w","accepted":17})", .value = "{}"};
  EXPECT_EQ(MakeWebhookRequest(spec, message, seconds(5)).body,
            R"({"specversion":"1.0","id":"x/w/17","source":"/sash/hook","type":"sash.diff",)"
            R"("subject":"x","datacontenttype":"application/json","data":{}})");
}

TEST(WebhookRequestTest, TheKeyOfAnAlertHasItsSubject) {
  const std::string head = R"({"job":"x","window":"w","alert":"risen","subject":")";
  EXPECT_EQ(IdempotencyKey(head + R"(al/ice","accepted":17})"), "x/w/risen/al%2Fice/17");
  const std::string first = IdempotencyKey(head + std::string(5000, 'a') + R"(b","accepted":17})");
  const std::string second = IdempotencyKey(head + std::string(5000, 'a') + R"(c","accepted":17})");
  EXPECT_TRUE(first.starts_with("x/w/risen/sha256:"));
  EXPECT_EQ(first.size(), std::string("x/w/risen/sha256:/17").size() + 64);
  EXPECT_NE(first, second);
}

TEST(WebhookRequestTest, OnlyTheReceiversFinalRefusalsArePermanent) {
  for (const long status : {200, 201, 204})
    EXPECT_EQ(OutcomeOf(status), WebhookOutcome::kDelivered);
  for (const long status : {408, 425, 429, 500, 503, 599}) {
    EXPECT_EQ(OutcomeOf(status), WebhookOutcome::kRetry);
  }
  for (const long status : {301, 307, 400, 401, 404, 410, 422}) {
    EXPECT_EQ(OutcomeOf(status), WebhookOutcome::kPark);
  }
}

}  // namespace
}  // namespace sash

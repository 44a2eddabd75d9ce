// sinks[].webhook: addresses, secrets and headers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <variant>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string WithHook(const std::string& keys) {
  return Replaced(kGood, "- file: {path: out.jsonl, jobs: [j]}", "- webhook: {" + keys + "}");
}
WebhookSinkSpec HookOf(const Config& config) {
  return std::get<WebhookSinkSpec>(config.sinks.at(0));
}
// The errors of a hook with these keys, one a line.
std::string HookErrors(const std::string& keys) {
  std::string errors;
  for (const ConfigError& error : ParseConfig(WithHook(keys), "").errors) {
    errors += error.key + ": " + error.message + "\n";
  }
  return errors;
}

TEST(WebhookConfigTest, ANameAndAnAddressAreEnough) {
  const WebhookSinkSpec hook = HookOf(ParseGood(WithHook("name: h, url: \"https://a.example/x\"")));
  EXPECT_EQ(hook.url, "https://a.example/x");
  EXPECT_EQ(hook.outbox.path, "outbox-h");
  EXPECT_EQ(hook.outbox.limit_bytes, 256u << 20);
  EXPECT_EQ(hook.format, WebhookSinkSpec::Format::kJson);
  EXPECT_EQ(hook.timeout, std::chrono::seconds(15));
  EXPECT_TRUE(hook.secret.text.empty());
  EXPECT_TRUE(hook.jobs.empty());
}

TEST(WebhookConfigTest, SecretsAreShownAsTheirReferences) {
  ::setenv("SASH_TEST_HOOK", "hunter2", 1);
  const Config config = ParseGood(
      WithHook("name: h, url: \"https://a.example\", secret: \"${env:SASH_TEST_HOOK}\", headers: "
               "{Authorization: \"${env:SASH_TEST_HOOK}\", X-Token: plain, X-Team: fraud}"));
  EXPECT_EQ(HookOf(config).secret.text, "hunter2");
  EXPECT_EQ(HookOf(config).headers.at("Authorization").text, "hunter2");
  const std::string printed = PrintConfig(config);
  EXPECT_THAT(printed, HasSubstr("secret: \"${env:SASH_TEST_HOOK}\""));
  EXPECT_THAT(printed, HasSubstr("fraud"));
  EXPECT_THAT(printed, Not(HasSubstr("hunter2")));
  EXPECT_THAT(printed, Not(HasSubstr("plain")));
}

TEST(WebhookConfigTest, PlainHttpWithASecretIsOnlyForThisHost) {
  constexpr const char* kReadable = "others on the way can read";
  for (const std::string url : {"http://a.example", "http://127.evil.example", "http://1.2.3.4"}) {
    EXPECT_THAT(HookErrors("name: h, secret: s, url: \"" + url + "\""), HasSubstr(kReadable));
    EXPECT_THAT(HookErrors("name: h, headers: {Authorization: t}, url: \"" + url + "\""),
                HasSubstr(kReadable));
    EXPECT_EQ(HookErrors("name: h, url: \"" + url + "\""), "");
  }
  for (const std::string url : {"http://localhost:8080/x", "http://127.0.0.1", "http://[::1]:1"}) {
    EXPECT_EQ(HookErrors("name: h, secret: s, url: \"" + url + "\""), "");
  }
}

TEST(WebhookConfigTest, WrongAddressesAndHeadersAreRefused) {
  EXPECT_THAT(HookErrors("name: h"), HasSubstr("url: is required"));
  for (const char* url : {"ftp://a", "https://", "a.example", "https:///x"}) {
    EXPECT_THAT(HookErrors(std::string("name: h, url: \"") + url + "\""),
                HasSubstr("must begin with http:// or https://"));
  }
  EXPECT_THAT(HookErrors("name: h, url: \"https://me:pw@a.example\""),
              HasSubstr("must not hold a user or a password"));
  const std::string hook = "name: h, url: \"https://a.example\", ";
  EXPECT_THAT(HookErrors(hook + "headers: {Idempotency-Key: x}"), HasSubstr("sets this header"));
  EXPECT_THAT(HookErrors(hook + "headers: {\"A: b\": x}"), HasSubstr("not the name of a header"));
  EXPECT_THAT(HookErrors(hook + "headers: {A: \"x\\r\\nB: y\"}"), HasSubstr("cannot hold"));
  EXPECT_THAT(HookErrors(hook + "headers: {A: \"\"}"), HasSubstr("is empty"));
  EXPECT_THAT(HookErrors(hook + "headers: {A: \" \\t\"}"), HasSubstr("is empty"));
  EXPECT_THAT(HookErrors("name: h, url: \"http://a.example\", ca: c.pem"),
              HasSubstr("need https://"));
}

TEST(WebhookConfigTest, TwoHooksShareNeitherNameNorOutbox) {
  EXPECT_THAT(HookErrors("name: h, url: \"https://a.example\"}\n  - webhook: {name: h, url: "
                         "\"https://b.example\""),
              HasSubstr("`h` is taken by an earlier item"));
  EXPECT_THAT(HookErrors("name: h, url: \"https://a.example\"}\n  - webhook: {name: i, url: "
                         "\"https://b.example\", outbox: {path: outbox-h}"),
              HasSubstr("is used by sinks[0].webhook already"));
}

}  // namespace
}  // namespace sash

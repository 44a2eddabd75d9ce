#include "daemon/http/access.h"

#include <gtest/gtest.h>

#include "daemon/http/client_rates.h"
#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using Headers = std::map<std::string, std::string, std::less<>>;

const std::string kRead = "0123456789abcdef";
const std::string kAdmin = "fedcba9876543210";

class AccessTest : public ::testing::Test {
 protected:
  // The status of the refusal; 200: the request is admitted.
  int Ask(Access& access, std::string method, Headers headers = {},
          std::string client = "127.0.0.1") {
    headers.emplace("host", "localhost:9640");
    HttpRequest request{.method = std::move(method), .headers = std::move(headers)};
    request.client = std::move(client);
    const auto refusal = access.Admit(request);
    return refusal ? refusal->status : 200;
  }

  ManualClock clock_;
  Access open_{std::nullopt, clock_};
  Access guarded_{AccessTokens{kRead, kAdmin}, clock_};
};

TEST_F(AccessTest, WithoutTokensThisMachineMayChangeThings) {
  for (const char* host : {"localhost:9640", "127.0.0.1:9640", "127.1.2.3", "[::1]:9640"}) {
    EXPECT_EQ(Ask(open_, "POST", {{"host", host}}), 200) << host;
  }
}

TEST_F(AccessTest, PagesOfOthersMayNotChangeThings) {
  EXPECT_EQ(Ask(open_, "POST", {{"origin", "http://localhost:9640"}}), 200) << "its own page";
  EXPECT_EQ(Ask(open_, "POST", {{"origin", "https://evil.example"}}), 403);
  EXPECT_EQ(Ask(open_, "DELETE", {{"origin", "http://localhost:8080"}}), 403) << "another port";
  EXPECT_EQ(Ask(open_, "POST", {{"origin", "null"}}), 403);
  EXPECT_EQ(Ask(open_, "POST", {{"sec-fetch-site", "cross-site"}}), 403);
  EXPECT_EQ(Ask(open_, "GET", {{"origin", "https://evil.example"}}), 200)
      << "the browser does not give the page the answer";
}

TEST_F(AccessTest, NamesThatOthersChooseForThisMachineAreRefused) {
  for (const char* host : {"evil.example:9640", "evil.example", "127.0.0.1.evil.example", "[::1",
                           "[fe80::1]:9640", "10.0.0.1", "localhost, evil.example"}) {
    for (const char* method : {"GET", "HEAD", "POST", "DELETE"}) {
      EXPECT_EQ(Ask(open_, method, {{"host", host}}), 403) << method << ' ' << host;
      EXPECT_EQ(Ask(open_, method, {{"host", host}, {"origin", std::string("http://") + host}}),
                403);
    }
    EXPECT_EQ(Ask(guarded_, "GET", {{"host", host}, {"authorization", "Bearer " + kRead}}), 200)
        << "DNS rebinding: the page has no token";
  }
  EXPECT_EQ(Ask(open_, "GET", {{"host", ""}}), 200) << "browsers always send a host";
}

TEST_F(AccessTest, WhatIsOpenToEverybodyIsOpenByAnyName) {
  HttpRequest request{.method = "GET"};
  request.headers["host"] = "sashd:9641";
  EXPECT_FALSE(open_.AdmitToOpen(request).has_value());
}

TEST_F(AccessTest, WithTokensEveryRequestNeedsOneAndChangesThatOfTheAdministrator) {
  const auto with = [&](const std::string& method, const std::string& authorization) {
    return Ask(guarded_, method, {{"authorization", authorization}, {"host", "sash.example"}});
  };
  for (const char* method : {"GET", "HEAD", "POST", "DELETE", "OPTIONS"}) {
    EXPECT_EQ(Ask(guarded_, method), 401) << method;
    EXPECT_EQ(with(method, "Bearer wrong"), 401);
    EXPECT_EQ(with(method, "Bearer " + kAdmin), 200) << method;
  }
  EXPECT_EQ(with("GET", std::string("bearer ") + kRead), 200);
  EXPECT_EQ(with("HEAD", "Bearer " + kRead), 200);
  EXPECT_EQ(with("POST", "Bearer " + kRead), 403);
  for (const std::string& wrong : {std::string(), std::string("Bearer "), std::string("Bearer"),
                                   kRead, std::string("Basic !"), std::string("Digest x")}) {
    EXPECT_EQ(with("GET", wrong), 401) << wrong;
  }
  EXPECT_EQ(with("GET", "Bearer " + kRead + "0"), 401) << "longer";
  EXPECT_EQ(with("GET", "Bearer " + kRead + kRead), 401) << "twice";
  EXPECT_EQ(with("GET", "Bearer " + kRead.substr(1)), 401);
}

TEST_F(AccessTest, LookingIntoTheProcessIsForTheAdministratorAndForNoPageOfOthers) {
  HttpRequest request{.method = "GET", .path = {"api", "v1", "debug", "heap"}};
  request.headers = {{"host", "localhost"}};
  const auto ask = [&](Access& access) {
    const auto refusal = access.Admit(request);
    return refusal ? refusal->status : 200;
  };
  EXPECT_EQ(ask(open_), 200);
  EXPECT_EQ(ask(guarded_), 401);
  request.headers["authorization"] = "Bearer " + kRead;
  EXPECT_EQ(ask(guarded_), 403);
  request.headers["authorization"] = "Bearer " + kAdmin;
  EXPECT_EQ(ask(guarded_), 200);
  request.headers["sec-fetch-site"] = "cross-site";
  EXPECT_EQ(ask(open_), 403);
  EXPECT_EQ(ask(guarded_), 403);
}

TEST_F(AccessTest, BrowsersGiveTheTokenAsAPassword) {
  // "me:0123456789abcdef", "me:fedcba9876543210"
  EXPECT_EQ(Ask(guarded_, "GET", {{"authorization", "Basic bWU6MDEyMzQ1Njc4OWFiY2RlZg=="}}), 200);
  EXPECT_EQ(Ask(guarded_, "POST", {{"authorization", "Basic bWU6ZmVkY2JhOTg3NjU0MzIxMA=="}}), 200);
  EXPECT_EQ(Ask(guarded_, "POST",
                {{"authorization", "Basic bWU6ZmVkY2JhOTg3NjU0MzIxMA=="},
                 {"origin", "https://evil.example"}}),
            403)
      << "browsers add it to requests of any page";
}

TEST_F(AccessTest, ARefusalSaysHowToGetInAndNoToken) {
  HttpRequest request{.method = "GET"};
  request.headers["authorization"] = "Bearer a-secret-of-somebody";
  const auto refusal = guarded_.Admit(request);
  ASSERT_TRUE(refusal.has_value());
  ASSERT_EQ(refusal->headers.size(), 2u) << "Chromium does not parse a list in one line";
  for (const auto& [name, value] : refusal->headers) EXPECT_EQ(name, "WWW-Authenticate");
  EXPECT_TRUE(refusal->headers[0].second.starts_with("Bearer "));
  EXPECT_TRUE(refusal->headers[1].second.starts_with("Basic "));
  for (const std::string& secret : {std::string("a-secret"), kRead, kAdmin}) {
    EXPECT_EQ(refusal->body.find(secret), std::string::npos);
  }
}

TEST_F(AccessTest, ThePageAsksForATokenItselfAndTheBrowserDoesNot) {
  HttpRequest request{.method = "GET"};
  request.headers = {{"sec-fetch-dest", "empty"}, {"sec-fetch-site", "same-origin"}};
  const auto refusal = guarded_.Admit(request);
  ASSERT_TRUE(refusal.has_value());
  ASSERT_EQ(refusal->headers.size(), 1u);
  EXPECT_TRUE(refusal->headers[0].second.starts_with("Bearer "));
  request.headers["sec-fetch-dest"] = "document";
  EXPECT_EQ(guarded_.Admit(request)->headers.size(), 2u);
}

TEST_F(AccessTest, AnAddressThatAsksTooOftenHasToWaitAndOthersDoNot) {
  int admitted = 0;
  while (Ask(open_, "GET", {}, "10.0.0.1") == 200) ++admitted;
  EXPECT_EQ(admitted, static_cast<int>(ClientRates::kBurst));
  EXPECT_EQ(Ask(open_, "GET", {}, "10.0.0.1"), 429);
  EXPECT_EQ(Ask(open_, "GET", {}, "10.0.0.2"), 200);
  clock_.Advance(std::chrono::seconds(1));
  for (int i = 0; i < static_cast<int>(ClientRates::kPerSecond); ++i) {
    EXPECT_EQ(Ask(open_, "GET", {}, "10.0.0.1"), 200);
  }
  EXPECT_EQ(Ask(open_, "GET", {}, "10.0.0.1"), 429);
  for (int i = 0; i < 2 * static_cast<int>(ClientRates::kBurst); ++i) {
    EXPECT_EQ(Ask(open_, "GET"), 200) << "requests from this machine";
  }
}

TEST(ClientRatesTest, ANetworkOfIpv6IsOneClientAndTheNumberOfClientsIsBounded) {
  ClientRates rates;
  const SteadyTime now{};
  for (int i = 0; i < 1000; ++i) {
    (void)rates.Take("2001:db8::" + std::to_string(i % 10), now);
  }
  EXPECT_EQ(rates.clients(), 1u);
  EXPECT_TRUE(rates.Take("2001:db8::ffff", now).has_value());
  EXPECT_FALSE(rates.Take("2001:db8:0:1::1", now).has_value());
  for (int i = 0; i < 30'000; ++i) {
    (void)rates.Take("10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250), now);
    ASSERT_LE(rates.clients(), ClientRates::kMostClients);
  }
}

}  // namespace
}  // namespace sash

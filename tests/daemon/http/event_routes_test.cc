#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/daemon/http/http_client.h"
#include "tests/daemon/http/served_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

class EventRoutesTest : public ServedDaemon {
 protected:
  EventRoutesTest() {
    daemon_.events.OnAdded([this] { server_.Wake(); });
  }

  // Opens a reader and reads its headers and greeting.
  std::unique_ptr<HttpClient> Follow(const std::string& query = "",
                                     const std::string& headers = "") {
    auto client = std::make_unique<HttpClient>(server_.port());
    client->Send("GET /api/v1/events" + query + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n");
    EXPECT_THAT(client->AwaitText("\n\n"), HasSubstr("retry: 1000\nid: e-"));
    return client;
  }

  void Advance() {
    daemon_.Add(std::string("a"), std::string("b"), seconds_);
    seconds_ += 10;
    daemon_.Process();
  }

  double seconds_ = 1;
};

TEST_F(EventRoutesTest, AdvancesAndResultsComeAsTheyHappen) {
  const auto reader = Follow();
  Advance();
  Advance();  // the first window of each is published
  const std::string text = reader->AwaitText("\"job\":\"shape\"");
  EXPECT_THAT(text, HasSubstr("event: advance\ndata: {\"name\":\"now\",\"snapshot\":1,"));
  EXPECT_THAT(text, HasSubstr("event: result\ndata: {\"job\":\"ranks\",\"snapshot\":1,"));
  EXPECT_LT(text.find("event: advance"), text.find("event: result"));
}

TEST_F(EventRoutesTest, TheAnswerIsAnEventStreamThatNobodyKeeps) {
  HttpClient client(server_.port());
  const HttpReply head = client.Request("HEAD", "/api/v1/events");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-type"), "text/event-stream");
  EXPECT_EQ(head.headers.at("cache-control"), "no-store");
}

TEST_F(EventRoutesTest, WhoComesBackMeetsWhatHappenedMeanwhile) {
  for (int i = 1; i <= 4; ++i) daemon_.events.Add("ready", "{\"n\":" + std::to_string(i) + "}");
  for (const auto& [query, headers] :
       {std::pair("", "Last-Event-ID: e-2\r\n"), std::pair("?after=e-2", ""),
        std::pair("?after=e-4", "Last-Event-ID: e-2\r\n")}) {
    const std::string text = Follow(query, headers)->AwaitText("{\"n\":4}\n\n");
    EXPECT_THAT(text, HasSubstr("id: e-3\nevent: ready\ndata: {\"n\":3}\n\n"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("{\"n\":2}")));
  }
  EXPECT_THAT(Follow("?after=start")->AwaitText("{\"n\":4}"), HasSubstr("id: e-1\n"));
  EXPECT_THAT(Follow("?after=older-9")->AwaitText("{\"n\":4}"),
              HasSubstr("event: missed\ndata: {\"events\":null}"));
}

TEST_F(EventRoutesTest, WhatIsNoIdIsABadRequest) {
  for (const auto& [query, headers, message] :
       {std::tuple("?after=x", "", "after (an id, or start): 'x' is not the id"),
        std::tuple("", "Last-Event-ID: 7\r\n", "Last-Event-ID: '7' is not the id")}) {
    const HttpReply reply =
        HttpClient(server_.port()).Request("GET", "/api/v1/events" + std::string(query), headers);
    EXPECT_EQ(reply.status, 400);
    EXPECT_THAT(Json::parse(reply.body).at("error").at("message").get<std::string>(),
                HasSubstr(message));
  }
}

TEST_F(EventRoutesTest, ReadersBeyondTheLimitAreRefusedAndRequestsGoOn) {
  std::vector<std::unique_ptr<HttpClient>> readers;
  for (int i = 0; i < 128; ++i) readers.push_back(Follow());
  HttpClient client(server_.port());
  const HttpReply refused = client.Request("GET", "/api/v1/events");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(Json::parse(refused.body).at("error").at("code"), "too_many_readers");
  EXPECT_EQ(refused.headers.at("retry-after"), "10");
  EXPECT_EQ(client.Request("GET", "/api/v1/windows").status, 200);
  daemon_.events.Add("ready", "{\"n\":1}");
  for (const auto& reader : readers) EXPECT_THAT(reader->AwaitText("{\"n\":1}"), HasSubstr("e-1"));
}

// No event is written to them in the meantime.
TEST_F(EventRoutesTest, SilentReadersThatLeaveMakeRoomAtOnce) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<HttpClient>> readers;
    for (int i = 0; i < 128; ++i) readers.push_back(Follow());
    EXPECT_EQ(Get(server_.port(), "/api/v1/events").status, 503);
  }
  EXPECT_EQ(Get(server_.port(), "/api/v1/windows").status, 200);
}

TEST_F(EventRoutesTest, AReaderThatLeavesMakesRoomForOne) {
  std::vector<std::unique_ptr<HttpClient>> readers;
  for (int i = 0; i < 128; ++i) readers.push_back(Follow());
  for (std::size_t i = 0; i < readers.size(); i += 17) {
    readers[i].reset();
    readers[i] = Follow();
    EXPECT_EQ(Get(server_.port(), "/api/v1/events").status, 503);
  }
  daemon_.events.Add("ready", "{\"n\":1}");
  for (const auto& reader : readers) EXPECT_THAT(reader->AwaitText("{\"n\":1}"), HasSubstr("e-1"));
}

}  // namespace
}  // namespace sash

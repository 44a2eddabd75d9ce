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

class TapRoutesTest : public ServedDaemon {
 protected:
  explicit TapRoutesTest(KeyKind kind = KeyKind::kString)
      : ServedDaemon(kind, kind == KeyKind::kString ? std::vector<VertexKey>{std::string("a")}
                                                    : std::vector<VertexKey>{std::int64_t{-5}}) {
    daemon_.tap.OnFilled([this] { server_.Wake(); });
  }

  std::unique_ptr<HttpClient> Follow(const std::string& query = "") {
    auto client = std::make_unique<HttpClient>(server_.port());
    client->Send("GET /api/v1/tap" + query + " HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::string greeting = client->AwaitText("\n\n");
    EXPECT_THAT(greeting, HasSubstr("text/event-stream"));
    EXPECT_THAT(greeting, HasSubstr("retry: 1000"));
    return client;
  }

  std::string Refusal(const std::string& query, int status) {
    const HttpReply reply = HttpClient(server_.port()).Request("GET", "/api/v1/tap" + query);
    EXPECT_EQ(reply.status, status) << reply.body;
    return reply.status == 200 ? "" : Json::parse(reply.body).at("error").at("message");
  }
};

TEST_F(TapRoutesTest, EdgesAreToldWithTheirPlace) {
  const auto reader = Follow();
  daemon_.Add(std::string("a"), std::string("b\n\""), 1.5, Weight::Real(0.5));
  daemon_.Process();
  EXPECT_THAT(
      reader->AwaitText("}\n\n"),
      HasSubstr("event: edge\ndata: {\"source\":\"a\",\"target\":\"b\\n\\\"\",\"weight\":0.5,"
                "\"operation\":\"add\",\"time\":\"2026-01-01T00:00:01.500Z\","
                "\"topic\":\"interactions\",\"partition\":0,\"offset\":0,\"skipped\":0}\n\n"));
}

TEST_F(TapRoutesTest, AnEdgeNamesItsMapping) {
  daemon_.source_status.mappings = {{"paid"}, {"device"}};
  const auto reader = Follow();
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.Process();
  EXPECT_THAT(reader->AwaitText("}\n\n"), HasSubstr("\"offset\":0,\"mapping\":\"paid\","));
}

TEST_F(TapRoutesTest, AnEdgeHasItsType) {
  const auto reader = Follow();
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.SetType("paid");
  daemon_.Process();
  EXPECT_THAT(reader->AwaitText("}\n\n"), HasSubstr("\"weight\":1,\"type\":\"paid\","));
}

TEST_F(TapRoutesTest, AReaderMayWantOneVertex) {
  const auto reader = Follow("?key=c%2Fd&rate=1");
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.Add(std::string("a"), std::string("c/d"), 2);
  daemon_.Process();
  const std::string text = reader->AwaitText("}\n\n");
  EXPECT_THAT(text, HasSubstr("\"target\":\"c/d\""));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("\"target\":\"b\"")));
}

TEST_F(TapRoutesTest, WrongWishesAreBadRequests) {
  EXPECT_THAT(Refusal("?rate=0", 400), HasSubstr("rate"));
  EXPECT_THAT(Refusal("?rate=1001", 400), HasSubstr("rate"));
  EXPECT_THAT(Refusal("?count=1", 400), HasSubstr("unknown parameter 'count'"));
}

class IntegerTapRoutesTest : public TapRoutesTest {
 protected:
  IntegerTapRoutesTest() : TapRoutesTest(KeyKind::kInteger) {}
};

TEST_F(IntegerTapRoutesTest, OfAStreamOfIntegersAKeyIsOne) {
  EXPECT_THAT(Refusal("?key=x", 400), HasSubstr("64-bit integers"));
  const auto reader = Follow("?key=-5");
  daemon_.Add(std::int64_t{-5}, std::int64_t{7}, 1);
  daemon_.Process();
  EXPECT_THAT(reader->AwaitText("}\n\n"), HasSubstr("{\"source\":-5,\"target\":7,\"weight\":1,"));
}

TEST_F(TapRoutesTest, ReadersBeyondTheLimitAreRefusedUntilOneHasLeft) {
  std::vector<std::unique_ptr<HttpClient>> readers;
  for (std::size_t i = 0; i < EdgeTap::kMostReaders; ++i) readers.push_back(Follow());
  const HttpReply refused = HttpClient(server_.port()).Request("GET", "/api/v1/tap");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.at("retry-after"), "10");
  EXPECT_EQ(Json::parse(refused.body).at("error").at("code"), "too_many_readers");
  readers.clear();
  for (;;) {
    daemon_.Add(std::string("a"), std::string("b"), 1);
    daemon_.Process();
    const HttpReply head = HttpClient(server_.port()).Request("HEAD", "/api/v1/tap");
    if (head.status == 200) break;
    ASSERT_EQ(head.status, 503);
  }
}

}  // namespace
}  // namespace sash

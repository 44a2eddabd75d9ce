#include "connectors/sinks/kafka/topic_producer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <set>

#include "connectors/sinks/result_key.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/topic_contents.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Outcome = TopicProducer::Outcome;

constexpr int kProduceRequest = 0;  // the API key

class TopicProducerTest : public ::testing::Test {
 protected:
  TopicProducerTest() { kafka_.CreateTopic("results"); }

  std::unique_ptr<TopicProducer> Open(std::map<std::string, std::string> options = {}) {
    auto opened = TopicProducer::Open(kafka_.brokers(), "results", options);
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }
  static void Send(TopicProducer& producer, std::uint64_t id, const std::string& key) {
    const auto sent = producer.Send(id, {.key = key, .value = "{}"});
    ASSERT_TRUE(sent.ok());
    ASSERT_EQ(sent.value(), TopicProducer::Sent::kTaken);
  }
  // Waits for the reports on `count` messages; returns the outcomes by id.
  static std::map<std::uint64_t, Outcome> Await(TopicProducer& producer, std::size_t count) {
    std::map<std::uint64_t, Outcome> outcomes;
    const auto deadline = std::chrono::steady_clock::now() + seconds(60);
    while (outcomes.size() < count && std::chrono::steady_clock::now() < deadline) {
      for (const auto& report : producer.Poll(milliseconds(100))) {
        EXPECT_TRUE(outcomes.emplace(report.id, report.outcome).second) << report.id;
      }
    }
    EXPECT_EQ(outcomes.size(), count);
    return outcomes;
  }
  static std::string Key(const std::string& job, int end) {
    return R"({"job":")" + job + R"(","window":"w","window_end":")" + std::to_string(end) + "\"}";
  }

  MockKafka kafka_;
};

TEST_F(TopicProducerTest, ReportsEachMessageOnceAndKeepsTheOrderOfAJob) {
  const auto producer = Open();
  std::uint64_t id = 0;
  for (int end = 0; end < 20; ++end) {
    for (const char* job : {"a", "b", "c", "d", "e", "f"}) Send(*producer, id++, Key(job, end));
  }
  for (const auto& [number, outcome] : Await(*producer, id)) {
    EXPECT_EQ(outcome, Outcome::kDelivered) << number;
  }
  std::map<std::string, std::vector<std::string>> keys;  // by job
  std::map<std::string, std::set<int>> partitions;
  for (const ReadMessage& message : TopicContents(kafka_.brokers(), "results")) {
    const std::string job(OriginOfKey(message.key));
    keys[job].push_back(message.key);
    partitions[job].insert(message.partition);
  }
  ASSERT_EQ(keys.size(), 6u);
  std::set<int> used;
  for (const auto& [job, in_order] : keys) {
    ASSERT_EQ(in_order.size(), 20u);
    for (int end = 0; end < 20; ++end) {
      EXPECT_THAT(in_order[static_cast<std::size_t>(end)],
                  ::testing::HasSubstr("\"" + std::to_string(end) + "\""));
    }
    EXPECT_EQ(partitions[job].size(), 1u);
    used.merge(partitions[job]);
  }
  EXPECT_GT(used.size(), 1u);  // jobs spread
}

TEST_F(TopicProducerTest, TellsWhatCanBeTriedAgainFromWhatCannot) {
  const std::pair<int, Outcome> cases[] = {
      {RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, Outcome::kTooLarge},
      {RD_KAFKA_RESP_ERR_INVALID_RECORD, Outcome::kRefused},
      {RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, Outcome::kFailed}};
  for (const auto& [error, outcome] : cases) {
    const auto producer = Open();
    kafka_.FailRequests(kProduceRequest, error, 1);
    Send(*producer, 7, Key("a", 1));
    EXPECT_EQ(Await(*producer, 1).at(7), outcome) << error;
  }
}

// A broker that has refused the first batch takes the second one, which was on its way. On a slow
// machine it may not be on its way yet.
TEST_F(TopicProducerTest, ADeliveredMessageIsInTheTopicAlthoughOnlyLaterOnesWereTaken) {
  bool has_skipped = false;
  for (int attempt = 0; attempt < 5 && !has_skipped; ++attempt) {
    const auto producer = Open({{"batch.num.messages", "1"}, {"linger.ms", "0"}});
    kafka_.FailRequests(kProduceRequest, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, 1);
    std::vector<std::string> keys;
    for (int end = 0; end < 4; ++end) {
      keys.push_back(Key("a", 10 * attempt + end));
      Send(*producer, keys.size() - 1, keys.back());
    }
    const std::map<std::uint64_t, Outcome> outcomes = Await(*producer, keys.size());
    std::set<std::string> there;
    for (const ReadMessage& message : TopicContents(kafka_.brokers(), "results")) {
      there.insert(message.key);
    }
    for (const auto& [id, outcome] : outcomes) {
      const bool is_there = there.contains(keys.at(id));
      EXPECT_EQ(outcome, is_there ? Outcome::kDelivered : Outcome::kFailed) << keys.at(id);
      has_skipped = has_skipped || !is_there;
    }
  }
  EXPECT_TRUE(has_skipped) << "nothing is tested";
}

TEST_F(TopicProducerTest, WithoutAcknowledgementsNoBrokerTellsAnOffset) {
  const auto producer = Open({{"enable.idempotence", "false"}, {"acks", "0"}});
  Send(*producer, 3, Key("a", 1));
  EXPECT_EQ(Await(*producer, 1).at(3), Outcome::kDelivered);
}

TEST_F(TopicProducerTest, RefusesWhatIsTooLargeBeforeItIsSent) {
  const auto producer = Open({{"message.max.bytes", "2000"}});
  const auto sent = producer->Send(1, {.key = Key("a", 1), .value = std::string(3000, 'x')});
  ASSERT_TRUE(sent.ok());
  EXPECT_EQ(sent.value(), TopicProducer::Sent::kTooLarge);
}

TEST_F(TopicProducerTest, AProbeTellsBrokersThatAreAwayFromATopicThatIsWrong) {
  const auto producer = Open();
  EXPECT_TRUE(producer->Probe(seconds(20)).ok());
  kafka_.SetTopicError("results", RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  const Status forbidden = producer->Probe(seconds(20));
  ASSERT_FALSE(forbidden.ok());
  EXPECT_EQ(forbidden.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(forbidden.error().message, ::testing::HasSubstr("topic results: Broker: Topic auth"));
  kafka_.SetDown();
  const Status down = producer->Probe(milliseconds(500));
  ASSERT_FALSE(down.ok());
  EXPECT_EQ(down.error().code, ErrorCode::kUnavailable);
}

TEST(OriginOfKeyTest, IsAllButTheLastMember) {
  EXPECT_EQ(OriginOfKey(R"({"job":"a","window":"w","accepted":7})"), R"({"job":"a","window":"w")");
  EXPECT_EQ(
      OriginOfKey(R"({"job":"a","window":"w","window_end":"t","cut":{"x":{"0":1,"2":4},"y":{}}})"),
      R"({"job":"a","window":"w")");
  EXPECT_EQ(OriginOfKey(R"({"job":"a,\"b","window":"w","window_end":"t"})"),
            R"({"job":"a,\"b","window":"w")");
  EXPECT_EQ(OriginOfKey(R"({"job":"a","window":"w","window_end":"t","past":true})"),
            R"({"job":"a","window":"w")");
  EXPECT_EQ(OriginOfKey("text"), "text");
}

TEST(OriginOfKeyTest, OfARowIsThatOfItsResult) {
  for (const std::string result :
       {R"({"job":"a","window":"w","accepted":7})", R"({"job":"a","window":"w","window_end":"t"})",
        R"({"job":"a","window":"w","accepted":7,"past":true})"}) {
    EXPECT_EQ(OriginOfKey(RowKey(result, 12)), OriginOfKey(result));
  }
}

TEST(MostMessageBytesTest, IsTheOptionOrLibrdkafkasDefault) {
  EXPECT_EQ(MostMessageBytes({}), 1'000'000u);
  EXPECT_EQ(MostMessageBytes({{"message.max.bytes", "5000000"}}), 5'000'000u);
}

}  // namespace
}  // namespace sash

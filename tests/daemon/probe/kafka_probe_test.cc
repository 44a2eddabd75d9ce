// Uses librdkafka's in-process cluster.
#include "daemon/probe/kafka_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include "daemon/probe/broker_probe.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/daemon/probe/found.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr EventTime kNow = EventTime(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));

SourceConfig Source(const std::string& brokers) {
  SourceConfig source;
  KafkaSpec kafka;
  kafka.brokers = brokers;
  kafka.topics = {"edges"};
  source.connector = kafka;
  source.format.mapping =
      JsonMapping{.source = "/a", .target = "/b", .weight = {}, .time = "/t", .operation = {}};
  return source;
}

std::vector<std::string> Probed(const SourceConfig& source) {
  testing::Found found;
  KafkaProbe(kNow, found.findings).Source(source, std::get<KafkaSpec>(source.connector));
  return found.lines;
}

TEST(KafkaProbeTest, AGoodTopicIsShownWithItsOffsetsAndItsNewestRecord) {
  MockKafka kafka;
  kafka.CreateTopic("edges", 2);
  TestProducer producer(kafka.brokers());
  producer.Send("edges", 0, R"({"a":"old","b":"x","t":1767225600000})", {}, 1000);
  producer.Send("edges", 1, R"({"a":"u","b":"v","t":1767225601000})", {}, 3000);
  producer.Send("edges", 0, R"({"a":"older","b":"x","t":1767225600000})", {}, 2000);
  producer.Flush();
  EXPECT_THAT(
      Probed(Source(kafka.brokers())),
      ElementsAre(AllOf(StartsWith("ok       source.kafka.brokers: "), HasSubstr(" answers; ")),
                  "ok       source.kafka.topics[0] edges: 2 partitions with 3 offsets: [0] 0..2, "
                  "[1] 0..1",
                  "ok       source.kafka.topics[0] edges: the newest record, edges [1] offset 0: "
                  "\"u\" -> \"v\", weight 1, event time 2026-01-01T00:00:01.000Z, add",
                  "ok       source.kafka.group sash: may be read; nothing is committed yet"));
}

TEST(KafkaProbeTest, ASampleThatDoesNotDecodeIsNamedWithItsReason) {
  MockKafka kafka;
  kafka.CreateTopic("edges", 1);
  TestProducer producer(kafka.brokers());
  producer.Send("edges", 0, R"({"a":"u","b":"v","t":"noon"})");
  producer.Flush();
  EXPECT_THAT(Probed(Source(kafka.brokers())),
              Contains(AllOf(StartsWith("error    source.kafka.topics[0] edges: the newest record, "
                                        "edges [0] offset 0, does not decode: invalid_time: "),
                             HasSubstr("fix source.format"))));
}

TEST(KafkaProbeTest, AFramedSampleIsNamedWithARemedy) {
  MockKafka kafka;
  kafka.CreateTopic("edges", 1);
  TestProducer producer(kafka.brokers());
  producer.Send("edges", 0, std::string("\0\0\0\x01\x07{}", 7));
  producer.Flush();
  EXPECT_THAT(Probed(Source(kafka.brokers())),
              Contains(AllOf(StartsWith("error "), HasSubstr("schema id 263"),
                             HasSubstr("schemas.enable=false"))));
}

TEST(KafkaProbeTest, KeysThatAreHardlyVerticesAreAWarning) {
  MockKafka kafka;
  kafka.CreateTopic("edges", 2);
  TestProducer producer(kafka.brokers());
  for (int i = 0; i < 60; ++i) {
    producer.Send("edges", i % 2,
                  R"({"a":"u)" + std::to_string(i) + R"(","b":"null","t":1767225600000})");
  }
  producer.Flush();
  EXPECT_THAT(Probed(Source(kafka.brokers())),
              Contains(AllOf(StartsWith("warning "), HasSubstr("\"null\" is in 60 of"))));
}

TEST(KafkaProbeTest, AnEmptyTopicAndATombstoneAreNoErrors) {
  MockKafka kafka;
  kafka.CreateTopic("edges", 1);
  EXPECT_THAT(Probed(Source(kafka.brokers())),
              AllOf(Contains(HasSubstr("it holds no record")), Each(Not(StartsWith("error")))));
  TestProducer producer(kafka.brokers());
  producer.Send("edges", 0, std::nullopt, "key");
  producer.Flush();
  EXPECT_THAT(Probed(Source(kafka.brokers())),
              Contains(AllOf(StartsWith("ok "), HasSubstr("source.format.tombstone ignores it"))));
}

TEST(KafkaProbeTest, ATopicThatIsMissingOrDeniedIsAnErrorWithItsRemedy) {
  MockKafka kafka;
  kafka.SetTopicError("edges", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  EXPECT_THAT(Probed(Source(kafka.brokers())),
              ElementsAre(StartsWith("ok "),
                          "error    source.kafka.topics[0] edges: there is no "
                          "topic edges; create it, or fix its name"));
  kafka.SetTopicError("edges", RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  EXPECT_THAT(
      Probed(Source(kafka.brokers())),
      ElementsAre(StartsWith("ok "), AllOf(StartsWith("error "), HasSubstr("authorization failed"),
                                           HasSubstr("have the broker's administrator grant it"))));
}

TEST(KafkaProbeTest, TopicsOfAPatternAreProbedOneByOne) {
  MockKafka kafka;
  SourceConfig source = Source(kafka.brokers());
  auto& spec = std::get<KafkaSpec>(source.connector);
  spec.topics.clear();
  spec.topic_pattern = "^pay-";
  EXPECT_THAT(Probed(source), Contains("warning  source.kafka.topics.pattern: `^pay-` matches no "
                                       "topic; sashd waits until there is one; is the pattern "
                                       "right?"));
  for (const char* topic : {"pay-b", "pay-a", "edges"}) kafka.CreateTopic(topic, 1);
  EXPECT_THAT(Probed(source),
              AllOf(Contains("ok       source.kafka.topics.pattern: `^pay-` matches 2 topics"),
                    Contains(StartsWith("ok       source.kafka.topics pay-a: ")),
                    Contains(StartsWith("ok       source.kafka.topics pay-b: ")),
                    Each(Not(HasSubstr("edges")))));
}

TEST(KafkaProbeTest, ABrokerThatIsNotThereIsAnErrorUnlessAnotherAnswers) {
  EXPECT_THAT(
      Probed(Source("127.0.0.1:1")),
      ElementsAre(AllOf(StartsWith("error    source.kafka.brokers: 127.0.0.1:1 does not "
                                   "answer: "),
                        HasSubstr("Connection refused"), HasSubstr("check host and port"))));
  MockKafka kafka;
  kafka.CreateTopic("edges", 1);
  EXPECT_THAT(Probed(Source("127.0.0.1:1," + kafka.brokers())),
              AllOf(Contains(AllOf(StartsWith("warning  source.kafka.brokers: 127.0.0.1:1"),
                                   HasSubstr("Connection refused"))),
                    Contains(HasSubstr("edges: 1 partitions")), Each(Not(StartsWith("error")))));
}

TEST(KafkaProbeTest, TheBrokersOfSeveralTopicsAreAskedOnce) {
  MockKafka kafka;
  kafka.CreateTopic("results", 3);
  kafka.SetTopicError("letters", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  testing::Found found;
  KafkaProbe probe(kNow, found.findings);
  probe.Destination("sinks[0].kafka", {.brokers = kafka.brokers(), .topic = "results"});
  probe.Destination("source.dead_letters", {.brokers = kafka.brokers(), .topic = "letters"});
  EXPECT_THAT(found.lines,
              ElementsAre(StartsWith("ok       sinks[0].kafka.brokers: "),
                          StartsWith("ok       sinks[0].kafka.topic results: 3 partitions"),
                          StartsWith("error    source.dead_letters.topic letters: there is no ")));
}

TEST(KafkaProbeTest, TheEmbeddedBrokerIsNotAsked) {
  EXPECT_THAT(Probed(Source("embedded")), ElementsAre(HasSubstr("nothing to test")));
}

TEST(KafkaProbeTest, CommitsBehindWhatIsRetainedAreAWarning) {
  const std::vector<ProbedPartition> partitions = {
      {.pair = {"t", 0}, .bounds = {.low = 10, .high = 30}},
      {.pair = {"t", 1}, .bounds = {.low = 0, .high = 5}},
      {.pair = {"t", 2}, .bounds = {.low = 0, .high = 0}}};
  EXPECT_EQ(JudgeCommits("g", partitions, {{{"t", 0}, 12, {}}, {{"t", 1}, 5, {}}}).ToString(),
            "ok       g: committed in 2 of 3 partitions, 18 records before their end");
  EXPECT_THAT(
      JudgeCommits("g", partitions, {{{"t", 0}, 4, {}}}).ToString(),
      AllOf(StartsWith("warning  g: "), HasSubstr("6 records after the commits were removed")));
  EXPECT_EQ(OffsetsText(partitions, 2), "[0] 10..30, [1] 0..5 and 1 more");
}

TEST(KafkaProbeTest, TheRemedyFollowsWhatIsWrong) {
  EXPECT_THAT(RemedyOf("_AUTHENTICATION", "SASL authentication failed", "o"), HasSubstr("sasl.*"));
  EXPECT_THAT(RemedyOf("_SSL", "handshake failed", "o"), HasSubstr("ssl.ca.location"));
  EXPECT_THAT(RemedyOf("_RESOLVE", "Failed to resolve", "o"), HasSubstr("check the name"));
  EXPECT_THAT(RemedyOf("", "Broker: Group authorization failed", "o"), HasSubstr("kafka-acls"));
  EXPECT_THAT(RemedyOf("_TRANSPORT", "refused", "o"), HasSubstr("host and port"));
}

}  // namespace
}  // namespace sash

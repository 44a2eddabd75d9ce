#include "daemon/infer/topic_sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/config/parse_config.h"
#include "daemon/infer/infer_file.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/daemon/infer/proposed.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TopicSampleTest : public ::testing::Test {
 protected:
  TopicSampleTest() { kafka_.CreateTopic("pay", 2); }

  KafkaSpec Spec() const {
    KafkaSpec spec;
    spec.brokers = kafka_.brokers();
    return spec;
  }
  void Send(int partition, std::optional<std::string_view> value, std::int64_t timestamp_ms) {
    producer_.Send("pay", partition, value, {}, timestamp_ms);
  }
  std::string Why() {
    producer_.Flush();
    const Result<SampleText> sample = ReadTopicSample(Spec(), "pay");
    return sample.ok() ? "" : sample.error().message;
  }

  MockKafka kafka_;
  TestProducer producer_{kafka_.brokers()};
};

TEST_F(TopicSampleTest, RecordsAreLinesInTheOrderOfTheirTimestamps) {
  Send(1, "{\"a\": 2,\r\n \"b\": 3}\n", 2000);
  Send(0, R"({"a": 1})", 1000);
  Send(0, std::nullopt, 1500);
  Send(0, "x;1\n", 3000);
  producer_.Flush();
  const Result<SampleText> sample = ReadTopicSample(Spec(), "pay");
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  EXPECT_EQ(sample.value().text, "{\"a\": 1}\n{\"a\": 2,   \"b\": 3}\nx;1\n");
  EXPECT_FALSE(sample.value().is_whole);
}

TEST_F(TopicSampleTest, TheProposalNamesTheTopicAndParses) {
  for (int i = 0; i < 100; ++i) {
    Send(i % 2,
         R"({"payer": "p)" + std::to_string(i % 7) + R"(", "payee": "p)" + std::to_string(i % 5) +
             R"(", "amount": 2.5, "ts": )" + std::to_string(1767225600000 + i * 1000) + "}",
         1000 + i);
  }
  producer_.Flush();
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(InferTopic(Spec(), "pay", "other.yaml"), 0);
  const std::string yaml = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(yaml,
              AllOf(HasSubstr("# A configuration for topic pay, proposed by `sashd --infer` "
                              "from 100 of its newest records."),
                    HasSubstr("Add source.kafka.options from other.yaml"),
                    HasSubstr("kafka: {brokers: \"" + kafka_.brokers() + "\", topics: [pay]}"),
                    HasSubstr("json: {source: /payer, target: /payee, weight: /amount, "
                              "time: /ts}"),
                    Not(HasSubstr("http: off"))));
  const ParsedConfig parsed = ParseConfig(yaml, "sash.yaml");
  for (const ConfigError& error : parsed.errors) ADD_FAILURE() << error.ToString();
}

TEST_F(TopicSampleTest, FramedRecordsAreNamedWithTheRemedy) {
  using namespace std::string_view_literals;
  Send(0, "\0\0\0\0\7\2abc"sv, 1000);
  EXPECT_THAT(Why(), AllOf(HasSubstr("topic pay: 1 of 1 records"), HasSubstr("schema id 7"),
                           HasSubstr("give source.format.registry (with avro"),
                           HasSubstr("binary content: Avro, or Protobuf")));
  Send(1, "\0\0\0\0\10{\"a\": 1}"sv, 2000);
  Send(1, "\0\0\0\0\10{\"a\": 2}"sv, 3000);
  EXPECT_THAT(Why(), AllOf(HasSubstr("3 of 3 records"), HasSubstr("schema id 8"),
                           HasSubstr("so this is JSON Schema")));
}

TEST_F(TopicSampleTest, ATopicWithoutRecordsIsSaid) {
  EXPECT_EQ(Why(), "topic pay: it holds no record that can be read; is it the right topic?");
  Send(0, std::nullopt, 1000);
  EXPECT_THAT(Why(), HasSubstr("its newest 1 records have no value"));
  kafka_.SetTopicError("pay", 3);  // unknown topic
  EXPECT_EQ(Why(), "topic pay: there is no such topic; create it, or fix its name");
}

TEST(TopicProposalTest, RowsOfATopicAreMappedByNumber) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += "a" + std::to_string(i % 7) + ",a" + std::to_string(i % 5) + ",1.5\n";
  }
  const testing::Proposed found(text, SampleOrigin{.name = "pay", .brokers = "b:1"});
  EXPECT_EQ(found.trouble(), "");
  EXPECT_THAT(found.csv(), HasSubstr("{source: 1, target: 2"));
  EXPECT_THAT(found.said(), AllOf(HasSubstr("Records of a topic have no header"),
                                  HasSubstr("every edge has the timestamp of its Kafka record")));
  const testing::Proposed array("[1,2]\n", SampleOrigin{.name = "pay", .brokers = "b:1"});
  EXPECT_THAT(array.trouble(),
              AllOf(HasSubstr("begins with [, like a JSON array"), Not(HasSubstr("jq"))));
}

}  // namespace
}  // namespace sash

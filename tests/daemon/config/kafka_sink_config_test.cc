// sinks[].kafka: the values that it takes from the source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <variant>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr const char* kSomeSink = "- file: {path: out.jsonl, jobs: [j]}";

KafkaSinkSpec SinkOf(const Config& config) { return std::get<KafkaSinkSpec>(config.sinks.at(0)); }

std::string WithKafkaSink(std::string_view sink, std::string_view source) {
  return Replaced(Replaced(kGood, kSomeSink, sink), "topics: [a, b]", source);
}

TEST(KafkaSinkConfigTest, ATopicIsEnough) {
  const KafkaSinkSpec sink = SinkOf(ParseGood(Replaced(kGood, kSomeSink, "- kafka: {topic: r}")));
  EXPECT_EQ(sink.brokers, "embedded");
  EXPECT_EQ(sink.topic, "r");
  EXPECT_TRUE(sink.jobs.empty());
  EXPECT_EQ(sink.vertices, VerticesWritten::kTop);
  EXPECT_EQ(sink.outbox.path, "outbox-r");
  EXPECT_EQ(sink.outbox.limit_bytes, 256u << 20);
  EXPECT_TRUE(sink.options.empty());
}

TEST(KafkaSinkConfigTest, WithTheBrokersOfTheSourceComesHowToReachThem) {
  ::setenv("SASH_TEST_PASSWORD", "hunter2", 1);
  const KafkaSinkSpec sink = SinkOf(ParseGood(WithKafkaSink(
      "- kafka: {topic: r, options: {sasl.username: writer}}",
      "brokers: \"k:1\"\n    topics: [a, b]\n    options: {security.protocol: sasl_ssl, "
      "fetch.wait.max.ms: 5, sasl.username: reader, sasl.password: "
      "\"${env:SASH_TEST_PASSWORD}\"}")));
  EXPECT_EQ(sink.brokers, "k:1");
  EXPECT_THAT(sink.options, UnorderedElementsAre(Pair("security.protocol", "sasl_ssl"),
                                                 Pair("sasl.username", "writer"),
                                                 Pair("sasl.password", "hunter2")));
  EXPECT_THAT(sink.option_references,
              ElementsAre(Pair("sasl.password", "${env:SASH_TEST_PASSWORD}")));
}

TEST(KafkaSinkConfigTest, OtherBrokersGetNoPasswordOfTheSource) {
  const KafkaSinkSpec sink = SinkOf(ParseGood(
      WithKafkaSink("- kafka: {topic: r, brokers: \"other:1\"}",
                    "brokers: \"k:1\"\n    topics: [a, b]\n    options: {sasl.username: me}")));
  EXPECT_EQ(sink.brokers, "other:1");
  EXPECT_TRUE(sink.options.empty());
}

TEST(KafkaSinkConfigTest, TheSameTopicOfOtherBrokersIsAnotherTopic) {
  const Config config =
      ParseGood(Replaced(kGood, kSomeSink,
                         "- kafka: {topic: a, brokers: \"k:1\"}\n"
                         "  - kafka: {topic: a, brokers: \"l:1\", outbox: {path: o}}"));
  EXPECT_EQ(config.sinks.size(), 2u);
}

TEST(KafkaSinkConfigTest, TransactionsAreKnownByTheGroupAndTheTopicUnlessANameIsGiven) {
  constexpr const char* kSource = "brokers: \"k:1\"\n    group: g\n    topics: [a, b]";
  const auto id = [&](const char* sink) {
    return SinkOf(ParseGood(WithKafkaSink(sink, kSource))).transactional_id;
  };
  EXPECT_EQ(id("- kafka: {topic: r}"), "");
  EXPECT_EQ(id("- kafka: {topic: r, transactional: false}"), "");
  EXPECT_EQ(id("- kafka: {topic: r, transactional: true}"), "sash-g-r");
  EXPECT_EQ(id("- kafka: {topic: r, transactional: true, transactional_id: me}"), "me");
  EXPECT_THAT(
      AllErrors(ParseConfig(
          WithKafkaSink("- kafka: {topic: r, transactional: true, transactional_id: g}", kSource),
          "test.yaml")),
      HasSubstr("`g` is used by source.kafka.group already"));
}

TEST(KafkaSinkConfigTest, EmbeddedNeedsAnEmbeddedBroker) {
  const ParsedConfig parsed = ParseConfig(WithKafkaSink("- kafka: {topic: r, brokers: embedded}",
                                                        "brokers: \"k:1\"\n    topics: [a, b]"),
                                          "test.yaml");
  EXPECT_THAT(AllErrors(parsed), HasSubstr("test.yaml:21: sinks[0].kafka.brokers: is `embedded`, "
                                           "but there is no embedded broker"));
}

TEST(KafkaSinkConfigTest, DiffsNeedJobsWithOneListOfVertices) {
  constexpr const char* kRoots = "parameters: {roots: [x]}";
  for (const char* sink : {"- kafka: {topic: r, content: diffs, jobs: [j]}",
                           "- file: {path: o, content: diffs, jobs: [j]}"}) {
    const std::string one = Replaced(kGood, kSomeSink, sink);
    ParseGood(one);
    const std::string each = Replaced(one, kRoots, "parameters: {roots: [x], separate: true}");
    EXPECT_THAT(AllErrors(ParseConfig(each, "test.yaml")),
                HasSubstr("the results of job `j` are not one list of vertices"));
    ParseGood(Replaced(each, ", jobs: [j]", ""));
  }
}

TEST(KafkaSinkConfigTest, AReplayHasNoBrokersToOffer) {
  const std::string replay =
      Replaced(Replaced(Replaced(kGood, kSomeSink, "- kafka: {topic: r}"),
                        "kafka:\n    topics: [a, b]", "replay:\n    path: edges"),
               "    start: committed\n", "");
  EXPECT_THAT(AllErrors(ParseConfig(replay, "test.yaml")),
              HasSubstr("sinks[0].kafka.brokers: is required: give host:port,host:port"));
}

}  // namespace
}  // namespace sash

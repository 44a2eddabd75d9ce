// source.dead_letters with a topic: values taken from the source, and places it must not share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string With(std::string_view letters) { return Replaced(kGood, "{limit: 1MiB}", letters); }
std::string ErrorsOf(std::string_view yaml) { return AllErrors(ParseConfig(yaml, "test.yaml")); }

TEST(DeadLettersConfigTest, WithoutATopicThereIsTheFileAlone) {
  EXPECT_FALSE(ParseGood(kGood).source.dead_letters.kafka.has_value());
}

TEST(DeadLettersConfigTest, ATopicIsEnough) {
  const DeadLetterSpec letters = ParseGood(With("{topic: r}")).source.dead_letters;
  EXPECT_EQ(letters.path, "dead-letters.jsonl");
  ASSERT_TRUE(letters.kafka.has_value());
  EXPECT_EQ(letters.kafka->brokers, "embedded");
  EXPECT_EQ(letters.kafka->topic, "r");
  EXPECT_EQ(letters.kafka->outbox.path, "outbox-r");
  EXPECT_EQ(letters.kafka->outbox.limit_bytes, 256u << 20);
}

TEST(DeadLettersConfigTest, WithTheBrokersOfTheSourceComesHowToReachThem) {
  const std::string yaml =
      Replaced(With("{topic: r, options: {linger.ms: 5}}"), "topics: [a, b]",
               "brokers: \"k:1\"\n    topics: [a, b]\n    options: {sasl.username: me, "
               "fetch.wait.max.ms: 5}");
  const auto kafka = ParseGood(yaml).source.dead_letters.kafka;
  ASSERT_TRUE(kafka.has_value());
  EXPECT_EQ(kafka->brokers, "k:1");
  EXPECT_THAT(kafka->options,
              UnorderedElementsAre(Pair("sasl.username", "me"), Pair("linger.ms", "5")));
}

TEST(DeadLettersConfigTest, WhatSharesATopicOrAFolderIsRefused) {
  EXPECT_THAT(ErrorsOf(With("{topic: a}")),
              HasSubstr("test.yaml:9: source.dead_letters.topic: `a` is a topic that source.kafka "
                        "reads"));
  EXPECT_THAT(
      ErrorsOf(With("{path: x, topic: r, outbox: {path: x}}")),
      HasSubstr("source.dead_letters.outbox.path: `x` is used by source.dead_letters.path"));
  const std::string sink = "- kafka: {topic: r, jobs: [j]}";
  EXPECT_THAT(ErrorsOf(Replaced(With("{topic: r}"), "- file: {path: out.jsonl, jobs: [j]}", sink)),
              HasSubstr("sinks[0].kafka.topic: `r` is the topic of source.dead_letters already"));
}

TEST(DeadLettersConfigTest, WhatGoesWithATopicNeedsOne) {
  for (const char* key : {"brokers: \"k:1\"", "outbox: {limit: 1GiB}", "options: {linger.ms: 5}"}) {
    EXPECT_THAT(ErrorsOf(With(std::string("{") + key + "}")),
                HasSubstr("has no effect without a topic; give topic, or leave it out"))
        << key;
  }
}

TEST(DeadLettersConfigTest, AWrongOptionIsFoundWithItsPlace) {
  EXPECT_THAT(ErrorsOf(With("{topic: r, options: {transactional.id: x}}")),
              HasSubstr("source.dead_letters.options.transactional.id: cannot be set here: "));
}

}  // namespace
}  // namespace sash

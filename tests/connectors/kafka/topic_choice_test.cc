#include "connectors/kafka/topic_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TopicChoice Matching(const std::string& pattern) {
  KafkaSpec spec;
  spec.topic_pattern = pattern;
  spec.own_topics = {"pay-results", "pay-letters"};
  return TopicChoice(spec);
}

TEST(TopicChoice, NamesAreTakenAsTheyAre) {
  KafkaSpec spec;
  spec.topics = {"pay.eu", "__audit"};
  const TopicChoice choice(spec);
  EXPECT_FALSE(choice.is_pattern());
  EXPECT_TRUE(choice.Takes("pay.eu"));
  EXPECT_TRUE(choice.Takes("__audit"));
  EXPECT_FALSE(choice.Takes("pay-eu"));
  EXPECT_FALSE(choice.Takes(""));
}

TEST(TopicChoice, AnyPartOfANameMayMatch) {
  EXPECT_TRUE(Matching("^pay-").is_pattern());
  EXPECT_TRUE(Matching("^pay-").Takes("pay-eu"));
  EXPECT_FALSE(Matching("^pay-").Takes("old-pay-eu"));
  EXPECT_TRUE(Matching("pay").Takes("old-pay-eu"));
  EXPECT_FALSE(Matching("^pay-[a-z]{2}$").Takes("pay-eu.dead"));
  EXPECT_FALSE(Matching("^Pay-").Takes("pay-eu"));
}

TEST(TopicChoice, OwnTopicsAndThoseOfKafkaNeverMatch) {
  for (const char* pattern : {"^pay-", ".*", "^pay-results$|^pay-letters$|^__"}) {
    const TopicChoice choice = Matching(pattern);
    EXPECT_FALSE(choice.Takes("pay-results")) << pattern;
    EXPECT_FALSE(choice.Takes("pay-letters")) << pattern;
    EXPECT_FALSE(choice.Takes("__consumer_offsets")) << pattern;
  }
  EXPECT_TRUE(Matching(".*").Takes("_one_underline"));
}

TEST(TopicChoice, AWrongPatternIsRefusedWithTheReason) {
  EXPECT_TRUE(TopicChoice::Check("^pay-[a-z]+$").ok());
  const Status refused = TopicChoice::Check("^pay-[a-z");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("missing ]"));
  EXPECT_FALSE(TopicChoice::Check("(?=pay)").ok()) << "RE2 does not look ahead";
}

TEST(TopicChoice, TopicsOfPartitionsAreListedOnce) {
  EXPECT_THAT(TopicsOf({{"b", 0}, {"a", 1}, {"a", 0}}), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace sash

#include "daemon/infer/name_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::ElementsAre;

TEST(NameWordsTest, NamesAreSplitAtCaseDigitsMarksAndKnownParts) {
  EXPECT_THAT(WordsOf("nameOrig").words, ElementsAre("name", "orig"));
  EXPECT_THAT(WordsOf("id.orig_h").words, ElementsAre("id", "orig", "h"));
  EXPECT_THAT(WordsOf("Person1Id").words, ElementsAre("person", "1", "id"));
  EXPECT_THAT(WordsOf(" Source IP").words, ElementsAre("source", "ip"));
  EXPECT_THAT(WordsOf("srcaddr").words, ElementsAre("src", "addr"));
  EXPECT_THAT(WordsOf("oldbalanceOrg").words, ElementsAre("old", "balance", "org"));
  EXPECT_THAT(WordsOf("FromNodeId").words, ElementsAre("from", "node", "id"));
  EXPECT_THAT(WordsOf("").words, ElementsAre());
}

TEST(NameWordsTest, TheSidesOfAnEdgeHaveTheSameStem) {
  for (const auto& [source, target] : {std::pair("src_ip", "dest_ip"),
                                       {"nameOrig", "nameDest"},
                                       {"from", "to"},
                                       {"id.orig_h", "id.resp_h"},
                                       {"SOURCE_SUBREDDIT", "TARGET_SUBREDDIT"},
                                       {"caller", "callee"},
                                       {"sender_account", "receiver_account"}}) {
    EXPECT_GT(WordsOf(source).source, 0) << source;
    EXPECT_EQ(WordsOf(source).target, 0) << source;
    EXPECT_GT(WordsOf(target).target, 0) << target;
    EXPECT_EQ(WordsOf(source).stem, WordsOf(target).stem) << source;
  }
  EXPECT_EQ(WordsOf("Person1Id").side, 1);
  EXPECT_EQ(WordsOf("Person2Id").side, 2);
}

TEST(NameWordsTest, PropertiesAreNotVerticesAndOldBalancesNotWeights) {
  EXPECT_GT(WordsOf("src_port").quantity, 0);
  EXPECT_LT(WordsOf("oldbalanceOrg").weight, 0);
  EXPECT_GT(WordsOf("amount").weight, WordsOf("duration").weight);
  EXPECT_GT(WordsOf("start").time, WordsOf("end").time);
  EXPECT_LT(WordsOf("birth_date").time, 0);
  EXPECT_EQ(WordsOf("step").step, std::chrono::hours(1));
  EXPECT_FALSE(WordsOf("frobnication").IsKnown());
}

TEST(NameWordsTest, ThePartsOfAPointerSayTheSide) {
  const NameWords source = WordsOfPointer("/source/ip");
  const NameWords target = WordsOfPointer("/destination/ip");
  EXPECT_GT(source.source, 0);
  EXPECT_GT(target.target, 0);
  EXPECT_EQ(source.stem, target.stem);
  // The state before a change is not the record's.
  EXPECT_GT(WordsOfPointer("/payload/before/payer").quantity,
            WordsOfPointer("/payload/after/payer").quantity);
  EXPECT_GT(WordsOfPointer("/ts").time, WordsOfPointer("/a/b/ts").time);
}

}  // namespace
}  // namespace sash

#include "connectors/sinks/kafka/sent_marks.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "tests/support/nested_lists.h"

namespace sash {
namespace {

const ResultOrigin kRanks{"ranks", "last-5m", false};

ResultIdentity IdentityAt(std::int64_t position, const ResultOrigin& origin = kRanks) {
  return {origin, position};
}

SentMarks Read(const std::vector<std::string>& texts) {
  SentMarks marks;
  for (const std::string& text : texts) EXPECT_TRUE(marks.Add(text)) << text;
  return marks;
}

TEST(SentMarksTest, HoldsWhatWasNotedAndAllBetween) {
  SentMarks marks;
  EXPECT_FALSE(marks.Holds(IdentityAt(20)));
  marks.Note(IdentityAt(20), "a");
  marks.Note(IdentityAt(40), "a");
  EXPECT_TRUE(marks.Holds(IdentityAt(20)));
  EXPECT_TRUE(marks.Holds(IdentityAt(30)));
  EXPECT_TRUE(marks.Holds(IdentityAt(40)));
  EXPECT_FALSE(marks.Holds(IdentityAt(50)));
  EXPECT_FALSE(marks.Holds(IdentityAt(10)));  // before the first noted result
  EXPECT_FALSE(marks.Holds(IdentityAt(30, {"ranks", "last-5m", true})));
  EXPECT_FALSE(marks.Holds(IdentityAt(30, {"ranks", "last-1h", false})));
}

TEST(SentMarksTest, WhatAnotherOutboxStillHoldsIsNotTakenForSent) {
  SentMarks marks;
  for (const std::int64_t end : {10, 20})
    marks.Note(IdentityAt(end), "a");  // 30, 40 are still in a
  for (const std::int64_t end : {50, 60}) marks.Note(IdentityAt(end), "b");
  marks = Read(*marks.Format(1));
  for (const std::int64_t end : {10, 20, 50, 60}) EXPECT_TRUE(marks.Holds(IdentityAt(end))) << end;
  for (const std::int64_t end : {30, 40}) {
    EXPECT_FALSE(marks.Holds(IdentityAt(end))) << end;
    marks.Note(IdentityAt(end), "a");
    EXPECT_TRUE(marks.Holds(IdentityAt(end))) << end;
  }
  EXPECT_FALSE(marks.Holds(IdentityAt(70)));
  marks.Note(IdentityAt(70), "a");
  for (std::int64_t end = 10; end <= 70; end += 10)
    EXPECT_TRUE(marks.Holds(IdentityAt(end))) << end;
}

// Three processes took turns. The first one to send was not the first one to start.
TEST(SentMarksTest, AResultOlderThanAllThatWereSentIsNotTakenForSent) {
  SentMarks marks;
  for (const std::int64_t end : {30, 40}) marks.Note(IdentityAt(end), "a");
  for (const std::int64_t end : {70, 80}) marks.Note(IdentityAt(end), "b");
  marks = Read(*marks.Format(1));
  for (const std::int64_t end : {10, 20}) {  // still in the outbox of c
    EXPECT_FALSE(marks.Holds(IdentityAt(end))) << end;
    marks.Note(IdentityAt(end), "c");
    marks = Read(*marks.Format(1));
    EXPECT_TRUE(marks.Holds(IdentityAt(end))) << end;
  }
  EXPECT_FALSE(marks.Holds(IdentityAt(5)));
  EXPECT_FALSE(marks.Holds(IdentityAt(25)));
  for (const std::int64_t end : {10, 20, 30, 40, 70, 80}) {
    EXPECT_TRUE(marks.Holds(IdentityAt(end))) << end;
  }
  EXPECT_FALSE(marks.Holds(IdentityAt(50)));
}

TEST(SentMarksTest, SeveralGapsAreRememberedAndThenTheOldestIsForgotten) {
  SentMarks marks;
  const std::vector<std::string> outboxes = {"a", "b", "c", "d", "e"};
  for (std::size_t i = 0; i < outboxes.size(); ++i) {
    marks.Note(IdentityAt(100 * static_cast<std::int64_t>(i)), outboxes[i]);
    marks = Read(*marks.Format(1));
    for (std::size_t gap = 0; gap < i; ++gap) {
      const std::int64_t inside = 100 * static_cast<std::int64_t>(gap) + 50;
      const bool forgotten = i > SentMarks::kMostEarlier && gap < i - SentMarks::kMostEarlier;
      EXPECT_EQ(marks.Holds(IdentityAt(inside)), forgotten) << i << " " << inside;
    }
    EXPECT_FALSE(marks.Holds(IdentityAt(-1)));
  }
}

// After a takeover, results must not wait because the texts have no room.
TEST(SentMarksTest, GapsAreLeftOutWhenTheTextsHaveNoRoomForThem) {
  SentMarks marks;
  for (const char* outbox : {"01234567", "12345678", "23456789"}) {
    for (int i = 0; i < 40; ++i) {
      const ResultOrigin origin{"influencers" + std::to_string(i), "last-5m", false};
      const std::int64_t end = 1'767'225'600'000'000'000 + 10'000'000'000 * (outbox[0] - '0');
      marks.Note(IdentityAt(end, origin), outbox);
    }
  }
  const auto texts = marks.Format(1);
  ASSERT_TRUE(texts);
  const SentMarks read = Read(*texts);
  const ResultOrigin last{"influencers39", "last-5m", false};
  EXPECT_TRUE(read.Holds(IdentityAt(1'767'225'600'000'000'000, last)));
  EXPECT_TRUE(read.Holds(IdentityAt(1'767'225'620'000'000'000, last)));
  EXPECT_FALSE(read.Holds(IdentityAt(1'767'225'630'000'000'000, last)));
  const auto roomy = marks.Format(3);
  ASSERT_TRUE(roomy);
  EXPECT_FALSE(Read(*roomy).Holds(IdentityAt(1'767'225'605'000'000'000, last)));
}

TEST(SentMarksTest, ReadsTheTextsOfEarlierVersions) {
  const SentMarks marks =
      Read({R"({"v":1,"by":"a.1","sent":[["ranks","last-5m",0,"b",60,50,20]]})"});
  for (const std::int64_t end : {10, 20, 50, 60}) EXPECT_TRUE(marks.Holds(IdentityAt(end))) << end;
  for (const std::int64_t end : {21, 49, 61}) EXPECT_FALSE(marks.Holds(IdentityAt(end))) << end;
}

TEST(SentMarksTest, ItsTextsSayAllOfItAndWhoItIsBy) {
  SentMarks marks;
  marks.SetBy("me.1");
  std::set<ResultOrigin> origins;
  for (int i = 0; i < 90; ++i) {
    const ResultOrigin origin{"job-" + std::to_string(i), "w\"\xc3\xa4", i % 2 == 0};
    origins.insert(origin);
    marks.Note(IdentityAt(1'767'225'600'000'000'000, origin), "a");
    marks.Note(IdentityAt(1'767'225'610'000'000'000 + i, origin), i % 3 == 0 ? "a" : "b");
  }
  EXPECT_FALSE(marks.Format(0));
  EXPECT_FALSE(marks.Format(1));
  const auto texts = marks.Format(5);
  ASSERT_TRUE(texts);
  ASSERT_EQ(texts->size(), 5u);
  EXPECT_EQ(texts->back(), "");
  for (const std::string& text : *texts) EXPECT_LE(text.size(), SentMarks::kMaxBytes);
  SentMarks read = Read(*texts);
  EXPECT_EQ(read.by(), "me.1");
  EXPECT_EQ(read.origins(), 90u);
  EXPECT_EQ(read.Format(5), texts);
  read = Read({texts->rbegin(), texts->rend()});
  EXPECT_EQ(read.Format(5), texts);
}

// Checks the number of jobs per partition that the documents state.
TEST(SentMarksTest, OnePartitionIsEnoughForFortyJobsWithUsualNames) {
  SentMarks marks;
  for (int i = 0; i < 40; ++i) {
    const ResultOrigin origin{"influencers" + std::to_string(i), "last-5m", false};
    marks.Note(IdentityAt(1'767'225'600'000'000'000, origin), "01234567");
    marks.Note(IdentityAt(1'767'225'610'000'000'000, origin), "01234567");
  }
  EXPECT_TRUE(marks.Format(1));
}

TEST(SentMarksTest, OfTwoTextsThatSayTheSameTheNewerCounts) {
  SentMarks older;
  older.Note(IdentityAt(10), "a");
  SentMarks newer = older;
  newer.Note(IdentityAt(20), "a");
  for (const auto& order : {std::pair(older, newer), std::pair(newer, older)}) {
    const SentMarks both = Read({order.first.Format(1)->front(), order.second.Format(1)->front()});
    EXPECT_TRUE(both.Holds(IdentityAt(20)));
  }
}

TEST(SentMarksTest, RefusesWhatIsNotItsOwn) {
  SentMarks marks;
  EXPECT_TRUE(marks.Add(""));
  for (const char* text :
       {"x", "7", "[]", "{}", R"({"v":2,"sent":[]})", R"({"v":1})",
        R"({"v":1,"sent":[["j","w",0,"a",1]]})", R"({"v":1,"sent":[[1]]})",
        R"({"v":1,"sent":[["j","w",0,"a",9,8,1,2,3]]})",
        R"({"v":1,"sent":[["j","w",0,"a","1",2]]})", R"({"v":1,"by":7,"sent":[]})"}) {
    EXPECT_FALSE(marks.Add(text)) << text;
  }
  EXPECT_FALSE(marks.Add(R"({"v":)" + testing::NestedLists() + "}"));
}

// A model of the topic's content over several runs; each run continues with the results in its
// outbox.
TEST(SentMarksTest, RandomLivesOfOneOutboxSendEachResultOnce) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::multiset<std::int64_t> topic;
    SentMarks committed;
    for (int life = 0; life < 6; ++life) {
      SentMarks next = committed;
      std::multiset<std::int64_t> sent;
      const int from = static_cast<int>(random() % 5) + 3 * life;  // some are sent again
      for (int i = std::min(from, 3 * life); i < 3 * life + 6; ++i) {
        if (next.Holds(IdentityAt(i))) continue;
        next.Note(IdentityAt(i), "a");
        sent.insert(i);
      }
      if (random() % 3 == 0) continue;  // aborted
      committed = Read(*next.Format(1));
      topic.merge(sent);
    }
    for (const std::int64_t each : topic) EXPECT_EQ(topic.count(each), 1u) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sash

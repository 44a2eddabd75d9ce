#include "windows/ingest/outlier_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kLimit = 60;

// The indices of the refused events, by a direct implementation of the rule.
std::vector<std::int64_t> RefusedByTheRule(const std::vector<std::int64_t>& times) {
  std::vector<std::int64_t> refused;
  std::optional<std::int64_t> newest;
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::size_t before = 0;
    std::size_t asked = 0;
    for (std::size_t j = i + 1; j < times.size() && asked < 100; ++j, ++asked) {
      if (times[j] < times[i] - kLimit) ++before;
    }
    const auto is_near = [&](std::size_t j) { return times[j] >= times[i] - kLimit; };
    const bool in_doubt = newest ? times[i] > *newest + kLimit
                                 : i + 2 >= times.size() || !is_near(i + 1) || !is_near(i + 2);
    if (in_doubt && asked > 0 && 10 * before >= 9 * asked) {
      refused.push_back(static_cast<std::int64_t>(i));
    } else {
      newest = std::max(newest.value_or(times[i]), times[i]);
    }
  }
  return refused;
}

// Feeds events by their time in seconds, and refused marks; collects what leaves the guard. Each
// event and each mark takes the next offset.
class Guarded {
 public:
  void Say(std::int64_t second) {
    const EventTime time{std::chrono::seconds(second)};
    if (guard_.Passes(time)) {
      passed.push_back(next_++);
      return;
    }
    EventBatch& held = guard_.held();
    const std::string key = std::to_string(next_);
    held.Add({.time = time,
              .offset = next_++,
              .source = KeyRef::Text(held.Store(key)),
              .target = KeyRef::Text(held.Store(key))});
    LetGo(false);
  }
  void SayRefused() {
    if (!guard_.waiting()) {
      passed.push_back(next_++);
      return;
    }
    guard_.held().AddMark(Mark::Kind::kRefused, 0, next_++);
  }
  void End() { LetGo(true); }
  bool waiting() const { return guard_.waiting(); }

  std::vector<std::int64_t> passed;   // offsets of events and marks, in order
  std::vector<std::int64_t> refused;  // those of them that are too far ahead

 private:
  void LetGo(bool at_end) {
    EventBatch batch;
    while (guard_.waiting()) {
      const OutlierGuard::Verdict verdict = guard_.Judge(at_end);
      if (verdict == OutlierGuard::Verdict::kUndecided) break;
      guard_.Pop(verdict, batch);
    }
    auto mark = batch.marks().begin();
    for (std::size_t i = 0; i <= batch.events().size(); ++i) {
      for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
        passed.push_back(mark->offset);
      }
      if (i == batch.events().size()) break;
      const EdgeEvent& event = batch.events()[i];
      EXPECT_EQ(batch.Text(event.source.text()), std::to_string(event.offset));
      passed.push_back(event.offset);
      if (event.ahead) refused.push_back(event.offset);
    }
  }

  OutlierGuard guard_{std::chrono::seconds(kLimit), KeyKind::kString};
  std::int64_t next_ = 0;
};

std::vector<std::int64_t> Refused(const std::vector<std::int64_t>& times) {
  Guarded guarded;
  for (const std::int64_t time : times) guarded.Say(time);
  guarded.End();
  EXPECT_EQ(guarded.passed.size(), times.size());
  EXPECT_TRUE(std::ranges::is_sorted(guarded.passed));
  return guarded.refused;
}

std::vector<std::int64_t> Seconds(std::size_t count) {
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(static_cast<std::int64_t>(i));
  return times;
}

TEST(OutlierGuardTest, AnEventOf2099AmongOthersIsRefusedWhereverItStands) {
  for (const std::size_t place : {0, 1, 100, 599}) {
    std::vector<std::int64_t> times = Seconds(600);
    times.insert(times.begin() + static_cast<std::ptrdiff_t>(place), 4'070'908'800);
    EXPECT_THAT(Refused(times), ElementsAre(place));
  }
}

TEST(OutlierGuardTest, SeveralWrongEventsAtTheStartAreRefused) {
  for (const std::size_t wrong : {1, 2}) {
    std::vector<std::int64_t> times = Seconds(600);
    times.insert(times.begin(), wrong, 4'070'908'800);
    EXPECT_EQ(Refused(times).size(), wrong) << wrong;
  }
  std::vector<std::int64_t> times = Seconds(600);
  for (const std::size_t place : {0, 2, 3, 5, 6}) {
    times.insert(times.begin() + static_cast<std::ptrdiff_t>(place), 4'070'908'800);
  }
  EXPECT_THAT(Refused(times), ElementsAre(0, 2, 3, 5, 6));
}

TEST(OutlierGuardTest, NothingFollowsTheLastEventSoItIsAccepted) {
  std::vector<std::int64_t> times = Seconds(10);
  times.push_back(4'070'908'800);
  EXPECT_THAT(Refused(times), IsEmpty());
}

TEST(OutlierGuardTest, TheLimitIsNotExceededByTheLimitItself) {
  EXPECT_THAT(Refused({0, kLimit, 0, 0, 0}), IsEmpty());
  EXPECT_THAT(Refused({0, kLimit + 1, 0, 0, 0}), ElementsAre(1));
  EXPECT_THAT(Refused({0, kLimit + 1, 1, 1, 1}), IsEmpty());
}

TEST(OutlierGuardTest, NinetyOfTheNextHundredRefuseAndEightyNineDoNot) {
  for (const std::size_t others : {9, 10, 11}) {
    std::vector<std::int64_t> times = Seconds(5);
    times.insert(times.end(), 1 + others, 1000);
    times.insert(times.end(), 200, 5);
    const std::vector<std::int64_t> refused = Refused(times);
    EXPECT_EQ(refused.size(), others < 11 ? others + 1 : 0) << others;
  }
}

TEST(OutlierGuardTest, AGapInTheDataWaitsForElevenEventsAndLosesNone) {
  Guarded guarded;
  guarded.Say(0);
  guarded.Say(1);
  EXPECT_TRUE(guarded.waiting()) << "no event precedes the first one, so it waits for two more";
  guarded.Say(1);
  EXPECT_FALSE(guarded.waiting());
  for (int i = 0; i < 9; ++i) guarded.Say(1);
  guarded.Say(100'000);
  guarded.SayRefused();
  for (int i = 0; i < 10; ++i) guarded.Say(100'001);
  EXPECT_EQ(guarded.passed.size(), 12u);
  guarded.Say(100'001);
  EXPECT_FALSE(guarded.waiting());
  EXPECT_EQ(guarded.passed.size(), 25u);
  EXPECT_TRUE(std::ranges::is_sorted(guarded.passed));
  EXPECT_THAT(guarded.refused, IsEmpty());
}

// A record of several edges, by their seconds; the source's key is the second.
void Hold(OutlierGuard& guard, const std::vector<std::int64_t>& seconds, std::int64_t offset) {
  const std::int64_t newest = *std::ranges::max_element(seconds);
  if (guard.Passes(EventTime{std::chrono::seconds(newest)})) return;
  EventBatch& held = guard.held();
  for (const std::int64_t second : seconds) {
    held.Add({.time = EventTime{std::chrono::seconds(second)},
              .offset = offset,
              .source = KeyRef::Integer(second),
              .target = KeyRef::Integer(second),
              .further = second != seconds.front()});
  }
}

TEST(OutlierGuardTest, OfARecordOnlyTheEdgesThatAreOutliersAreRefused) {
  OutlierGuard guard(std::chrono::seconds(kLimit), KeyKind::kInteger);
  EXPECT_FALSE(guard.Passes(EventTime{std::chrono::seconds(0)})) << "the first event is in doubt";
  Hold(guard, {0}, 0);
  Hold(guard, {1}, 1);
  Hold(guard, {2}, 2);
  EventBatch out;
  while (guard.waiting() && guard.Judge(false) != OutlierGuard::Verdict::kUndecided) {
    guard.Pop(guard.Judge(false), out);
  }
  Hold(guard, {3, 5'000, 40}, 3);
  for (std::int64_t offset = 4; offset < 93; ++offset) Hold(guard, {5, 4}, offset);
  EXPECT_EQ(guard.Judge(false), OutlierGuard::Verdict::kUndecided) << "89 records follow";
  Hold(guard, {5, 4}, 93);
  ASSERT_EQ(guard.Judge(false), OutlierGuard::Verdict::kRefused);
  EventBatch record;
  guard.Pop(OutlierGuard::Verdict::kRefused, record);
  ASSERT_EQ(record.events().size(), 3u);
  EXPECT_EQ(record.RecordEnd(0), 3u);
  EXPECT_FALSE(record.events()[0].ahead);
  EXPECT_TRUE(record.events()[1].ahead);
  EXPECT_FALSE(record.events()[2].ahead);
  EXPECT_EQ(guard.newest(), EventTime{std::chrono::seconds(40)});
  EXPECT_EQ(guard.events(), 180u) << "all edges of the records behind it";
}

TEST(OutlierGuardTest, RandomStreamsAreDecidedAsTheRuleReads) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> times;
    std::int64_t now = 0;
    for (std::uint64_t i = random() % 400; i > 0; --i) {
      now += static_cast<std::int64_t>(random() % (1 + seed % 40));
      std::int64_t time = now - static_cast<std::int64_t>(random() % 5);
      if (random() % 20 == 0) time += static_cast<std::int64_t>(random() % 300);
      if (random() % 50 == 0) now += 200;
      for (std::uint64_t same = random() % 60 == 0 ? random() % 15 : 0; same > 0; --same) {
        times.push_back(now + 500);
      }
      times.push_back(time);
    }
    const std::vector<std::int64_t> expected = RefusedByTheRule(times);
    EXPECT_EQ(Refused(times), expected) << "seed " << seed;
    refused += expected.size();
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace sash

// VertexEvents: events found by their vertex, chained or not.
#include "windows/ingest/vertex_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/support/named_seed.h"

namespace sash {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers EventsOf(VertexEvents& events, VertexId v) {
  Numbers numbers;
  events.ForEachOf(v, [&](std::uint32_t number) { numbers.push_back(number); });
  std::ranges::sort(numbers);
  return numbers;
}

TEST(VertexEventsTest, AVertexWithoutEventsHasNone) {
  VertexEvents events;
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(EventsOf(events, 7), Numbers());
  events.Add(7, 0);
  EXPECT_FALSE(events.empty());
  EXPECT_EQ(EventsOf(events, 7 + 512), Numbers()) << "they may share a bucket";
  EXPECT_EQ(EventsOf(events, 7), Numbers{0});
}

TEST(VertexEventsTest, AsksForNoMoreEventsAfterOneThatFits) {
  VertexEvents events;
  for (std::uint32_t i = 0; i < 100; ++i) events.Add(7, i);
  for (int look = 0; look < 100; ++look) {  // unchained, then chained
    int asked = 0;
    EXPECT_TRUE(events.AnyOf(7, [&](std::uint32_t) { return ++asked == 3; }));
    EXPECT_EQ(asked, 3);
    EXPECT_FALSE(events.AnyOf(7, [](std::uint32_t event) { return event > 99; }));
    EXPECT_FALSE(events.AnyOf(8, [](std::uint32_t) { return true; }));
  }
}

// A bucket is chained after some looks, and chained again as it grows.
TEST(VertexEventsTest, EachVertexHasItsEventsHoweverOftenItIsLookedUp) {
  const testing::NamedSeed seed;
  std::mt19937 random(seed.value());
  const auto draw = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  VertexEvents events;
  std::map<VertexId, Numbers> expected;
  std::uint32_t number = 0;
  for (int round = 0; round < 60; ++round) {
    const auto added = draw(2'000);
    for (std::uint32_t i = 0; i < added; ++i) {
      // Some vertices have many events, and some buckets many vertices.
      const VertexId v = draw(draw(2) == 0 ? 40 : 5'000) * (draw(2) == 0 ? 1 : 512);
      events.Add(v, number);
      expected[v].push_back(number++);
    }
    const auto looks = draw(300);
    for (std::uint32_t i = 0; i < looks; ++i) {
      const VertexId v = draw(2) == 0 ? draw(40) : draw(5'000) * 512;
      const auto found = expected.find(v);
      ASSERT_EQ(EventsOf(events, v), found == expected.end() ? Numbers() : found->second) << v;
    }
  }
  for (const auto& [v, numbers] : expected) ASSERT_EQ(EventsOf(events, v), numbers) << v;
}

TEST(VertexEventsTest, ABucketThatIsReadOftenIsChainedAndItsRoomIsUsedAgain) {
  VertexEvents events;
  for (std::uint32_t i = 0; i < 10'000; ++i) events.Add(i % 50 * 512, i);
  const std::size_t before = events.bytes();
  ASSERT_EQ(EventsOf(events, 0).size(), 200u);
  EXPECT_EQ(events.bytes(), before) << "one look is not often enough";
  for (int i = 0; i < 100; ++i) ASSERT_EQ(EventsOf(events, 512).size(), 200u);
  const std::size_t chained = events.bytes();
  EXPECT_GE(chained, before + 10'000 * sizeof(std::uint64_t));
  for (std::uint32_t i = 0; i < 10'000; ++i) events.Add(i % 50 * 512 + 1, 10'000 + i);
  EXPECT_EQ(events.bytes(), chained) << "another bucket has the room that the first one had";
  EXPECT_EQ(EventsOf(events, 513).size(), 200u);
  EXPECT_EQ(EventsOf(events, 512).size(), 200u);
}

}  // namespace
}  // namespace sash

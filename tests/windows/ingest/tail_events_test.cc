// TailEvents: what is stored in 16 bytes, or with more, comes back as it was.
#include "windows/ingest/tail_events.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/named_seed.h"

namespace sash {
namespace {

void ExpectEqual(const TailEvent& event, const TailEvent& expected) {
  EXPECT_EQ(event.time, expected.time);
  EXPECT_EQ(event.source, expected.source);
  EXPECT_EQ(event.target, expected.target);
  EXPECT_EQ(event.weight, expected.weight);
  EXPECT_EQ(event.passes, expected.passes);
  EXPECT_EQ(event.log_offset, expected.log_offset);
  EXPECT_EQ(event.partition, expected.partition);
  EXPECT_EQ(event.type, expected.type);
  EXPECT_EQ(event.operation, expected.operation);
}

TailEvent Plain(std::uint32_t i, PartitionIndex partition, std::int64_t offset) {
  return {.time = EventTime(Duration(i)),
          .source = i,
          .target = i + 1,
          .log_offset = offset,
          .partition = partition};
}

TEST(TailEventsTest, PlainEventsTakeSixteenBytes) {
  TailEvents events;
  std::vector<PartitionLog::Edge> edges;
  for (std::uint32_t i = 0; i < 1'000; ++i) edges.push_back({EventTime(Duration(i)), i, i + 1});
  events.AddPlain(edges, 3, 70);
  EXPECT_LT(events.bytes(), 1'000 * 17);
  ASSERT_EQ(events.size(), 1'000u);
  for (std::uint32_t i = 0; i < 1'000; ++i) ExpectEqual(events.At(i), Plain(i, 3, 70));
}

TEST(TailEventsTest, EventsOfAllKindsAndLogsComeBackInTheirOrder) {
  const testing::NamedSeed seed;
  std::mt19937 random(seed.value());
  const auto draw = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  for (int script = 0; script < 100; ++script) {
    TailEvents events;
    std::vector<TailEvent> expected;
    for (std::uint32_t i = 0; i < 200; ++i) {
      TailEvent event = Plain(i, draw(3), draw(2));
      if (draw(4) == 0) {
        const PartitionLog::Edge edge{event.time, event.source, event.target};
        events.AddPlain({&edge, 1}, event.partition, event.log_offset);
      } else {
        if (draw(64) == 0) event.weight = Weight::Real(0.5);
        if (draw(64) == 0) event.passes = 5;
        if (draw(64) == 0) event.type = 9;
        if (draw(64) == 0) event.operation = Operation::kRemove;
        events.Add(event);
      }
      expected.push_back(event);
    }
    ASSERT_EQ(events.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ExpectEqual(events.At(i), expected[i]);
      EXPECT_EQ(events.OperationAt(i), expected[i].operation);
    }
  }
}

}  // namespace
}  // namespace sash

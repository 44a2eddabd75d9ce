#include "windows/ingest/partition_log.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace sash {
namespace {

const std::vector<std::string> kWords(1 << 17);  // of types

BufferedEvent LoggedEvent(std::int64_t number, Weight weight = {},
                          Operation operation = Operation::kAdd) {
  return {.time = EventTime(Duration(number)),
          .offset = number,
          .weight = weight,
          .source = static_cast<VertexId>(number),
          .target = static_cast<VertexId>(number + 1),
          .operation = operation};
}

using Seen = std::tuple<EventTime, VertexId, VertexId, Weight, Operation>;

std::vector<Seen> ReadLog(const PartitionLog& log) {
  std::vector<Seen> seen;
  log.ForEach([&](const PartitionLog::Edge& edge, Weight weight, Operation operation) {
    seen.emplace_back(edge.time, edge.source, edge.target, weight, operation);
  });
  return seen;
}

TEST(PartitionLogTest, GivesBackWhatWasAppendedHoweverManyChunksItTakes) {
  PartitionLog log(0);
  std::vector<Seen> expected;
  for (std::int64_t i = 0; i < 30'000; ++i) {
    // Ranges with weights, with removals, and with neither, so that only some chunks have remarks.
    Weight weight;
    if (i % 7000 > 6000) weight = i % 2 == 0 ? Weight::Integer(-i) : Weight::Real(0.5 + double(i));
    const Operation operation = i % 9000 == 8000 ? Operation::kRemoveVertex : Operation::kAdd;
    log.Append(LoggedEvent(i, weight, operation));
    expected.emplace_back(EventTime(Duration(i)), i, i + 1, weight, operation);
  }
  EXPECT_EQ(log.size(), expected.size());
  EXPECT_EQ(ReadLog(log), expected);
}

TEST(PartitionLogTest, APlainEventTakesSixteenBytesAndOneWithAWeightNineMore) {
  constexpr std::int64_t kEvents = 100 * 4096;
  PartitionLog plain(0);
  PartitionLog weighted(0);
  std::size_t allocated = 0;
  for (std::int64_t i = 0; i < kEvents; ++i) {
    plain.Append(LoggedEvent(i));
    allocated += weighted.Append(LoggedEvent(i, Weight::Integer(2)));
  }
  EXPECT_NEAR(double(plain.bytes()) / kEvents, 16, 0.5);
  EXPECT_NEAR(double(weighted.bytes()) / kEvents, 25, 2.5)
      << "bytes() includes what the allocator rounds up";
  EXPECT_EQ(allocated, weighted.bytes());
}

TEST(PartitionLogTest, WhatFiltersLetPassIsKeptAndTakesEightBytesOnlyWhereItIsNotAll) {
  constexpr std::int64_t kEvents = 20 * 4096;
  PartitionLog log(0);
  std::vector<FilterBits> expected;
  const auto append = [&](FilterBits passes) {
    BufferedEvent event = LoggedEvent(static_cast<std::int64_t>(expected.size()));
    event.passes = passes;
    log.Append(event);
    expected.push_back(passes);
  };
  for (std::int64_t i = 0; i < kEvents; ++i) append(kPassesAll);
  EXPECT_FALSE(log.has_passes());
  const double before = static_cast<double>(log.bytes());
  EXPECT_NEAR(before / kEvents, 16, 1);
  for (std::int64_t i = 0; i < kEvents; ++i) append(i % 3 == 0 ? kPassesAll : kPassesAll - 1);
  EXPECT_TRUE(log.has_passes());
  EXPECT_NEAR((static_cast<double>(log.bytes()) - before) / kEvents, 24, 2.5);
  for (const PartitionLog& same : {log.Copy(), log.Renumbered({{"a", "b"}, {"a"}}, kWords)}) {
    std::vector<FilterBits> seen;
    same.ForEachWithPasses(
        [&](const PartitionLog::Edge&, Weight weight, Operation, FilterBits bits) {
          EXPECT_EQ(weight, Weight());
          seen.push_back(bits);
        });
    EXPECT_EQ(seen, expected);
  }
}

TEST(PartitionLogTest, IdsAreKeptWithTheirOffsetsAndTakeMemoryOnlyWhereTheyAre) {
  constexpr std::int64_t kEvents = 20 * 4096;
  PartitionLog log(3);
  for (std::int64_t i = 0; i < kEvents; ++i) log.Append(LoggedEvent(i));
  EXPECT_FALSE(log.has_ids());
  const double before = static_cast<double>(log.bytes());
  EXPECT_NEAR(before / kEvents, 16, 1);
  for (std::int64_t i = kEvents; i < 2 * kEvents; ++i) {
    BufferedEvent event = LoggedEvent(i);
    if (i % 3 != 0) event.id = {.high = 1, .low = static_cast<std::uint64_t>(i)};
    log.Append(event);
  }
  EXPECT_TRUE(log.has_ids());
  EXPECT_NEAR((static_cast<double>(log.bytes()) - before) / kEvents, 40, 2.5);
  const PartitionLog copy = log.Copy();
  EXPECT_EQ(copy.first_offset(), 0);
  EXPECT_EQ(copy.last_offset(), 2 * kEvents - 1);
  std::int64_t next = 0;
  copy.ForEachEvent([&](const BufferedEvent& event) {
    const bool has_id = next >= kEvents && next % 3 != 0;
    const EdgeId id{.high = 1, .low = static_cast<std::uint64_t>(next)};
    ASSERT_EQ(event.id, has_id ? id : EdgeId()) << next;
    if (has_id) {
      ASSERT_EQ(event.offset, next);
    }
    ++next;
  });
  EXPECT_EQ(next, 2 * kEvents);
}

TEST(PartitionLogTest, ALogThatKeepsPlacesKnowsTheOffsetOfEachEventForSixteenBytesMore) {
  constexpr std::int64_t kEvents = 20 * 4096;
  PartitionLog log(3, true);
  std::size_t allocated = 0;
  const auto event_of = [](std::int64_t i) {
    BufferedEvent event = LoggedEvent(i / 3, i % 5 == 0 ? Weight::Integer(2) : Weight());
    event.edges_before = static_cast<std::uint32_t>(i % 3);
    if (i % 7 == 0) event.id = {.high = 1, .low = static_cast<std::uint64_t>(i)};
    return event;
  };
  for (std::int64_t i = 0; i < kEvents; ++i) {
    BufferedEvent plain = LoggedEvent(i / 3);
    plain.edges_before = static_cast<std::uint32_t>(i % 3);
    allocated += log.Append(plain);
  }
  EXPECT_NEAR(static_cast<double>(log.bytes()) / kEvents, 32, 2.5);
  for (std::int64_t i = kEvents; i < 2 * kEvents; ++i) allocated += log.Append(event_of(i));
  EXPECT_EQ(allocated, log.bytes());
  for (const PartitionLog& same : {log.Copy(), log.Renumbered({{"a"}, {"a"}}, kWords)}) {
    EXPECT_TRUE(same.keeps_places());
    std::int64_t next = 0;
    same.ForEachEvent([&](const BufferedEvent& event) {
      ASSERT_EQ(event.offset, next / 3) << next;
      ASSERT_EQ(event.edges_before, next % 3) << next;
      ++next;
    });
    EXPECT_EQ(next, 2 * kEvents);
  }
}

TEST(PartitionLogTest, ATypeTakesOneByteAnEventAndMoreOnlyWhereANumberNeedsIt) {
  constexpr std::int64_t kEvents = 20 * 4096;
  PartitionLog log(0);
  std::size_t allocated = 0;
  const auto append = [&](std::int64_t number, TypeNumber type) {
    BufferedEvent event = LoggedEvent(number);
    event.type = type;
    allocated += log.Append(event);
  };
  const auto type_of = [](std::int64_t i) -> TypeNumber {
    if (i < kEvents) return kNoType;
    if (i < 2 * kEvents) return static_cast<TypeNumber>(i % 256);
    return i % 1000 == 0 ? 70'000 : static_cast<TypeNumber>(i % 257);
  };
  for (std::int64_t i = 0; i < kEvents; ++i) append(i, type_of(i));
  EXPECT_EQ(log.types(), TypeWidth::kNone);
  const double untyped = static_cast<double>(log.bytes());
  EXPECT_NEAR(untyped / kEvents, 16, 1);
  for (std::int64_t i = kEvents; i < 2 * kEvents; ++i) append(i, type_of(i));
  EXPECT_EQ(log.types(), TypeWidth::kOne);
  EXPECT_NEAR((static_cast<double>(log.bytes()) - untyped) / kEvents, 17, 1.5);
  for (std::int64_t i = 2 * kEvents; i < 3 * kEvents; ++i) append(i, type_of(i));
  EXPECT_EQ(log.types(), TypeWidth::kFour);
  EXPECT_EQ(allocated, log.bytes());
  for (const PartitionLog& same : {log.Copy(), log.Renumbered({{"a", "b"}, {"a"}}, kWords)}) {
    std::int64_t next = 0;
    same.ForEachEvent(
        [&](const BufferedEvent& event) { ASSERT_EQ(event.type, type_of(next++)) << next; });
    EXPECT_EQ(next, 3 * kEvents);
  }
}

TEST(PartitionLogTest, KnowsItsBoundsAndWhetherItsTimesAscend) {
  PartitionLog log(3);
  log.Append(LoggedEvent(5));
  log.Append(LoggedEvent(7));
  EXPECT_TRUE(log.is_sorted());
  BufferedEvent late = LoggedEvent(8);
  late.time = EventTime(Duration(6));
  log.Append(late);
  EXPECT_FALSE(log.is_sorted()) << "7 was before 6";
  EXPECT_EQ(log.partition(), 3u);
  EXPECT_EQ(log.first_offset(), 5);
  EXPECT_EQ(log.last_offset(), 8);
  EXPECT_EQ(log.least_time(), EventTime(Duration(5)));
  EXPECT_EQ(log.greatest_time(), EventTime(Duration(7)));
}

TEST(PartitionLogTest, KnowsWhatColumnsItsEventsNeed) {
  PartitionLog log(0);
  log.Append(LoggedEvent(0));
  EXPECT_EQ(log.weights(), WeightColumn::Kind::kOnes);
  log.Append(LoggedEvent(1, Weight::Integer(4)));
  EXPECT_EQ(log.weights(), WeightColumn::Kind::kIntegers);
  EXPECT_TRUE(log.only_adds());
  log.Append(LoggedEvent(2, Weight(), Operation::kRemove));
  EXPECT_FALSE(log.only_adds());
  log.Append(LoggedEvent(3, Weight::Real(1)));
  EXPECT_EQ(log.weights(), WeightColumn::Kind::kMixed);
}

}  // namespace
}  // namespace sash

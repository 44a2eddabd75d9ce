// Edges with an id that came before. Random scripts with ids are in engine_oracle_test.cc,
// rewind_test.cc and the tests of windows/durable.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::kSecond;
using testing::ScriptRecord;

TimePolicy WithinSeconds(std::int64_t seconds) {
  TimePolicy policy = testing::InOrder();
  policy.dedupe_within = Duration(seconds * kSecond);
  return policy;
}

WindowSpec DedupedWindow(std::string name, std::int64_t length) {
  return {.name = std::move(name), .length = length * kSecond, .slide = kSecond};
}

ScriptRecord WithId(std::int64_t second, std::uint64_t id, Operation operation = Operation::kAdd) {
  ScriptRecord record = testing::Seconds(second, second).front();
  record.source = 1;
  record.target = 2;
  record.operation = operation;
  record.id = id;
  return record;
}

std::vector<std::uint64_t> EdgesInAdvances(const EngineHarness& harness) {
  std::vector<std::uint64_t> edges;
  for (const AdvancePtr& advance : harness.advances) edges.push_back(advance->provenance.edges);
  return edges;
}

TEST(DuplicateIdsTest, ARemovalThatComesASecondTimeRemovesNothing) {
  WindowSpec spec = DedupedWindow("w", 5);
  spec.removals = true;
  EngineHarness harness({spec}, WithinSeconds(10));
  harness.Start();
  harness.Feed({WithId(0, 1), WithId(1, 2, Operation::kRemove), WithId(2, 3),
                WithId(3, 2, Operation::kRemove), WithId(4, 0)});
  harness.End();
  EXPECT_EQ(EdgesInAdvances(harness), (std::vector<std::uint64_t>{1, 0, 1, 1, 2}));
  EXPECT_EQ(harness.stats.duplicates, 1u);
  EXPECT_EQ(harness.stats.accepted, 5u);
}

TEST(DuplicateIdsTest, AnEdgeWithoutAnIdIsNeverADuplicateNorIsAnyWithoutTheSetting) {
  for (const std::int64_t within : {0, 10}) {
    EngineHarness harness({DedupedWindow("w", 5)}, WithinSeconds(within));
    harness.Start();
    const std::uint64_t id = within == 0 ? 7 : 0;
    harness.Feed({WithId(0, id), WithId(1, id), WithId(2, id)});
    harness.End();
    EXPECT_EQ(EdgesInAdvances(harness), (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(harness.stats.duplicates, 0u);
  }
}

// Slices with nothing but duplicates come for a long time.
TEST(DuplicateIdsTest, DuplicatesKeepNoKeyAndNoSlice) {
  EngineHarness harness({DedupedWindow("w", 2)}, WithinSeconds(1000));
  std::vector<std::uint64_t> edges;  // an advance that is held would keep its keys
  harness.on_advance = [&](const AdvancePtr& advance) {
    edges.push_back(advance->provenance.edges);
  };
  harness.Start();
  harness.Feed({WithId(0, 1)});
  for (std::int64_t s = 1; s < 100; ++s) {
    ScriptRecord record = WithId(s, 1);
    record.source = 100 + s;
    harness.Feed({record});
  }
  harness.engine().Tick();
  EXPECT_EQ(edges, (std::vector<std::uint64_t>{1, 1, 0}));
  EXPECT_LE(harness.stats.slices_retained, 2u);
  EXPECT_LE(harness.keys.size(), 4u);
  EXPECT_EQ(harness.stats.duplicates, 98u);
}

TEST(DuplicateIdsTest, OnlyWindowsByEventTimeCanBeAdded) {
  EngineHarness harness({DedupedWindow("w", 2)}, WithinSeconds(10));
  harness.Start();
  const Status added =
      harness.AddWindow({.name = "n", .by = WindowAxis::kEvents, .length = 2, .slide = 1});
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("by id"), std::string::npos);
  EXPECT_TRUE(harness.AddWindow(DedupedWindow("longer", 4)));
}

}  // namespace
}  // namespace sash

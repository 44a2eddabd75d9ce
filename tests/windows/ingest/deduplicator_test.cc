#include "windows/ingest/deduplicator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sash {
namespace {

EventTime IdTime(std::int64_t time) { return EventTime(Duration(time)); }

// Each edge is the only one of its record.
class Edges {
 public:
  explicit Edges(std::int64_t within) : deduplicator(Duration(within)) {}

  bool Counts(std::uint64_t id, std::int64_t time) { return Counts(id, time, next_++); }
  bool Counts(std::uint64_t id, std::int64_t time, std::int64_t offset) {
    return deduplicator.Counts({{.high = 0, .low = id}, IdTime(time), offset, 0});
  }
  void BeginSlice(std::int64_t begin) { deduplicator.BeginSlice(IdTime(begin)); }

  Deduplicator deduplicator;

 private:
  std::int64_t next_ = 1000;
};

TEST(DeduplicatorTest, AnEdgeIsADuplicateWithinTheTimeAfterOneThatCounted) {
  Edges edges(10);
  EXPECT_TRUE(edges.Counts(1, 100));
  EXPECT_TRUE(edges.Counts(2, 100)) << "another id";
  EXPECT_FALSE(edges.Counts(1, 108));
  EXPECT_FALSE(edges.Counts(1, 110));
  EXPECT_TRUE(edges.Counts(1, 111)) << "the duplicates at 108 and 110 did not count";
  EXPECT_FALSE(edges.Counts(1, 121));
}

TEST(DeduplicatorTest, EdgesOfOneRecordAreNotDuplicatesOfEachOther) {
  Edges edges(10);
  EXPECT_TRUE(edges.Counts(1, 100, 7));
  EXPECT_TRUE(edges.Counts(1, 100, 7));
  EXPECT_FALSE(edges.Counts(1, 100, 8));
  EXPECT_TRUE(edges.Counts(1, 105, 7));
  EXPECT_FALSE(edges.Counts(1, 115, 8)) << "the edge at 105 is near";
  EXPECT_TRUE(edges.deduplicator.Counts({{.high = 0, .low = 2}, IdTime(100), 7, 0}));
  EXPECT_FALSE(edges.deduplicator.Counts({{.high = 0, .low = 2}, IdTime(100), 7, 1}))
      << "another partition";
}

TEST(DeduplicatorTest, AnEdgeThatWasMovedHasTheTimeAtWhichItsSliceBegins) {
  Edges edges(10);
  EXPECT_TRUE(edges.Counts(1, 95));
  EXPECT_TRUE(edges.Counts(2, 85));
  edges.BeginSlice(100);
  EXPECT_FALSE(edges.Counts(1, 50));
  EXPECT_TRUE(edges.Counts(2, 50));
  EXPECT_FALSE(edges.Counts(2, 110));
}

TEST(DeduplicatorTest, MemoryIsThatOfTheIdsWithinTheTime) {
  Edges edges(1000);
  std::uint64_t id = 0;
  std::size_t most = 0;
  for (std::int64_t begin = 0; begin < 200'000; begin += 100) {
    edges.BeginSlice(begin);
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(edges.Counts(++id, begin + i));
    most = std::max(most, edges.deduplicator.bytes());
  }
  EXPECT_LT(most, 6u * 2 * 550 * sizeof(IdentifiedEdge));
  edges.BeginSlice(300'000);
  EXPECT_EQ(edges.deduplicator.size(), 0u);
  EXPECT_LT(edges.deduplicator.bytes(), most / 4);
}

TEST(DeduplicatorTest, AnotherOneGoesOnFromItsState) {
  std::mt19937_64 random(1);
  Edges edges(300);
  std::int64_t offset = 0;
  for (std::int64_t begin = 0; begin < 20'000; begin += 100) {
    Edges other(300);
    other.deduplicator.Restore(edges.deduplicator.State());
    edges.BeginSlice(begin);
    other.BeginSlice(begin);
    for (std::int64_t time = begin; time < begin + 100; ++time) {
      const std::uint64_t id = 1 + random() % 400;
      ++offset;
      ASSERT_EQ(edges.Counts(id, time, offset), other.Counts(id, time, offset)) << time;
    }
  }
}

}  // namespace
}  // namespace sash

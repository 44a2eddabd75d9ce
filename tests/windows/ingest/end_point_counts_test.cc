#include "windows/ingest/end_point_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace sash {
namespace {

using Counts = std::map<VertexId, std::uint32_t>;

Counts Read(const CodedCounts& coded) {
  Counts counts;
  coded.ForEach([&](VertexId id, std::uint32_t count) { counts[id] = count; });
  return counts;
}

TEST(EndPointCountsTest, CountsBothEndsOfEveryEvent) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::uint64_t ids = std::uint64_t{1} << (random() % 33);
    Slice slice;
    Counts expected;
    for (std::size_t i = random() % 3000; i > 0; --i) {
      slice.sources.push_back(static_cast<VertexId>(random() % ids));
      slice.targets.push_back(static_cast<VertexId>(random() % ids));
      ++expected[slice.sources.back()];
      ++expected[slice.targets.back()];
    }
    EXPECT_EQ(Read(CountEndPoints(slice)), expected);
  }
}

TEST(EndPointCountsTest, ASelfLoopCountsTwice) {
  Slice slice;
  slice.sources = {7};
  slice.targets = {7};
  EXPECT_EQ(Read(CountEndPoints(slice)), (Counts{{7, 2}}));
}

TEST(EndPointCountsTest, AnEmptySliceNamesNobody) { EXPECT_TRUE(CountEndPoints(Slice()).empty()); }

}  // namespace
}  // namespace sash

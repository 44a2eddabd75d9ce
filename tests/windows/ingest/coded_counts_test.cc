#include "windows/ingest/coded_counts.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <utility>

#include "tests/support/slots_elsewhere.h"

namespace sash {
namespace {

using Entries = std::vector<std::pair<VertexId, std::uint32_t>>;

Entries RoundTrip(const Entries& entries) {
  CodedCounts coded;
  for (const auto& [vertex, count] : entries) coded.Append(vertex, count);
  Entries read;
  coded.ForEach([&](VertexId vertex, std::uint32_t count) { read.emplace_back(vertex, count); });
  return read;
}

TEST(CodedCountsTest, ReadsBackWhatWasAppended) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Entries entries;
    for (std::uint64_t vertex = random() % 3; vertex < kNoVertex;
         vertex += 1 + random() % (std::uint64_t{1} << (seed % 28))) {
      entries.emplace_back(vertex, 1 + random() % (random() % 4 == 0 ? 100'000 : 2));
      if (entries.size() == 2000) break;
    }
    EXPECT_EQ(RoundTrip(entries), entries);
  }
}

TEST(CodedCountsTest, HoldsTheExtremes) {
  const Entries entries = {
      {0, std::numeric_limits<std::uint32_t>::max()}, {1, 1}, {kNoVertex - 1, 2}, {kNoVertex, 1}};
  EXPECT_EQ(RoundTrip(entries), entries);
}

TEST(CodedCountsTest, IsTheSameElsewhere) {
  testing::SlotsElsewhere elsewhere;
  {
    CodedCounts coded;
    for (VertexId v = 3; v < 300; v += 3) coded.Append(v, v);
    coded.MoveTo(&elsewhere);
    EXPECT_EQ(elsewhere.bytes(), static_cast<std::int64_t>(coded.bytes()));
    VertexId next = 3;
    coded.ForEach([&](VertexId v, std::uint32_t count) {
      EXPECT_EQ(v, next);
      EXPECT_EQ(count, v);
      next += 3;
    });
    EXPECT_EQ(next, 300u);
  }
  EXPECT_EQ(elsewhere.bytes(), 0);
}

TEST(CodedCountsTest, ADenseTableTakesAByteAVertex) {
  CodedCounts coded;
  for (VertexId v = 0; v < 1000; ++v) coded.Append(v * 50, 1);
  coded.ShrinkToFit();
  EXPECT_LE(coded.bytes(), 1001u);
}

}  // namespace
}  // namespace sash

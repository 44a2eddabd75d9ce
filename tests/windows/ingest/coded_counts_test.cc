#include "windows/ingest/coded_counts.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <utility>

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

TEST(CodedCountsTest, ADenseTableTakesAByteAVertex) {
  CodedCounts coded;
  for (VertexId v = 0; v < 1000; ++v) coded.Append(v * 50, 1);
  coded.ShrinkToFit();
  EXPECT_LE(coded.bytes(), 1001u);
}

}  // namespace
}  // namespace sash

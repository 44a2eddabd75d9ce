#include "windows/jobs/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace sash {
namespace {

TEST(RankingTest, RoundsToNineSignificantDigits) {
  EXPECT_EQ(RoundedScore(0.12345678949), RoundedScore(0.1234567891));
  EXPECT_NE(RoundedScore(0.123456789), RoundedScore(0.123456788));
  EXPECT_EQ(RoundedScore(1.23456789e-12), 1.23456789e-12);
  EXPECT_EQ(RoundedScore(0), 0);
}

TEST(RankingTest, ScoresEqualAfterRoundingAreOrderedByKey) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"b", "a", "c"}) VertexDictionary::Writer(keys).Intern(key);
  const std::vector<VertexId> vertices = {0, 1, 2};
  const std::vector<double> scores = {0.25 + 1e-13, 0.25, 0.5};
  const auto top = TopByScore(vertices, scores, 3, keys);
  EXPECT_EQ(top[0].key, VertexKey("c"));
  EXPECT_EQ(top[1].key, VertexKey("a"));
  EXPECT_EQ(top[2].key, VertexKey("b"));
  EXPECT_EQ(top[2].rank, 3u);
}

TEST(RankingTest, TheTopIsTheBeginningOfTheWholeListWhateverItsLength) {
  constexpr VertexId kVertices = 2'000;
  VertexDictionary keys(KeyKind::kInteger);
  std::mt19937_64 random(11);
  std::vector<double> scores;
  for (VertexId v = 0; v < kVertices; ++v) {
    VertexDictionary::Writer(keys).Intern(static_cast<std::int64_t>(random() % 100'000'000));
    scores.push_back(static_cast<double>(random() % 300) / 1000 +
                     1e-14 * static_cast<double>(random() % 5));
  }
  std::vector<VertexId> vertices(keys.size());
  std::iota(vertices.begin(), vertices.end(), 0u);
  const auto all = TopByScore(vertices, scores, vertices.size(), keys);
  ASSERT_EQ(all.size(), vertices.size());
  for (const std::size_t count : {1u, 2u, 17u, 500u, 1'999u}) {
    const auto top = TopByScore(vertices, scores, count, keys);
    ASSERT_EQ(top.size(), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(top[i].key, all[i].key) << count;
  }
  for (const std::size_t i : {0u, 5u, 1'000u}) {
    EXPECT_EQ(RankByScore(vertices, scores, *keys.Find(all[i].key), keys), i + 1);
  }
}

TEST(RankingTest, UnreachedVerticesAreNotListed) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"a", "b", "c"}) VertexDictionary::Writer(keys).Intern(key);
  const std::vector<VertexId> vertices = {0, 1, 2};
  const std::vector<std::int32_t> depths = {1, -1, 0};
  const auto top = TopByDepth(vertices, depths, 10, keys);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].key, VertexKey("c"));
  EXPECT_EQ(RankByDepth(vertices, depths, 0, keys), 2u);
}

}  // namespace
}  // namespace sash

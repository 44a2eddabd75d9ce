#include "windows/jobs/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/support/named_seed.h"
#include "windows/jobs/key_order.h"
#include "windows/jobs/rounded_score.h"
#include "windows/jobs/weight_ranking.h"
#include "windows/kernels/sssp.h"

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

TEST(RankingTest, ScoresBelowZeroAreListedInTheirOrder) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"d", "b", "a", "c"}) VertexDictionary::Writer(keys).Intern(key);
  const std::vector<VertexId> vertices = {0, 1, 2, 3};
  // In the order of results: c, then a and b, which are equal after rounding, then d.
  const std::vector<double> scores = {-3, -2 + 1e-12, -2, -1};
  const std::vector<VertexKey> expected = {VertexKey("c"), VertexKey("a"), VertexKey("b"),
                                           VertexKey("d")};
  for (const std::size_t count : {1u, 2u, 3u, 4u, 9u}) {
    std::vector<VertexKey> listed;
    for (const auto& row : TopByScore(vertices, scores, count, keys)) listed.push_back(row.key);
    std::vector<VertexKey> first;
    for (const VertexId v : GreatestFirst(vertices, scores, count, keys)) {
      first.push_back(keys.KeyOf(v));
    }
    const std::vector<VertexKey> wanted(
        expected.begin(),
        expected.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, 4)));
    EXPECT_EQ(listed, wanted) << count;
    EXPECT_EQ(first, wanted) << count;
  }
  EXPECT_EQ(RankByScore(vertices, scores, 1, keys), 3u);
}

TEST(RankingTest, CountsAreComparedExactlyAndTiesByKey) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"d", "b", "c", "a"}) VertexDictionary::Writer(keys).Intern(key);
  const std::vector<VertexId> vertices = {0, 1, 2, 3};
  // The first two are equal to nine digits, but not to ten.
  const std::vector<std::uint64_t> counts = {10'000'000'000, 10'000'000'001, 5, 5};
  for (const std::size_t count : {1u, 2u, 3u, 4u, 9u}) {
    const auto top = TopByCount(vertices, counts, count, keys);
    ASSERT_EQ(top.size(), std::min<std::size_t>(count, 4));
    std::string order;
    for (const CountedVertex& row : top) {
      order += std::get<std::string>(row.key);
      EXPECT_EQ(row.rank, order.size());
      EXPECT_EQ(row.count, counts[*keys.Find(row.key)]);
      EXPECT_EQ(RankByCount(vertices, counts, *keys.Find(row.key), keys), row.rank);
    }
    EXPECT_EQ(order, std::string("bdac").substr(0, count));
  }
}

TEST(RankingTest, IntegerWeightsAreComparedExactlyOthersRoundedAndTiesByKey) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"h", "g", "f", "e", "d", "c", "b", "a"}) {
    VertexDictionary::Writer(keys).Intern(key);
  }
  const std::vector<VertexId> vertices = {0, 1, 2, 3, 4, 5, 6, 7};
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  const std::vector<Weight> weights = {
      Weight::Integer(kLarge),          Weight::Integer(kLarge + 1),  // equal as doubles
      Weight::Real(2.5 + 1e-13),        Weight::Real(2.5),            // equal to nine digits
      Weight::Integer(-kLarge),         Weight::Integer(-kLarge + 1),
      Weight::Real(kUnreachedDistance), Weight::Integer(2)};
  for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 9u}) {
    const auto top = TopByWeight(vertices, weights, count, keys);
    ASSERT_EQ(top.size(), std::min<std::size_t>(count, 7)) << "an infinite weight is not listed";
    std::string order;
    for (const WeighedVertex& row : top) {
      order += std::get<std::string>(row.key);
      EXPECT_EQ(row.rank, order.size());
      EXPECT_EQ(row.weight, weights[*keys.Find(row.key)]);
      EXPECT_EQ(RankByWeight(vertices, weights, *keys.Find(row.key), keys), row.rank);
    }
    EXPECT_EQ(order, std::string("ghefacd").substr(0, count));
  }
}

TEST(RankingTest, DistancesAreListedNearestFirstAndInfiniteOnesNotAtAll) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"d", "b", "c", "a"}) VertexDictionary::Writer(keys).Intern(key);
  const std::vector<VertexId> vertices = {0, 1, 2, 3};
  const std::vector<double> distances = {0.5, 0.5 + 1e-13, kUnreachedDistance, 7};
  const auto top = TopByDistance(vertices, distances, 9, keys);
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0].key, VertexKey("b")) << "equal to nine digits: by key";
  EXPECT_EQ(top[1].key, VertexKey("d"));
  EXPECT_EQ(top[2].distance, 7);
  EXPECT_EQ(RankByDistance(vertices, distances, 3, keys), 3u);
}

TEST(RankingTest, ByKeyIsTheOrderOfKeys) {
  const testing::NamedSeed seed;
  std::mt19937_64 random(seed.value());
  for (const KeyKind kind : {KeyKind::kString, KeyKind::kInteger}) {
    VertexDictionary keys(kind);
    for (int i = 0; i < 3'000; ++i) {
      VertexDictionary::Writer writer(keys);
      if (kind == KeyKind::kInteger) {
        writer.Intern(static_cast<std::int64_t>(random()) >> random() % 64);
        continue;
      }
      // Long keys with long common prefixes, bytes above 127, and zeros at the end.
      std::string key(1 + random() % 12, "a\0\xff"[random() % 3]);
      if (random() % 3 == 0) key += std::to_string(random() % 500);
      writer.Intern(key);
    }
    std::vector<VertexId> vertices(keys.size());
    std::iota(vertices.begin(), vertices.end(), 0u);
    std::vector<VertexId> expected = vertices;
    std::ranges::sort(expected, [&](VertexId a, VertexId b) { return keys.KeyLess(a, b); });
    EXPECT_EQ(ByKey(vertices, keys), expected);
  }
}

TEST(RankingTest, UnreachedVerticesAreNotListed) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"a", "b", "c"}) VertexDictionary::Writer(keys).Intern(key);
  const std::vector<VertexId> vertices = {0, 1, 2};
  const std::vector<std::int32_t> depths = {1, -1, 0};
  EXPECT_EQ(NearestFirst(vertices, depths, 10, keys), (std::vector<VertexId>{2, 0}));
  EXPECT_EQ(RankByDepth(vertices, depths, 0, keys), 2u);
}

}  // namespace
}  // namespace sash

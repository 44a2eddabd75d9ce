#include "daemon/generate/vertex_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace sash {
namespace {

// In-degrees of 2^12 vertices after 100,000 edges.
std::vector<int> InDegrees(GraphShape shape, double skew) {
  const VertexPairs pairs(shape, 12, skew, 5);
  Xoshiro256 random(7);
  std::vector<int> degrees(1 << 12);
  for (int i = 0; i < 100'000; ++i) ++degrees.at(pairs.Draw(random).target);
  return degrees;
}

TEST(RandomTest, MatchesThePublishedGenerators) {
  SplitMix64 split(1234567);  // reference values of the authors' C programs
  EXPECT_EQ(split.Next(), 6457827717110365317u);
  EXPECT_EQ(split.Next(), 3203168211198807973u);
  EXPECT_EQ(split.Next(), 9817491932198370423u);
}

TEST(RandomTest, BelowStaysBelowAndReachesEverything) {
  Xoshiro256 random(3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.Below(7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(RandomTest, AShareOfOneAlwaysHappensAndOfZeroNever) {
  Xoshiro256 random(3);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(random.Happens(Chance(1)));
    ASSERT_FALSE(random.Happens(Chance(0)));
  }
}

TEST(ScrambleTest, IsABijectionAtEveryScale) {
  for (int scale = 1; scale <= 16; ++scale) {
    const Scramble scramble(scale, 42);
    std::vector<bool> seen(std::size_t{1} << scale);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::uint64_t image = scramble(i);
      ASSERT_LT(image, seen.size());
      ASSERT_FALSE(seen[image]) << "scale " << scale;
      seen[image] = true;
    }
  }
}

TEST(VertexPairsTest, RmatHasHubsWhereUniformHasNone) {
  const auto rmat = InDegrees(GraphShape::kRmat, 0.57);
  const auto uniform = InDegrees(GraphShape::kUniform, 0.57);
  const int rmat_greatest = *std::max_element(rmat.begin(), rmat.end());
  const int uniform_greatest = *std::max_element(uniform.begin(), uniform.end());
  EXPECT_LT(uniform_greatest, 60);  // mean 24
  EXPECT_GT(rmat_greatest, 1000);   // 0.76^12 of the edges on average: 3,700
  EXPECT_GT(std::count(rmat.begin(), rmat.end(), 0), std::count(uniform.begin(), uniform.end(), 0));
}

TEST(VertexPairsTest, TheGreatestInDegreeOfRmatIsThatOfTheModel) {
  const auto degrees = InDegrees(GraphShape::kRmat, 0.57);
  const double share = *std::max_element(degrees.begin(), degrees.end()) / 100'000.0;
  EXPECT_NEAR(share, 0.0371, 0.003);  // (a + c)^12 = 0.76^12
}

TEST(VertexPairsTest, MoreSkewMakesGreaterHubs) {
  const auto mild = InDegrees(GraphShape::kRmat, 0.45);
  const auto strong = InDegrees(GraphShape::kRmat, 0.7);
  EXPECT_GT(*std::max_element(strong.begin(), strong.end()),
            2 * *std::max_element(mild.begin(), mild.end()));
}

TEST(VertexPairsTest, HubsAreNotNeighboursInTheNumbering) {
  const auto degrees = InDegrees(GraphShape::kRmat, 0.57);
  std::vector<int> order(degrees.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return degrees[static_cast<std::size_t>(a)] > degrees[static_cast<std::size_t>(b)];
  });
  int near = 0;
  for (std::size_t i = 1; i < 12; ++i) near += std::abs(order[i] - order[0]) < 16 ? 1 : 0;
  EXPECT_LE(near, 2);
}

TEST(VertexPairsTest, TheGreatestScaleUsesAll32Bits) {
  for (const GraphShape shape : {GraphShape::kRmat, GraphShape::kUniform}) {
    const VertexPairs pairs(shape, 32, 0.57, 5);
    Xoshiro256 random(7);
    std::uint64_t bits = 0;
    for (int i = 0; i < 1000; ++i) {
      const DrawnPair pair = pairs.Draw(random);
      bits |= pair.source | pair.target;
    }
    EXPECT_EQ(bits, 0xffffffffu);
  }
}

}  // namespace
}  // namespace sash

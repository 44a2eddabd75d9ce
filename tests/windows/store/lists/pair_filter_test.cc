#include "windows/store/lists/pair_filter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/chosen_keys.h"

namespace sash {
namespace {

TEST(PairFilterTest, HoldsEveryEdgeInsertedAndFewOthers) {  // (1)
  for (const std::size_t edges : {1u, 100u, 5'000u, 200'000u}) {
    PairFilter filter(edges);
    VertexId next = 0;
    for (; !filter.is_full(); ++next) filter.Insert(next % 256, next);
    EXPECT_GE(next, edges);
    for (VertexId v = 0; v < next; ++v) ASSERT_TRUE(filter.MayHold(v % 256, v)) << v;
    constexpr std::uint32_t kOthers = 30'000;
    std::uint32_t held = 0;
    for (VertexId v = next; v < next + kOthers; ++v) held += filter.MayHold(v % 256, v) ? 1 : 0;
    EXPECT_LE(held, kOthers / 30) << edges << " edges";
  }
}

TEST(PairFilterTest, ChosenEdgesAreTakenForEdgesNoOftenerThanOthers) {
  const std::vector<VertexId> chosen = testing::ChosenForFilter(40'000, 3, 16);
  PairFilter filter(20'000);
  std::uint32_t held = 0;
  for (std::size_t i = 0; i < 20'000; ++i) filter.Insert(3, chosen[i]);
  for (std::size_t i = 20'000; i < 40'000; ++i) held += filter.MayHold(3, chosen[i]) ? 1 : 0;
  EXPECT_LE(held, 20'000u / 30);
}

TEST(PairFilterTest, TheSameNeighbourInAnotherListIsAnotherEdge) {
  PairFilter filter(256);
  for (VertexId v = 0; v < 256; ++v) filter.Insert(1, v);
  std::uint32_t held = 0;
  for (VertexId v = 0; v < 256; ++v) held += filter.MayHold(2, v) ? 1 : 0;
  EXPECT_LE(held, 16u);
}

TEST(PairFilterTest, OneForNoEdgesHoldsNothingAndIsFull) {
  const PairFilter filter;
  EXPECT_TRUE(filter.is_full());
  EXPECT_FALSE(filter.MayHold(0, 0));
  filter.Prefetch(0, 0);
  EXPECT_EQ(filter.bytes(), 0u);
}

TEST(PairFilterTest, AFilterForManyMoreEdgesThanThereAreIsOversized) {
  const PairFilter filter(10'000);
  EXPECT_FALSE(filter.is_oversized(10'000));
  EXPECT_FALSE(filter.is_oversized(5'000));
  EXPECT_TRUE(filter.is_oversized(100));
}

}  // namespace
}  // namespace sash

#include "windows/ingest/free_ids.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace sash {
namespace {

TEST(FreeIdsTest, GivesTheLowestAsASortedSetDoes) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::uint64_t limit = 1 + random() % 500'000;
    FreeIds free;
    std::set<VertexId> expected;
    for (int step = 0; step < 3000; ++step) {
      if (!expected.empty() && random() % 5 < 2) {
        ASSERT_EQ(free.TakeLowest(), *expected.begin());
        expected.erase(expected.begin());
      } else {
        const auto id = static_cast<VertexId>(random() % limit);
        if (expected.insert(id).second) free.Insert(id);
      }
      ASSERT_EQ(free.size(), expected.size());
    }
  }
}

TEST(FreeIdsTest, SkipsWordsOfEveryLevel) {
  FreeIds free;
  const std::vector<VertexId> ids = {63, 64, 4095, 4096, 262'143, 262'144, 16'777'216};
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) free.Insert(*id);
  for (const VertexId id : ids) EXPECT_EQ(free.TakeLowest(), id);
  EXPECT_TRUE(free.empty());
}

TEST(FreeIdsTest, TakesLittleMoreThanABitAnId) {
  FreeIds free;
  for (VertexId id = 1'000'000; id-- > 0;) free.Insert(id);
  EXPECT_LE(free.bytes(), 1'000'000u / 8 * 66 / 64 + 100);
}

TEST(FreeIdsDeathTest, AnIdIsFreedOnce) {
  FreeIds free;
  free.Insert(5);
  EXPECT_DEATH(free.Insert(5), "check failed");
}

}  // namespace
}  // namespace sash

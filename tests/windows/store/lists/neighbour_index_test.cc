#include "windows/store/lists/neighbour_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "tests/support/chosen_keys.h"

namespace sash {
namespace {

using Key = std::pair<VertexId, std::uint32_t>;

void ExpectSame(const NeighbourIndex& index, const std::map<Key, std::uint32_t>& model) {
  ASSERT_EQ(index.size(), model.size());
  for (const auto& [key, position] : model) {
    ASSERT_EQ(index.Find(key.first, key.second), position) << key.first << " " << key.second;
  }
}

TEST(NeighbourIndexTest, FindsWhatAMapFindsWhileItGrowsAndShrinks) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const VertexId neighbours = seed % 3 == 0 ? 40 : 20'000;
    const std::uint32_t copies = seed % 2 == 0 ? 1 : 50;
    NeighbourIndex index;
    std::map<Key, std::uint32_t> model;
    for (const unsigned inserts : {90u, 15u, 70u, 5u}) {  // of a hundred
      for (int i = 0; i < 4000; ++i) {
        const Key key(static_cast<VertexId>(random() % neighbours),
                      static_cast<std::uint32_t>(random() % copies));
        const auto position = static_cast<std::uint32_t>(random());
        if (random() % 100 < inserts) {
          if (model.insert_or_assign(key, position).second) {
            index.Insert(key.first, key.second, position);
          } else {
            index.Move(key.first, key.second, position);
          }
        } else {
          index.Erase(key.first, key.second);  // mostly absent
          model.erase(key);
          const auto victim = model.lower_bound(key);
          if (victim != model.end()) {
            index.Erase(victim->first.first, victim->first.second);
            model.erase(victim);
          }
        }
        if (i % 500 == 0) ExpectSame(index, model);
      }
      ExpectSame(index, model);
    }
  }
}

TEST(NeighbourIndexTest, GivesItsMemoryBack) {
  NeighbourIndex index;
  for (VertexId v = 0; v < 100'000; ++v) index.Insert(v, 0, v);
  const std::size_t full = index.bytes();
  EXPECT_LT(full, 100'000u * 32);
  for (VertexId v = 0; v < 99'900; ++v) index.Erase(v, 0);
  EXPECT_LT(index.bytes(), full / 20);
  for (VertexId v = 99'900; v < 100'000; ++v) EXPECT_EQ(index.Find(v), v);
}

TEST(NeighbourIndexTest, ChosenNeighboursCollideNoMoreThanOthers) {
  NeighbourIndex index;
  for (const VertexId v : testing::ChosenNeighbours(80'000, 16)) index.Insert(v, 0, v);
  EXPECT_LT(index.LongestSearch(), 64u);  // about 20 for as many other keys
}

TEST(NeighbourIndexTest, AMillionCopiesOfOneNeighbourDoNotPileUp) {
  NeighbourIndex index;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) index.Insert(7, i, i);
  for (std::uint32_t i = 0; i < 1'000'000; i += 997) EXPECT_EQ(index.Find(7, i), i);
  EXPECT_EQ(index.Find(7, 1'000'000), std::nullopt);
}

}  // namespace
}  // namespace sash

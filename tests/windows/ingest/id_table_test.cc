#include "windows/ingest/id_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "tests/support/seed_range.h"

namespace sash {
namespace {

VertexId Find(const IdTable& table, std::uint32_t hash, VertexId id) {
  return table.Find(hash, [&](VertexId candidate) { return candidate == id; });
}

// Few different hashes produce long runs that overlap and wrap around the end of the table.
TEST(IdTableTest, FindsWhatIsInItAndNothingElse) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 40});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto lowest = static_cast<std::uint32_t>(random() % 2 == 0 ? 0 : -(random() % 60));
    const auto hashes = static_cast<std::uint32_t>(1 + random() % 200);
    IdTable table;
    std::map<VertexId, std::uint32_t> expected;
    for (int step = 0; step < 2500; ++step) {
      const auto id = static_cast<VertexId>(random() % 900);
      const auto found = expected.find(id);
      if (found == expected.end()) {
        const auto hash = lowest + static_cast<std::uint32_t>(random() % hashes);
        ASSERT_EQ(Find(table, hash, id), kNoVertex);
        table.Insert(hash, id);
        expected.emplace(id, hash);
      } else if (random() % 2 == 0) {
        table.Erase(found->second, id);
        ASSERT_EQ(Find(table, found->second, id), kNoVertex);
        expected.erase(found);
      }
      ASSERT_EQ(table.size(), expected.size());
      if (step % 50 != 0) continue;
      for (const auto& [known, hash] : expected) ASSERT_EQ(Find(table, hash, known), known);
    }
  }
}

TEST(IdTableTest, TheLongestSearchIsThatOfTheIdFarthestFromItsPlace) {
  IdTable table;
  EXPECT_EQ(table.LongestSearch(), 0u);
  for (VertexId id = 0; id < 5; ++id) table.Insert(0xFFFF'FFFE, id);  // wraps around the end
  table.Insert(2, 5);
  EXPECT_EQ(table.LongestSearch(), 5u);
  table.Erase(0xFFFF'FFFE, 0);
  EXPECT_EQ(table.LongestSearch(), 4u);
}

TEST(IdTableTest, GrowsAndShrinksWithItsIds) {
  IdTable table;
  const std::size_t empty = table.bytes();
  const auto hash = [](VertexId id) { return id * 2654435761u; };
  for (VertexId id = 0; id < 100'000; ++id) table.Insert(hash(id), id);
  const std::size_t full = table.bytes();
  EXPECT_GE(full, 8u * 100'000 * 10 / 7);
  EXPECT_LE(full, 8u * 100'000 * 20 / 7);
  for (VertexId id = 0; id < 100'000; ++id) {
    table.Erase(hash(id), id);
    ASSERT_LE(table.bytes(), std::max<std::size_t>(empty, 8u * (100'000 - id) * 6));
    if (id % 9973 != 0) continue;
    for (VertexId kept = id + 1; kept < 100'000; ++kept) {
      ASSERT_EQ(Find(table, hash(kept), kept), kept);
    }
  }
  EXPECT_EQ(table.bytes(), empty);
}

TEST(IdTableTest, ComingAndGoingAtTheEdgeDoesNotResizeEachTime) {
  IdTable table;
  VertexId id = 0;
  const std::size_t before = table.bytes();
  while (table.bytes() == before) table.Insert(id * 2654435761u, id), ++id;
  const std::size_t after = table.bytes();
  for (int i = 0; i < 300; ++i) {
    --id;
    table.Erase(id * 2654435761u, id);
    EXPECT_EQ(table.bytes(), after);
  }
}

TEST(IdTableDeathTest, WhatIsNotThereCannotBeErased) {
  IdTable table;
  table.Insert(7, 1);
  EXPECT_DEATH(table.Erase(7, 2), "check failed");
}

}  // namespace
}  // namespace sash

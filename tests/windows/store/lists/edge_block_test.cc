#include "windows/store/lists/edge_block.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace sash {
namespace {

using Kind = WeightColumn::Kind;

TEST(EdgeBlockTest, ADeathIsVisibleFromItsSliceOnAndNotBefore) {  // (1)
  EdgeBlock block(2, {.lives = true});
  block.Write(0, {.neighbour = 7, .birth = 3});
  block.Write(1, {.neighbour = 8, .birth = 3});
  EXPECT_FALSE(block.has_dead());
  block.Kill(0, 5);
  EXPECT_TRUE(block.has_dead());
  EXPECT_TRUE(block.IsDead(0));
  EXPECT_FALSE(block.IsDead(1));
  EXPECT_TRUE(block.IsVisible(0, 4));
  EXPECT_FALSE(block.IsVisible(0, 5));
  EXPECT_FALSE(block.IsVisible(0, 6));
  EXPECT_TRUE(block.IsVisible(1, 6));
}

TEST(EdgeBlockTest, ATypeTakesAsManyBytesAsItsWidthAndSurvivesACopyIntoAWiderBlock) {
  constexpr std::uint32_t kSlots = 1001;
  EdgeBlock plain(kSlots, {});
  EdgeBlock narrow(kSlots, {.types = TypeWidth::kOne});
  EdgeBlock wide(kSlots, {.types = TypeWidth::kTwo});
  const double untyped = static_cast<double>(plain.memory().total());
  EXPECT_NEAR(static_cast<double>(narrow.memory().total()) - untyped, kSlots, 400);
  EXPECT_NEAR(static_cast<double>(wide.memory().total()) - untyped, 2 * kSlots, 400);
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    plain.Write(slot, {.neighbour = slot});
    narrow.Write(slot, {.neighbour = slot, .type = slot % 256});
    wide.Write(slot, {.neighbour = slot, .type = 65'535 - slot});
  }
  EXPECT_EQ(plain.content(5).type, kNoType);
  EXPECT_EQ(narrow.content(255).type, 255u);
  EXPECT_EQ(wide.content(kSlots - 1).type, 65'535u - (kSlots - 1));
  EXPECT_EQ(wide.neighbour(kSlots - 1), kSlots - 1);
  wide.Copy(narrow, 100, 200, 7);
  wide.Copy(plain, 0, 7, 0);
  EXPECT_EQ(wide.type(6), kNoType);
  for (std::uint32_t i = 0; i < 200; ++i) ASSERT_EQ(wide.type(7 + i), (100 + i) % 256);
  EXPECT_EQ(wide.type(207), 65'535u - 207);
}

// Blocks with some dead slots, read at slices before, between and after the deaths: by bits and by
// lives.
class HalfDeadBlock {
 public:
  static constexpr std::uint32_t kSlots = 200;

  explicit HalfDeadBlock(std::mt19937& engine) {
    const auto dead_in_ten = static_cast<std::uint32_t>(engine() % 11);
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
      block.Write(slot, {.neighbour = slot * 3 + 1, .birth = slot / 10});
      if (engine() % 10 < dead_in_ten) {
        block.Kill(slot, 20 + static_cast<SliceNumber>(engine() % 10));
      }
    }
    end = static_cast<std::uint32_t>(engine()) % (kSlots + 1);
    view = 19 + static_cast<SliceNumber>(engine() % 12);
  }

  // In [begin, end), ascending.
  std::vector<std::uint32_t> Slots(std::uint32_t begin, bool are_visible) const {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = begin; slot < end; ++slot) {
      if (block.IsVisible(slot, view) == are_visible) slots.push_back(slot);
    }
    return slots;
  }

  EdgeBlock block{kSlots, {.lives = true}};
  std::uint32_t end = 0;
  SliceNumber view = 0;
};

TEST(EdgeBlockTest, WhatIsVisibleIsCopiedNewestAndWithoutTheRest) {  // (1), (3)
  std::mt19937 engine(5);
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    const HalfDeadBlock half(engine);
    std::vector<VertexId> expected;
    for (const std::uint32_t slot : half.Slots(0, true)) expected.push_back(slot * 3 + 1);
    const std::size_t visible = expected.size();
    const std::size_t most = engine() % (visible + 30);
    if (expected.size() > most) {
      expected.erase(expected.begin(), expected.end() - static_cast<std::ptrdiff_t>(most));
    }
    std::vector<VertexId> to(most + 1, 7'777'777);
    const std::size_t older = visible - expected.size();
    std::uint32_t rest = half.end;
    ASSERT_EQ(half.block.CopyVisible(rest, static_cast<std::uint32_t>(most), half.view, to.data()),
              expected.size());
    EXPECT_EQ(to.back(), 7'777'777u);
    to.pop_back();
    to.erase(to.begin(), to.end() - static_cast<std::ptrdiff_t>(expected.size()));
    EXPECT_EQ(to, expected);
    // Reading continues before `rest` with the older slots, and no others.
    to.resize(HalfDeadBlock::kSlots);
    EXPECT_EQ(half.block.CopyVisible(rest, HalfDeadBlock::kSlots, half.view, to.data()), older);
  }
}

TEST(EdgeBlockTest, AStretchBeginsWithTheOldestThatIsWanted) {  // (3)
  std::mt19937 engine(6);
  for (int round = 0; round < 1200; ++round) {
    SCOPED_TRACE(round);
    const HalfDeadBlock half(engine);
    const std::uint32_t begin = half.end - static_cast<std::uint32_t>(engine()) % (half.end + 1);
    const std::vector<std::uint32_t> visible = half.Slots(begin, true);
    const std::uint32_t wanted = 1 + static_cast<std::uint32_t>(engine() % (visible.size() + 5));
    std::uint32_t lacking = wanted;
    const std::uint32_t first = half.block.FindOldest(begin, half.end, lacking, half.view);
    if (visible.size() >= wanted) {
      EXPECT_EQ(first, visible[visible.size() - wanted]);
      EXPECT_EQ(lacking, 0u);
    } else {
      EXPECT_EQ(first, begin);
      EXPECT_EQ(lacking, wanted - visible.size());
    }
    const std::vector<std::uint32_t> hidden = half.Slots(first, false);
    std::vector<std::uint32_t> listed(hidden.size());
    if (half.block.ListDead(first, half.end, static_cast<std::uint32_t>(hidden.size()), half.view,
                            listed.data())) {
      EXPECT_EQ(listed, hidden);
    } else {
      EXPECT_LT(half.view, 29u);  // a later view knows all deaths
    }
    const EdgeBlock::Stretch stretch = half.block.FindShort(half.end, wanted, half.view);
    if (stretch.slots > 0) {
      ASSERT_LE(stretch.slots, half.end);
      std::vector<std::uint32_t> dead;
      for (std::uint32_t i = 0; i < 32; ++i) {
        if ((stretch.dead >> i & 1) != 0) dead.push_back(half.end - stretch.slots + i);
      }
      EXPECT_EQ(dead, half.Slots(half.end - stretch.slots, false));
      EXPECT_EQ(half.Slots(half.end - stretch.slots, true).size(), wanted);
      EXPECT_TRUE(half.block.IsVisible(half.end - stretch.slots, half.view));
    }
  }
}

TEST(EdgeBlockTest, TheLastSlicesOfAllAreToldApart) {  // (1)
  EdgeBlock block(1, {.lives = true});
  block.Write(0, {.neighbour = 1, .birth = EdgeBlock::kMostSlices});
  EXPECT_FALSE(block.IsDead(0));
  EXPECT_EQ(block.content(0).birth, EdgeBlock::kMostSlices);
  block.Kill(0, EdgeBlock::kMostSlices);
  EXPECT_TRUE(block.IsVisible(0, EdgeBlock::kMostSlices - 1));
  EXPECT_FALSE(block.IsVisible(0, EdgeBlock::kMostSlices));
}

TEST(EdgeBlockTest, WithoutLivesNothingIsDead) {  // (2)
  EdgeBlock block(1, {});
  block.Write(0, {.neighbour = 1, .birth = 9});
  EXPECT_FALSE(block.IsDead(0));
  EXPECT_FALSE(block.has_dead());
}

// Copies every kind of weights into every wider kind, and reads what was written.
TEST(EdgeBlockTest, ACopyHoldsTheSameWhateverTheKindsOfWeights) {
  const Weight weights[] = {Weight(), Weight::Integer(std::numeric_limits<std::int64_t>::min()),
                            Weight::Real(-0.1)};
  for (const Kind from : {Kind::kOnes, Kind::kIntegers, Kind::kMixed}) {
    for (const Kind to : {Kind::kOnes, Kind::kIntegers, Kind::kMixed}) {
      if (from > to) continue;
      SCOPED_TRACE(static_cast<int>(from) * 10 + static_cast<int>(to));
      EdgeBlock old(4, {.lives = true, .links = true, .weights = from});
      for (std::uint32_t slot = 0; slot < 4; ++slot) {
        const Weight weight = weights[slot % (static_cast<std::uint32_t>(from) + 1)];
        old.Write(slot,
                  {.neighbour = slot + 10, .birth = slot, .link = slot * 3, .weight = weight});
      }
      old.Kill(2, 9);
      EdgeBlock copy(9, {.lives = true, .links = true, .weights = to});
      for (std::uint32_t slot = 0; slot < 9; ++slot) {  // not the values that are there already
        copy.Write(slot, {.neighbour = 99, .birth = 99, .link = 99, .weight = {}});
      }
      copy.Copy(old, 1, 3, 5);
      for (std::uint32_t slot = 1; slot < 4; ++slot) {
        EXPECT_EQ(copy.neighbour(slot + 4), old.neighbour(slot));
        EXPECT_EQ(copy.link(slot + 4), old.link(slot));
        EXPECT_EQ(copy.weight(slot + 4), old.weight(slot));
        EXPECT_EQ(copy.IsVisible(slot + 4, 8), old.IsVisible(slot, 8));
        EXPECT_EQ(copy.IsVisible(slot + 4, 9), old.IsVisible(slot, 9));
      }
      std::vector<VertexId> read(3);  // by bits
      std::uint32_t end = 8;
      EXPECT_EQ(copy.CopyVisible(end, 3, 9, read.data()), 3u);
      EXPECT_EQ(read, (std::vector<VertexId>{99, 11, 13}));
      EXPECT_EQ(copy.neighbour(4), 99u);
      EXPECT_EQ(copy.neighbour(8), 99u);
    }
  }
}

TEST(EdgeBlockDeathTest, ACopyThatDoesNotFitEndsTheProcess) {
  const EdgeBlock old(4, {});
  EdgeBlock small(3, {});
  EXPECT_DEATH(small.Copy(old, 0, 4, 0), "");
  EdgeBlock ones(4, {});
  const EdgeBlock weighted(4, {.weights = Kind::kIntegers});
  EXPECT_DEATH(ones.Copy(weighted, 0, 1, 0), "");
}

}  // namespace
}  // namespace sash

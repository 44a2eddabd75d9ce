#include "windows/store/long_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "windows/store/adjacency_view.h"

namespace sash {
namespace {

constexpr ListSizes kSmall = {
    .slot_bits = 3, .least_slots = 2, .segment_entries = 6, .segment_capacity = 4};
constexpr SlotLayout kMortal = {.lives = true, .links = true};

using Neighbours = std::vector<VertexId>;

// The alive edges, oldest first.
Neighbours Alive(const LongList& list, std::size_t count) {
  Neighbours alive;
  list.ForEachAlive(static_cast<std::uint32_t>(count),
                    [&](const SlotContent& edge) { alive.push_back(edge.neighbour); });
  return alive;
}

// What a reader of `version` sees, ordered.
Neighbours Read(const LongListVersion& version, std::size_t degree, SliceNumber view) {
  ListPage page;
  page.long_lists = {version};
  page.ends[0] = ListPage::kIsLong;
  Neighbours read;
  RunCursor runs(page, 0, static_cast<std::uint32_t>(degree), view);
  for (EdgeRun run; runs.Next(run);) {
    read.insert(read.end(), run.neighbours().begin(), run.neighbours().end());
  }
  std::ranges::sort(read);
  return read;
}

Neighbours Sorted(Neighbours neighbours) {
  std::ranges::sort(neighbours);
  return neighbours;
}

// A list beside the plain sequence of the edges that are in the window.
class Modelled {
 public:
  Modelled(bool parallel, std::uint64_t seed)
      : parallel_(parallel), random_(seed), list_(kMortal, true, parallel, kSmall) {}

  void Slice() {
    ++slice_;
    for (std::uint64_t kills = random_() % 12; kills > 0; --kills) Kill(Neighbour());
    for (std::uint64_t adds = random_() % (slice_ / 40 % 2 == 0 ? 20 : 6); adds > 0; --adds) {
      const VertexId neighbour = Neighbour();
      if (!parallel_) Kill(neighbour);
      list_.Append({.neighbour = neighbour, .birth = slice_});
      live_.push_back({neighbour, slice_});
    }
    if (random_() % 3 != 0) oldest_ = std::max(oldest_, slice_ > 30 ? slice_ - 30 : 0);
    std::erase_if(live_, [&](const Edge& edge) { return edge.birth < oldest_; });
    list_.AgeOut(static_cast<std::uint32_t>(live_.size()));
    ASSERT_EQ(Alive(list_, live_.size()), Live());
    pins_.push_back({list_.Publish(), slice_, Live()});
    if (pins_.size() > 5) pins_.erase(pins_.begin() + static_cast<int>(random_() % 5));
    for (const Pin& pin : pins_) {
      ASSERT_EQ(Read(pin.version, pin.live.size(), pin.slice), Sorted(pin.live));
    }
  }

 private:
  struct Edge {
    VertexId neighbour;
    SliceNumber birth;
  };
  struct Pin {
    LongListVersion version;
    SliceNumber slice;
    Neighbours live;
  };

  VertexId Neighbour() { return static_cast<VertexId>(random_() % (parallel_ ? 25 : 90)); }
  Neighbours Live() const {
    Neighbours live;
    for (const Edge& edge : live_) live.push_back(edge.neighbour);
    return live;
  }
  void Kill(VertexId neighbour) {
    const auto killed = list_.KillNewest(neighbour, oldest_, slice_);
    const auto newest = std::find_if(live_.rbegin(), live_.rend(),
                                     [&](const Edge& edge) { return edge.neighbour == neighbour; });
    ASSERT_EQ(killed.has_value(), newest != live_.rend());
    if (!killed) return;
    ASSERT_EQ(killed->birth, newest->birth);
    live_.erase(std::next(newest).base());
  }

  const bool parallel_;
  std::mt19937_64 random_;
  LongList list_;
  std::vector<Edge> live_;  // oldest first
  std::vector<Pin> pins_;
  SliceNumber slice_ = 0;
  SliceNumber oldest_ = 0;
};

TEST(LongListTest, HoldsWhatAPlainSequenceHoldsInTheSameOrder) {  // (1), (2)
  for (const bool parallel : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + (parallel ? ", parallel" : ""));
      Modelled modelled(parallel, seed);
      for (int slice = 0; slice < 200; ++slice) {
        modelled.Slice();
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "slice " << slice;
      }
    }
  }
}

// They were rewritten only at a death that came while they were no longer the last.
TEST(LongListTest, ChunksThatDiedWhileTheyWereTheLastAreGivenBack) {  // (3)
  LongList list(kMortal, true, false);
  constexpr VertexId kStay = 200;
  for (VertexId v = 0; v < kStay; ++v) list.Append({.neighbour = v});
  for (SliceNumber slice = 1; slice < 1000; ++slice) {
    for (VertexId v = 0; v < 8; ++v) list.Append({.neighbour = kStay + v, .birth = slice});
    for (VertexId v = 0; v < 8; ++v) ASSERT_TRUE(list.KillNewest(kStay + v, 0, slice));
  }
  EXPECT_LE(list.Publish().chunks->size(), 10u);
  EXPECT_EQ(Alive(list, kStay).size(), kStay);
}

TEST(LongListTest, TheNumbersOfChunksMayComeRoundWhileTheFirstStays) {
  for (const bool parallel : {false, true}) {
    // 32 numbers, chunks of two.
    LongList list(kMortal, true, parallel, {.slot_bits = 27, .least_slots = 2});
    list.Append({.neighbour = 1});
    list.Append({.neighbour = 2});
    for (SliceNumber slice = 1; slice < 1000; ++slice) {
      const VertexId stays = 100 + slice % 3;
      ASSERT_EQ(list.KillNewest(stays, 0, slice).has_value(), slice > 3) << slice;
      list.Append({.neighbour = stays, .birth = slice});
    }
    EXPECT_EQ(Sorted(Alive(list, 5)), (Neighbours{1, 2, 100, 101, 102}));
    EXPECT_TRUE(list.KillNewest(1, 0, 1000));
    EXPECT_TRUE(list.KillNewest(2, 0, 1000));
  }
}

TEST(LongListTest, AnIndexEntryLeavesWithItsChunk) {
  LongList list({.lives = true}, true, false, kSmall);
  for (VertexId v = 0; v < 1000; ++v) list.Append({.neighbour = v, .birth = v});
  const MemoryUse full = list.memory().use;
  list.AgeOut(20);
  const MemoryUse few = list.memory().use;
  EXPECT_FALSE(list.KillNewest(5, 980, 1000));
  EXPECT_TRUE(list.KillNewest(985, 980, 1000));
  list.AgeOut(0);
  const MemoryUse none = list.memory().use;
  EXPECT_LT(few.index, full.index / 2);
  EXPECT_LE(none.index, few.index);
  EXPECT_LT(none.lists, few.lists);
}

}  // namespace
}  // namespace sash

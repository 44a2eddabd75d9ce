#include "windows/store/lists/long_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "windows/store/lists/adjacency_view.h"

namespace sash {
namespace {

constexpr ListSizes kSmall = {.fewest_indexed = 1,
                              .slot_bits = 3,
                              .least_slots = 2,
                              .segment_entries = 6,
                              .segment_capacity = 4};
constexpr SlotLayout kMortal = {.lives = true, .links = true};

// How an edge that dies is found.
enum class Found { kByIndex, kBySearch, kByIndexAfterSearch, kByBirth };

std::string CaseName(Found found) {
  constexpr const char* kNames[] = {"by index", "by search", "by index after search", "by birth"};
  return kNames[static_cast<int>(found)];
}

ListSizes SizesFor(Found found) {
  ListSizes sizes = kSmall;
  if (found == Found::kBySearch) sizes.fewest_indexed = 1'000'000;
  if (found == Found::kByIndexAfterSearch) sizes.fewest_indexed = 60;
  return sizes;
}

// Whether something was killed.
bool KillOne(LongList& list, VertexId neighbour, SliceNumber oldest, SliceNumber death) {
  std::vector<SlotContent> killed;
  list.Kill(neighbour, oldest, death, killed);
  return !killed.empty();
}

using Neighbours = std::vector<VertexId>;

// The alive edges, oldest first.
Neighbours Alive(const LongList& list, std::size_t count) {
  Neighbours alive;
  list.ForEachAlive(static_cast<std::uint32_t>(count),
                    [&](const SlotContent& edge) { alive.push_back(edge.neighbour); });
  return alive;
}

// The neighbours that a reader of `version` sees, sorted.
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

// A list, and a plain sequence of the edges that are in the window.
class ModelledList {
 public:
  ModelledList(bool parallel, Found found, std::uint64_t seed)
      : parallel_(parallel),
        found_(found),
        random_(seed),
        list_(kMortal, found != Found::kByBirth, parallel, SizesFor(found)) {}

  void Slice() {
    ++slice_;
    for (std::uint64_t kills = random_() % 12; kills > 0; --kills) Kill(Neighbour());
    Neighbours added;
    for (std::uint64_t adds = random_() % (slice_ / 40 % 2 == 0 ? 20 : 6); adds > 0; --adds) {
      added.push_back(Neighbour());
    }
    std::ranges::sort(added);
    for (const VertexId neighbour : added) {
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
  // The list reports as killed the edges that are in the window, newest first.
  void Kill(VertexId neighbour) {
    std::vector<SliceNumber> births;
    for (const Edge& edge : live_) {
      if (edge.neighbour == neighbour) births.insert(births.begin(), edge.birth);
    }
    std::vector<SliceNumber> killed;
    if (found_ == Found::kByBirth) {
      for (const SliceNumber birth : births) {
        const std::uint32_t copies = list_.KillBorn({birth, neighbour}, slice_);
        killed.insert(killed.end(), copies, birth);
      }
    } else {
      std::vector<SlotContent> dead;
      list_.Kill(neighbour, oldest_, slice_, dead);
      for (const SlotContent& edge : dead) killed.push_back(edge.birth);
    }
    ASSERT_EQ(killed, births) << "neighbour " << neighbour;
    std::erase_if(live_, [&](const Edge& edge) { return edge.neighbour == neighbour; });
  }

  const bool parallel_;
  const Found found_;
  std::mt19937_64 random_;
  LongList list_;
  std::vector<Edge> live_;  // oldest first
  std::vector<Pin> pins_;
  SliceNumber slice_ = 0;
  SliceNumber oldest_ = 0;
};

TEST(LongListTest, HoldsWhatAPlainSequenceHoldsInTheSameOrder) {  // (1), (2)
  for (const Found found :
       {Found::kByIndex, Found::kBySearch, Found::kByIndexAfterSearch, Found::kByBirth}) {
    for (const bool parallel : {false, true}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + CaseName(found) +
                     (parallel ? ", parallel" : ""));
        ModelledList modelled(parallel, found, seed);
        for (int slice = 0; slice < 200; ++slice) {
          modelled.Slice();
          ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "slice " << slice;
        }
      }
    }
  }
}

TEST(LongListTest, KillingAllLeavesAListThatCanBeFilledAgain) {
  for (const Found found : {Found::kByIndex, Found::kBySearch, Found::kByBirth}) {
    SCOPED_TRACE(CaseName(found));
    LongList list(kMortal, found != Found::kByBirth, false, SizesFor(found));
    for (VertexId v = 0; v < 100; ++v) list.Append({.neighbour = v, .birth = v});
    const LongListVersion before = list.Publish();
    std::vector<SlotContent> killed;
    list.KillAll(90, 100, killed);
    ASSERT_EQ(killed.size(), 90u);
    EXPECT_EQ(killed.front().neighbour, 10u);
    EXPECT_EQ(killed.back().birth, 99u);
    EXPECT_EQ(Read(before, 90, 99).size(), 90u) << "an older view shows what it showed";
    list.Prefetch();
    list.PrefetchPlace();
    list.PrefetchSearch(7);
    list.PrefetchFound(7);
    list.PrefetchBorn(101, 101);
    list.PrefetchAppend();
    list.Append({.neighbour = 7, .birth = 101});
    EXPECT_EQ(Alive(list, 1), Neighbours{7});
    EXPECT_EQ(Read(list.Publish(), 1, 101), Neighbours{7});
  }
}

// Such a chunk may see no death later, so it cannot wait for one to be rewritten.
TEST(LongListTest, ChunksThatDiedWhileTheyWereTheLastAreGivenBack) {  // (3)
  LongList list(kMortal, true, false);
  constexpr VertexId kStay = 200;
  for (VertexId v = 0; v < kStay; ++v) list.Append({.neighbour = v});
  for (SliceNumber slice = 1; slice < 1000; ++slice) {
    for (VertexId v = 0; v < 8; ++v) list.Append({.neighbour = kStay + v, .birth = slice});
    for (VertexId v = 0; v < 8; ++v) ASSERT_TRUE(KillOne(list, kStay + v, 0, slice));
  }
  EXPECT_LE(list.Publish().chunks->size(), 10u);
  EXPECT_EQ(Alive(list, kStay).size(), kStay);
}

TEST(LongListTest, TheNumbersOfChunksMayComeRoundWhileTheFirstStays) {
  for (const bool parallel : {false, true}) {
    // 32 numbers, chunks of two.
    LongList list(kMortal, true, parallel,
                  {.fewest_indexed = 1, .slot_bits = 27, .least_slots = 2});
    list.Append({.neighbour = 1});
    list.Append({.neighbour = 2});
    for (SliceNumber slice = 1; slice < 1000; ++slice) {
      const VertexId stays = 100 + slice % 3;
      ASSERT_EQ(KillOne(list, stays, 0, slice), slice > 3) << slice;
      list.Append({.neighbour = stays, .birth = slice});
    }
    EXPECT_EQ(Sorted(Alive(list, 5)), (Neighbours{1, 2, 100, 101, 102}));
    EXPECT_TRUE(KillOne(list, 1, 0, 1000));
    EXPECT_TRUE(KillOne(list, 2, 0, 1000));
  }
}

// The earlier index does not distinguish types.
TEST(LongListTest, AfterTheFirstTypeParallelEdgesAreFoundByTheirTypes) {
  LongList list(kMortal, true, true, kSmall);
  for (const TypeNumber type : {kNoType, TypeNumber{1}, TypeNumber{2}}) {
    list.Append({.neighbour = 5, .birth = 1, .type = type});
  }
  ASSERT_TRUE(list.is_indexed());
  std::vector<SlotContent> killed;
  list.Kill(5, 1, 2, killed, false, TypeNumber{1});
  ASSERT_EQ(killed.size(), 1u);
  EXPECT_EQ(killed[0].type, TypeNumber{1});
  EXPECT_EQ(Alive(list, 2), (Neighbours{5, 5}));
}

TEST(LongListTest, AnIndexEntryLeavesWithItsChunk) {
  LongList list({.lives = true}, true, false, kSmall);
  for (VertexId v = 0; v < 1000; ++v) list.Append({.neighbour = v, .birth = v});
  const MemoryUse full = list.memory().use;
  list.AgeOut(20);
  const MemoryUse few = list.memory().use;
  EXPECT_FALSE(KillOne(list, 5, 980, 1000));
  EXPECT_TRUE(KillOne(list, 985, 980, 1000));
  list.AgeOut(0);
  const MemoryUse none = list.memory().use;
  EXPECT_LT(few.index, full.index / 2);
  EXPECT_LE(none.index, few.index);
  EXPECT_LT(none.lists, few.lists);
}

}  // namespace
}  // namespace sash

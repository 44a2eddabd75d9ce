#include "windows/store/lists/adjacency_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sash {
namespace {

constexpr VertexId kListed = 512;  // two pages
// The most moves of an edge in one direction; 10 to 25 were measured.
constexpr std::uint64_t kMoves = 30;

enum class Stream { kFlat, kSkewed, kHub, kBursts, kShrinking };

std::string Name(Stream stream) {
  constexpr const char* kNames[] = {"flat", "skewed", "hub", "bursts", "shrinking"};
  return kNames[static_cast<int>(stream)];
}

// Lists with a window over them, and the edges that must be in them.
class Window {
 public:
  Window(const ListPolicy& policy, Stream stream, std::size_t length)
      : policy_(policy), stream_(stream), length_(length), lists_(policy), alive_(kListed) {}

  // A slice enters, kills a few edges if they are mortal, and one leaves.
  void Advance() {
    ++slice_;
    const std::uint64_t moved = lists_.moved();
    const std::uint64_t entered = entered_;
    const std::uint64_t alive = Alive();
    slices_.emplace_back();
    if (policy_.mortal) Kill();
    Append();
    if (slices_.size() > length_) AgeOut();
    lists_.Tidy();
    // The edges that it brought, and at worst every page that it touched.
    ASSERT_LE(lists_.moved() - moved, kMoves * (entered_ - entered) + 2 * alive);
  }

  // Also publishes, so that pages are copied.
  void ExpectInvariants() {
    const AdjacencyView view = lists_.Publish();
    for (std::size_t page = 0; page * ListPage::kVertices < kListed; ++page) {
      std::uint64_t in_block = 0;
      for (std::uint32_t i = 0; i < ListPage::kVertices; ++i) {
        const auto v = static_cast<VertexId>(page * ListPage::kVertices + i);
        ASSERT_EQ(lists_.alive(v), alive_[v].size()) << "vertex " << v;
        const bool is_long =
            view.page(page) != nullptr && (view.page(page)->ends[i] & ListPage::kIsLong) != 0;
        if (!is_long) in_block += alive_[v].size();
        ASSERT_EQ(Listed(v), std::vector<Edge>(alive_[v].begin(), alive_[v].end()))
            << "vertex " << v;
      }
      if (view.page(page) == nullptr || !view.page(page)->block) continue;
      ASSERT_LE(view.page(page)->block->capacity(),
                in_block + in_block / 2 + policy_.sizes.least_spare)
          << "page " << page << " with " << in_block << " edges";
    }
  }

  std::uint64_t entered() const { return entered_; }
  std::uint64_t moved() const { return lists_.moved(); }
  std::size_t bytes() const { return lists_.memory().use.total(); }
  void DrainAll() {
    while (!slices_.empty()) AgeOut();
    lists_.Tidy();
  }

 private:
  using Edge = std::pair<VertexId, SliceNumber>;  // neighbour, birth

  std::uint64_t Alive() const {
    std::uint64_t alive = 0;
    for (const auto& list : alive_) alive += list.size();
    return alive;
  }

  std::size_t SliceSize() {
    switch (stream_) {
      case Stream::kBursts:
        return slice_ % 50 < 5 ? 2000 : 50;
      case Stream::kShrinking:
        return slice_ % 200 < 60 ? 700 : 10;
      default:
        return 250;
    }
  }

  VertexId Vertex() {
    const auto v = static_cast<VertexId>(random_() % kListed);
    switch (stream_) {
      case Stream::kHub:
        return random_() % 3 == 0 ? 7 : v;
      case Stream::kSkewed:
        return static_cast<VertexId>(random_() % (v + 1));
      default:
        return v;
    }
  }

  void Append() {
    std::map<VertexId, std::vector<SlotContent>> runs;
    for (std::size_t i = SliceSize(); i > 0; --i) {
      const VertexId v = Vertex();
      const auto neighbour = static_cast<VertexId>(random_() % 300);
      runs[v].push_back({.neighbour = neighbour, .birth = slice_});
      ++entered_;
    }
    const bool appends_all = random_() % 2 == 0;
    std::map<std::size_t, PageEdges> all;
    for (auto& [v, edges] : runs) {
      std::ranges::sort(edges, {}, &SlotContent::neighbour);
      for (const SlotContent& edge : edges) {
        alive_[v].push_back({edge.neighbour, policy_.mortal ? slice_ : 0});
      }
      if (appends_all) {
        all[v / ListPage::kVertices].Add(v, edges);
      } else {
        lists_.Append(v, static_cast<std::uint32_t>(edges.size()), WeightColumn::Kind::kOnes,
                      [&](std::uint32_t i) { return edges[i]; });
      }
      slices_.back()[v] += static_cast<std::uint32_t>(edges.size());
    }
    for (const auto& [page, edges] : all) lists_.AppendAll(page, edges.arrivals, edges, 0);
  }

  // The edges that one page is given at once.
  struct PageEdges {
    void Add(VertexId v, const std::vector<SlotContent>& edges) {
      arrivals.push_back({v % ListPage::kVertices, static_cast<std::uint32_t>(edges.size())});
      contents.insert(contents.end(), edges.begin(), edges.end());
    }
    SlotWidths widths() const { return {}; }
    VertexId neighbour(std::size_t i) const { return contents[i].neighbour; }
    SlotContent content(std::size_t i) const { return contents[i]; }
    std::vector<AdjacencyLists::Arrival> arrivals;
    std::vector<SlotContent> contents;
  };

  void Kill() {
    const SliceNumber oldest = slice_ + 1 - static_cast<SliceNumber>(slices_.size());
    for (int i = 0; i < 60; ++i) {
      const VertexId v = Vertex();
      if (alive_[v].empty()) continue;
      const bool all = random_() % 50 == 0;
      const VertexId neighbour = alive_[v][random_() % alive_[v].size()].first;
      std::vector<SliceNumber> births = KillIn(v, all, neighbour);
      const auto expected = std::erase_if(
          alive_[v], [&](const Edge& edge) { return all || edge.first == neighbour; });
      ASSERT_EQ(births.size(), expected);
      for (const SliceNumber birth : births) --slices_[birth - oldest][v];
    }
  }

  // The births of the edges that died.
  std::vector<SliceNumber> KillIn(VertexId v, bool all, VertexId neighbour) {
    const SliceNumber oldest = slice_ + 1 - static_cast<SliceNumber>(slices_.size());
    std::vector<SliceNumber> births;
    if (!all && !policy_.searched) {
      std::map<SliceNumber, std::uint32_t> copies;
      for (const Edge& edge : alive_[v]) copies[edge.second] += edge.first == neighbour ? 1 : 0;
      for (const auto& [birth, count] : copies) {
        if (count == 0) continue;
        EXPECT_EQ(lists_.KillBorn(v, {birth, neighbour}, oldest, slice_), count);
        births.insert(births.end(), count, birth);
      }
      return births;
    }
    std::vector<SlotContent> killed;
    if (all) {
      lists_.KillAll(v, slice_, killed);
    } else {
      lists_.Kill(v, neighbour, oldest, slice_, killed);
    }
    for (const SlotContent& edge : killed) births.push_back(edge.birth);
    return births;
  }

  void AgeOut() {
    for (const auto& [v, count] : slices_.front()) {
      lists_.AgeOut(v, count);
      alive_[v].erase(alive_[v].begin(), alive_[v].begin() + count);
    }
    slices_.pop_front();
  }

  std::vector<Edge> Listed(VertexId v) const {
    std::vector<Edge> listed;
    lists_.ForEachAlive(v, [&](const SlotContent& edge) {
      listed.push_back({edge.neighbour, edge.birth});
    });
    return listed;
  }

  const ListPolicy policy_;
  const Stream stream_;
  const std::size_t length_;
  AdjacencyLists lists_;
  std::vector<std::deque<Edge>> alive_;                   // by vertex, oldest first
  std::deque<std::map<VertexId, std::uint32_t>> slices_;  // living edges, by vertex
  std::mt19937_64 random_{3};
  SliceNumber slice_ = 0;
  std::uint64_t entered_ = 0;
};

constexpr Stream kStreams[] = {Stream::kFlat, Stream::kSkewed, Stream::kHub, Stream::kBursts,
                               Stream::kShrinking};
constexpr ListPolicy kImmortal = {};
constexpr ListPolicy kSearched = {
    .mortal = true, .searched = true, .has_links = true, .sizes = {.fewest_indexed = 1500}};
constexpr ListPolicy kToldBirths = {.mortal = true};
constexpr ListPolicy kListPolicies[] = {kImmortal, kSearched, kToldBirths};

std::string Name(const ListPolicy& policy) {
  return !policy.mortal ? "" : policy.searched ? ", searched" : ", told births";
}

TEST(AdjacencyListsTest, HoldWhatIsAliveAndLittleGarbageAfterEveryTidy) {  // (1), (3)
  for (const ListPolicy& policy : kListPolicies) {
    for (const Stream stream : kStreams) {
      SCOPED_TRACE(Name(stream) + Name(policy));
      Window window(policy, stream, 40);
      for (int slice = 0; slice < 240; ++slice) {
        window.Advance();
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "slice " << slice;
        if (slice % 8 != 0) continue;
        window.ExpectInvariants();
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "slice " << slice;
      }
    }
  }
}

TEST(AdjacencyListsTest, AnEdgeIsMovedABoundedNumberOfTimesInItsLife) {
  for (const ListPolicy& policy : kListPolicies) {
    for (const Stream stream : kStreams) {
      for (const std::size_t length : {10u, 60u}) {
        Window window(policy, stream, length);
        for (std::size_t slice = 0; slice < 3 * length + 100; ++slice) {
          window.Advance();
          ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "slice " << slice;
        }
        EXPECT_LE(window.moved(), kMoves * window.entered())
            << Name(stream) << Name(policy) << ", length " << length;
      }
    }
  }
}

// Twenty edges for each list, then eighty more. The room is an eighth, so no list and no block has
// space for them.
TEST(AdjacencyListsTest, ManyEdgesThatWereExpectedMoveAPageOnce) {
  constexpr std::uint32_t kFirst = 20;
  constexpr std::uint32_t kMore = 80;
  const auto moved = [&](bool is_expected) {
    AdjacencyLists lists({});
    const auto append = [&](std::uint32_t count) {
      for (VertexId v = 0; v < ListPage::kVertices; ++v) {
        lists.Append(v, count, WeightColumn::Kind::kOnes,
                     [&](std::uint32_t i) { return SlotContent{.neighbour = i}; });
      }
    };
    append(kFirst);
    const std::uint64_t before = lists.moved();
    if (is_expected) {
      std::vector<AdjacencyLists::Arrival> arrivals;
      for (VertexId v = 0; v < ListPage::kVertices; ++v) arrivals.push_back({v, kMore});
      lists.Expect(0, arrivals, WeightColumn::Kind::kOnes);
    }
    append(kMore);
    for (VertexId v = 0; v < ListPage::kVertices; ++v) EXPECT_EQ(lists.alive(v), kFirst + kMore);
    return lists.moved() - before;
  };
  constexpr std::uint64_t kOnce = std::uint64_t{kFirst} * ListPage::kVertices;
  EXPECT_EQ(moved(true), kOnce);
  EXPECT_GT(moved(false), 2 * kOnce);
}

TEST(AdjacencyListsTest, WhatIsLeftOfAListThatHadAnIndexIsStillFound) {
  AdjacencyLists lists(
      {.mortal = true, .searched = true, .parallel = false, .sizes = {.fewest_indexed = 1500}});
  const auto fill = [&lists](VertexId vertex, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      lists.Append(vertex, 1, WeightColumn::Kind::kOnes,
                   [&](std::uint32_t) { return SlotContent{.neighbour = i, .birth = i}; });
    }
  };
  fill(6, 1000);  // stays, so that the filter of the page does
  fill(5, 2000);
  lists.Tidy();
  lists.AgeOut(5, 1900);
  lists.Tidy();
  ASSERT_EQ(lists.Publish().page(0)->ends[5] & ListPage::kIsLong, 0u);
  for (VertexId v = 1900; v < 2000; ++v) {
    std::vector<SlotContent> killed;
    lists.Kill(5, v, 0, 2000, killed);
    ASSERT_EQ(killed.size(), 1u) << v;
  }
}

TEST(AdjacencyListsTest, ListsThatHaveAllAgedOutTakeNoMemory) {
  for (const ListPolicy& policy : kListPolicies) {
    Window window(policy, Stream::kHub, 40);
    for (int slice = 0; slice < 50; ++slice) window.Advance();
    const std::size_t full = window.bytes();
    window.DrainAll();
    EXPECT_LT(window.bytes(), 300u) << "of " << full;
  }
}

}  // namespace
}  // namespace sash

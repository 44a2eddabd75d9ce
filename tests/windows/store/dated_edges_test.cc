#include "windows/store/dated_edges.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "tests/support/store_script.h"
#include "windows/store/slice_archive.h"
#include "windows/store/visible_edges.h"

namespace sash {
namespace {

using testing::SliceOperations;
using Slices = std::vector<std::shared_ptr<const Slice>>;

constexpr VertexId kIds = 6;

// Few vertices, so that pairs occur again and removals remove something.
Slices RandomSlices(std::uint64_t seed, bool types) {
  std::mt19937_64 random(seed);
  Slices slices;
  for (std::uint64_t id = 1; id <= 6; ++id) {
    SliceOperations operations;
    for (std::uint64_t i = random() % 14; i > 0; --i) {
      const auto source = static_cast<VertexId>(random() % kIds);
      const auto target = static_cast<VertexId>(random() % kIds);
      const std::uint64_t chance = random() % 12;
      if (seed % 2 == 0 && chance == 0) {
        operations.push_back(testing::RemoveVertex(source));
      } else {
        const bool removes = seed % 2 == 0 && chance < 3;
        operations.push_back(
            removes ? testing::Remove(source, target)
                    : testing::Add(source, target, Weight::Integer(static_cast<int>(chance))));
        if (types) operations.back().type = static_cast<TypeNumber>(random() % 3);
      }
    }
    slices.push_back(testing::MakeSlice(id, operations));
  }
  return slices;
}

struct Case {
  DuplicatesPolicy duplicates;
  EdgeIdentity identity;
};
constexpr Case kCases[] = {{DuplicatesPolicy::kKeep, EdgeIdentity::kPair},
                           {DuplicatesPolicy::kDrop, EdgeIdentity::kPair},
                           {DuplicatesPolicy::kWeigh, EdgeIdentity::kPair},
                           {DuplicatesPolicy::kDrop, EdgeIdentity::kPairAndType},
                           {DuplicatesPolicy::kWeigh, EdgeIdentity::kPairAndType}};

using Pair = std::pair<VertexId, VertexId>;
using DatesOfPairs = std::map<Pair, std::multiset<std::uint32_t>>;

DatesOfPairs ByPair(const std::vector<DatedEdge>& edges) {
  DatesOfPairs dates;
  for (const DatedEdge& edge : edges) dates[{edge.source, edge.target}].insert(edge.slice);
  return dates;
}

// A window of the newest slices does not depend on older ones. So an edge of `keep` came in the
// slice with which it is first visible when the window grows backwards.
DatesOfPairs DatesByGrowing(const Slices& slices) {
  DatesOfPairs dates;
  std::multiset<Pair> seen;
  for (std::size_t first = slices.size(); first-- > 0;) {
    const EdgeList edges =
        VisibleEdges(std::span(slices).subspan(first), DuplicatesPolicy::kKeep, kIds);
    std::multiset<Pair> now;
    for (std::size_t i = 0; i < edges.size(); ++i) now.emplace(edges.sources[i], edges.targets[i]);
    for (const Pair& pair : std::set<Pair>(now.begin(), now.end())) {
      for (std::size_t i = seen.count(pair); i < now.count(pair); ++i) {
        dates[pair].insert(static_cast<std::uint32_t>(first));
      }
    }
    seen = std::move(now);
  }
  return dates;
}

TEST(DatedEdgesTest, AnEdgeOfKeepCameWithTheSliceThatMakesItVisible) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Slices slices = RandomSlices(seed, seed % 3 == 0);
    ASSERT_EQ(ByPair(DatedEdges(slices, DuplicatesPolicy::kKeep, kIds, EdgeIdentity::kPair, {})),
              DatesByGrowing(slices))
        << "seed " << seed;
  }
}

TEST(DatedEdgesTest, AnEdgeOfDropCameWithItsNewestCopyAndOneOfWeighWithEach) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Slices slices = RandomSlices(seed, false);
    const DatesOfPairs copies = DatesByGrowing(slices);
    DatesOfPairs newest;
    for (const auto& [pair, dates] : copies) newest[pair] = {*dates.rbegin()};
    ASSERT_EQ(ByPair(DatedEdges(slices, DuplicatesPolicy::kDrop, kIds, EdgeIdentity::kPair, {})),
              newest);
    ASSERT_EQ(ByPair(DatedEdges(slices, DuplicatesPolicy::kWeigh, kIds, EdgeIdentity::kPair, {})),
              copies);
  }
}

TEST(DatedEdgesTest, TheyAreTheVisibleEdgesThatAreHeavyEnough) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Slices slices = RandomSlices(seed, true);
    for (const auto& [duplicates, identity] : kCases) {
      const EdgeList edges = VisibleEdges(slices, duplicates, kIds, identity);
      std::set<Pair> heavy;
      for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges.weights[i].AsDouble() >= 7) heavy.emplace(edges.sources[i], edges.targets[i]);
      }
      std::set<Pair> found;
      for (const DatedEdge& edge : DatedEdges(slices, duplicates, kIds, identity, 7)) {
        found.emplace(edge.source, edge.target);
      }
      ASSERT_EQ(found, heavy);
    }
  }
}

TEST(DatedEdgesTest, ArchivedSlicesSayTheSame) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Slices slices = RandomSlices(seed, true);
    for (const auto& [duplicates, identity] : kCases) {
      const auto archive = std::make_shared<SliceArchive>(duplicates, identity);
      const std::unique_ptr<WindowStore> window = archive->Open(0);
      for (const auto& slice : slices) archive->Add(slice);
      const std::size_t count = 1 + seed % slices.size();
      const auto dated = archive->DatedWindowOf(archive->newest(), count, kIds, 7);
      ASSERT_TRUE(dated.has_value());
      EXPECT_EQ(dated->ends.size(), count);
      // Copies of one slice are one when it is archived.
      const auto distinct = [](const std::vector<DatedEdge>& edges) {
        std::set<std::tuple<VertexId, VertexId, std::uint32_t>> all;
        for (const DatedEdge& edge : edges) all.emplace(edge.source, edge.target, edge.slice);
        return all;
      };
      ASSERT_EQ(distinct(dated->edges),
                distinct(DatedEdges(std::span(slices).last(count), duplicates, kIds, identity, 7)));
      EXPECT_FALSE(
          archive->DatedWindowOf(archive->newest(), slices.size() + 1, kIds, {}).has_value());
    }
  }
}

}  // namespace
}  // namespace sash

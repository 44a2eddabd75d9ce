#include "windows/store/folded_slice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/support/store_script.h"
#include "tests/support/window_model.h"

namespace sash {
namespace {

using testing::Add;
using testing::MakeSlice;
using testing::Remove;
using testing::RemoveVertex;
using testing::SliceOperations;

constexpr DuplicatesPolicy kDuplicates[] = {DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop,
                                            DuplicatesPolicy::kWeigh};

// Few vertices, so that pairs occur again and removals remove something.
SliceOperations RandomSlice(std::mt19937_64& random, bool removals, unsigned weights) {
  SliceOperations operations;
  for (std::uint64_t i = random() % 60; i > 0; --i) {
    const auto source = static_cast<VertexId>(random() % 6);
    const auto target = static_cast<VertexId>(random() % 6);
    const std::uint64_t chance = random() % 10;
    if (removals && chance == 0) {
      operations.push_back(RemoveVertex(source));
    } else if (removals && chance < 3) {
      operations.push_back(Remove(source, target));
    } else if (weights == 0) {
      operations.push_back(Add(source, target));
    } else if (weights == 1 || chance < 7) {
      operations.push_back(
          Add(source, target, Weight::Integer(static_cast<std::int64_t>(chance) - 4)));
    } else {
      operations.push_back(Add(source, target, Weight::Real(0.1 * static_cast<double>(chance))));
    }
  }
  return operations;
}

TEST(FoldedSliceTest, HoldsTheEdgesOfAWindowOfThatSliceAlone) {  // (1)
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const SliceOperations operations =
        RandomSlice(random, seed % 2 == 0, static_cast<unsigned>(seed % 3));
    for (const DuplicatesPolicy policy : kDuplicates) {
      const FoldedSlice folded = Fold(*MakeSlice(0, operations), policy);
      ASSERT_TRUE(std::ranges::is_sorted(folded.pairs));
      std::vector<testing::IdEdge> edges;
      for (std::size_t i = 0; i < folded.pairs.size(); ++i) {
        edges.push_back({SourceOf(folded.pairs[i]), TargetOf(folded.pairs[i]), folded.weight(i)});
      }
      std::sort(edges.begin(), edges.end());
      const std::vector<const SliceOperations*> held = {&operations};
      ASSERT_EQ(edges, testing::ModelEdges(held, policy));
      ASSERT_TRUE(folded.sums.empty() || folded.sums.size() == folded.pairs.size());
    }
  }
}

TEST(FoldedSliceTest, NamesWhatItsRemovalsEndEachOnceAscending) {
  const SliceOperations operations = {Remove(5, 1), Add(5, 1), RemoveVertex(9), Remove(2, 8),
                                      Remove(5, 1), Add(5, 1), RemoveVertex(3), RemoveVertex(9)};
  for (const DuplicatesPolicy policy : kDuplicates) {
    const FoldedSlice folded = Fold(*MakeSlice(0, operations), policy);
    EXPECT_EQ(folded.removed_vertices, (std::vector<VertexId>{3, 9}));
    EXPECT_EQ(folded.removed_pairs, (std::vector<PairKey>{MakePairKey(2, 8), MakePairKey(5, 1)}));
    EXPECT_EQ(folded.pairs, (std::vector<PairKey>{MakePairKey(5, 1)}));
  }
}

TEST(FoldedSliceTest, CopiesThatAreKeptStayInTheOrderOfEffect) {  // (1)
  const SliceOperations operations = {Add(1, 2, Weight::Integer(9)), Add(0, 2, Weight::Integer(4)),
                                      Add(1, 2, Weight::Integer(3)), Add(1, 2, Weight::Integer(7))};
  const FoldedSlice folded = Fold(*MakeSlice(0, operations), DuplicatesPolicy::kKeep);
  ASSERT_EQ(folded.pairs.size(), 4u);
  EXPECT_EQ(folded.weight(1), Weight::Integer(9));
  EXPECT_EQ(folded.weight(2), Weight::Integer(3));
  EXPECT_EQ(folded.weight(3), Weight::Integer(7));
}

TEST(FoldedSliceTest, ByOneEndPairsAscendByItAloneInTheOrderOfEffect) {  // (1)
  const auto slice = MakeSlice(0, {Add(7, 2, Weight::Integer(9)), Add(0, 3, Weight::Integer(4)),
                                   Add(7, 1, Weight::Integer(3)), Add(0, 2, Weight::Integer(7))});
  const FoldedSlice by_source = FoldBySource(*slice);
  EXPECT_EQ(by_source.pairs, (std::vector<PairKey>{MakePairKey(0, 3), MakePairKey(0, 2),
                                                   MakePairKey(7, 2), MakePairKey(7, 1)}));
  EXPECT_EQ(by_source.weight(1), Weight::Integer(7));
  const FoldedSlice by_target = FoldByTarget(*slice);
  EXPECT_EQ(by_target.pairs, (std::vector<PairKey>{MakePairKey(1, 7), MakePairKey(2, 7),
                                                   MakePairKey(2, 0), MakePairKey(3, 0)}));
  EXPECT_EQ(by_target.weight(2), Weight::Integer(7));
  // Without weights too: other code sorts those pairs.
  EXPECT_EQ(FoldBySource(*MakeSlice(0, {Add(5, 9), Add(1, 8), Add(5, 2)})).pairs,
            (std::vector<PairKey>{MakePairKey(1, 8), MakePairKey(5, 9), MakePairKey(5, 2)}));
}

TEST(FoldedSliceTest, ASumThatAWeightCannotHoldIsThereExactly) {
  constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  const SliceOperations operations = {
      Add(0, 1, Weight::Integer(kGreatest)), Add(0, 1, Weight::Integer(kGreatest)),
      Add(0, 2, Weight::Integer(2)),         Add(0, 2, Weight::Integer(3)),
      Add(0, 3, Weight::Real(0.5)),          Add(0, 4, Weight::Real(0.1)),
      Add(0, 4, Weight::Integer(5)),         Add(0, 4, Weight::Real(0.7))};
  const FoldedSlice folded = Fold(*MakeSlice(0, operations), DuplicatesPolicy::kWeigh);
  ASSERT_EQ(folded.pairs.size(), 4u);
  ASSERT_NE(folded.exact_sum(0), nullptr);
  EXPECT_TRUE(folded.exact_sum(0)->integers == WideInteger{kGreatest} * 2);
  EXPECT_EQ(folded.exact_sum(1), nullptr);
  EXPECT_EQ(folded.weight(1), Weight::Integer(5));
  EXPECT_EQ(folded.exact_sum(2), nullptr) << "a single copy is its own exact sum";
  ASSERT_NE(folded.exact_sum(3), nullptr);
  EXPECT_TRUE(folded.exact_sum(3)->integers == 5);
  EXPECT_EQ(folded.exact_sum(3)->reals, (std::vector<double>{0.1, 0.7}));
}

TEST(FoldedSliceTest, WeightsOfOneCostNothing) {
  const SliceOperations operations = {Add(0, 1), Add(0, 2), Remove(0, 2), Add(3, 3)};
  for (const DuplicatesPolicy policy : kDuplicates) {
    EXPECT_TRUE(Fold(*MakeSlice(0, operations), policy).weights.empty());
  }
}

}  // namespace
}  // namespace sash

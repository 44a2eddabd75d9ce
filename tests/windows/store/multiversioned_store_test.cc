#include "windows/store/multiversioned_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/support/single_window.h"
#include "tests/support/view_checks.h"

namespace sash {
namespace {

using testing::SingleWindow;

std::shared_ptr<const Slice> MakeSlice(std::uint64_t id, std::vector<VertexId> sources,
                                       std::vector<VertexId> targets) {
  auto slice = std::make_shared<Slice>();
  slice->id = SliceId{id};
  slice->sources = std::move(sources);
  slice->targets = std::move(targets);
  slice->weights = WeightColumn(slice->sources.size(), WeightColumn::Kind::kOnes);
  return slice;
}

std::vector<VertexId> Out(const PublishedView& published, VertexId v) {
  std::vector<VertexId> neighbours;
  VisitView(published.view, [&](const auto& graph) {
    for (const VertexId u : graph.out(v)) neighbours.push_back(u);
  });
  return neighbours;
}

TEST(MultiversionedStoreTest, AListHoldsTheEdgesOfAllSlices) {
  SingleWindow store({.duplicates = DuplicatesPolicy::kKeep});
  store.Add(MakeSlice(5, {0, 0}, {3, 1}));
  store.Add(MakeSlice(6, {1}, {2}));
  store.Add(MakeSlice(7, {0}, {2}));
  std::vector<VertexId> list = Out(store.Publish(4), 0);
  std::ranges::sort(list);
  EXPECT_EQ(list, (std::vector<VertexId>{1, 2, 3}));
}

TEST(MultiversionedStoreTest, AVertexWhoseEdgesAgedOutReadsAsEmptyInBothDirections) {
  SingleWindow store({.duplicates = DuplicatesPolicy::kKeep});
  store.Add(MakeSlice(0, {0}, {1}));
  store.Add(MakeSlice(1, {2}, {3}));
  store.AgeOutOldest();
  const PublishedView published = store.Publish(4);
  EXPECT_EQ(published.edges, 1u);
  EXPECT_EQ(published.vertices, 2u);
  VisitView(published.view, [](const auto& graph) {
    EXPECT_EQ(graph.out_degree(0), 0u);
    EXPECT_EQ(graph.in_degree(1), 0u);
    EXPECT_EQ(graph.vertices().size(), 2u);
  });
  EXPECT_TRUE(Out(published, 0).empty());
}

TEST(MultiversionedStoreTest, AVertexThatLeftAndReturnsHasNoStaleEdges) {
  SingleWindow store({.duplicates = DuplicatesPolicy::kKeep});
  store.Add(MakeSlice(0, {0, 0}, {1, 2}));
  store.Add(MakeSlice(1, {3}, {3}));
  store.AgeOutOldest();
  store.Add(MakeSlice(2, {0}, {3}));
  EXPECT_EQ(Out(store.Publish(4), 0), (std::vector<VertexId>{3}));
}

TEST(MultiversionedStoreTest, AnEmptySliceChangesNothing) {
  SingleWindow store({.duplicates = DuplicatesPolicy::kKeep});
  store.Add(MakeSlice(0, {0}, {1}));
  store.Add(MakeSlice(1, {}, {}));
  store.AgeOutOldest();
  EXPECT_EQ(store.Publish(2).edges, 0u);
}

TEST(MultiversionedStoreTest, PinnedViewsNeverChangeWhileTheWindowMoves) {
  SingleWindow store({.duplicates = DuplicatesPolicy::kKeep});
  constexpr std::uint64_t kSlices = 300;
  constexpr VertexId kVertices = 50;
  std::vector<std::jthread> readers;
  std::vector<PublishedView> pins;
  for (std::uint64_t id = 0; id < kSlices; ++id) {
    // Slice i holds i -> (i + 1) and i -> 0, so a view's lists follow from its slices alone.
    const auto v = static_cast<VertexId>(id % kVertices);
    store.Add(MakeSlice(id, {v, v}, {static_cast<VertexId>((id + 1) % kVertices), 0}));
    if (id >= 10) store.AgeOutOldest();
    const PublishedView published = store.Publish(kVertices);
    readers.emplace_back([published, v] {
      for (int i = 0; i < 3; ++i) {
        std::vector<VertexId> list = Out(published, v);
        std::ranges::sort(list);
        ASSERT_EQ(list, (std::vector<VertexId>{0, static_cast<VertexId>((v + 1) % kVertices)}));
      }
    });
    if (readers.size() == 4) readers.clear();
  }
}

// Both lists end at the same slot and show one edge each. They differ in the slots that are dead.
TEST(MultiversionedStoreTest, ViewsOfTwoWindowsDifferWhereOtherEdgesOfAListAreDead) {
  const std::shared_ptr<SliceStore> slices =
      MakeSliceStore({.duplicates = DuplicatesPolicy::kKeep, .removals = true});
  const std::unique_ptr<WindowStore> longer = slices->Open(0);
  const std::unique_ptr<WindowStore> shorter = slices->Open(0);
  const auto remove = [](std::uint64_t id, VertexId source) {
    auto slice = std::make_shared<Slice>(*MakeSlice(id, {source}, {0}));
    slice->operations = {Operation::kRemove};
    return slice;
  };
  slices->Add(MakeSlice(0, {1, 3}, {0, 0}));
  slices->Add(MakeSlice(1, {2}, {0}));
  slices->Add(remove(2, 3));
  shorter->AgeOutOldest();
  const PublishedView without_first = shorter->Publish(4);
  slices->Add(remove(3, 2));
  const PublishedView without_second = longer->Publish(4);
  EXPECT_EQ(testing::InEdges(without_first.view).size(), 1u);
  EXPECT_EQ(testing::InEdges(without_second.view).size(), 1u);
  EXPECT_EQ(testing::WrongChanges(without_second.view, without_first.view), "");
  EXPECT_EQ(testing::WrongChanges(without_first.view, without_second.view), "");
}

TEST(VisibleEdgesTest, PoliciesAgreeWithTheTableOfTheDesign) {
  auto first = std::make_shared<Slice>(*MakeSlice(0, {0}, {1}));
  first->weights = WeightColumn(1, WeightColumn::Kind::kIntegers);
  first->weights.Set(0, Weight::Integer(5));
  auto second = std::make_shared<Slice>(*first);
  second->id = SliceId{1};
  second->weights.Set(0, Weight::Integer(7));
  const auto weights = [&](DuplicatesPolicy duplicates, bool aged) {
    SingleWindow store({.kind = StoreKind::kRebuild, .duplicates = duplicates});
    store.Add(first);
    store.Add(second);
    if (aged) store.AgeOutOldest();
    std::vector<std::int64_t> found;
    VisitView(store.Publish(2).view, [&](const auto& graph) {
      for (const auto& neighbor : graph.weighted_out(0)) found.push_back(neighbor.weight.integer());
    });
    return found;
  };
  using Weights = std::vector<std::int64_t>;
  EXPECT_EQ(weights(DuplicatesPolicy::kKeep, false), (Weights{5, 7}));
  EXPECT_EQ(weights(DuplicatesPolicy::kKeep, true), (Weights{7}));
  EXPECT_EQ(weights(DuplicatesPolicy::kDrop, false), (Weights{7}));
  EXPECT_EQ(weights(DuplicatesPolicy::kDrop, true), (Weights{7}));
  EXPECT_EQ(weights(DuplicatesPolicy::kWeigh, false), (Weights{12}));
  EXPECT_EQ(weights(DuplicatesPolicy::kWeigh, true), (Weights{7}));
}

}  // namespace
}  // namespace sash

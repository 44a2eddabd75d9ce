#include "windows/kernels/rows/in_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "tests/support/random_graph.h"
#include "windows/store/multiversioned_store.h"
#include "windows/store/window_store.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;

// For each vertex, the sum of source values over its in-edges, computed from the rows.
template <typename Graph>
std::map<VertexId, double> SumsOf(const Graph& graph, RowOrder order,
                                  const std::vector<double>& by_id) {
  const InRuns runs(graph, order, 2);
  std::vector<double> by_row(runs.row_limit());
  std::size_t vertices = 0;
  for (std::size_t block = 0; block < runs.block_count(); ++block) {
    runs.ForEachRow(block, [&](InRuns::Row row) {
      EXPECT_EQ(runs.out_degree(row), graph.out_degree(runs.id(row)));
      by_row[row] = by_id[runs.id(row)];
      ++vertices;
    });
  }
  EXPECT_EQ(vertices, runs.vertex_count());
  std::map<VertexId, double> sums;
  for (std::size_t block = 0; block < runs.block_count(); ++block) {
    runs.SumRows(block, by_row.data(), [&](InRuns::Row row, double sum) {
      EXPECT_TRUE(sums.emplace(runs.id(row), sum).second);
    });
  }
  return sums;
}

template <typename Graph>
void ExpectTheGraphsSums(const Graph& graph) {
  std::vector<double> by_id;  // integers: sums are exact in any order
  for (VertexId v = 0; v < graph.id_limit(); ++v) by_id.push_back(v * 7 % 1'009);
  std::map<VertexId, double> expected;
  for (const VertexId v : graph.vertices()) {
    double& sum = expected[v];
    for (const VertexId u : graph.in(v)) sum += by_id[u];
  }
  EXPECT_EQ(SumsOf(graph, RowOrder::kHotFirst, by_id), expected);
  EXPECT_EQ(SumsOf(graph, RowOrder::kSwept, by_id), expected);
}

TEST(InRunsTest, RowsAreTheInEdgesOfAPlainGraph) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    ExpectTheGraphsSums(MakeCsr(RandomPairs(seed, 5'000, seed % 2 == 0 ? 1'000 : 40'000), 5'000));
  }
  ExpectTheGraphsSums(MakeCsr(testing::Pairs{}, 0));
  ExpectTheGraphsSums(MakeCsr(testing::Pairs{}, 3'000));
}

std::shared_ptr<const Slice> MakeSlice(const Pairs& pairs, std::uint64_t id) {
  Slice slice;
  slice.id = SliceId{id};
  for (const auto& [source, target] : pairs) {
    slice.sources.push_back(source);
    slice.targets.push_back(target);
  }
  slice.weights = WeightColumn(pairs.size(), WeightColumn::Kind::kOnes);
  return std::make_shared<const Slice>(std::move(slice));
}

// Long lists of several chunks, short lists, and dead slots in both.
TEST(InRunsTest, RowsAreTheInEdgesOfWindowsWhoseEdgesDie) {
  for (const DuplicatesPolicy duplicates : {DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop}) {
    const auto store = MakeSliceStore({.duplicates = duplicates, .removals = false});
    const auto window = store->Open(0);
    for (std::uint64_t slice = 0; slice < 12; ++slice) {
      Pairs pairs = RandomPairs(slice % 5, 6'000, 20'000);
      for (VertexId v = 0; v < 1'500; ++v) pairs.emplace_back(v + 100 * (slice % 5), 17);
      store->Add(MakeSlice(pairs, slice));
      if (slice >= 8) window->AgeOutOldest();
    }
    const WindowView view = window->Publish(8'000).view;
    ExpectTheGraphsSums(*std::get<std::shared_ptr<const MultiversionedView>>(view));
  }
}

}  // namespace
}  // namespace sash

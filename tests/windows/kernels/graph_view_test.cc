// Kernels over GraphView use no more of a graph than its four readers.
#include "windows/kernels/graph_view.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "tests/support/both_views.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/bfs_parents.h"
#include "windows/kernels/cdlp.h"
#include "windows/kernels/reciprocity.h"
#include "windows/kernels/wcc.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::RandomPairs;

class FourReaders {
 public:
  explicit FourReaders(const CsrGraph& graph) : graph_(graph) {}
  VertexId id_limit() const { return graph_.id_limit(); }
  auto vertices() const { return graph_.vertices(); }
  auto out(VertexId v) const { return graph_.out(v); }
  auto in(VertexId v) const { return graph_.in(v); }

 private:
  const CsrGraph& graph_;
};

static_assert(GraphView<FourReaders> && !BulkGraphView<FourReaders>);
static_assert(BulkGraphView<CsrGraph> && BulkGraphView<MultiversionedView>);

TEST(GraphViewTest, FourReadersAreEnoughForKernelsThatAskForNoMore) {
  constexpr VertexId kIds = 500;
  const CsrGraph whole = MakeCsr(RandomPairs(3, kIds, 1200), kIds);
  const FourReaders graph(whole);
  EXPECT_EQ(Reciprocity(graph).led_back, Reciprocity(whole).led_back);
  EXPECT_GT(Reciprocity(graph).led_back, 0u);
  EXPECT_EQ(Wcc(graph).labels, Wcc(whole).labels);
  EXPECT_EQ(Cdlp(graph).labels, Cdlp(whole).labels);
  const VertexId root = whole.vertices().front();
  const std::vector<std::int32_t> depths = Bfs(whole, std::vector{root}).depths;
  const auto parents = [&](const auto& of) {
    return BfsParents(of, depths, FollowedEdges::kOut, whole.vertices(), 1, std::less<VertexId>());
  };
  EXPECT_EQ(parents(graph), parents(whole));
}

}  // namespace
}  // namespace sash

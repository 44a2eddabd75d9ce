#include "windows/kernels/rows/share_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <vector>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::MakeCsr;
using testing::OverBothViews;

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();

// What each vertex receives from `values`. Both are indexed by id.
std::map<VertexId, double> SumsOfRows(const ShareRows& rows, const std::vector<double>& values) {
  std::vector<double> of_rows;
  for (ShareRows::Row row = 0; row < rows.row_limit(); ++row) {
    of_rows.push_back(values[rows.id(row)]);
  }
  std::map<VertexId, double> sums;
  for (std::size_t block = 0; block < rows.block_count(); ++block) {
    rows.SumRows(block, of_rows.data(),
                 [&](ShareRows::Row row, double sum) { sums[rows.id(row)] = sum; });
  }
  return sums;
}

std::set<VertexId> Sinks(const ShareRows& rows) {
  std::set<VertexId> sinks;
  for (std::size_t block = 0; block < rows.block_count(); ++block) {
    rows.ForEachRow(block, [&](ShareRows::Row row) {
      if (rows.is_sink(row)) sinks.insert(rows.id(row));
    });
  }
  return sinks;
}

TEST(ShareRowsTest, EdgesShareInProportionToTheirWeightsAndParallelOnesCountEach) {
  const std::vector<IdEdge> edges = {{0, 1, Weight::Integer(1)}, {0, 2, Weight::Real(2.5)},
                                     {0, 2, Weight::Real(0.5)},  {2, 2, Weight::Integer(3)},
                                     {2, 1, Weight::Integer(1)}, {4, 0, Weight::Integer(7)}};
  OverBothViews(edges, 6, [](const auto& graph) {
    const ShareRows rows(graph, 2);
    EXPECT_EQ(rows.negative_edges(), 0u);
    EXPECT_EQ(SumsOfRows(rows, {8, 100, 16, 100, 2, 100}),
              (std::map<VertexId, double>{{0, 2}, {1, 2 + 4}, {2, 6 + 12}, {4, 0}}));
    EXPECT_EQ(Sinks(rows), std::set<VertexId>{1});
  });
}

TEST(ShareRowsTest, AVertexWhoseEdgesAllWeighNothingIsASink) {
  const std::vector<IdEdge> edges = {{0, 1, Weight::Integer(0)},
                                     {0, 2, Weight::Real(-0.0)},
                                     {1, 2, Weight::Integer(0)},
                                     {1, 0, Weight::Integer(2)}};
  const ShareRows rows(MakeCsr(edges, 3), 1);
  EXPECT_EQ(rows.negative_edges(), 0u);
  EXPECT_EQ(Sinks(rows), (std::set<VertexId>{0, 2}));
}

TEST(ShareRowsTest, SharesSumToOneHoweverLargeOrSmallTheWeights) {
  const CsrGraph graph = MakeCsr(std::vector<IdEdge>{{0, 1, Weight::Real(kMost)},
                                                     {0, 2, Weight::Real(kMost)},
                                                     {1, 0, Weight::Real(kLeast)},
                                                     {1, 2, Weight::Real(kLeast)},
                                                     {2, 0, Weight::Real(kMost)},
                                                     {2, 1, Weight::Real(kLeast)}},
                                 3);
  EXPECT_EQ(SumsOfRows(ShareRows(graph, 1), {1, 1, 1}),
            (std::map<VertexId, double>{{0, 1.5}, {1, 0.5}, {2, 1}}));
}

TEST(ShareRowsTest, NegativeEdgesAreCounted) {
  const CsrGraph graph = MakeCsr(
      std::vector<IdEdge>{
          {0, 1, Weight::Integer(-1)}, {0, 1, Weight::Integer(5)}, {3, 0, Weight::Real(-1e-300)}},
      4);
  EXPECT_EQ(ShareRows(graph, 2).negative_edges(), 2u);
}

TEST(ShareRowsTest, EdgesThatWeighMoreThanADoubleHoldsAreCountedButNotSumsOfThoseThatDoNot) {
  const Weight most = Weight::Real(std::numeric_limits<double>::max());
  const Weight infinite = Weight::Real(std::numeric_limits<double>::infinity());
  const CsrGraph two =
      MakeCsr(std::vector<IdEdge>{{0, 1, infinite}, {1, 0, infinite}, {1, 1, {}}}, 2);
  EXPECT_EQ(ShareRows(two, 2).overflowed_edges(), 2u);
  const CsrGraph none = MakeCsr(std::vector<IdEdge>{{0, 1, most}, {0, 0, most}}, 2);
  EXPECT_EQ(ShareRows(none, 2).overflowed_edges(), 0u);
  EXPECT_EQ(SumsOfRows(ShareRows(none, 1), {1, 1}),
            (std::map<VertexId, double>{{0, 0.5}, {1, 0.5}}));
}

TEST(ShareRowsTest, AGraphWithoutEdgesHasNoRows) {
  EXPECT_EQ(ShareRows(MakeCsr(testing::Pairs{}, 3), 1).block_count(), 0u);
}

}  // namespace
}  // namespace sash

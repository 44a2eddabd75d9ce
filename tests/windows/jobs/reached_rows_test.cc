#include "windows/jobs/reached_rows.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/random_graph.h"
#include "windows/kernels/bfs.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::Pairs;

// Edges between letters. Ids are assigned in order of appearance.
struct Letters {
  explicit Letters(const std::vector<std::string>& edges) : keys(KeyKind::kString) {
    Pairs pairs;
    VertexDictionary::Writer writer(keys);
    for (const std::string& edge : edges) {
      const VertexId source = writer.Intern(edge.substr(0, 1));
      pairs.emplace_back(source, writer.Intern(edge.substr(1, 1)));
    }
    view = std::make_shared<const CsrGraph>(MakeCsr(pairs, keys.id_limit()));
  }

  // "vertex<parent" of each row.
  std::string Rows(const BfsParameters& parameters, std::size_t count = 100) const {
    std::vector<VertexId> roots;
    for (const VertexKey& root : parameters.roots) roots.push_back(*keys.Find(root));
    const std::vector<std::int32_t> depths = VisitView(view, [&](const auto& graph) {
      return Bfs(graph, roots,
                 {.follow = parameters.direction == TraversalDirection::kOut ? FollowedEdges::kOut
                            : parameters.direction == TraversalDirection::kIn
                                ? FollowedEdges::kIn
                                : FollowedEdges::kBoth})
          .depths;
    });
    const ReachedDepths reached{view, parameters, depths, keys};
    std::string text;
    for (const ReachedVertex& row : ReachedRows(reached, count, 1)) {
      const VertexId v = *keys.Find(row.key);
      EXPECT_EQ(row.depth, depths[v]);
      EXPECT_EQ(row.parent, parameters.parents ? ParentKey(reached, v) : std::nullopt);
      text += std::get<std::string>(row.key) + "<" +
              (row.parent ? std::get<std::string>(*row.parent) : "") + " ";
    }
    return text;
  }

  VertexDictionary keys;
  WindowView view;
};

BfsParameters From(const std::string& root, TraversalDirection direction) {
  return {.roots = {root}, .direction = direction, .parents = true};
}

TEST(ReachedRowsTest, TheParentIsTheNearerNeighbourWithTheLeastKey) {
  // z, y and x are one step away and are found in that order; c is as near over each of them.
  const Letters graph({"rz", "ry", "rx", "zc", "yc", "xc", "cd", "dc", "cc", "zx", "da"});
  EXPECT_EQ(graph.Rows(From("r", TraversalDirection::kOut)), "r< x<r y<r z<r c<x d<c a<d ");
  EXPECT_EQ(graph.Rows(From("c", TraversalDirection::kIn)), "c< d<c x<c y<c z<c r<x ");
  EXPECT_EQ(graph.Rows(From("a", TraversalDirection::kBoth)), "a< d<a c<d x<c y<c z<c r<x ");
}

TEST(ReachedRowsTest, AsManyRowsAreMadeAsAreWanted) {
  const Letters graph({"ab", "ac", "bd"});
  EXPECT_EQ(graph.Rows(From("a", TraversalDirection::kOut), 2), "a< b<a ");
  EXPECT_EQ(graph.Rows(From("a", TraversalDirection::kOut), 0), "");
}

TEST(ReachedRowsTest, ThereAreNoParentsUnlessTheyAreWanted) {
  const Letters graph({"ab", "bc"});
  EXPECT_EQ(graph.Rows({.roots = {"a"}}), "a< b< c< ");
}

}  // namespace
}  // namespace sash

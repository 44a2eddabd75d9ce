#include "daemon/http/neighbourhood.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <utility>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::IdEdge;

// A reference implementation: the definition, computed over all edges of the window.
class PlainPicture {
 public:
  PlainPicture(const WindowView& view, const std::vector<VertexId>& around, std::size_t neighbours,
               const VertexDictionary& keys) {
    VisitView(view, [&](const auto& graph) { Collect(graph, around); });
    std::vector<VertexId> placed = asked_;
    for (const VertexId vertex : asked_) {
      std::vector<VertexId> others = Others(vertex);
      std::ranges::sort(others, [&](VertexId a, VertexId b) {
        const auto links = std::pair(links_.at(a), links_.at(b));
        const auto copies = std::pair(Copies(vertex, a), Copies(vertex, b));
        if (links.first != links.second) return links.first > links.second;
        if (copies.first != copies.second) return copies.first > copies.second;
        return keys.KeyLess(a, b);
      });
      others.resize(std::min(others.size(), neighbours));
      for (const VertexId other : others) {
        if (std::ranges::find(placed, other) == placed.end()) placed.push_back(other);
      }
    }
    vertices = placed;
    for (const VertexId source : placed) {
      for (const VertexId target : placed) {
        const auto pair = pairs_.find({source, target});
        if (pair != pairs_.end()) edges.push_back({source, target, pair->second});
      }
    }
  }

  struct Bundle {
    std::uint64_t copies = 0;
    double weight = 0;  // test weights have exact sums
    bool operator==(const Bundle&) const = default;
  };
  struct Edge {
    VertexId source;
    VertexId target;
    Bundle bundle;
    bool operator==(const Edge&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Edge& edge) {
      return out << edge.source << "->" << edge.target << " * " << edge.bundle.copies << " = "
                 << edge.bundle.weight;
    }
  };

  std::vector<VertexId> vertices;
  std::vector<Edge> edges;

 private:
  bool IsAsked(VertexId vertex) const { return std::ranges::find(asked_, vertex) != asked_.end(); }

  void Collect(const auto& graph, const std::vector<VertexId>& around) {
    for (const VertexId vertex : around) {
      if (std::ranges::binary_search(graph.vertices(), vertex)) asked_.push_back(vertex);
    }
    for (const VertexId source : graph.vertices()) {
      for (const auto& neighbor : graph.weighted_out(source)) {
        if (!IsAsked(source) && !IsAsked(neighbor.vertex)) continue;
        Bundle& bundle = pairs_[{source, neighbor.vertex}];
        ++bundle.copies;
        bundle.weight += neighbor.weight.AsDouble();
      }
    }
    for (const auto& [pair, bundle] : pairs_) {
      if (!IsAsked(pair.first)) ++links_[pair.first];
      if (!IsAsked(pair.second)) ++links_[pair.second];
    }
  }

  std::uint64_t Copies(VertexId a, VertexId b) const {
    std::uint64_t copies = 0;
    for (const auto& pair : {std::pair(a, b), std::pair(b, a)}) {
      const auto found = pairs_.find(pair);
      if (found != pairs_.end()) copies += found->second.copies;
    }
    return copies;
  }

  std::vector<VertexId> Others(VertexId vertex) const {
    std::set<VertexId> others;
    for (const auto& [pair, bundle] : pairs_) {
      if (pair.first == vertex && !IsAsked(pair.second)) others.insert(pair.second);
      if (pair.second == vertex && !IsAsked(pair.first)) others.insert(pair.first);
    }
    return {others.begin(), others.end()};
  }

  std::vector<VertexId> asked_;
  std::map<std::pair<VertexId, VertexId>, Bundle> pairs_;
  std::map<VertexId, std::uint64_t> links_;
};

std::vector<IdEdge> WithWeights(const testing::Pairs& pairs, std::mt19937_64& random) {
  std::vector<IdEdge> edges;
  for (const auto& [source, target] : pairs) {
    const auto weight = static_cast<std::int64_t>(random() % 9);
    edges.push_back(
        {source, target,
         weight < 5 ? Weight::Integer(weight) : Weight::Real(static_cast<double>(weight) / 2)});
  }
  return edges;
}

// Some edges are removed before they age out; the edges of the first slice have aged out.
WindowView WithRemovals(const std::vector<IdEdge>& edges, VertexId ids, DuplicatesPolicy duplicates,
                        std::mt19937_64& random) {
  testing::SingleWindow window({StoreKind::kMultiversioned, duplicates, true});
  constexpr std::size_t kSlices = 4;
  for (std::size_t slice = 0; slice < kSlices; ++slice) {
    testing::SliceOperations operations;
    for (const IdEdge& edge : edges) {
      const std::uint64_t draw = random() % 8;
      if (draw < 3) operations.push_back(testing::Add(edge.source, edge.target, edge.weight));
      if (draw == 3) operations.push_back(testing::Remove(edge.source, edge.target));
    }
    window.Add(testing::MakeSlice(slice, operations));
  }
  window.AgeOutOldest();
  return window.Publish(ids).view;
}

TEST(NeighbourhoodTest, IsWhatItsDefinitionSaysOverEveryKindOfView) {
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const testing::RandomGraph graph = testing::MakeRandomGraph(seed);
    const std::vector<IdEdge> edges = WithWeights(graph.pairs, random);
    VertexDictionary keys(KeyKind::kInteger);
    for (VertexId id = 0; id < graph.ids; ++id) {
      VertexDictionary::Writer(keys).Intern(-std::int64_t{id});  // not in the order of ids
    }
    std::vector<VertexId> around;
    for (VertexId id = 0; id < graph.ids; ++id) around.push_back(id);
    std::ranges::shuffle(around, random);
    around.resize(std::min<std::size_t>(around.size(), random() % 13));
    const std::size_t neighbours = random() % 7;

    const WindowView views[] = {
        std::make_shared<const CsrGraph>(testing::MakeCsr(edges, graph.ids)),
        testing::MakeMultiversioned(edges, graph.ids),
        WithRemovals(edges, graph.ids, DuplicatesPolicy::kKeep, random),
        WithRemovals(edges, graph.ids, DuplicatesPolicy::kWeigh, random)};
    for (const WindowView& view : views) {
      const PlainPicture expected(view, around, neighbours, keys);
      const Neighbourhood picture = Neighbourhood::Of(view, around, neighbours, keys);
      EXPECT_TRUE(picture.whole);
      std::vector<VertexId> vertices;
      for (const Neighbourhood::Vertex& each : picture.vertices) vertices.push_back(each.vertex);
      EXPECT_EQ(vertices, expected.vertices);
      std::vector<PlainPicture::Edge> drawn;
      for (const Neighbourhood::Edge& edge : picture.edges) {
        drawn.push_back({edge.source, edge.target, {edge.copies, edge.weight.AsDouble()}});
      }
      EXPECT_EQ(drawn, expected.edges);
    }
  }
}

}  // namespace
}  // namespace sash

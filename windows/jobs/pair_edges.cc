#include "windows/jobs/pair_edges.h"

#include <algorithm>
#include <utility>

#include "windows/jobs/edges_between.h"
#include "windows/store/neighbor.h"

namespace sash {
namespace {

class PairSum {
 public:
  void Add(const Neighbor& edge) {
    ++pair_.edges;
    weights_.push_back(edge.weight);
    if (!pair_.heaviest || IsHeavier(edge.weight, *pair_.heaviest)) pair_.heaviest = edge.weight;
    if (edge.type == kNoType) return;
    const auto place = std::ranges::lower_bound(pair_.types, edge.type);
    if (place == pair_.types.end() || *place != edge.type) pair_.types.insert(place, edge.type);
  }

  // Lists have no order, and a sum of doubles depends on it.
  PairEdges Take() && {
    std::sort(weights_.begin(), weights_.end());
    WeightSum sum;
    for (const Weight weight : weights_) sum.Add(weight);
    pair_.weight = sum.Total();
    return std::move(pair_);
  }

 private:
  // An integer counts as heavier than an equal double.
  static bool IsHeavier(Weight weight, Weight than) {
    return than < weight || (!(weight < than) && weight.is_integer() && !than.is_integer());
  }

  PairEdges pair_;
  std::vector<Weight> weights_;
};

}  // namespace

PairEdges EdgesOfPair(const WindowView& view, VertexId source, VertexId target) {
  PairSum sum;
  VisitView(view, [&](const auto& graph) {
    if (source >= graph.id_limit() || target >= graph.id_limit()) return;
    ForEachEdgeBetween(graph, source, target, [&](const Neighbor& edge) { sum.Add(edge); });
  });
  return std::move(sum).Take();
}

std::vector<std::string> WordsOf(const std::vector<TypeNumber>& types, const TypeTable& table) {
  std::vector<std::string> words;
  for (const TypeNumber type : types) words.emplace_back(table.WordOf(type));
  std::ranges::sort(words);
  return words;
}

}  // namespace sash

#include "windows/store/live_copy.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sash {
namespace {

// Edges of one pair in an order that does not depend on how the view holds them.
bool ComesFirst(const Neighbor& a, const Neighbor& b) {
  if (a.vertex != b.vertex) return a.vertex < b.vertex;
  if (a.type != b.type) return a.type < b.type;
  return a.weight < b.weight;
}

}  // namespace

std::shared_ptr<const CsrGraph> CopyOf(const LiveView& view) {
  EdgeList edges;
  std::vector<Neighbor> ends;  // of the edges
  const std::size_t count = view.edge_count();
  edges.sources.reserve(count);
  ends.reserve(count);
  auto kind = WeightColumn::Kind::kOnes;
  TypeNumber greatest = kNoType;
  for (const VertexId source : view.vertices()) {
    const auto begin = static_cast<std::ptrdiff_t>(ends.size());
    view.ForEachOut(source, [&](const Neighbor& end) {
      edges.sources.push_back(source);
      ends.push_back(end);
      kind = std::max(kind, WeightColumn::KindOf(end.weight));
      greatest = std::max(greatest, end.type);
    });
    std::sort(ends.begin() + begin, ends.end(), ComesFirst);
  }
  edges.targets.reserve(ends.size());
  edges.weights = WeightColumn(ends.size(), kind);
  edges.types = TypeColumn(ends.size(), WidthOf(greatest));
  for (std::size_t i = 0; i < ends.size(); ++i) {
    edges.targets.push_back(ends[i].vertex);
    edges.weights.Set(i, ends[i].weight);
    edges.types.Set(i, ends[i].type);
  }
  return std::make_shared<const CsrGraph>(edges, view.id_limit());
}

}  // namespace sash

#include "windows/store/csr_graph.h"

#include "windows/store/counting_sort.h"

namespace sash {

CsrGraph::CsrGraph(const EdgeList& edges, VertexId id_limit) : id_limit_(id_limit) {
  out_ = {RunStarts(edges.sources, id_limit), edges.targets, edges.weights, edges.types};
  in_.starts = RunStarts(edges.targets, id_limit);
  in_.neighbours.resize(edges.size());
  in_.weights = WeightColumn(edges.size(), edges.weights.kind());
  in_.types = TypeColumn(edges.size(), edges.types.width());
  std::vector<std::uint64_t> next = in_.starts;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint64_t place = next[edges.targets[i]]++;
    in_.neighbours[place] = edges.sources[i];
    in_.weights.Set(place, edges.weights[i]);
    in_.types.Set(place, edges.types[i]);
  }
  for (VertexId v = 0; v < id_limit; ++v) {
    if (out_.degree(v) + in_.degree(v) > 0) vertices_.push_back(v);
  }
}

}  // namespace sash

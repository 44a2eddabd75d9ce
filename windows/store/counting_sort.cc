#include "windows/store/counting_sort.h"

#include <algorithm>

namespace sash {

std::vector<std::uint64_t> RunStarts(const std::vector<VertexId>& keys, VertexId id_limit) {
  std::vector<std::uint64_t> starts(std::size_t{id_limit} + 1);
  for (const VertexId key : keys) ++starts[std::size_t{key} + 1];
  for (std::size_t id = 0; id < id_limit; ++id) starts[id + 1] += starts[id];
  return starts;
}

EdgeList StableSortBy(EdgeList edges, std::vector<VertexId> EdgeList::*end, VertexId id_limit) {
  const std::vector<VertexId>& keys = edges.*end;
  if (std::ranges::is_sorted(keys)) return edges;
  std::vector<std::uint64_t> next = RunStarts(keys, id_limit);
  EdgeList sorted;
  sorted.sources.resize(edges.size());
  sorted.targets.resize(edges.size());
  sorted.weights = WeightColumn(edges.size(), edges.weights.kind());
  sorted.types = TypeColumn(edges.size(), edges.types.width());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint64_t place = next[keys[i]]++;
    sorted.sources[place] = edges.sources[i];
    sorted.targets[place] = edges.targets[i];
    sorted.weights.Set(place, edges.weights[i]);
    sorted.types.Set(place, edges.types[i]);
  }
  return sorted;
}

}  // namespace sash

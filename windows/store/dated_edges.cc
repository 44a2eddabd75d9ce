#include "windows/store/dated_edges.h"

#include <cstddef>
#include <numeric>

#include "windows/base/radix_sort.h"
#include "windows/base/weight.h"
#include "windows/store/visible_edges.h"

namespace sash {
namespace {

// The numbers of the adds by source, target and, if wanted, type; then in the order of effect.
std::vector<std::uint32_t> SortedByIdentity(const EdgeList& edges, bool by_type) {
  std::vector<std::uint32_t> order(edges.size());
  std::iota(order.begin(), order.end(), 0u);
  if (by_type) RadixSort(order, [&](std::uint32_t i) { return std::uint32_t{edges.types[i]}; });
  RadixSort(order, [&](std::uint32_t i) {
    return std::uint64_t{edges.sources[i]} << 32 | edges.targets[i];
  });
  return order;
}

std::vector<std::uint32_t> SlicesOf(const SurvivingEdges& adds) {
  std::vector<std::uint32_t> slices;
  slices.reserve(adds.edges.size());
  for (std::uint32_t slice = 0; slice < adds.ends.size(); ++slice) {
    slices.resize(adds.ends[slice], slice);
  }
  return slices;
}

}  // namespace

std::vector<DatedEdge> DatedEdges(std::span<const std::shared_ptr<const Slice>> slices,
                                  DuplicatesPolicy duplicates, VertexId id_limit,
                                  EdgeIdentity identity, std::optional<double> least_weight) {
  const SurvivingEdges adds = FindSurvivingEdges(slices, duplicates, id_limit, identity);
  const EdgeList& edges = adds.edges;
  const std::vector<std::uint32_t> came = SlicesOf(adds);
  std::vector<DatedEdge> dated;
  dated.reserve(edges.size());
  const auto is_light = [&](Weight weight) {
    return least_weight && weight.AsDouble() < *least_weight;
  };
  const auto add = [&](std::size_t i) {
    dated.push_back({edges.sources[i], edges.targets[i], came[i]});
  };
  if (duplicates == DuplicatesPolicy::kKeep) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!is_light(edges.weights[i])) add(i);
    }
    return dated;
  }
  const bool by_type = identity == EdgeIdentity::kPairAndType;
  const std::vector<std::uint32_t> order = SortedByIdentity(edges, by_type);
  const auto are_one = [&](std::uint32_t a, std::uint32_t b) {
    return edges.sources[a] == edges.sources[b] && edges.targets[a] == edges.targets[b] &&
           (!by_type || edges.types[a] == edges.types[b]);
  };
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    WeightSum sum;
    while (end < order.size() && are_one(order[begin], order[end])) {
      sum.Add(edges.weights[order[end++]]);
    }
    const std::uint32_t newest = order[end - 1];
    if (duplicates == DuplicatesPolicy::kDrop) {
      if (!is_light(edges.weights[newest])) add(newest);
    } else if (!is_light(sum.Total())) {
      for (std::size_t i = begin; i < end; ++i) add(order[i]);
    }
    begin = end;
  }
  return dated;
}

}  // namespace sash

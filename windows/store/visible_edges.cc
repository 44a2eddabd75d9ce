#include "windows/store/visible_edges.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "windows/base/keyed_hash.h"
#include "windows/store/counting_sort.h"

namespace sash {
namespace {

using Slices = std::span<const std::shared_ptr<const Slice>>;

// The last removal of each pair and vertex, as a number in the order of effect, from 1.
class Removals {
 public:
  Removals(Slices slices, VertexId id_limit) {
    std::uint64_t number = 0;
    for (const auto& slice : slices) {
      for (std::size_t i = 0; i < slice->size(); ++i) {
        ++number;
        const Operation operation = slice->operation(i);
        if (operation == Operation::kRemove) {
          pairs_[Pair(slice->sources[i], slice->targets[i])] = number;
        } else if (operation == Operation::kRemoveVertex) {
          if (vertices_.empty()) vertices_.resize(id_limit);
          vertices_[slice->sources[i]] = number;
        }
      }
    }
  }

  // True if no removal after event `number` removes the pair.
  bool Survives(VertexId source, VertexId target, std::uint64_t number) const {
    if (!vertices_.empty() && std::max(vertices_[source], vertices_[target]) > number) return false;
    const auto pair = pairs_.find(Pair(source, target));
    return pair == pairs_.end() || pair->second < number;
  }

 private:
  static std::uint64_t Pair(VertexId source, VertexId target) {
    return static_cast<std::uint64_t>(source) << 32 | target;
  }
  std::unordered_map<std::uint64_t, std::uint64_t, KeyedHash> pairs_;
  std::vector<std::uint64_t> vertices_;
};

std::size_t TotalEvents(Slices slices) {
  std::size_t total = 0;
  for (const auto& slice : slices) total += slice->size();
  return total;
}

WeightColumn::Kind WidestKind(Slices slices) {
  auto kind = WeightColumn::Kind::kOnes;
  for (const auto& slice : slices) kind = std::max(kind, slice->weights.kind());
  return kind;
}

// The adds that no removal undoes, in the order of effect.
EdgeList SurvivingAddsOf(Slices slices, VertexId id_limit) {
  EdgeList edges;
  const std::size_t total = TotalEvents(slices);
  edges.sources.reserve(total);
  edges.targets.reserve(total);
  edges.weights = WeightColumn(total, WidestKind(slices));
  const bool has_removals =
      std::ranges::any_of(slices, [](const auto& slice) { return !slice->operations.empty(); });
  const Removals removals(has_removals ? slices : Slices(), id_limit);
  std::uint64_t number = 0;
  for (const auto& slice : slices) {
    for (std::size_t i = 0; i < slice->size(); ++i) {
      ++number;
      const VertexId source = slice->sources[i];
      const VertexId target = slice->targets[i];
      if (has_removals &&
          (slice->operation(i) != Operation::kAdd || !removals.Survives(source, target, number))) {
        continue;
      }
      edges.weights.Set(edges.sources.size(), slice->weights[i]);
      edges.sources.push_back(source);
      edges.targets.push_back(target);
    }
  }
  return edges;
}

// Replaces each run of equal pairs by one edge: the newest weight, or the sum of all.
EdgeList FoldVisible(const EdgeList& sorted, DuplicatesPolicy duplicates) {
  EdgeList folded;
  std::vector<Weight> weights;
  auto kind = WeightColumn::Kind::kOnes;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    WeightSum sum;
    while (end < sorted.size() && sorted.sources[end] == sorted.sources[begin] &&
           sorted.targets[end] == sorted.targets[begin]) {
      sum.Add(sorted.weights[end++]);
    }
    folded.sources.push_back(sorted.sources[begin]);
    folded.targets.push_back(sorted.targets[begin]);
    weights.push_back(duplicates == DuplicatesPolicy::kWeigh ? sum.Total()
                                                             : sorted.weights[end - 1]);
    kind = std::max(kind, WeightColumn::KindOf(weights.back()));
    begin = end;
  }
  folded.weights = WeightColumn(weights.size(), kind);
  for (std::size_t i = 0; i < weights.size(); ++i) folded.weights.Set(i, weights[i]);
  return folded;
}

}  // namespace

EdgeList VisibleEdges(Slices slices, DuplicatesPolicy duplicates, VertexId id_limit) {
  EdgeList edges = SurvivingAddsOf(slices, id_limit);
  edges = StableSortBy(std::move(edges), &EdgeList::targets, id_limit);
  edges = StableSortBy(std::move(edges), &EdgeList::sources, id_limit);
  if (duplicates == DuplicatesPolicy::kKeep) return edges;
  return FoldVisible(edges, duplicates);
}

}  // namespace sash

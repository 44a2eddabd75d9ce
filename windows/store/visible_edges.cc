#include "windows/store/visible_edges.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "windows/base/keyed_hash.h"
#include "windows/store/counting_sort.h"

namespace sash {
namespace {

using Slices = std::span<const std::shared_ptr<const Slice>>;

// The last removal of each pair, pair and type, and vertex, as a number in the order of effect,
// from 1.
class Removals {
 public:
  // `by_type`: a removal with a type ends the edges of this type alone.
  Removals(Slices slices, bool by_type, VertexId id_limit) {
    std::uint64_t number = 0;
    for (const auto& slice : slices) {
      for (std::size_t i = 0; i < slice->size(); ++i) {
        ++number;
        const Operation operation = slice->operation(i);
        if (operation == Operation::kRemove) {
          const TypeNumber type = by_type ? slice->types[i] : kNoType;
          const std::uint64_t pair = Pair(slice->sources[i], slice->targets[i]);
          (type == kNoType ? pairs_[pair] : typed_[{pair, type}]) = number;
        } else if (operation == Operation::kRemoveVertex) {
          if (vertices_.empty()) vertices_.resize(id_limit);
          vertices_[slice->sources[i]] = number;
        }
      }
    }
  }

  // True if no removal after event `number` removes the edge.
  bool Survives(VertexId source, VertexId target, TypeNumber type, std::uint64_t number) const {
    if (!vertices_.empty() && std::max(vertices_[source], vertices_[target]) > number) return false;
    const auto typed = typed_.find({Pair(source, target), type});
    if (typed != typed_.end() && typed->second > number) return false;
    const auto pair = pairs_.find(Pair(source, target));
    return pair == pairs_.end() || pair->second < number;
  }

 private:
  static std::uint64_t Pair(VertexId source, VertexId target) {
    return static_cast<std::uint64_t>(source) << 32 | target;
  }
  std::unordered_map<std::uint64_t, std::uint64_t, KeyedHash> pairs_;
  std::map<std::pair<std::uint64_t, TypeNumber>, std::uint64_t> typed_;
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

TypeWidth WidestTypes(Slices slices) {
  auto width = TypeWidth::kNone;
  for (const auto& slice : slices) width = std::max(width, slice->types.width());
  return width;
}

// The edges in the order of their types; those of one type keep their order.
EdgeList SortedByType(const EdgeList& edges) {
  std::vector<std::size_t> places(edges.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, {}, [&](std::size_t i) { return edges.types[i]; });
  EdgeList sorted;
  sorted.weights = WeightColumn(edges.size(), edges.weights.kind());
  sorted.types = TypeColumn(edges.size(), edges.types.width());
  for (const std::size_t i : places) {
    sorted.weights.Set(sorted.sources.size(), edges.weights[i]);
    sorted.types.Set(sorted.sources.size(), edges.types[i]);
    sorted.sources.push_back(edges.sources[i]);
    sorted.targets.push_back(edges.targets[i]);
  }
  return sorted;
}

// Replaces each run of equal pairs, or of equal pairs and types, by one edge: with the newest
// weight, or the sum of all.
EdgeList FoldVisible(const EdgeList& sorted, DuplicatesPolicy duplicates, bool by_type) {
  EdgeList folded;
  std::vector<Weight> weights;
  std::vector<TypeNumber> types;
  auto kind = WeightColumn::Kind::kOnes;
  const auto is_same = [&](std::size_t a, std::size_t b) {
    return sorted.sources[a] == sorted.sources[b] && sorted.targets[a] == sorted.targets[b] &&
           (!by_type || sorted.types[a] == sorted.types[b]);
  };
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    WeightSum sum;
    while (end < sorted.size() && is_same(end, begin)) sum.Add(sorted.weights[end++]);
    folded.sources.push_back(sorted.sources[begin]);
    folded.targets.push_back(sorted.targets[begin]);
    weights.push_back(duplicates == DuplicatesPolicy::kWeigh ? sum.Total()
                                                             : sorted.weights[end - 1]);
    types.push_back(sorted.types[end - 1]);
    kind = std::max(kind, WeightColumn::KindOf(weights.back()));
    begin = end;
  }
  folded.weights = WeightColumn(weights.size(), kind);
  folded.types = TypeColumn(types.size(), sorted.types.width());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    folded.weights.Set(i, weights[i]);
    folded.types.Set(i, types[i]);
  }
  return folded;
}

}  // namespace

SurvivingEdges FindSurvivingEdges(Slices slices, DuplicatesPolicy duplicates, VertexId id_limit,
                                  EdgeIdentity identity) {
  SurvivingEdges adds;
  EdgeList& edges = adds.edges;
  const std::size_t total = TotalEvents(slices);
  edges.sources.reserve(total);
  edges.targets.reserve(total);
  edges.weights = WeightColumn(total, WidestKind(slices));
  edges.types = TypeColumn(total, WidestTypes(slices));
  const bool has_removals =
      std::ranges::any_of(slices, [](const auto& slice) { return !slice->operations.empty(); });
  const bool removes_by_type =
      duplicates == DuplicatesPolicy::kKeep || identity == EdgeIdentity::kPairAndType;
  const Removals removals(has_removals ? slices : Slices(), removes_by_type, id_limit);
  std::uint64_t number = 0;
  for (const auto& slice : slices) {
    for (std::size_t i = 0; i < slice->size(); ++i) {
      ++number;
      const VertexId source = slice->sources[i];
      const VertexId target = slice->targets[i];
      if (has_removals && (slice->operation(i) != Operation::kAdd ||
                           !removals.Survives(source, target, slice->types[i], number))) {
        continue;
      }
      edges.weights.Set(edges.sources.size(), slice->weights[i]);
      edges.types.Set(edges.sources.size(), slice->types[i]);
      edges.sources.push_back(source);
      edges.targets.push_back(target);
    }
    adds.ends.push_back(edges.size());
  }
  return adds;
}

EdgeList VisibleEdges(Slices slices, DuplicatesPolicy duplicates, VertexId id_limit,
                      EdgeIdentity identity) {
  const bool keeps = duplicates == DuplicatesPolicy::kKeep;
  const bool by_type = !keeps && identity == EdgeIdentity::kPairAndType;
  EdgeList edges = FindSurvivingEdges(slices, duplicates, id_limit, identity).edges;
  if (by_type) edges = SortedByType(edges);
  edges = StableSortBy(std::move(edges), &EdgeList::targets, id_limit);
  edges = StableSortBy(std::move(edges), &EdgeList::sources, id_limit);
  return keeps ? edges : FoldVisible(edges, duplicates, by_type);
}

}  // namespace sash

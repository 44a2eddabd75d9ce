#include "windows/store/folded_slice.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "windows/base/check.h"
#include "windows/base/keyed_hash.h"
#include "windows/base/radix_sort.h"

namespace sash {
namespace {

// Pairs are made from a slice's sources and targets, or from targets and sources.
struct Ends {
  const std::vector<VertexId>& sources;
  const std::vector<VertexId>& targets;
  PairKey pair(std::size_t i) const { return MakePairKey(sources[i], targets[i]); }
};

// An add, with its place in the slice.
struct Placed {
  PairKey pair = 0;
  std::uint32_t place = 0;
};

// The last removal of each pair and vertex in the slice, by place.
class LastRemovals {
 public:
  // `by_type`: a removal with a type ends the edges of this type alone.
  LastRemovals(const Slice& slice, bool by_type, FoldedSlice& folded) {
    for (std::uint32_t i = 0; i < slice.size(); ++i) {
      switch (slice.operation(i)) {
        case Operation::kAdd:
          break;
        case Operation::kRemove: {
          const PairKey pair = MakePairKey(slice.sources[i], slice.targets[i]);
          const TypeNumber type = by_type ? slice.types[i] : kNoType;
          if (type == kNoType) {
            pairs_[pair] = i;
          } else {
            typed_[{pair, type}] = i;
          }
          break;
        }
        case Operation::kRemoveVertex:
          vertices_[slice.sources[i]] = i;
          break;
      }
    }
    List(folded);
  }

  // True if no removal after `place` removes the add there.
  bool Survives(VertexId source, VertexId target, TypeNumber type, std::uint32_t place) const {
    const PairKey pair = MakePairKey(source, target);
    return !IsAfter(vertices_, source, place) && !IsAfter(vertices_, target, place) &&
           !IsAfter(pairs_, pair, place) &&
           (typed_.empty() || !IsAfter(typed_, std::pair(pair, type), place));
  }

 private:
  template <typename Map>
  static bool IsAfter(const Map& removals, typename Map::key_type key, std::uint32_t place) {
    const auto found = removals.find(key);
    return found != removals.end() && found->second > place;
  }

  void List(FoldedSlice& folded) const {
    for (const auto& [vertex, place] : vertices_) folded.removed_vertices.push_back(vertex);
    std::ranges::sort(folded.removed_vertices);
    for (const auto& [pair, place] : pairs_) folded.removed_pairs.push_back(pair);
    std::ranges::sort(folded.removed_pairs);
    if (typed_.empty()) return;
    folded.removed_types.assign(folded.removed_pairs.size(), kAnyType);
    for (const auto& [edge, place] : typed_) {
      folded.removed_pairs.push_back(edge.first);
      folded.removed_types.push_back(edge.second);
    }
  }

  std::unordered_map<PairKey, std::uint32_t, KeyedHash> pairs_;
  std::map<std::pair<PairKey, TypeNumber>, std::uint32_t> typed_;
  std::unordered_map<VertexId, std::uint32_t, KeyedHash> vertices_;
};

// The sort keys of pairs. They are types, so that sorting does not call through a pointer.
struct WholePair {
  PairKey operator()(PairKey pair) const { return pair; }
};
struct FirstOfPair {
  VertexId operator()(PairKey pair) const { return SourceOf(pair); }
};

// The adds that no removal of the slice undoes, sorted by key(pair), then by place.
template <typename Key>
std::vector<Placed> SurvivingAdds(const Slice& slice, const Ends& ends, const Key& key,
                                  bool removes_by_type, FoldedSlice& folded) {
  std::vector<Placed> adds;
  adds.reserve(slice.size());
  if (slice.operations.empty()) {
    for (std::uint32_t i = 0; i < slice.size(); ++i) {
      adds.push_back({ends.pair(i), i});
    }
  } else {
    const LastRemovals removals(slice, removes_by_type, folded);
    for (std::uint32_t i = 0; i < slice.size(); ++i) {
      const VertexId source = slice.sources[i];
      const VertexId target = slice.targets[i];
      if (slice.operation(i) == Operation::kAdd &&
          removals.Survives(source, target, slice.types[i], i)) {
        adds.push_back({ends.pair(i), i});
      }
    }
  }
  RadixSort(adds, [&](const Placed& add) { return key(add.pair); });
  return adds;
}

// weigh: the copies of one edge become one edge, whose weight is their sum.
void FoldSum(const Slice& slice, std::span<const Placed> copies, FoldedSlice& folded) {
  WeightSum sum;
  ExactSum exact;
  for (const Placed& copy : copies) {
    const Weight weight = slice.weights[copy.place];
    sum.Add(weight);
    if (weight.is_integer()) {
      exact.integers += weight.integer();
    } else {
      exact.reals.push_back(weight.AsDouble());
    }
  }
  const Weight total = sum.Total();
  folded.weights.push_back(total);
  if (copies.size() > 1 && !total.is_integer()) {
    folded.sums.resize(folded.pairs.size());
    folded.exact_sums.push_back(std::move(exact));
    folded.sums.back() = static_cast<std::uint32_t>(folded.exact_sums.size());
  }
}

// Every event is an add of weight 1, so only the pairs are sorted.
template <typename Key>
void FoldPlain(const Slice& slice, const Ends& ends, DuplicatesPolicy duplicates, const Key& key,
               FoldedSlice& folded) {
  folded.pairs.resize(slice.size());
  for (std::size_t i = 0; i < slice.size(); ++i) folded.pairs[i] = ends.pair(i);
  RadixSort(folded.pairs, key);
  if (duplicates != DuplicatesPolicy::kDrop) return;
  const auto repeated = std::ranges::unique(folded.pairs);
  folded.pairs.erase(repeated.begin(), repeated.end());
}

// Orders the copies of each pair by type, those of one type in the order of effect.
void OrderByType(const TypeColumn& types, std::vector<Placed>& adds) {
  for (auto begin = adds.begin(); begin != adds.end();) {
    const auto end =
        std::find_if(begin, adds.end(), [&](const Placed& add) { return add.pair != begin->pair; });
    if (end - begin > 1) {
      std::stable_sort(begin, end, [&](const Placed& a, const Placed& b) {
        return types[a.place] < types[b.place];
      });
    }
    begin = end;
  }
}

template <typename Key>
FoldedSlice Fold(const Slice& slice, const Ends& ends, DuplicatesPolicy duplicates,
                 EdgeIdentity identity, const Key& key) {
  SASH_CHECK(slice.size() < 0xFFFF'FFFF);
  FoldedSlice folded;
  const bool weighted = slice.weights.kind() != WeightColumn::Kind::kOnes;
  const bool typed = !slice.types.empty();
  if (!weighted && !typed && slice.operations.empty() && duplicates != DuplicatesPolicy::kWeigh) {
    FoldPlain(slice, ends, duplicates, key, folded);
    return folded;
  }
  const bool keeps = duplicates == DuplicatesPolicy::kKeep;
  const bool by_type = typed && !keeps && identity == EdgeIdentity::kPairAndType;
  std::vector<Placed> adds = SurvivingAdds(slice, ends, key, typed && (keeps || by_type), folded);
  if (by_type) OrderByType(slice.types, adds);
  const auto is_same = [&](const Placed& a, const Placed& b) {
    return a.pair == b.pair && (!by_type || slice.types[a.place] == slice.types[b.place]);
  };
  folded.pairs.reserve(adds.size());
  for (std::size_t begin = 0; begin < adds.size();) {
    std::size_t end = begin + 1;
    if (!keeps) {
      while (end < adds.size() && is_same(adds[end], adds[begin])) ++end;
    }
    folded.pairs.push_back(adds[begin].pair);
    if (duplicates == DuplicatesPolicy::kWeigh) {
      FoldSum(slice, std::span(adds).subspan(begin, end - begin), folded);
    } else if (weighted) {
      folded.weights.push_back(slice.weights[adds[end - 1].place]);
    }
    if (typed) folded.types.push_back(slice.types[adds[end - 1].place]);
    begin = end;
  }
  if (!folded.sums.empty()) folded.sums.resize(folded.pairs.size());
  for (const Weight weight : folded.weights) {
    folded.weight_kind = std::max(folded.weight_kind, WeightColumn::KindOf(weight));
  }
  if (folded.weight_kind == WeightColumn::Kind::kOnes) folded.weights.clear();
  for (const TypeNumber type : folded.types) {
    folded.type_width = std::max(folded.type_width, WidthOf(type));
  }
  if (folded.type_width == TypeWidth::kNone) folded.types.clear();
  return folded;
}

FoldedSlice FoldByFirst(const Slice& slice, const Ends& ends) {
  FoldedSlice folded =
      Fold(slice, ends, DuplicatesPolicy::kKeep, EdgeIdentity::kPair, FirstOfPair());
  SASH_CHECK(!folded.removes());
  return folded;
}

}  // namespace

FoldedSlice Fold(const Slice& slice, DuplicatesPolicy duplicates, EdgeIdentity identity) {
  return Fold(slice, Ends{slice.sources, slice.targets}, duplicates, identity, WholePair());
}

FoldedSlice FoldBySource(const Slice& slice) {
  return FoldByFirst(slice, Ends{slice.sources, slice.targets});
}

FoldedSlice FoldByTarget(const Slice& slice) {
  return FoldByFirst(slice, Ends{slice.targets, slice.sources});
}

}  // namespace sash

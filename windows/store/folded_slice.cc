#include "windows/store/folded_slice.h"

#include <algorithm>
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
  LastRemovals(const Slice& slice, FoldedSlice& folded) {
    for (std::uint32_t i = 0; i < slice.size(); ++i) {
      switch (slice.operation(i)) {
        case Operation::kAdd:
          break;
        case Operation::kRemove:
          pairs_[MakePairKey(slice.sources[i], slice.targets[i])] = i;
          break;
        case Operation::kRemoveVertex:
          vertices_[slice.sources[i]] = i;
          break;
      }
    }
    for (const auto& [pair, place] : pairs_) folded.removed_pairs.push_back(pair);
    for (const auto& [vertex, place] : vertices_) folded.removed_vertices.push_back(vertex);
    std::ranges::sort(folded.removed_pairs);
    std::ranges::sort(folded.removed_vertices);
  }

  // True if no removal after `place` removes the add there.
  bool Survives(VertexId source, VertexId target, std::uint32_t place) const {
    return !IsAfter(vertices_, source, place) && !IsAfter(vertices_, target, place) &&
           !IsAfter(pairs_, MakePairKey(source, target), place);
  }

 private:
  template <typename Map>
  static bool IsAfter(const Map& removals, typename Map::key_type key, std::uint32_t place) {
    const auto found = removals.find(key);
    return found != removals.end() && found->second > place;
  }

  std::unordered_map<PairKey, std::uint32_t, KeyedHash> pairs_;
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
                                  FoldedSlice& folded) {
  std::vector<Placed> adds;
  adds.reserve(slice.size());
  if (slice.operations.empty()) {
    for (std::uint32_t i = 0; i < slice.size(); ++i) {
      adds.push_back({ends.pair(i), i});
    }
  } else {
    const LastRemovals removals(slice, folded);
    for (std::uint32_t i = 0; i < slice.size(); ++i) {
      const VertexId source = slice.sources[i];
      const VertexId target = slice.targets[i];
      if (slice.operation(i) == Operation::kAdd && removals.Survives(source, target, i)) {
        adds.push_back({ends.pair(i), i});
      }
    }
  }
  RadixSort(adds, [&](const Placed& add) { return key(add.pair); });
  return adds;
}

// The copies [begin, end) of one pair become one edge of `weight`s sum.
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

template <typename Key>
FoldedSlice Fold(const Slice& slice, const Ends& ends, DuplicatesPolicy duplicates,
                 const Key& key) {
  SASH_CHECK(slice.size() < 0xFFFF'FFFF);
  FoldedSlice folded;
  const bool weighted = slice.weights.kind() != WeightColumn::Kind::kOnes;
  if (!weighted && slice.operations.empty() && duplicates != DuplicatesPolicy::kWeigh) {
    FoldPlain(slice, ends, duplicates, key, folded);
    return folded;
  }
  const std::vector<Placed> adds = SurvivingAdds(slice, ends, key, folded);
  folded.pairs.reserve(adds.size());
  for (std::size_t begin = 0; begin < adds.size();) {
    std::size_t end = begin + 1;
    if (duplicates != DuplicatesPolicy::kKeep) {
      while (end < adds.size() && adds[end].pair == adds[begin].pair) ++end;
    }
    folded.pairs.push_back(adds[begin].pair);
    if (duplicates == DuplicatesPolicy::kWeigh) {
      FoldSum(slice, std::span(adds).subspan(begin, end - begin), folded);
    } else if (weighted) {
      folded.weights.push_back(slice.weights[adds[end - 1].place]);
    }
    begin = end;
  }
  if (!folded.sums.empty()) folded.sums.resize(folded.pairs.size());
  for (const Weight weight : folded.weights) {
    folded.weight_kind = std::max(folded.weight_kind, WeightColumn::KindOf(weight));
  }
  if (folded.weight_kind == WeightColumn::Kind::kOnes) folded.weights.clear();
  return folded;
}

FoldedSlice FoldByFirst(const Slice& slice, const Ends& ends) {
  FoldedSlice folded = Fold(slice, ends, DuplicatesPolicy::kKeep, FirstOfPair());
  SASH_CHECK(!folded.removes());
  return folded;
}

}  // namespace

FoldedSlice Fold(const Slice& slice, DuplicatesPolicy duplicates) {
  return Fold(slice, Ends{slice.sources, slice.targets}, duplicates, WholePair());
}

FoldedSlice FoldBySource(const Slice& slice) {
  return FoldByFirst(slice, Ends{slice.sources, slice.targets});
}

FoldedSlice FoldByTarget(const Slice& slice) {
  return FoldByFirst(slice, Ends{slice.targets, slice.sources});
}

}  // namespace sash

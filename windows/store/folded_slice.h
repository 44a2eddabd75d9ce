// FoldedSlice: the effect of a slice on a window of older slices: the older edges that it ends, and
// the edges that it brings. Events that cancel out inside the slice are already cancelled.
//
// Thread safety: like a vector.
//
// Invariants
//   (1) `pairs` ascend; in drop and weigh they are distinct, or equal ones have ascending types; in
//       keep equal ones are in the order of effect. After FoldBySource() or FoldByTarget(), only
//       the first ids of the pairs ascend; pairs with an equal first id are in the order of effect.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/weight.h"
#include "windows/ingest/slice.h"
#include "windows/store/lists/edge_block.h"
#include "windows/store/window_policy.h"

namespace sash {

// Source and target as one number: ordered by source, then target.
using PairKey = std::uint64_t;
inline PairKey MakePairKey(VertexId source, VertexId target) {
  return static_cast<PairKey>(source) << 32 | target;
}
inline VertexId SourceOf(PairKey pair) { return static_cast<VertexId>(pair >> 32); }
inline VertexId TargetOf(PairKey pair) { return static_cast<VertexId>(pair); }

// A sum of weights without rounding.
struct ExactSum {
  WideInteger integers = 0;
  std::vector<double> reals;  // in the order of effect
};

struct FoldedSlice {
  // What removals of the slice end, each once. Ascending; pairs of one type come after the others.
  std::vector<VertexId> removed_vertices;
  std::vector<PairKey> removed_pairs;
  std::vector<TypeNumber> removed_types;  // by removed pair; empty: all are kAnyType

  // The edges that survive the slice.
  std::vector<PairKey> pairs;
  std::vector<Weight> weights;      // by pair; empty: all are 1
  std::vector<TypeNumber> types;    // by pair; empty: none has a type
  std::vector<std::uint32_t> sums;  // by pair: 1 + its place in exact_sums, or 0; empty: all are 0
  // weigh: sums of several copies that a Weight cannot hold exactly. `weights` has them rounded.
  std::vector<ExactSum> exact_sums;

  // The kind of column that can hold all the weights.
  WeightColumn::Kind weight_kind = WeightColumn::Kind::kOnes;
  TypeWidth type_width = TypeWidth::kNone;  // likewise the types
  SlotWidths widths() const { return {weight_kind, type_width}; }

  bool removes() const { return !removed_vertices.empty() || !removed_pairs.empty(); }
  Weight weight(std::size_t i) const { return weights.empty() ? Weight() : weights[i]; }
  TypeNumber type(std::size_t i) const { return types.empty() ? kNoType : types[i]; }
  TypeNumber removed_type(std::size_t i) const {
    return removed_types.empty() ? kAnyType : removed_types[i];
  }
  const ExactSum* exact_sum(std::size_t i) const {
    return sums.empty() || sums[i] == 0 ? nullptr : &exact_sums[sums[i] - 1];
  }
};

// O(events), by sorting digits.
FoldedSlice Fold(const Slice& slice, DuplicatesPolicy duplicates,
                 EdgeIdentity identity = EdgeIdentity::kPair);

// For keep, and a slice without removals. FoldBySource() sorts by source alone, which has half the
// digits. FoldByTarget() reverses the edges, so that pairs are (target, source), and sorts by
// target alone.
FoldedSlice FoldBySource(const Slice& slice);
FoldedSlice FoldByTarget(const Slice& slice);

}  // namespace sash

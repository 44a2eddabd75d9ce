#include "windows/store/archived_slice.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "windows/base/allocated_bytes.h"

namespace sash {
namespace {

// The number of edges of each source of the pairs, which ascend by source.
CodedCounts CountSources(const std::vector<PairKey>& pairs) {
  CodedCounts counts;
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin;
    while (end < pairs.size() && SourceOf(pairs[end]) == SourceOf(pairs[begin])) ++end;
    counts.Append(SourceOf(pairs[begin]), static_cast<std::uint32_t>(end - begin));
    begin = end;
  }
  counts.ShrinkToFit();
  return counts;
}

// The weights whose sum this is.
std::vector<Weight> WeightsOf(const ExactSum& sum) {
  constexpr WideInteger kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr WideInteger kGreatest = std::numeric_limits<std::int64_t>::max();
  std::vector<Weight> weights;
  for (WideInteger rest = sum.integers; rest != 0;) {
    const WideInteger part = std::clamp(rest, kLeast, kGreatest);
    weights.push_back(Weight::Integer(static_cast<std::int64_t>(part)));
    rest -= part;
  }
  for (const double real : sum.reals) weights.push_back(Weight::Real(real));
  return weights;
}

// Puts several adds in place of each edge whose weight is rounded.
void TellSumsApart(FoldedSlice& folded) {
  if (folded.exact_sums.empty()) return;
  std::vector<PairKey> pairs;
  std::vector<Weight> weights;
  std::vector<TypeNumber> types;
  for (std::size_t i = 0; i < folded.pairs.size(); ++i) {
    const ExactSum* const sum = folded.exact_sum(i);
    for (const Weight weight : sum ? WeightsOf(*sum) : std::vector{folded.weight(i)}) {
      pairs.push_back(folded.pairs[i]);
      weights.push_back(weight);
      if (!folded.types.empty()) types.push_back(folded.types[i]);
      folded.weight_kind = std::max(folded.weight_kind, WeightColumn::KindOf(weight));
    }
  }
  folded.pairs = std::move(pairs);
  folded.weights = std::move(weights);
  folded.types = std::move(types);
}

FoldedSlice FoldToArchive(const Slice& slice, DuplicatesPolicy duplicates, EdgeIdentity identity) {
  const bool keeps = duplicates == DuplicatesPolicy::kKeep;
  return keeps && slice.operations.empty() ? FoldBySource(slice)
                                           : Fold(slice, duplicates, identity);
}

}  // namespace

ArchivedSlice::ArchivedSlice(const std::shared_ptr<const Slice>& slice, DuplicatesPolicy duplicates,
                             EdgeIdentity identity)
    : ArchivedSlice(*slice, FoldToArchive(*slice, duplicates, identity)) {}

ArchivedSlice::ArchivedSlice(const Slice& slice, FoldedSlice folded)
    : id_(slice.id), begin_(slice.begin), end_(slice.end), edges_(folded.pairs.size()) {
  TellSumsApart(folded);
  Pack(std::move(folded));
}

void ArchivedSlice::Pack(FoldedSlice folded) {
  removed_vertices_ = std::move(folded.removed_vertices);
  removed_pairs_ = std::move(folded.removed_pairs);
  removed_types_ = std::move(folded.removed_types);
  sources_ = CountSources(folded.pairs);
  targets_.resize(folded.pairs.size());
  std::ranges::transform(folded.pairs, targets_.begin(), TargetOf);
  weights_ = WeightColumn(targets_.size(), folded.weight_kind);
  types_ = TypeColumn(targets_.size(), folded.type_width);
  for (std::size_t i = 0; i < folded.weights.size(); ++i) weights_.Set(i, folded.weights[i]);
  for (std::size_t i = 0; i < folded.types.size(); ++i) types_.Set(i, folded.types[i]);
}

std::shared_ptr<const Slice> ArchivedSlice::UnpackEntered(EdgeIdentity identity) const {
  std::shared_ptr<const Slice> slice = Unpack();
  if (targets_.size() == edges_) return slice;
  FoldedSlice folded = Fold(*slice, DuplicatesPolicy::kWeigh, identity);
  folded.exact_sums.clear();
  return ArchivedSlice(*slice, std::move(folded)).Unpack();
}

std::shared_ptr<const Slice> ArchivedSlice::Unpack() const {
  const std::size_t removals = removed_vertices_.size() + removed_pairs_.size();
  const std::size_t size = removals + targets_.size();
  auto slice = std::make_shared<Slice>();
  slice->id = id_;
  slice->begin = begin_;
  slice->end = end_;
  slice->sources.reserve(size);
  slice->targets.reserve(size);
  auto type_width = types_.width();
  for (const TypeNumber type : removed_types_) {
    if (type != kAnyType) type_width = std::max(type_width, WidthOf(type));
  }
  slice->weights = WeightColumn(size, weights_.kind());
  slice->types = TypeColumn(size, type_width);
  if (removals > 0) slice->operations.assign(size, Operation::kAdd);
  for (const VertexId vertex : removed_vertices_) {
    slice->operations[slice->sources.size()] = Operation::kRemoveVertex;
    slice->sources.push_back(vertex);
    slice->targets.push_back(vertex);
  }
  for (std::size_t i = 0; i < removed_pairs_.size(); ++i) {
    const std::size_t place = slice->sources.size();
    slice->operations[place] = Operation::kRemove;
    if (!removed_types_.empty() && removed_types_[i] != kAnyType) {
      slice->types.Set(place, removed_types_[i]);
    }
    slice->sources.push_back(SourceOf(removed_pairs_[i]));
    slice->targets.push_back(TargetOf(removed_pairs_[i]));
  }
  sources_.ForEach([&](VertexId source, std::uint32_t edges) {
    slice->sources.insert(slice->sources.end(), edges, source);
  });
  slice->targets.insert(slice->targets.end(), targets_.begin(), targets_.end());
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    slice->weights.Set(removals + i, weights_[i]);
    slice->types.Set(removals + i, types_[i]);
  }
  return slice;
}

std::size_t ArchivedSlice::bytes() const {
  return AllocatedBytes(sizeof(ArchivedSlice)) + AllocatedBytes(removed_vertices_) +
         AllocatedBytes(removed_pairs_) + AllocatedBytes(removed_types_) +
         AllocatedBytes(sources_.bytes()) + AllocatedBytes(targets_) + weights_.bytes() +
         types_.bytes();
}

}  // namespace sash

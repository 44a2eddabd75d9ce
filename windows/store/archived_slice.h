// ArchivedSlice: a slice as history keeps it: its effect on a window (FoldedSlice), in a small form
// that does not keep the order of its events. A window that is made of archived slices equals the
// window that was made of the slices.
//
// Without weights and types, an edge takes four bytes, and a byte or two for each source. An edge
// of a window of `weigh` whose sum is not exact as a single weight takes several adds: its integers
// together (one add, unless they are beyond 64 bits), and each of the other weights, in order. So a
// sum of slices is rounded once, as in the window that was published.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "windows/base/type_column.h"
#include "windows/base/weight_column.h"
#include "windows/ingest/coded_counts.h"
#include "windows/ingest/slice.h"
#include "windows/store/folded_slice.h"
#include "windows/store/window_policy.h"

namespace sash {

class ArchivedSlice {
 public:
  // O(events), by sorting digits. The slice has only what passes the window's filter.
  ArchivedSlice(const std::shared_ptr<const Slice>& slice, DuplicatesPolicy duplicates,
                EdgeIdentity identity);

  // A slice with the same effect on windows of the same policy: first the removals, then the edges
  // that survive, by source, each as one add or several. It has no account.
  std::shared_ptr<const Slice> Unpack() const;

  Position begin() const { return begin_; }
  Position end() const { return end_; }
  // The same with one add for each edge that survives: a sum that is not exact as a single weight
  // is rounded. For readers of the edges that entered. `identity`: of the window.
  std::shared_ptr<const Slice> UnpackEntered(EdgeIdentity identity) const;
  // The number of adds in UnpackEntered().
  std::size_t edges() const { return edges_; }
  std::size_t bytes() const;

 private:
  ArchivedSlice(const Slice& slice, FoldedSlice folded);

  void Pack(FoldedSlice folded);

  SliceId id_;
  Position begin_ = 0;
  Position end_ = 0;
  std::size_t edges_ = 0;

  std::vector<VertexId> removed_vertices_;
  std::vector<PairKey> removed_pairs_;
  std::vector<TypeNumber> removed_types_;  // FoldedSlice::removed_types

  CodedCounts sources_;  // the number of adds of each
  std::vector<VertexId> targets_;
  WeightColumn weights_;
  TypeColumn types_;
};

}  // namespace sash

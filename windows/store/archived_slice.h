// ArchivedSlice: a slice as history keeps it: its effect on a window (FoldedSlice), in a form that
// is small and has no order of its own. A window that is made of archived slices is the one that
// was made of the slices.
//
// Without weights and types, an edge takes four bytes, and a byte or two for each source. A slice
// of windows of `weigh` whose sums are not exact as single weights is kept whole.
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
  // that survive, by source; or the slice that is kept whole. It has no account.
  std::shared_ptr<const Slice> Unpack() const;

  Position begin() const { return begin_; }
  Position end() const { return end_; }
  // The same, but never the whole slice: its adds are the edges that survive, and a sum that is not
  // exact as a single weight is rounded. For readers of the edges that entered. `identity`: of the
  // window.
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
  std::shared_ptr<const Slice> whole_;  // of `weigh`; then the rest is empty

  std::vector<VertexId> removed_vertices_;
  std::vector<PairKey> removed_pairs_;
  std::vector<TypeNumber> removed_types_;  // FoldedSlice::removed_types

  CodedCounts sources_;  // the number of edges of each
  std::vector<VertexId> targets_;
  WeightColumn weights_;
  TypeColumn types_;
};

}  // namespace sash

// StoreEdges: the edges of a multiversioned store, in both directions, and how they die before they
// age out: removed, or replaced by a newer copy.
//
// It holds everything that a death changes: the lists, the records of slices, and the open windows,
// whose degrees count the edges. The store itself lets edges enter and age out.
//
// Thread safety: belongs to the engine thread. Where edges do not die, a second thread may change
// in() and what belongs to it (SliceRecord::in, the in-degrees) while this one changes the rest.
//
// Invariants
//   (1) Between two calls of the store, both directions hold the same edges: an edge dies in both
//       at the same slice (rule R5).
//   (2) A death lowers the degrees of the windows that hold the slice of the edge, and no others.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "windows/store/folded_slice.h"
#include "windows/store/lists/adjacency_lists.h"
#include "windows/store/slice_records.h"
#include "windows/store/window_store.h"

namespace sash {

class MultiversionedWindow;

class StoreEdges {
 public:
  StoreEdges(const StoreSpec& spec, const ListSizes& sizes,
             const std::shared_ptr<AliveBytes>& alive);

  AdjacencyLists& out() { return out_; }
  AdjacencyLists& in() { return in_; }
  const AdjacencyLists& out() const { return out_; }
  const AdjacencyLists& in() const { return in_; }
  SliceRecords& records() { return records_; }
  const SliceRecords& records() const { return records_; }
  // The open windows; each adds and removes itself.
  std::vector<MultiversionedWindow*>& windows() { return windows_; }
  const std::vector<MultiversionedWindow*>& windows() const { return windows_; }

  // Whether edges leave only when they age out, and views know the slices between them.
  bool counts_ends() const { return !out_.is_mortal() && spec_.slots == nullptr; }

  // A record of the slice, which every window holds from now on.
  void AddSlice(const Slice& slice);

  // Kills, in the newest slice, what the removals of `folded` end.
  void Remove(const FoldedSlice& folded);

  // A copy of slice `death` with this type is appended next, so the older copy of the edge dies
  // (drop, weigh). ReplaceOut() searches it in the out-lists. Null: there is none; valid until the
  // next death. ReplaceIn() then finds it in the in-lists by its birth and source.
  const SlotContent* ReplaceOut(PairKey pair, TypeNumber type, SliceNumber death);
  void ReplaceIn(VertexId target, BirthKey older, TypeNumber type, SliceNumber death);

 private:
  void RemoveVertex(VertexId vertex);
  void KillInEdges(VertexId source, TypeNumber type);
  // The type that the older copy of an edge must have.
  TypeNumber OlderType(TypeNumber type) const {
    return spec_.identity == EdgeIdentity::kPair ? kAnyType : type;
  }
  void NoteOutDeath(VertexId source, SliceNumber birth);
  void NoteInDeath(VertexId target, SliceNumber birth);

  const StoreSpec spec_;
  AdjacencyLists out_;
  AdjacencyLists in_;
  SliceRecords records_;
  std::vector<MultiversionedWindow*> windows_;
  std::vector<SlotContent> killed_;  // scratch
};

}  // namespace sash

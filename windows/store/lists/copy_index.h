// CopyIndex: where the copies of a neighbour are in a long list, by the neighbour.
//
// In a list with parallel edges (keep), the copies of a neighbour have ordinals, so that equal keys
// do not pile up in the NeighbourIndex. The ordinals of the indexed copies of a neighbour have no
// holes: copies die from the newest on and age out from the oldest on. One more entry for each
// neighbour holds the ordinal of its newest copy. Without parallel edges, the ordinal of an edge is
// 0, or its type if edges of different types are different edges.
//
// Where parallel edges have types, the copies of one type die without the others. Then each pair of
// a neighbour and a type takes the place of a neighbour, and has a number of its own (`pairs_`).
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) A copy is found by (neighbour, ordinal), with types by (neighbour, type, ordinal). Its
//       position is the last one that Add() or Move() was given.
//   (2) Without parallel edges, a neighbour has one entry (for each type). It is the position of
//       the copy that was added last.
//   (3) A pair without copies has no number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/type_column.h"
#include "windows/store/lists/neighbour_index.h"

namespace sash {

class CopyIndex {
 public:
  struct Copy {
    std::uint32_t ordinal = 0;
    std::uint32_t position = 0;
  };

  // `by_type`: parallel edges of different types are different pairs.
  CopyIndex(bool parallel, const ListSizes& sizes, bool by_type = false)
      : parallel_(parallel), entries_(sizes) {
    if (by_type) pairs_.emplace(sizes);
  }

  // The newest copy of `neighbour` (by type: of this type). Without parallel edges it has the
  // ordinal `type`.
  std::optional<Copy> FindNewest(VertexId neighbour, TypeNumber type = kNoType) const;

  // A copy newer than all others of the neighbour (by type: of this type) is at `position`. Returns
  // its ordinal; without parallel edges it is `type`.
  std::uint32_t Add(VertexId neighbour, std::uint32_t position, TypeNumber type = kNoType);

  // Does nothing unless the copy is found at `from`. `type` is used only by type.
  void Move(VertexId neighbour, std::uint32_t ordinal, std::uint32_t from, std::uint32_t to,
            TypeNumber type = kNoType);
  void EraseAt(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position,
               TypeNumber type = kNoType);

  void Erase(VertexId neighbour, std::uint32_t ordinal, TypeNumber type = kNoType);

  // The first fetches ahead what FindNewest() reads if there are no parallel edges. The second
  // fetches ahead what Move() and EraseAt() read; by type only what they read first.
  void Prefetch(VertexId neighbour) const { entries_.Prefetch(neighbour); }
  void Prefetch(VertexId neighbour, std::uint32_t ordinal, TypeNumber type = kNoType) const {
    if (pairs_) return pairs_->Prefetch(neighbour, type);
    entries_.Prefetch(neighbour, ordinal);
  }

  std::size_t bytes() const {
    return entries_.bytes() + (pairs_ ? pairs_->bytes() : 0) + AllocatedBytes(free_);
  }
  std::size_t CountBytes() const {  // the same, by looking at all
    return entries_.CountBytes() + (pairs_ ? pairs_->CountBytes() : 0) + AllocatedBytes(free_);
  }

 private:
  // What takes the place of the neighbour in entries_; by type nothing if the pair has no copies.
  std::optional<VertexId> KeyOf(VertexId neighbour, TypeNumber type) const {
    return pairs_ ? pairs_->Find(neighbour, type) : neighbour;
  }
  VertexId MakeKey(VertexId neighbour, TypeNumber type);

  // The ordinal of the entry whose position is the ordinal of the newest copy of a neighbour.
  static constexpr std::uint32_t kNewest = 0xFFFF'FFFF;

  bool parallel_;
  NeighbourIndex entries_;
  std::optional<NeighbourIndex> pairs_;  // by type: the number of each pair
  std::vector<VertexId> free_;           // numbers below next_ that no pair has
  VertexId next_ = 0;
};

}  // namespace sash

// CopyIndex: where the copies of a neighbour are in a long list, by the neighbour.
//
// In a list with parallel edges (keep), the copies of a neighbour have ordinals, so that equal keys
// do not pile up in the NeighbourIndex. The ordinals of the indexed copies of a neighbour have no
// holes: copies die from the newest on and age out from the oldest on. One more entry for each
// neighbour holds the ordinal of its newest copy. Without parallel edges, the ordinal of an edge is
// 0, or its type if edges of different types are different edges.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) A copy is found by (neighbour, ordinal). Its position is the last one that Add() or Move()
//       was given.
//   (2) Without parallel edges, a neighbour has one entry (for each type). It is the position of
//       the copy that was added last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "windows/base/type_column.h"
#include "windows/store/lists/neighbour_index.h"

namespace sash {

class CopyIndex {
 public:
  struct Copy {
    std::uint32_t ordinal = 0;
    std::uint32_t position = 0;
  };

  CopyIndex(bool parallel, const ListSizes& sizes) : parallel_(parallel), entries_(sizes) {}

  // The newest copy of `neighbour`. Without parallel edges it has the ordinal `type`.
  std::optional<Copy> FindNewest(VertexId neighbour, TypeNumber type = kNoType) const;

  // A copy newer than all others of the neighbour is at `position`. Returns its ordinal; without
  // parallel edges it is `type`.
  std::uint32_t Add(VertexId neighbour, std::uint32_t position, TypeNumber type = kNoType);

  // Does nothing unless the copy is found at `from`.
  void Move(VertexId neighbour, std::uint32_t ordinal, std::uint32_t from, std::uint32_t to);
  void EraseAt(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position);

  void Erase(VertexId neighbour, std::uint32_t ordinal);

  // Fetch ahead what FindNewest() reads without parallel edges; what Move() and EraseAt() read.
  void Prefetch(VertexId neighbour) const { entries_.Prefetch(neighbour); }
  void Prefetch(VertexId neighbour, std::uint32_t ordinal) const {
    entries_.Prefetch(neighbour, ordinal);
  }

  std::size_t bytes() const { return entries_.bytes(); }
  std::size_t CountBytes() const { return entries_.CountBytes(); }  // the same, by looking at all

 private:
  // The ordinal of the entry whose position is the ordinal of the newest copy of a neighbour.
  static constexpr std::uint32_t kNewest = 0xFFFF'FFFF;

  bool parallel_;
  NeighbourIndex entries_;
};

}  // namespace sash

// ListDifference: the edges that came to a list and that left it between two views; as the ids of
// neighbours, or with weights (WeighedEdge). A weight is that of the slot.
//
// A slot is never written twice. So where both views read the same block, slots are compared. Edges
// that the store has moved meanwhile are compared by content, in the order in which they came.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The later list is the earlier one without left() and with came(), parallel edges counted.
//   (2) No edge is in both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/weighed_edge.h"
#include "windows/store/lists/adjacency_view.h"

namespace sash {

template <typename Edge>
class ListDifference {
 public:
  // O(runs) if nothing moved; else also O(edges that moved).
  void Compare(RunCursor before, RunCursor after);

  // The same in O(runs + came + left) where a list only loses its oldest edges and gets new ones:
  // `left` edges are only in the earlier list, and `came` edges only in the later one.
  void TakeEnds(RunCursor before, std::uint32_t left, RunCursor after, std::uint32_t came);

  std::span<const Edge> came() const { return came_; }
  std::span<const Edge> left() const { return left_; }

 private:
  void CompareSlots();
  void CancelInOrder();
  void CancelTheRest();

  // Their memory is reused.
  std::vector<EdgeRun> before_;
  std::vector<EdgeRun> after_;
  std::vector<Edge> came_;
  std::vector<Edge> left_;
  std::vector<Edge> kept_;
};

extern template class ListDifference<VertexId>;
extern template class ListDifference<WeighedEdge>;

}  // namespace sash

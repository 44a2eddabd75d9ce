// ListDifference: the edges that came to a list and that left it between two views.
//
// A slot is never written twice. So where both views read the same block, slots are compared. Edges
// that the store has moved meanwhile are compared by content, in the order in which they came.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The later list is the earlier one without left() and with came(), parallel edges counted.
//   (2) No neighbour is in both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/store/lists/adjacency_view.h"

namespace sash {

class ListDifference {
 public:
  // O(runs) if nothing moved; else also O(edges that moved).
  void Compare(RunCursor before, RunCursor after);

  std::span<const VertexId> came() const { return came_; }
  std::span<const VertexId> left() const { return left_; }

 private:
  void CompareSlots();
  void CancelInOrder();
  void CancelTheRest();

  // Reused.
  std::vector<EdgeRun> before_;
  std::vector<EdgeRun> after_;
  std::vector<VertexId> came_;
  std::vector<VertexId> left_;
  std::vector<VertexId> kept_;
};

}  // namespace sash

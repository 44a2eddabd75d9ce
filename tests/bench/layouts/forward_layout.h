// ForwardLayout: explicit links and a deletion vector, and SLOTH's edge weights with forward
// pointers (LLAMA thesis §7.2.3): windows in which duplicates become weights.
//
// An edge that comes again kills its older copy and takes over its weight. The older copy points
// forward to the newer one. When the older one ages out, the weight that it added is subtracted
// from every newer copy, along the pointers.
//
// As in SLOTH, weights are changed in place: a View shows the right neighbours as long as it lives,
// but the right weights only until the next slice.
//
// Thread safety: one thread.
//
// Invariants
//   (1) The weight of a live edge is the number of its events in retained slices.
//   (2) The pointers from an edge lead through all newer copies of it, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "tests/bench/layouts/linked_layout.h"

namespace sash::bench {

class ForwardLayout {
  // 8 bytes, as in SLOTH.
  struct Forward {
    std::uint32_t slices_ahead = 0;  // 0: there is no newer copy
    std::uint32_t slot = 0;
  };
  // By slot of a slice's table.
  struct Weights {
    explicit Weights(std::size_t slots) : values(slots, 1), forwards(slots) {}
    std::vector<std::uint32_t> values;
    std::vector<Forward> forwards;
  };

 public:
  class View {
   public:
    std::uint32_t degree(VertexId v) const { return links_.degree(v); }
    template <typename Visit>
    void ForEachOf(VertexId v, const Visit& visit) const {
      links_.ForEachOf(v, visit);
    }
    template <typename Visit>
    void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
      links_.ForEachIn(first, last, visit);
    }
    // Calls visit(u, weight) for every edge of v.
    template <typename Visit>
    void ForEachWeighted(VertexId v, const Visit& visit) const {
      links_.VisitSlots(v, [&](std::size_t place, std::uint32_t slot, VertexId u) {
        visit(u, weights_[place]->values[slot]);
      });
    }

   private:
    friend class ForwardLayout;
    DeletionVectorLayout::View links_;
    std::vector<std::shared_ptr<const Weights>> weights_;
  };

  // The slice has each pair once; its weights are whole numbers, of which most are 1. `deaths` are
  // the newest older copies of pairs of the slice.
  void Add(const Slice& slice, Direction direction, VertexId id_limit,
           std::span<const Death> deaths);
  void AgeOutOldest();
  View Publish();
  std::size_t bytes() const;

 private:
  Weights& At(std::uint64_t slice) { return *weights_[slice - first_slice_]; }

  DeletionVectorLayout links_;
  std::deque<std::shared_ptr<Weights>> weights_;
  std::uint64_t first_slice_ = 0;
};

}  // namespace sash::bench

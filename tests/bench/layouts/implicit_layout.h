// ImplicitLayout: one direction of a window as a table for each slice and implicit linking (LLAMA
// thesis §4.4.1): after a fragment of slice s the list continues at the place in the vertex table
// of slice s - 1. Every retained slice keeps its version of the vertex table.
//
// Pages of the vertex table have 64 entries, since old versions live on in the pages that later
// slices copied: with 512 each slice would keep nearly a whole table. Smaller pages take less
// memory but cause more cache misses: with 16 entries 15 % less memory, and walking takes 1.7 times
// as long.
//
// Not implemented: deaths.
//
// Thread safety: one thread.
//
// Invariants
//   (1) The version of slice s names, for each vertex, its newest fragment not newer than s, if
//       that is retained.
//   (2) A View never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "tests/bench/layouts/paged_versions.h"
#include "tests/bench/layouts/slice_table.h"

namespace sash::bench {

class ImplicitLayout {
  struct Head {
    std::uint32_t slice = 0;  // of the newest fragment; meaningless when degree is 0
    std::uint32_t begin = 0;  // its slots
    std::uint32_t length = 0;
    std::uint32_t degree = 0;
  };
  using Heads = PagedVersions<Head, 6>;
  struct Layer {
    std::shared_ptr<const SliceTable> edges;
    std::shared_ptr<const Heads::Version> heads;  // null until the slice's advance is complete
  };

 public:
  class View {
   public:
    std::uint32_t degree(VertexId v) const { return newest()[v].degree; }

    // Calls visit(u) for every edge of v, by walking its list.
    template <typename Visit>
    void ForEachOf(VertexId v, const Visit& visit) const {
      Head head = newest()[v];
      if (head.degree == 0) return;
      std::size_t place = head.slice - first_slice_;
      const VertexId* neighbour = layers_[place].edges->neighbours() + head.begin;
      const VertexId* end = neighbour + head.length;
      for (std::uint32_t left = head.degree;;) {
        visit(*neighbour);
        if (--left == 0) return;
        if (++neighbour < end) continue;
        head = layers_[place - 1].heads->Written(v);
        place = head.slice - first_slice_;
        neighbour = layers_[place].edges->neighbours() + head.begin;
        end = neighbour + head.length;
      }
    }

    // Calls visit(v, u) for every edge of v in [first, last), table by table.
    template <typename Visit>
    void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
      for (std::size_t place = layers_.size(); place-- > 0;) {
        const SliceTable& edges = *layers_[place].edges;
        const std::uint32_t count = edges.fragment_count();
        for (std::uint32_t f = edges.LowerBound(first); f < count && edges.vertex(f) < last; ++f) {
          const VertexId v = edges.vertex(f);
          for (std::uint32_t slot = edges.begin(f); slot < edges.end(f); ++slot) {
            visit(v, edges.neighbours()[slot]);
          }
        }
      }
    }

   private:
    friend class ImplicitLayout;
    const Heads::Version& newest() const { return *layers_.back().heads; }

    std::vector<Layer> layers_;  // oldest first, without gaps
    std::uint64_t first_slice_ = 0;
  };

  void Add(const Slice& slice, Direction direction, VertexId id_limit,
           std::span<const Death> deaths);
  void AgeOutOldest();
  View Publish();
  std::size_t bytes() const;

 private:
  void CompleteNewest();

  Heads heads_;
  std::deque<Layer> layers_;
  std::uint64_t first_slice_ = 0;
};

}  // namespace sash::bench

// LinkedLayout: one direction of a window as a table for each slice and explicit links (LLAMA
// thesis §4.4.2), with or without a deletion vector (§4.4.1).
//
// A vertex's entry names its newest fragment and its live degree; each fragment names the next
// older one. A list is read newest first until the degree is reached, so edges that have aged out
// are never read. The store worked like this before lists grew in place.
//
// Thread safety: one thread.
//
// Invariants
//   (1) A vertex's degree is the number of its live edges in retained slices.
//   (2) A View never changes, whatever is added, dies or ages out later.
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

template <bool kEdgesDie>
class LinkedLayout {
  struct Head {
    std::uint64_t slice = 0;  // of the newest fragment; meaningless when degree is 0
    std::uint32_t fragment = 0;
    std::uint32_t degree = 0;
  };
  struct Link {
    std::uint32_t slices_back = 0;
    std::uint32_t fragment = 0;
  };
  struct Table {
    Table(const Slice& slice, Direction direction)
        : edges(slice, direction), older(edges.fragment_count()) {}
    SliceTable edges;
    std::vector<Link> older;
    // By slot: the number of slices after which it died. Empty if none died; then it is read
    // without checks.
    std::vector<std::uint16_t> deaths;
  };
  static constexpr std::uint16_t kAlive = 0xFFFF;
  using Heads = PagedVersions<Head, 9>;

 public:
  class View {
   public:
    std::uint32_t degree(VertexId v) const { return heads_[v].degree; }

    // Calls visit(u) for every edge of v, by walking its list.
    template <typename Visit>
    void ForEachOf(VertexId v, const Visit& visit) const {
      VisitSlots(v, [&](std::size_t, std::uint32_t, VertexId u) { visit(u); });
    }

    // Calls visit(place, slot, u) likewise: the place of the edge's slice in the window, from 0,
    // and the slot in its table. One flat loop: a loop for each fragment is one more branch to
    // mispredict while the next fragment is being fetched.
    template <typename Visit>
    void VisitSlots(VertexId v, const Visit& visit) const {
      const Head head = heads_[v];
      if (head.degree == 0) return;
      std::uint64_t place = head.slice - first_slice_;
      std::uint32_t fragment = head.fragment;
      const Table* table = tables_[place].get();
      std::uint32_t slot = table->edges.begin(fragment);
      std::uint32_t end = table->edges.end(fragment);
      for (std::uint32_t left = head.degree;;) {
        if (!kEdgesDie || IsVisible(*table, place, slot)) {
          visit(place, slot, table->edges.neighbours()[slot]);
          if (--left == 0) return;
        }
        if (++slot < end) continue;
        const Link older = table->older[fragment];
        place -= older.slices_back;
        fragment = older.fragment;
        table = tables_[place].get();
        slot = table->edges.begin(fragment);
        end = table->edges.end(fragment);
      }
    }

    // Calls visit(v, u) for every edge of v in [first, last), table by table.
    template <typename Visit>
    void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
      for (std::size_t place = tables_.size(); place-- > 0;) {
        const SliceTable& edges = tables_[place]->edges;
        const bool any_died = !tables_[place]->deaths.empty();
        const std::uint32_t count = edges.fragment_count();
        for (std::uint32_t f = edges.LowerBound(first); f < count && edges.vertex(f) < last; ++f) {
          const VertexId v = edges.vertex(f);
          for (std::uint32_t slot = edges.begin(f); slot < edges.end(f); ++slot) {
            if (!kEdgesDie || !any_died || IsVisible(*tables_[place], place, slot)) {
              visit(v, edges.neighbours()[slot]);
            }
          }
        }
      }
    }

   private:
    friend class LinkedLayout;
    bool IsVisible(const Table& table, std::size_t place, std::uint32_t slot) const {
      return table.deaths.empty() || table.deaths[slot] > tables_.size() - 1 - place;
    }

    typename Heads::Version heads_;
    std::vector<std::shared_ptr<const Table>> tables_;  // oldest first, without gaps
    std::uint64_t first_slice_ = 0;
  };

  // `deaths` take effect with the slice. Ids are below `id_limit`.
  void Add(const Slice& slice, Direction direction, VertexId id_limit,
           std::span<const Death> deaths);
  void AgeOutOldest();
  View Publish();
  std::size_t bytes() const;

  // The edges of a slice in the window.
  const SliceTable& table(std::uint64_t slice) const {
    return tables_[slice - first_slice_]->edges;
  }

 private:
  void Kill(const OwnedDeath& death, std::uint64_t now);

  Heads heads_;
  std::deque<std::shared_ptr<Table>> tables_;
  std::uint64_t first_slice_ = 0;
};

using ExplicitLayout = LinkedLayout<false>;
using DeletionVectorLayout = LinkedLayout<true>;

extern template class LinkedLayout<false>;
extern template class LinkedLayout<true>;

}  // namespace sash::bench

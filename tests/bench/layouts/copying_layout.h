// CopyingLayout: one direction of a window as a table for each slice and explicit links. Some lists
// are copied whole into the newest table instead of linked (LLAMA thesis §4.5); lists in which an
// edge dies are always copied (copy-on-delete, §4.4.2).
//
// A copy keeps the order newest first, so ageing out still only lowers degrees. The replaced
// fragments stay in their tables, for older views, until the tables age out.
//
// Thread safety: one thread.
//
// Invariants
//   (1) A vertex's degree is the number of its live edges in retained slices, and these are the
//       first ones of its list.
//   (2) A copied list has no further link.
//   (3) A View never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tests/bench/layouts/paged_versions.h"
#include "tests/bench/layouts/slice_table.h"

namespace sash::bench {

// A touched list is copied when its length, with its new edges, is at most the first limit or at
// least the second.
struct CopyPolicy {
  std::uint32_t at_most = 0;
  std::uint32_t at_least = std::numeric_limits<std::uint32_t>::max();
};

class CopyingLayout {
  struct Head {
    std::uint64_t slice = 0;  // of the newest fragment; meaningless when degree is 0
    std::uint32_t fragment = 0;
    std::uint32_t degree = 0;
  };
  struct Link {
    std::uint32_t slices_back = 0;  // 0: none
    std::uint32_t fragment = 0;
  };
  struct Table {
    std::vector<VertexId> vertices;
    std::vector<std::uint32_t> starts;
    std::vector<VertexId> neighbours;
    std::vector<std::uint32_t> own;  // by fragment: live edges that the slice itself added
    std::vector<Link> older;

    std::uint32_t LowerBound(VertexId v) const;
    std::size_t bytes() const;
  };
  using Heads = PagedVersions<Head, 9>;

 public:
  class View {
   public:
    std::uint32_t degree(VertexId v) const { return heads_[v].degree; }

    // Calls visit(u) for every edge of v, by walking its list.
    template <typename Visit>
    void ForEachOf(VertexId v, const Visit& visit) const {
      const Head head = heads_[v];
      if (head.degree == 0) return;
      std::uint64_t place = head.slice - first_slice_;
      std::uint32_t fragment = head.fragment;
      const Table* table = tables_[place].get();
      std::uint32_t slot = table->starts[fragment];
      std::uint32_t end = table->starts[fragment + 1];
      for (std::uint32_t left = head.degree;;) {
        visit(table->neighbours[slot]);
        if (--left == 0) return;
        if (++slot < end) continue;
        const Link older = table->older[fragment];
        place -= older.slices_back;
        fragment = older.fragment;
        table = tables_[place].get();
        slot = table->starts[fragment];
        end = table->starts[fragment + 1];
      }
    }

    // Calls visit(v, u) for every edge of v in [first, last), table by table. Replaced fragments
    // come after their replacements, when the degree is used up.
    template <typename Visit>
    void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
      std::vector<std::uint32_t> left(last - first);
      for (VertexId v = first; v < last; ++v) left[v - first] = degree(v);
      for (std::size_t place = tables_.size(); place-- > 0;) {
        const Table& table = *tables_[place];
        const std::size_t count = table.vertices.size();
        for (std::uint32_t f = table.LowerBound(first); f < count && table.vertices[f] < last;
             ++f) {
          const VertexId v = table.vertices[f];
          const std::uint32_t length = table.starts[f + 1] - table.starts[f];
          const std::uint32_t live = length < left[v - first] ? length : left[v - first];
          left[v - first] -= live;
          const VertexId* neighbour = table.neighbours.data() + table.starts[f];
          for (std::uint32_t i = 0; i < live; ++i) visit(v, neighbour[i]);
        }
      }
    }

   private:
    friend class CopyingLayout;
    Heads::Version heads_;
    std::vector<std::shared_ptr<const Table>> tables_;  // oldest first, without gaps
    std::uint64_t first_slice_ = 0;
  };

  explicit CopyingLayout(const CopyPolicy& policy = {}) : policy_(policy) {}

  // `deaths` take effect with the slice. Ids are below `id_limit`.
  void Add(const Slice& slice, Direction direction, VertexId id_limit,
           std::span<const Death> deaths);
  void AgeOutOldest();
  View Publish();
  std::size_t bytes() const;

 private:
  // Calls visit(run) for the contiguous runs of a list, newest first.
  template <typename Visit>
  void VisitRuns(const Head& head, const Visit& visit) const {
    std::uint64_t place = head.slice - first_slice_;
    std::uint32_t fragment = head.fragment;
    for (std::uint32_t left = head.degree;;) {
      const Table& table = *tables_[place];
      const std::uint32_t begin = table.starts[fragment];
      const std::uint32_t length = table.starts[fragment + 1] - begin;
      const std::uint32_t live = length < left ? length : left;  // the rest has aged out
      visit(std::span(table.neighbours.data() + begin, live));
      left -= live;
      if (left == 0) return;
      const Link older = table.older[fragment];
      place -= older.slices_back;
      fragment = older.fragment;
    }
  }

  // Appends v's list after the slice's edges `added` and the deaths `dying`.
  void Append(VertexId v, std::span<const VertexId> added, std::span<const OwnedDeath> dying,
              std::uint64_t now, Table& table);

  const CopyPolicy policy_;
  Heads heads_;
  std::deque<std::shared_ptr<Table>> tables_;
  std::uint64_t first_slice_ = 0;
};

}  // namespace sash::bench

// BuiltCsr: rows of both directions, made from unordered edges as fast as counting can: what a
// system without windows would do at each slide. Rows are in the order of the edges, or sorted as
// published builders leave them (the builder of the GAP benchmark suite counts, places and sorts,
// too).
//
// Thread safety: immutable once made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"

namespace sash::bench {

enum class BuiltRows : std::uint8_t { kAsTheyCome, kSorted };

class BuiltCsr {
 public:
  // Uses one thread for each direction.
  BuiltCsr(std::span<const VertexId> sources, std::span<const VertexId> targets, VertexId id_limit,
           BuiltRows rows)
      : id_limit_(id_limit) {
    ParallelBlocks(2, 1, 2, [&](std::size_t direction, std::size_t, std::size_t) {
      Rows& built = direction == 0 ? out_ : in_;
      built = direction == 0 ? Rows(sources, targets, id_limit) : Rows(targets, sources, id_limit);
      if (rows == BuiltRows::kSorted) built.Sort();
    });
  }

  VertexId id_limit() const { return id_limit_; }
  std::uint32_t out_degree(VertexId v) const { return out_.degree(v); }
  std::uint32_t in_degree(VertexId v) const { return in_.degree(v); }
  template <typename Visit, typename... Room>
  void ForEachInRun(VertexId first, VertexId last, const Visit& visit, const Room&...) const {
    for (VertexId v = first; v < last; ++v) {
      if (in_.degree(v) > 0) visit(v, in_.row(v));
    }
  }

 private:
  struct Rows {
    Rows() = default;
    Rows(std::span<const VertexId> keys, std::span<const VertexId> others, VertexId id_limit)
        : ends(id_limit + std::size_t{1}), neighbours(keys.size()) {
      for (const VertexId key : keys) ++ends[key + 1];
      for (std::size_t v = 0; v < id_limit; ++v) ends[v + 1] += ends[v];
      // Each place counts up to the beginning of the next row.
      for (std::size_t i = 0; i < keys.size(); ++i) neighbours[ends[keys[i]]++] = others[i];
    }
    void Sort() {
      for (std::size_t v = 0; v + 1 < ends.size(); ++v) {
        const auto row = static_cast<VertexId>(v);
        std::sort(neighbours.data() + start(row), neighbours.data() + ends[v]);
      }
    }
    std::uint64_t start(VertexId v) const { return v == 0 ? 0 : ends[v - 1]; }
    std::uint32_t degree(VertexId v) const {
      return static_cast<std::uint32_t>(ends[v] - start(v));
    }
    std::span<const VertexId> row(VertexId v) const {
      return {neighbours.data() + start(v), degree(v)};
    }
    std::vector<std::uint64_t> ends;
    LargeArray<VertexId> neighbours;
  };

  VertexId id_limit_;
  Rows out_;
  Rows in_;
};

}  // namespace sash::bench

// LayoutStream: the input of a window of `length` slices in the comparison of layouts: it is filled
// and then moved by half its length.
//
// Thread safety: immutable once made.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tests/bench/bench_edges.h"
#include "tests/bench/layouts/slice_table.h"

namespace sash::bench {

struct LayoutStream {
  std::vector<std::shared_ptr<const Slice>> slices;
  std::vector<std::vector<Death>> deaths;  // by slice; they take effect with it
  std::size_t length = 0;                  // of the window, in slices
  VertexId id_limit = 0;

  // The window after the last slice: the edges that did not die.
  BenchEdges Live() const;

  bool has_deaths() const;
  // The slices with their deaths as removals, which take effect before the adds.
  std::vector<std::shared_ptr<const Slice>> SlicesWithRemovals() const;
};

// All edges unchanged; none dies.
LayoutStream KeepStream(const BenchEdges& edges, std::size_t length);

// Each pair once, so that an edge can be named by its ends. This share of the edges dies: each in
// one of the length - 1 slices after its own, drawn uniformly with the seed.
LayoutStream DyingStream(const BenchEdges& edges, std::size_t length, double share,
                         std::uint64_t seed);

}  // namespace sash::bench

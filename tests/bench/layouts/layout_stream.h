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
#include "windows/store/csr_graph.h"
#include "windows/store/window_policy.h"

namespace sash::bench {

struct LayoutStream {
  std::vector<std::shared_ptr<const Slice>> slices;
  std::vector<std::vector<Death>> deaths;  // by slice; they take effect with it
  std::size_t length = 0;                  // of the window, in slices
  VertexId id_limit = 0;
  bool weighs = false;  // duplicates become weights; deaths are those of older copies

  // The window after the last slice: the edges that did not die, without weights.
  BenchEdges Live() const;
  // The same with weights, if the stream weighs.
  std::shared_ptr<const CsrGraph> WeighedGraph() const;

  bool has_deaths() const;
  // What a store is made of and fed with. It finds duplicates by itself; other deaths are removals,
  // which take effect before the adds of their slice.
  StoreSpec store_spec() const;
  std::vector<std::shared_ptr<const Slice>> StoreSlices() const;
};

// All edges unchanged; none dies.
LayoutStream KeepStream(const BenchEdges& edges, std::size_t length);

// Each pair once, so that an edge can be named by its ends. This share of the edges dies: each in
// one of the length - 1 slices after its own, drawn uniformly with the seed.
LayoutStream DyingStream(const BenchEdges& edges, std::size_t length, double share,
                         std::uint64_t seed);

// All edges; copies of a pair in a slice are one edge, with their number as its weight. The newest
// older copy in the window dies when a pair comes again.
LayoutStream WeighStream(const BenchEdges& edges, std::size_t length);

}  // namespace sash::bench

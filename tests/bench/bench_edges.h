// BenchEdges: the generator's edges, with the vertex ids that the daemon would give them.
//
// Thread safety: immutable once drawn.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "daemon/generate/edge_stream.h"
#include "tests/bench/bench_options.h"
#include "windows/base/ids.h"
#include "windows/ingest/slice.h"
#include "windows/store/csr_graph.h"
#include "windows/store/window_policy.h"

namespace sash::bench {

struct BenchEdges {
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;
  std::vector<Operation> operations;  // empty: every event is an add
  VertexId id_limit = 0;

  std::size_t size() const { return sources.size(); }
};

// The shares of a stream that are copies or removals of one of the `recent` previous edges.
struct StreamChanges {
  double duplicates = 0;
  double removals = 0;
  std::size_t recent = 1;
  // Leaves out events whose pair was named before, but only by older events than those: R-MAT has
  // such events by itself, and with them a longer window would have more to end than a shorter one.
  bool only_recent = false;
};

// The stream of every benchmark: unweighted adds in the order of time, one a millisecond.
EdgeStreamOptions StreamOptions(const BenchOptions& options);

// The stream's first `count` edges. Ids are in the order of first appearance, like those of the
// dictionary.
BenchEdges DrawEdges(const BenchOptions& options, std::size_t count,
                     const StreamChanges& changes = {});

// Edges [begin, end) as the slice of that id.
std::shared_ptr<const Slice> MakeSlice(const BenchEdges& edges, std::size_t begin, std::size_t end,
                                       std::uint64_t id);

// Edges [begin, end) in `count` slices of the same size (give or take one edge), ids from 0.
std::vector<std::shared_ptr<const Slice>> CutIntoSlices(const BenchEdges& edges, std::size_t begin,
                                                        std::size_t end, std::size_t count);

// Edges [begin, end) as the static graph that windows are compared with.
std::shared_ptr<const CsrGraph> MakePlainCsr(const BenchEdges& edges, std::size_t begin,
                                             std::size_t end);

}  // namespace sash::bench

// RankState: where a run of PageRank stands, so that another can go on from there after a few edges
// have changed: what each out-edge has given so far stays given. Then only the ends of edges that
// changed, and what was still to be given, are out of balance, and no pass is needed to find out
// what is.
//
// Source: the idea of keeping what is out of balance beside the ranks, and mending it where edges
// change: Ohsaka, Maehara, Kawarabayashi: Efficient PageRank tracking in evolving networks (2015),
// section 4. Here all of it is then handed out together, by pull iteration.
//
// Thread safety: like a C array.
//
// Invariants
//   (1) ranks[row] = base + damping * the sum of given[source] over its in-edges, up to what adding
//       doubles up leaves; both are 0 for a row that is no vertex.
//   (2) base = (1 - damping * the sum of given[row] * its out-degree) / the number of vertices.
#pragma once

#include <span>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/kernels/rows/in_runs.h"

namespace sash {

struct RankState {
  double damping = 0;
  double base = 0;
  LargeArray<double> ranks{};  // by row
  LargeArray<double> given{};  // by row, to each out-edge

  bool is_empty() const { return ranks.size() == 0; }

  // After `edges`, of which it was, have followed their graph, which is not empty.
  void Follow(const InRuns& edges, int threads);
  // `edges` has the same vertices with other rows, `ids` the rows before.
  void Renumber(const InRuns& edges, std::span<const VertexId> ids, VertexId id_limit, int threads);
  // By invariant (2).
  double BaseOf(const InRuns& edges, int threads) const;
};

}  // namespace sash

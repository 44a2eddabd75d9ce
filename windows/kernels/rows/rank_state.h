// RankState: the state at the end of a PageRank run, from which another run can continue after a
// few edges have changed. The amounts that each out-edge was given so far stay given. Then only the
// ends of changed edges, and amounts that were not yet given, are out of balance, and no pass is
// needed to compute the imbalance.
//
// Source: Ohsaka, Maehara, Kawarabayashi: Efficient PageRank tracking in evolving networks (2015),
// section 4: the imbalance is kept beside the ranks and corrected where edges change. Here all of
// it is then handed out together, by pull iteration.
//
// Thread safety: like a C array.
//
// Invariants
//   (1) ranks[row] = base + damping * the sum of given[source] over its in-edges, up to the
//       rounding error of the sum; both are 0 for a row without a vertex.
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

  // To be called after `edges`, to which this state belongs, has followed its graph. The graph is
  // not empty.
  void Follow(const InRuns& edges, int threads);
  // Moves the state to the rows of `edges`, which has the same vertices. `ids`: the ids of the old
  // rows.
  void Renumber(const InRuns& edges, std::span<const VertexId> ids, VertexId id_limit, int threads);
  // Computes the base by invariant (2).
  double BaseOf(const InRuns& edges, int threads) const;
};

}  // namespace sash

// Two windows of one stream of edges, for tests of kernels that compare a window with the one
// before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "tests/support/both_views.h"

namespace sash::testing {

struct TwoWindows {
  std::vector<IdEdge> before;
  std::vector<IdEdge> after;
  VertexId ids = 0;
};

// A beginning of `edges`, and a later part that overlaps it, in another order.
inline TwoWindows CutTwoWindows(const std::vector<IdEdge>& edges, VertexId ids,
                                std::mt19937_64& random) {
  TwoWindows windows{{}, {}, ids};
  const std::size_t share = random() % (edges.size() + 1);
  windows.before.assign(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(share));
  windows.after.assign(edges.begin() + static_cast<std::ptrdiff_t>(random() % (share + 1)),
                       edges.end());
  std::ranges::shuffle(windows.after, random);
  return windows;
}

}  // namespace sash::testing

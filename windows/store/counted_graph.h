// CountedGraph: a CSR that is made for a view, with its bytes counted by the store for as long as a
// view holds it (counted_bytes.h).
//
// Thread safety: a value; the count is atomic.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/store/counted_bytes.h"
#include "windows/store/csr_graph.h"

namespace sash {

struct CountedGraph {
  std::shared_ptr<const CsrGraph> graph;
  std::size_t bytes = 0;
};

inline CountedGraph MakeCountedGraph(CsrGraph graph, const std::shared_ptr<AliveBytes>& alive) {
  struct Counted {
    CsrGraph graph;
    CountedBytes counted;
  };
  const std::size_t bytes = kSharedBytes<Counted> + graph.bytes();
  const auto counted =
      std::make_shared<Counted>(Counted{std::move(graph), CountedBytes(alive, bytes)});
  return {{counted, &counted->graph}, bytes};
}

}  // namespace sash

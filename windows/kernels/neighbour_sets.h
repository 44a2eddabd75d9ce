// The neighbours of a vertex as a set: ascending, without the vertex itself, each once however many
// parallel edges lead to it. It also says whether edges lead both ways. Lists of a view are in no
// order.
//
// Thread safety: pure functions; a TieGatherer belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/sort_distinct.h"
#include "windows/kernels/graph_view.h"

namespace sash {

// The other end of one or two arcs. An arc represents all parallel edges of one direction.
struct Tie {
  VertexId other = 0;
  std::uint8_t arcs = 1;
  friend bool operator==(const Tie&, const Tie&) = default;
};

// Fills `set` with rename(u) for every neighbour u != v in `list`.
template <typename List, typename Rename>
void FillSet(const List& list, VertexId v, const Rename& rename, std::vector<VertexId>& set) {
  set.clear();
  for (const VertexId u : list) {
    if (u != v) set.push_back(rename(u));
  }
  SortDistinct(set);
}

// Gathers the ties of one vertex. The memory is reused for the next vertex.
class TieGatherer {
 public:
  // The ties of v, with ids from `rename`, which must be one to one. Valid until the next call.
  template <GraphView Graph, typename Rename>
  const std::vector<Tie>& Gather(const Graph& graph, VertexId v, const Rename& rename) {
    FillSet(graph.out(v), v, rename, out_);
    FillSet(graph.in(v), v, rename, in_);
    ties_.clear();
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < out_.size() && j < in_.size()) {
      if (out_[i] == in_[j]) {
        ties_.push_back({out_[i++], 2});
        ++j;
      } else {
        ties_.push_back({out_[i] < in_[j] ? out_[i++] : in_[j++], 1});
      }
    }
    for (; i < out_.size(); ++i) ties_.push_back({out_[i], 1});
    for (; j < in_.size(); ++j) ties_.push_back({in_[j], 1});
    return ties_;
  }

 private:
  std::vector<VertexId> out_;
  std::vector<VertexId> in_;
  std::vector<Tie> ties_;
};

}  // namespace sash

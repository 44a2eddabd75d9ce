// Strongly connected components: sets of vertices each of which has a path to every other one.
//
// The label of a component is its least id. A vertex that is on no cycle is a component of its own;
// ids without a vertex have kNoVertex.
//
// One thread searches copied out-lists depth-first, in time linear in vertices and edges.
// It keeps its path itself, so a path may be as long as the graph. Takes at most 28 bytes an id and
// four bytes an edge.
//
// Thread safety: a pure function. Labels do not depend on the number of threads.
//
// Source: Pearce: A space-efficient algorithm for finding strongly connected components
// (Information Processing Letters 116, 2016), which improves Tarjan: Depth-first search and linear
// graph algorithms (SIAM Journal on Computing 1, 1972).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_rows.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

struct SccOptions {
  int threads = 0;  // for the copy of the lists; 0: all the cores
  KernelProgress progress{};
};

struct SccResult {
  std::vector<VertexId> labels;  // by id
  std::uint64_t components = 0;
  bool cancelled = false;  // `progress` said stop: the labels mean nothing
};

namespace scc {

// Invariants
//   (1) numbers_[v]: kUnvisited; while v has no component, the least number of a vertex that v is
//       known to reach, from 1; afterwards, the number of its component, from kNoVertex - 1 down.
//       So the numbers of components are greater than all others.
//   (2) A visited vertex is on the path, waits for its component, or has one.
class Search {
 public:
  Search(const NeighbourRows& rows, VertexId id_limit, std::size_t vertices,
         const KernelProgress& progress)
      : rows_(rows), progress_(progress), numbers_(id_limit, kUnvisited) {
    path_.reserve(vertices);  // memory is used only as far as the path gets
    waiting_.reserve(vertices);
  }

  // Visits what `from` reaches. Returns false if `progress` said stop.
  bool Visit(VertexId from) {
    if (numbers_[from] != kUnvisited) return true;
    if (!Enter(from)) return false;
    while (!path_.empty()) {
      const VertexId next = NextUnvisited(path_.back());
      if (next == kNoVertex) {
        Leave();
      } else if (!Enter(next)) {
        return false;
      }
    }
    return true;
  }

  // Returns false if `progress` said stop.
  bool Report() { return !progress_ || progress_(++reports_, 0); }

  // By id: the least id of the vertex's component.
  std::vector<VertexId> TakeLabels(std::span<const VertexId> vertices) && {
    std::ranges::replace(numbers_, kUnvisited, kNoVertex);
    std::vector<VertexId> least(components(), kNoVertex);
    for (const VertexId v : vertices) {
      VertexId& label = least[kFirstComponent - numbers_[v]];
      if (label == kNoVertex) label = v;
      numbers_[v] = label;
    }
    return std::move(numbers_);
  }

  std::size_t components() const { return kFirstComponent - component_; }

 private:
  static constexpr VertexId kUnvisited = 0;
  static constexpr VertexId kFirstComponent = kNoVertex - 1;

  struct Step {
    VertexId vertex = 0;
    std::uint32_t next = 0;  // the neighbour to look at next
    bool is_root = true;     // it is not known to reach a vertex with a lower number
  };

  // Returns false if `progress` said stop.
  bool Enter(VertexId v) {
    numbers_[v] = number_++;
    path_.push_back({v});
    return ++entered_ % kSweepPart != 0 || Report();
  }

  // The next neighbour that is unvisited. The step looks at it again when the path is back; then it
  // has a number.
  VertexId NextUnvisited(Step& step) {
    const std::span<const VertexId> neighbours = rows_.row(step.vertex);
    VertexId& number = numbers_[step.vertex];
    for (; step.next < neighbours.size(); ++step.next) {
      const VertexId other = neighbours[step.next];
      if (numbers_[other] == kUnvisited) return other;
      if (numbers_[other] >= number) continue;
      number = numbers_[other];
      step.is_root = false;
    }
    return kNoVertex;
  }

  // The vertices that wait and have no lower number than a root are its component.
  void Leave() {
    const Step step = path_.back();
    path_.pop_back();
    if (!step.is_root) {
      waiting_.push_back(step.vertex);
      return;
    }
    --number_;
    while (!waiting_.empty() && numbers_[waiting_.back()] >= numbers_[step.vertex]) {
      numbers_[waiting_.back()] = component_;
      waiting_.pop_back();
      --number_;
    }
    numbers_[step.vertex] = component_--;
  }

  const NeighbourRows& rows_;
  const KernelProgress& progress_;
  std::vector<VertexId> numbers_;  // by id
  std::vector<Step> path_;
  std::vector<VertexId> waiting_;
  VertexId number_ = kUnvisited + 1;
  VertexId component_ = kFirstComponent;
  std::size_t entered_ = 0;
  int reports_ = 0;
};

}  // namespace scc

template <BulkGraphView Graph>
SccResult Scc(const Graph& graph, const SccOptions& options = {}) {
  const std::span<const VertexId> vertices = graph.vertices();
  const NeighbourRows rows(graph, RowDirection::kOut, options.threads);
  options.progress.Begin(RunPhase::kComputing);
  scc::Search search(rows, graph.id_limit(), vertices.size(), options.progress);
  SccResult result;
  for (const VertexId v : vertices) {
    result.cancelled = result.cancelled || !search.Visit(v);
    if (result.cancelled) return result;
  }
  result.cancelled = !search.Report();
  options.progress.Begin(RunPhase::kFinishing);
  result.components = search.components();
  result.labels = std::move(search).TakeLabels(vertices);
  return result;
}

}  // namespace sash

#include "windows/jobs/plugin/plugin_lists.h"

#include <algorithm>
#include <span>
#include <vector>

#include "windows/base/ids.h"

namespace sash {
namespace {

constexpr std::size_t kListsAtOnce = 256;

// The lists of some vertices that follow each other. Its memory is used again for the next ones.
struct ListBatch {
  std::span<const VertexId> vertices{};
  std::vector<std::uint32_t> lengths{};
  std::vector<const VertexId*> neighbours{};
  std::vector<VertexId> ids{};     // lists that the view does not hold in one piece
  std::vector<VertexId> copies{};  // what the view copies when it reads a list
  std::vector<double> weights{};
  std::vector<std::uint32_t> types{};
  std::vector<const double*> weights_of{};
  std::vector<const std::uint32_t*> types_of{};

  int Visit(unsigned with, sash_visit visit, void* state) const {
    const bool weighted = (with & SASH_WEIGHTS) != 0;
    const bool typed = (with & SASH_TYPES) != 0;
    const sash_lists lists{sizeof(sash_lists),
                           vertices.size(),
                           vertices.data(),
                           lengths.data(),
                           neighbours.data(),
                           weighted ? weights_of.data() : nullptr,
                           typed ? types_of.data() : nullptr};
    return visit(state, &lists);
  }
};

template <typename Graph>
std::uint32_t DegreeOf(const Graph& graph, int direction, VertexId v) {
  return direction == SASH_IN ? graph.in_degree(v) : graph.out_degree(v);
}

template <typename Graph>
std::size_t TotalOf(const Graph& graph, int direction, std::span<const VertexId> vertices) {
  std::size_t total = 0;
  for (const VertexId v : vertices) total += DegreeOf(graph, direction, v);
  return total;
}

// Mostly, a list is one run of the view, and is not copied.
template <typename Graph>
void FillIds(const Graph& graph, int direction, ListBatch& batch) {
  const std::span<const VertexId> vertices = batch.vertices;
  batch.lengths.assign(vertices.size(), 0);
  batch.neighbours.assign(vertices.size(), vertices.data());
  batch.copies.clear();
  batch.copies.reserve(TotalOf(graph, direction, vertices));  // so that nothing moves
  batch.ids.clear();
  std::size_t place = 0;
  std::size_t joined = vertices.size();  // the newest list of several runs
  const auto room = [&](VertexId, std::uint32_t count) {
    const std::size_t begin = batch.copies.size();
    batch.copies.resize(begin + count);
    return batch.copies.data() + begin;
  };
  const auto visit = [&](VertexId v, std::span<const VertexId> run) {
    while (vertices[place] != v) ++place;
    std::uint32_t& length = batch.lengths[place];
    if (length == 0) {
      batch.neighbours[place] = run.data();
    } else {
      if (joined != place) {
        const VertexId* const begun = batch.neighbours[place];
        batch.ids.reserve(TotalOf(graph, direction, vertices));  // the first time; nothing moves
        batch.neighbours[place] = batch.ids.data() + batch.ids.size();
        batch.ids.insert(batch.ids.end(), begun, begun + length);
        joined = place;
      }
      batch.ids.insert(batch.ids.end(), run.begin(), run.end());
    }
    length += static_cast<std::uint32_t>(run.size());
  };
  if (direction == SASH_IN) {
    graph.ForEachInRun(vertices.front(), vertices.back() + 1, visit, room);
  } else {
    graph.ForEachOutRun(vertices.front(), vertices.back() + 1, visit, room);
  }
}

template <typename List>
void AppendEdges(const List& list, ListBatch& batch) {
  for (const auto& edge : list) {
    batch.ids.push_back(edge.vertex);
    batch.weights.push_back(edge.weight.AsDouble());
    batch.types.push_back(edge.type);
  }
}

template <typename Graph>
void FillEdges(const Graph& graph, int direction, ListBatch& batch) {
  batch.ids.clear();
  batch.weights.clear();
  batch.types.clear();
  batch.lengths.clear();
  for (const VertexId v : batch.vertices) {
    const std::size_t before = batch.ids.size();
    if (DegreeOf(graph, direction, v) > 0) {
      if (direction == SASH_IN) {
        AppendEdges(graph.weighted_in(v), batch);
      } else {
        AppendEdges(graph.weighted_out(v), batch);
      }
    }
    batch.lengths.push_back(static_cast<std::uint32_t>(batch.ids.size() - before));
  }
  batch.neighbours.clear();
  batch.weights_of.clear();
  batch.types_of.clear();
  std::size_t begin = 0;
  for (const std::uint32_t length : batch.lengths) {
    batch.neighbours.push_back(batch.ids.data() + begin);
    batch.weights_of.push_back(batch.weights.data() + begin);
    batch.types_of.push_back(batch.types.data() + begin);
    begin += length;
  }
}

}  // namespace

int ReadPluginLists(const WindowView& view, int direction, unsigned with, std::size_t first,
                    std::size_t last, const std::atomic<bool>& stop, sash_visit visit,
                    void* state) {
  return VisitView(view, [&](const auto& graph) {
    const std::span<const VertexId> vertices = graph.vertices();
    last = std::min(last, vertices.size());
    ListBatch batch;
    while (first < last) {
      if (stop.load(std::memory_order_relaxed)) return -1;
      const std::size_t count = std::min(kListsAtOnce, last - first);
      batch.vertices = vertices.subspan(first, count);
      if (with == 0) {
        FillIds(graph, direction, batch);
      } else {
        FillEdges(graph, direction, batch);
      }
      if (const int ended = batch.Visit(with, visit, state); ended != 0) return ended;
      first += count;
    }
    return 0;
  });
}

void ReadPluginDegrees(const WindowView& view, int direction, std::size_t first, std::size_t last,
                       std::uint32_t* degrees) {
  VisitView(view, [&](const auto& graph) {
    const std::span<const VertexId> vertices = graph.vertices();
    for (std::size_t place = first; place < std::min(last, vertices.size()); ++place) {
      *degrees++ = DegreeOf(graph, direction, vertices[place]);
    }
  });
}

}  // namespace sash

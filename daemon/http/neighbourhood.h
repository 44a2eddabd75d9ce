// Neighbourhood: a small picture of a window around some of its vertices.
//
// It has these vertices, for each of them its neighbours that say most, and all edges between the
// former and any of them. A neighbour says the more, the more pairs it makes with the vertices;
// then the more edges these are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/weight.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/store/window_view.h"

namespace sash {

struct Neighbourhood {
  // So many neighbours are looked at in all, evenly: a picture of hubs must not hold up the server
  // (it takes some milliseconds).
  static constexpr std::size_t kMostRead = 20'000;

  struct Vertex {
    VertexId vertex = 0;
    std::uint32_t out_degree = 0;
    std::uint32_t in_degree = 0;
  };
  // All that lead from one vertex to another.
  struct Edge {
    VertexId source = 0;
    VertexId target = 0;
    std::uint64_t copies = 0;
    Weight weight = Weight::Integer(0);
  };

  std::vector<Vertex> vertices;  // those asked for that are in the window, then their neighbours
  std::size_t asked = 0;         // how many of the former
  std::vector<Edge> edges;       // by source, then target, in the order of `vertices`
  bool whole = true;             // no list was cut

  // `around` names no vertex twice. Up to `neighbours` for each of them.
  static Neighbourhood Of(const WindowView& view, std::span<const VertexId> around,
                          std::size_t neighbours, const VertexDictionary& keys);
};

}  // namespace sash

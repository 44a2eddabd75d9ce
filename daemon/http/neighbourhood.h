// Neighbourhood: a small picture of a window around some of its vertices.
//
// It contains these vertices, the most relevant neighbours of each, and all edges between the given
// vertices and any vertex of the picture. A neighbour is more relevant if it forms more pairs with
// the given vertices; ties are broken by the number of edges.
//
// Thread safety: pure; the caller pins the view and its ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/type_column.h"
#include "windows/base/weight.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/store/window_view.h"

namespace sash {

struct Neighbourhood {
  // The most neighbours that are read in total, shared evenly among the vertices, so that a picture
  // of hubs does not block the server (it takes some milliseconds).
  static constexpr std::size_t kMostRead = 20'000;

  struct Vertex {
    VertexId vertex = 0;
    std::uint32_t out_degree = 0;
    std::uint32_t in_degree = 0;
  };
  // All parallel edges from one vertex to another.
  struct Edge {
    VertexId source = 0;
    VertexId target = 0;
    std::uint64_t copies = 0;
    Weight weight = Weight::Integer(0);
    std::vector<TypeNumber> types{};  // of the copies, each once; copies without a type have none
  };

  std::vector<Vertex> vertices;  // requested vertices in the window, then their neighbours
  std::size_t asked = 0;         // number of the former
  std::vector<Edge> edges;       // by source, then target, in the order of `vertices`
  bool whole = true;             // no list was cut

  // `around` must not contain duplicates. Each of its vertices gets up to `neighbours` neighbours.
  static Neighbourhood Of(const WindowView& view, std::span<const VertexId> around,
                          std::size_t neighbours, const VertexDictionary& keys);
};

}  // namespace sash

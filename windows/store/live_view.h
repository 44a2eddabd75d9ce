// LiveView: a window between two advances, as a GraphView: the edges of a base, which is the part
// of the window whose slices have closed, and the events of its open slices up to a cut.
//
// A list is made when it is first read (LiveFold), and kept. For a vertex that no event touches, it
// is a copy of the list in the base, and its degrees are those of the base. The first call of
// edge_count() or vertices() makes the lists of all vertices that the events touch.
//
// Thread safety: belongs to one thread; any number of views may read the same parts.
//
// Invariants
//   (1) It shows exactly what a window of its slices would show if the open ones closed at the cut.
//   (2) v is in out(u) exactly as often as u is in in(v), with the same weights and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "windows/base/fetch_step.h"
#include "windows/store/live_fold.h"

namespace sash {

class LiveView {
 public:
  explicit LiveView(LiveParts parts);
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  static constexpr bool on_disk() { return false; }
  VertexId id_limit() const { return parts_.id_limit; }
  std::uint64_t edge_count() const { return Counted().edges; }
  std::span<const VertexId> vertices() const { return Counted().vertices; }  // ascending

  std::uint32_t out_degree(VertexId v) const { return Degree(TailRole::kSource, v); }
  std::uint32_t in_degree(VertexId v) const { return Degree(TailRole::kTarget, v); }
  std::span<const VertexId> out(VertexId v) const { return Vertices(TailRole::kSource, v); }
  std::span<const VertexId> in(VertexId v) const { return Vertices(TailRole::kTarget, v); }
  std::span<const Neighbor> weighted_out(VertexId v) const {
    return Neighbours(TailRole::kSource, v);
  }
  std::span<const Neighbor> weighted_in(VertexId v) const {
    return Neighbours(TailRole::kTarget, v);
  }

  // Calls visit(neighbour) for each edge of the source v. Keeps no list that no event touches.
  template <typename Visit>
  void ForEachOut(VertexId v, const Visit& visit) const {
    if (IsTouched(TailRole::kSource, v)) {
      for (const Neighbor& neighbour : weighted_out(v)) visit(neighbour);
    } else if (IsInBase(v)) {
      for (const Neighbor& neighbour : parts_.base->weighted_out(v)) visit(neighbour);
    }
  }

  // As BulkGraphView describes; lists stay valid as long as the view, so no room is needed.
  template <typename Visit, typename... Room>
  void ForEachOutRun(VertexId first, VertexId last, const Visit& visit, const Room&...) const {
    for (VertexId v = first; v < last; ++v) VisitList(out(v), v, visit);
  }
  template <typename Visit, typename... Room>
  void ForEachInRun(VertexId first, VertexId last, const Visit& visit, const Room&...) const {
    for (VertexId v = first; v < last; ++v) VisitList(in(v), v, visit);
  }
  template <typename Visit, typename Room>
  void ForEachOutNeighbours(VertexId first, VertexId last, const Visit& visit, const Room&) const {
    ForEachOutRun(first, last, visit);
  }
  template <typename Visit, typename Room>
  void ForEachInNeighbours(VertexId first, VertexId last, const Visit& visit, const Room&) const {
    ForEachInRun(first, last, visit);
  }
  template <typename Visit>
  void ReadOutNeighbours(VertexId v, const Visit& visit) const {
    if (const auto list = out(v); !list.empty()) visit(list);
  }
  template <typename Visit>
  void ReadInNeighbours(VertexId v, const Visit& visit) const {
    if (const auto list = in(v); !list.empty()) visit(list);
  }
  static void FetchOut(VertexId, FetchStep) {}
  static void FetchIn(VertexId, FetchStep) {}

 private:
  struct Counts {
    std::uint64_t edges = 0;
    std::vector<VertexId> vertices;
  };

  template <typename Visit>
  static void VisitList(std::span<const VertexId> list, VertexId v, const Visit& visit) {
    if (!list.empty()) visit(v, list);
  }

  bool IsInBase(VertexId v) const { return parts_.base && v < parts_.base->id_limit(); }
  bool IsTouched(TailRole role, VertexId v) const;
  const std::vector<Neighbor>& Neighbours(TailRole role, VertexId v) const;
  const std::vector<VertexId>& Vertices(TailRole role, VertexId v) const;
  std::uint32_t Degree(TailRole role, VertexId v) const;
  std::uint32_t BaseDegree(TailRole role, VertexId v) const;
  std::vector<VertexId> Touched() const;
  const Counts& Counted() const;

  LiveParts parts_;  // as they are since the constructor
  bool removes_vertices_ = false;
  // The lists that were asked for, by TailRole.
  mutable std::unordered_map<VertexId, std::vector<Neighbor>> neighbours_[2];
  mutable std::unordered_map<VertexId, std::vector<VertexId>> vertices_[2];
  mutable std::optional<Counts> counts_;
};

}  // namespace sash

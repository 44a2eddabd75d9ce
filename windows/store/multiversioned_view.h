// MultiversionedView: a frozen window of the multiversioned store; a GraphView.
//
// Thread safety: immutable, except for the list of vertices, which the first caller builds under a
// once_flag.
//
// Invariants
//   (1) v is in out(u) exactly as often as u is in in(v), with the same weights and types.
//   (2) It never changes, however many advances follow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/fetch_step.h"
#include "windows/store/chain_log.h"
#include "windows/store/counted_changes.h"
#include "windows/store/counted_slices.h"
#include "windows/store/degree_table.h"
#include "windows/store/list_changes.h"
#include "windows/store/list_ends.h"
#include "windows/store/lists/adjacency_view.h"
#include "windows/store/shown_lists.h"
#include "windows/store/unlike_degrees.h"
#include "windows/store/weighted_range.h"

namespace sash {

class MultiversionedView {
 public:
  struct Parts {
    AdjacencyView out{};
    AdjacencyView in{};
    DegreeTable::Version degrees{};
    SliceNumber newest_slice = 0;               // that had entered the store
    SliceNumber oldest_slice = 0;               // of the window
    std::uint64_t aged_out = 0;                 // edges, from the window so far
    std::optional<ChainLog::Version> chains{};  // weigh
    std::shared_ptr<AliveBytes> alive{};        // counts the view
    bool only_replaced = false;                 // edges die by newer copies alone
    bool none_die = false;                      // edges leave only when they age out
    // If none die, and the lists are in memory.
    RecentSlices out_slices{};
    RecentSlices in_slices{};
    bool on_disk = false;  // its lists may have to be read from disk
  };

  MultiversionedView(Parts parts, VertexId id_limit, std::uint64_t edges, std::size_t vertex_count)
      : parts_(std::move(parts)),
        id_limit_(id_limit),
        edge_count_(edges),
        vertex_count_(vertex_count),
        counted_(parts_.alive, kSharedBytes<MultiversionedView> + BytesOf(parts_.out_slices) +
                                   BytesOf(parts_.in_slices)) {}

  bool on_disk() const { return parts_.on_disk; }
  VertexId id_limit() const { return id_limit_; }
  std::uint64_t edge_count() const { return edge_count_; }
  std::size_t vertex_count() const { return vertex_count_; }

  // The vertices with a visible edge, ascending. The first call costs a sweep of the degrees.
  std::span<const VertexId> vertices() const;

  std::uint32_t out_degree(VertexId v) const { return parts_.degrees.out_of(v); }
  std::uint32_t in_degree(VertexId v) const { return parts_.degrees.in_of(v); }
  NeighbourRange out(VertexId v) const { return NeighbourRange(OutRuns(v)); }
  NeighbourRange in(VertexId v) const { return NeighbourRange(InRuns(v)); }
  WeightedRange weighted_out(VertexId v) const { return Weighted(OutRuns(v)); }
  WeightedRange weighted_in(VertexId v) const { return Weighted(InRuns(v)); }

  // visit(v, neighbours) for each run of the lists of [first, last), ascending by v. A run is valid
  // until visit() returns. With room(v, count), which returns memory for `count` copied ids of v,
  // it is valid as long as the view and that memory.
  template <typename Visit>
  void ForEachOutRun(VertexId first, VertexId last, const Visit& visit) const {
    OutLists().ForEachRun(first, last, visit, PassingRoom());
  }
  template <typename Visit>
  void ForEachInRun(VertexId first, VertexId last, const Visit& visit) const {
    InLists().ForEachRun(first, last, visit, PassingRoom());
  }
  template <typename Visit, typename Room>
  void ForEachOutRun(VertexId first, VertexId last, const Visit& visit, const Room& room) const {
    OutLists().ForEachRun(first, last, visit, room);
  }
  template <typename Visit, typename Room>
  void ForEachInRun(VertexId first, VertexId last, const Visit& visit, const Room& room) const {
    InLists().ForEachRun(first, last, visit, room);
  }

  // The same for callers that only need to know which neighbours exist: a neighbour may be named
  // more often than it has edges.
  template <typename Visit, typename Room>
  void ForEachOutNeighbours(VertexId first, VertexId last, const Visit& visit,
                            const Room& room) const {
    OutLists().ForEachNeighbours(parts_.only_replaced, first, last, visit, room);
  }
  template <typename Visit, typename Room>
  void ForEachInNeighbours(VertexId first, VertexId last, const Visit& visit,
                           const Room& room) const {
    InLists().ForEachNeighbours(parts_.only_replaced, first, last, visit, room);
  }
  // The neighbours of one list, in pieces, until visit(neighbours) returns false. A piece is valid
  // until visit() returns.
  template <typename Visit>
  void ReadOutNeighbours(VertexId v, const Visit& visit) const {
    OutLists().ReadNeighbours(parts_.only_replaced, v, visit);
  }
  template <typename Visit>
  void ReadInNeighbours(VertexId v, const Visit& visit) const {
    InLists().ReadNeighbours(parts_.only_replaced, v, visit);
  }

  // A list will be read soon: fetches ahead the part that `step` names.
  void FetchOut(VertexId v, FetchStep step) const { OutLists().Fetch(v, step); }
  void FetchIn(VertexId v, FetchStep step) const { InLists().Fetch(v, step); }

  // An estimate of how many edges have come and left since `before`, a view of this window, in
  // O(1). It is too low where copies replace older copies, because these are not counted.
  // ChangesSince() finds the edges.
  std::uint64_t RoughChanges(const MultiversionedView& before) const {
    if (before.parts_.aged_out > parts_.aged_out) return 0;  // a view of another window
    const std::uint64_t aged = parts_.aged_out - before.parts_.aged_out;
    const std::uint64_t came =
        edge_count_ + aged - std::min(before.edge_count_, edge_count_ + aged);
    return came + aged;
  }

  // What has come to the in-lists and left them since `before`: a view of the same vertices, in any
  // window. Both outlive it.
  ListChanges ChangesSince(const MultiversionedView& before) const {
    if (!Follows(before)) return {before.InLists(), InLists()};
    return {before.InLists(), InLists(),
            ListEnds::Between(before.Shown(), Slices(parts_.in_slices))};
  }

  // The changes of the out-lists, or in-lists, since `before`, from the records of the slices;
  // nothing if lists must be read for that. `before` outlives the result.
  std::optional<CountedChanges> CountOutChanges(const MultiversionedView& before) const {
    return CountChanges(before, parts_.out_slices);
  }
  std::optional<CountedChanges> CountInChanges(const MultiversionedView& before) const {
    return CountChanges(before, parts_.in_slices);
  }

  // Whether an edge keeps its weight for as long as it is in the window. If not, an edge is lighter
  // when a copy that it absorbed has aged out.
  bool has_fixed_weights() const { return !parts_.chains; }
  // Whether edges that stay in a list keep their order in all views.
  bool keeps_order() const { return parts_.none_die; }

  // visit(v, was a vertex, is one, out-degree) for each v in [first, last) whose out-degree differs
  // from the one in `before`, or that is a vertex in only one of the views.
  template <typename Visit>
  void ForEachDegreeChange(const MultiversionedView& before, VertexId first, VertexId last,
                           const Visit& visit) const {
    ForEachUnlikeDegree(before.parts_.degrees, parts_.degrees, first, last, visit);
  }

  // visit(v, u) for every edge u -> v with v in [first, last).
  template <typename Visit>
  void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
    ForEachInRun(first, last, [&](VertexId v, std::span<const VertexId> run) {
      for (const VertexId u : run) visit(v, u);
    });
  }

 private:
  // The same memory for the copies of each list.
  class PassingRoom {
   public:
    VertexId* operator()(VertexId, std::uint32_t count) {
      if (ids_.size() < count) ids_.resize(count + count / 2);
      return ids_.data();
    }

   private:
    std::vector<VertexId> ids_;
  };

  RunCursor OutRuns(VertexId v) const { return OutLists().Runs(v); }
  RunCursor InRuns(VertexId v) const { return InLists().Runs(v); }
  // Whether it is of the same window as `before`, which is not empty, and not earlier.
  bool Follows(const MultiversionedView& before) const {
    return before.edge_count_ > 0 && before.parts_.alive == parts_.alive &&
           InLists().Follows(before.InLists());
  }
  CountedSlices Shown() const { return {parts_.oldest_slice, parts_.newest_slice}; }
  CountedSlices Slices(const RecentSlices& known) const {
    return {parts_.oldest_slice, parts_.newest_slice, known.entered, known.left};
  }
  std::optional<CountedChanges> CountChanges(const MultiversionedView& before,
                                             const RecentSlices& known) const {
    if (!Follows(before)) return std::nullopt;
    return CountedChanges::Between(before.Shown(), Slices(known));
  }
  ShownLists OutLists() const {
    return {parts_.out, parts_.degrees.out, parts_.oldest_slice, parts_.newest_slice};
  }
  ShownLists InLists() const {
    return {parts_.in, parts_.degrees.in, parts_.oldest_slice, parts_.newest_slice};
  }
  WeightedRange Weighted(const RunCursor& runs) const {
    return {runs, parts_.chains ? &*parts_.chains : nullptr, parts_.oldest_slice};
  }

  const Parts parts_;
  const VertexId id_limit_;
  const std::uint64_t edge_count_;
  const std::size_t vertex_count_;
  mutable std::once_flag listed_;
  mutable std::vector<VertexId> vertices_;  // filled under listed_
  mutable CountedBytes counted_;            // likewise grown
};

}  // namespace sash

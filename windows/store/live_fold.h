// LiveFold: the list of one vertex in a live view: its list in the base, and the events of open
// slices that touch it, folded by the policy in the order of effect.
//
// Thread safety: belongs to one thread.
//
// Source: the meaning is that of VisibleEdges(), here for one list whose older part is folded
// already.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/ingest/open_ids.h"
#include "windows/ingest/slice_tail.h"
#include "windows/store/multiversioned_view.h"
#include "windows/store/neighbor.h"
#include "windows/store/window_policy.h"

namespace sash {

// What a live view consists of.
struct LiveParts {
  std::shared_ptr<const MultiversionedView> base{};           // null: it has no edge
  std::vector<OpenTail> tails{};                              // of the open slices in the window
  std::shared_ptr<const std::vector<std::uint32_t>> ranks{};  // PartitionTable::Ranks()
  VertexId id_limit = 0;
  DuplicatesPolicy duplicates = DuplicatesPolicy::kKeep;
  EdgeIdentity identity = EdgeIdentity::kPair;
  FilterBits filter = kNoFilter;  // of the window

  // Which events of open slices count; null: all. In `open_ids`, tails[0] has the number
  // `first_open`.
  std::shared_ptr<const OpenIds> open_ids{};
  std::size_t first_open = 0;
  // Only for a window that sleeps, where edges are deduplicated: it wakes when an event counts in
  // tails[*wakes_from] or in a later tail. Until then it would not be published, so it shows
  // nothing.
  std::optional<std::size_t> wakes_from{};

  // Whether the event passes the filter. If edges are deduplicated, it shows only if it Counts().
  bool Passes(const TailEvent& event) const {
    return filter == kNoFilter || (event.passes & filter) != 0;
  }
  TailPlace PlaceOf(std::size_t slice, const TailEvent& event, std::uint32_t number) const {
    return PlaceInEffect(slice, event, number, *ranks);
  }
  // Not to be called while a tail is visited.
  bool Counts(const TailPlace& place) const {
    return !open_ids || open_ids->Counts(first_open + place.slice, place.number);
  }
  // Whether no event wakes a window that sleeps. Usually reads one event.
  bool IsAsleep() const;
  // The newest removal of v.
  std::optional<TailPlace> RemovalOf(VertexId v) const;
};

class LiveFold {
 public:
  // `removes_vertices`: whether an event may be the removal of a vertex.
  LiveFold(const LiveParts& parts, bool removes_vertices)
      : parts_(parts), removes_vertices_(removes_vertices) {}

  // The list of v as source or as target, in no order. Costs the list in the base, the events that
  // touch v, and where vertices are removed a search for each of these neighbours.
  std::vector<Neighbor> ListOf(TailRole role, VertexId v);

 private:
  struct Touch {
    TailPlace place{};
    VertexId neighbour = 0;
    TypeNumber type = kNoType;
    Weight weight{};
    Operation operation = Operation::kAdd;
  };
  // The newest removal of edges to a neighbour of one type, or of all types (kAnyType).
  struct Ended {
    VertexId neighbour = 0;
    TypeNumber type = kAnyType;
    TailPlace place{};
    std::pair<VertexId, TypeNumber> key() const { return {neighbour, type}; }
  };

  bool keeps() const { return parts_.duplicates == DuplicatesPolicy::kKeep; }
  bool by_type() const { return !keeps() && parts_.identity == EdgeIdentity::kPairAndType; }
  TypeNumber TypeOfIdentity(TypeNumber type) const { return by_type() ? type : kNoType; }

  void Gather(TailRole role, VertexId v);
  void NoteEnds();
  bool Survives(const Touch& add) const;
  bool SurvivesInBase(VertexId neighbour, TypeNumber type) const;
  bool IsEndedAfter(VertexId neighbour, TypeNumber type, const TailPlace* place) const;
  std::span<const Touch> AddsOf(VertexId neighbour, TypeNumber type) const;
  void AppendAdds(std::vector<Neighbor>& list) const;
  template <typename Range>
  void AppendBase(const Range& base, std::vector<Neighbor>& list);

  const LiveParts& parts_;
  const bool removes_vertices_;
  std::optional<TailPlace> removal_;  // of v
  std::vector<Touch> adds_;           // that survive, by neighbour, identity and place
  std::vector<Touch> touches_;
  std::vector<Ended> ends_;      // by neighbour and type
  std::vector<bool> is_merged_;  // by add: it is part of an edge that began in the base
};

}  // namespace sash

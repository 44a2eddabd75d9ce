// CycleSearch: finds the simple directed cycles through one edge, up to a length.
//
// The search first looks at what the edge's target reaches and at what reaches its source, one hop
// at a time, always at the side with fewer edges. If the two do not meet, as is mostly so, there is
// no cycle. Otherwise a depth-first search enters a vertex only if the source may still be near
// enough. Each vertex has a bound for that, which grows when the search from it fails, and falls
// again when a vertex behind it leaves the path.
//
// Source: Peng et al.: Towards bridging theory and practice: hop-constrained s-t simple path
// enumeration (PVLDB 13, 2019), algorithm BC-DFS. There, a vertex that leaves the path lowers the
// bounds before it only if its own bound falls. That misses paths: the bound of a vertex before it
// may have grown because of it. Here it always does.
//
// Thread safety: one thread at a time. Takes eight bytes an id.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/entered_edges.h"
#include "windows/kernels/ordered_rows.h"

namespace sash {

inline constexpr int kLongestCycle = 10;

// The cycles through one edge.
struct CyclesOfEdge {
  std::uint64_t steps = 0;  // neighbours that were looked at
  bool is_cut = false;      // the steps were used up; what was found before is here
  std::array<std::uint64_t, kLongestCycle + 1> by_length{};
  std::vector<std::vector<VertexId>> first;  // the source of the edge, its target, and so on
};

// Invariants
//   (1) to_source of a vertex that is not on the path: no path of fewer hops leads from it to the
//       source without a vertex of the path.
//   (2) A mark of another epoch has not been set; then the bounds are those of the searched sides.
template <typename Less>
class CycleSearch {
 public:
  struct Goal {
    int longest = kLongestCycle;       // edges of a cycle
    std::span<const VertexId> passes;  // every cycle has all of them
    bool is_first = true;              // a cycle is found only at the first of its entered edges
  };

  CycleSearch(const OrderedRows<Less>& out, const OrderedRows<Less>& in,
              const EnteredEdges& entered, const Goal& goal, VertexId id_limit)
      : out_(out), in_(in), entered_(entered), goal_(goal), marks_(id_limit) {}

  // The cycles through entered.pairs()[place]; with `is_first`, only those without an entered edge
  // before it. `most_steps` bounds the search; of the cycles, the first `listed` are kept.
  CyclesOfEdge Find(std::size_t place, std::uint64_t most_steps, std::size_t listed) {
    place_ = place;
    source_ = entered_.pairs()[place].source;
    most_steps_ = most_steps;
    listed_ = listed;
    found_ = {};
    hops_ = goal_.longest - 1;
    const VertexId target = entered_.pairs()[place].target;
    if (Meets(target) && MayPassAll()) Extend(target, 0);
    return std::move(found_);
  }

 private:
  static constexpr int kNone = kLongestCycle + 1;  // more hops than any path has

  struct Mark {
    std::uint32_t epoch = 0;
    std::uint8_t from_target = 0;  // hops; kNone: beyond what was searched
    std::uint8_t to_source = 0;    // at least so many hops
    bool is_on_path = false;
  };

  Mark& MarkOf(VertexId v) {
    Mark& mark = marks_[v];
    if (mark.epoch != epoch_) mark = {epoch_, kNone, kNone, false};
    return mark;
  }

  // The bound of a vertex: what the search of the source's side says, if nothing else is known.
  int ToSource(const Mark& mark) const {
    return mark.to_source == kNone ? beyond_source_ : mark.to_source;
  }

  bool IsAllowed(VertexId from, VertexId to) const {
    return !goal_.is_first || !entered_.IsOfEarlierSource(from, to, place_);
  }

  // Searches both sides until they have all hops together. Returns whether they meet.
  bool Meets(VertexId target) {
    if (++epoch_ == 0) {  // after 2^32 searches
      std::ranges::fill(marks_, Mark{});
      epoch_ = 1;
    }
    MarkOf(target).from_target = 0;
    MarkOf(source_).to_source = 0;
    Side ahead{out_, {target}, out_.row(target).size()};
    Side behind{in_, {source_}, in_.row(source_).size()};
    bool met = false;
    while (ahead.hops + behind.hops < hops_ && ahead.edges > 0 && behind.edges > 0) {
      Side& side = ahead.edges <= behind.edges ? ahead : behind;
      if (Spend(side.edges)) return false;
      met = (&side == &ahead ? Widen(ahead, source_, &Mark::from_target, &Mark::to_source)
                             : Widen(behind, target, &Mark::to_source, &Mark::from_target)) ||
            met;
    }
    // A side without further edges has been searched wholly.
    beyond_target_ = ahead.edges == 0 ? kNone : ahead.hops + 1;
    beyond_source_ = behind.edges == 0 ? kNone : behind.hops + 1;
    return met;
  }

  struct Side {
    const OrderedRows<Less>& rows;
    std::vector<VertexId> outermost;
    std::size_t edges = 0;  // of the outermost vertices
    int hops = 0;
  };

  // Searches one hop further; never beyond `end`. Returns whether a vertex is now on both sides.
  bool Widen(Side& side, VertexId end, std::uint8_t Mark::*mine, std::uint8_t Mark::*other) {
    const bool is_ahead = &side.rows == &out_;
    bool met = false;
    std::vector<VertexId> next;
    ++side.hops;
    side.edges = 0;
    for (const VertexId v : side.outermost) {
      for (const VertexId u : side.rows.row(v)) {
        Mark& mark = MarkOf(u);
        if (mark.*mine != kNone) continue;
        if (!(is_ahead ? IsAllowed(v, u) : IsAllowed(u, v))) continue;
        mark.*mine = static_cast<std::uint8_t>(side.hops);
        met = met || mark.*other != kNone;
        if (u == end) continue;
        next.push_back(u);
        side.edges += side.rows.row(u).size();
      }
    }
    side.outermost.swap(next);
    return met;
  }

  bool MayPassAll() {
    return std::ranges::all_of(goal_.passes, [&](VertexId v) {
      if (v >= marks_.size()) return false;
      const Mark& mark = MarkOf(v);
      const int from = mark.from_target == kNone ? beyond_target_ : mark.from_target;
      return v == source_ || from + ToSource(mark) <= hops_;
    });
  }

  // Counts steps. Returns true, and says so in the findings, if there are no more.
  bool Spend(std::uint64_t steps) {
    found_.steps += steps;
    found_.is_cut = found_.is_cut || found_.steps > most_steps_;
    return found_.is_cut;
  }

  // Continues the path, which has `length` hops, with v. Returns the least number of hops of a path
  // from v to the source that was found, or kNone.
  int Extend(VertexId v, int length) {
    MarkOf(v).is_on_path = true;
    path_.push_back(v);
    int least = kNone;
    for (const VertexId u : out_.row(v)) {
      if (Spend(1)) break;
      if (u == source_) {
        if (!IsAllowed(v, u)) continue;
        least = 1;
        Report();
        continue;
      }
      const Mark& mark = MarkOf(u);
      if (mark.is_on_path || length + 1 + ToSource(mark) > hops_ || !IsAllowed(v, u)) continue;
      least = std::min(least, Extend(u, length + 1) + 1);
      if (found_.is_cut) break;
    }
    least = std::min(least, kNone);
    path_.pop_back();
    Mark& mark = MarkOf(v);
    mark.is_on_path = false;
    if (least == kNone) {
      mark.to_source = static_cast<std::uint8_t>(std::max(ToSource(mark), hops_ - length + 1));
    } else {
      mark.to_source = static_cast<std::uint8_t>(std::min(ToSource(mark), least));
      LowerBefore(v);
    }
    return least;
  }

  // v has left the path, or its bound has fallen: the vertices before it are at most a hop further.
  void LowerBefore(VertexId v) {
    const int hops = ToSource(MarkOf(v)) + 1;
    if (hops > hops_) return;
    const std::span<const VertexId> row = in_.row(v);
    if (Spend(row.size())) return;
    for (const VertexId u : row) {
      Mark& mark = MarkOf(u);
      if (mark.is_on_path || ToSource(mark) <= hops || !IsAllowed(u, v)) continue;
      mark.to_source = static_cast<std::uint8_t>(hops);
      LowerBefore(u);
    }
  }

  void Report() {
    const auto passes = [&](VertexId v) {
      return v == source_ || std::ranges::find(path_, v) != path_.end();
    };
    if (!std::ranges::all_of(goal_.passes, passes)) return;
    ++found_.by_length[path_.size() + 1];
    if (found_.first.size() == listed_) return;
    std::vector<VertexId>& cycle = found_.first.emplace_back();
    cycle.reserve(path_.size() + 1);
    cycle.push_back(source_);
    cycle.insert(cycle.end(), path_.begin(), path_.end());
  }

  const OrderedRows<Less>& out_;
  const OrderedRows<Less>& in_;
  const EnteredEdges& entered_;
  Goal goal_;
  std::vector<Mark> marks_;  // by id
  std::uint32_t epoch_ = 0;
  std::vector<VertexId> path_;

  // of one call of Find()
  std::size_t place_ = 0;
  VertexId source_ = kNoVertex;
  int hops_ = 0;  // the greatest number between the target and the source
  int beyond_target_ = 0;
  int beyond_source_ = 0;
  std::uint64_t most_steps_ = 0;
  std::size_t listed_ = 0;
  CyclesOfEdge found_;
};

}  // namespace sash

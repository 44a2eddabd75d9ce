// TimedCycleSearch: finds the simple directed cycles in time order that one edge closes, up to a
// length: from the edge after it on, no edge is older than the edge before it, and the closing
// edge is the newest. Of several edges of a pair, any may be taken.
//
// The path from the target of the closing edge to its source is searched from both ends, one hop at
// a time, always at the side with fewer pairs. Ahead, each vertex gets the earliest date at which a
// path can be there; behind, the latest date at which a path must go on. If no vertex has both in
// this order, as is mostly so, there is no cycle. Otherwise a depth-first search takes the earliest
// edge of each pair, which leaves most room for what follows, and enters a vertex only if it can
// still go on in time.
//
// Source: earliest arrival and latest departure, Wu et al.: Path problems in temporal graphs
// (PVLDB 7, 2014); cycles of edges in time order, Kumar and Calders: 2SCENT (PVLDB 11, 2018).
//
// Thread safety: one thread at a time. Takes 20 bytes an id.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/cycle_search.h"
#include "windows/kernels/dated_pairs.h"

namespace sash {

// Invariants
//   (1) `earliest` of a vertex that ahead has seen: no path of at most ahead_.hops hops from the
//       target is there before that date; and `latest` likewise behind.
//   (2) A mark of another epoch has not been set.
class TimedCycleSearch {
 public:
  using PairNumber = DatedRows::PairNumber;

  struct Goal {
    int longest = kLongestCycle;       // edges of a cycle
    Date since = 0;                    // the closing edge is not older
    std::span<const VertexId> passes;  // every cycle has all of them
  };

  // `closing`: the pairs with an edge that is not older than goal.since, ascending.
  TimedCycleSearch(const DatedRows& rows, std::span<const PairNumber> closing, const Goal& goal)
      : rows_(rows), closing_(closing), goal_(goal), marks_(rows.id_limit()) {}

  // The cycles that the newest edge of closing[place] closes, without those that a pair before it
  // closes. `most_steps` bounds the search; of the cycles, the first `listed` are kept. They begin
  // with the target of the closing edge and end with its source.
  CyclesOfEdge Find(std::size_t place, std::uint64_t most_steps, std::size_t listed) {
    closed_by_ = closing_[place];
    source_ = rows_.pair(closed_by_).source;
    until_ = rows_.Newest(closed_by_);
    most_steps_ = most_steps;
    listed_ = listed;
    found_ = {};
    hops_ = goal_.longest - 1;
    const VertexId target = rows_.pair(closed_by_).target;
    if (Meets(target)) Extend(target, 0, 0);
    return std::move(found_);
  }

 private:
  static constexpr std::uint8_t kNone = kLongestCycle + 1;  // more hops than any path has

  struct Mark {
    std::uint32_t epoch = 0;
    Date earliest = 0;                 // if from_target is not kNone
    Date latest = 0;                   // if to_source is not kNone
    std::uint8_t from_target = kNone;  // at least so many hops
    std::uint8_t to_source = kNone;
    std::uint8_t queued_ahead = 0;  // the hop in which it was queued last
    std::uint8_t queued_behind = 0;
    bool is_on_path = false;
  };

  struct Side {
    std::vector<VertexId> outermost;
    std::vector<VertexId> seen;
    std::size_t pairs = 0;  // of the outermost vertices
    int hops = 0;
    bool is_whole() const { return pairs == 0; }  // nothing lies further away
  };

  Mark& MarkOf(VertexId v) {
    Mark& mark = marks_[v];
    if (mark.epoch != epoch_) mark = {.epoch = epoch_};
    return mark;
  }

  // Counts steps. Returns true, and says so in the findings, if there are no more.
  bool Spend(std::uint64_t steps) {
    found_.steps += steps;
    found_.is_cut = found_.is_cut || found_.steps > most_steps_;
    return found_.is_cut;
  }

  // Searches both sides until they have all hops together. Returns whether a path may lead from
  // one to the other.
  bool Meets(VertexId target) {
    if (++epoch_ == 0) {  // after 2^32 searches
      std::ranges::fill(marks_, Mark{});
      epoch_ = 1;
    }
    Mark& first = MarkOf(target);
    first.from_target = 0;
    first.earliest = 0;
    Mark& last = MarkOf(source_);
    last.to_source = 0;
    last.latest = until_;
    ahead_ = {{target}, {target}, rows_.OutDegree(target)};
    behind_ = {{source_}, {source_}, rows_.InDegree(source_)};
    while (ahead_.hops + behind_.hops < hops_ && !ahead_.is_whole() && !behind_.is_whole()) {
      const bool is_ahead = ahead_.pairs <= behind_.pairs;
      if (Spend((is_ahead ? ahead_ : behind_).pairs)) return false;
      if (is_ahead) {
        WidenAhead();
      } else {
        WidenBehind(target);
      }
    }
    const Side& fewer = ahead_.seen.size() <= behind_.seen.size() ? ahead_ : behind_;
    return std::ranges::any_of(fewer.seen, [&](VertexId v) {
      const Mark& mark = MarkOf(v);
      return mark.from_target != kNone && mark.to_source != kNone && mark.earliest <= mark.latest &&
             mark.from_target + mark.to_source <= hops_;
    });
  }

  // One hop further; never beyond the source.
  void WidenAhead() {
    std::vector<VertexId> next;
    ++ahead_.hops;
    ahead_.pairs = 0;
    for (const VertexId v : ahead_.outermost) {
      const Date from = MarkOf(v).earliest;
      const auto [first, end] = rows_.Out(v);
      for (PairNumber pair = first; pair < end; ++pair) {
        const VertexId u = rows_.pair(pair).target;
        const std::optional<Date> date = rows_.FirstFrom(pair, from);
        if (!date || *date > until_) continue;
        Mark& mark = MarkOf(u);
        if (mark.from_target == kNone) {
          mark.from_target = static_cast<std::uint8_t>(ahead_.hops);
          ahead_.seen.push_back(u);
        } else if (mark.earliest <= *date) {
          continue;
        }
        mark.earliest = *date;
        if (u == source_ || mark.queued_ahead == ahead_.hops) continue;
        mark.queued_ahead = static_cast<std::uint8_t>(ahead_.hops);
        next.push_back(u);
        ahead_.pairs += rows_.OutDegree(u);
      }
    }
    ahead_.outermost.swap(next);
  }

  // One hop further; never beyond the target.
  void WidenBehind(VertexId target) {
    std::vector<VertexId> next;
    ++behind_.hops;
    behind_.pairs = 0;
    for (const VertexId v : behind_.outermost) {
      const Date until = MarkOf(v).latest;
      for (const PairNumber pair : rows_.In(v)) {
        const VertexId u = rows_.pair(pair).source;
        const std::optional<Date> date = rows_.LastUntil(pair, until);
        if (!date) continue;
        Mark& mark = MarkOf(u);
        if (mark.to_source == kNone) {
          mark.to_source = static_cast<std::uint8_t>(behind_.hops);
          behind_.seen.push_back(u);
        } else if (mark.latest >= *date) {
          continue;
        }
        mark.latest = *date;
        if (u == target || mark.queued_behind == behind_.hops) continue;
        mark.queued_behind = static_cast<std::uint8_t>(behind_.hops);
        next.push_back(u);
        behind_.pairs += rows_.InDegree(u);
      }
    }
    behind_.outermost.swap(next);
  }

  // Whether a path that is at a vertex on `date` may reach the source in `hops` more hops.
  bool MayReachSource(const Mark& mark, Date date, int hops) const {
    const bool knows_all = behind_.is_whole() || hops <= behind_.hops;
    if (mark.to_source == kNone) return !knows_all;
    return mark.to_source <= hops && (!knows_all || date <= mark.latest);
  }

  // Continues the path, which has `length` hops, with v, where it is on `date`.
  void Extend(VertexId v, int length, Date date) {
    MarkOf(v).is_on_path = true;
    const auto [first, end] = rows_.Out(v);
    for (PairNumber pair = first; pair < end && !Spend(1); ++pair) {
      const VertexId u = rows_.pair(pair).target;
      const std::optional<Date> then = rows_.FirstFrom(pair, date);
      if (!then || *then > until_) continue;
      const bool closes = u == source_;
      const Mark& mark = MarkOf(u);
      const int hops_left = hops_ - length - 1;
      if (!closes &&
          (hops_left < 1 || mark.is_on_path || !MayReachSource(mark, *then, hops_left))) {
        continue;
      }
      path_.push_back(pair);
      if (closes) {
        Report();
      } else {
        Extend(u, length + 1, *then);
      }
      path_.pop_back();
    }
    MarkOf(v).is_on_path = false;
  }

  void Report() {
    path_.push_back(closed_by_);
    if (PassesAll() && IsFoundFirst() && !found_.is_cut) {
      ++found_.by_length[path_.size()];
      if (found_.first.size() < listed_) {
        std::vector<VertexId>& cycle = found_.first.emplace_back();
        for (const PairNumber pair : path_) cycle.push_back(rows_.pair(pair).source);
      }
    }
    path_.pop_back();
  }

  bool PassesAll() const {
    return std::ranges::all_of(goal_.passes, [&](VertexId v) {
      return std::ranges::any_of(path_,
                                 [&](PairNumber pair) { return rows_.pair(pair).source == v; });
    });
  }

  // Whether no pair of the cycle that comes before the closing one closes it too.
  bool IsFoundFirst() {
    for (std::size_t last = 0; last + 1 < path_.size(); ++last) {
      if (path_[last] >= closed_by_ || rows_.Newest(path_[last]) < goal_.since) continue;
      if (Spend(path_.size()) || IsInOrderUntil(last)) return false;
    }
    return true;
  }

  // Whether the cycle is in time order when path_[last] closes it.
  bool IsInOrderUntil(std::size_t last) const {
    Date date = 0;
    for (std::size_t i = 1; i < path_.size(); ++i) {
      const std::optional<Date> then = rows_.FirstFrom(path_[(last + i) % path_.size()], date);
      if (!then) return false;
      date = *then;
    }
    return date <= rows_.Newest(path_[last]);
  }

  const DatedRows& rows_;
  const std::span<const PairNumber> closing_;
  const Goal goal_;
  std::vector<Mark> marks_;  // by id
  std::uint32_t epoch_ = 0;
  std::vector<PairNumber> path_;

  // of one call of Find()
  PairNumber closed_by_ = 0;
  VertexId source_ = kNoVertex;
  Date until_ = 0;  // of the closing edge
  int hops_ = 0;    // the greatest number between the target and the source
  Side ahead_;
  Side behind_;
  std::uint64_t most_steps_ = 0;
  std::size_t listed_ = 0;
  CyclesOfEdge found_;
};

}  // namespace sash

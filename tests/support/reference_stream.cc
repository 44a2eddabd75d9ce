#include "tests/support/reference_stream.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace sash::testing {
namespace {

std::int64_t FloorTo(std::int64_t value, std::int64_t step) {
  std::int64_t floor = value / step * step;
  if (floor > value) floor -= step;
  return floor;
}

// The first end of the window after `position`.
std::int64_t FirstEnd(std::int64_t position, const WindowSpec& spec) {
  return FloorTo(position - spec.offset, spec.slide) + spec.slide + spec.offset;
}

struct ReferenceSlice {
  std::vector<ScriptRecord> events;
  std::vector<ScriptRecord> counted;  // without duplicates, in the order of effect
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::uint64_t accepted = 0;
  bool on_time = false;  // has an event that was not late
  std::vector<ScriptRecord> on_time_events;
};

struct Assigned {
  std::map<std::int64_t, ReferenceSlice> slices;  // by begin
  std::optional<std::int64_t> first;              // positions of on-time events
  std::optional<std::int64_t> last;
};

// What was counted in a pane without events belongs to the next slice with an on-time event.
void MoveCounts(std::map<std::int64_t, ReferenceSlice>& slices) {
  ReferenceSlice moved;
  for (auto at = slices.begin(); at != slices.end();) {
    ReferenceSlice& slice = at->second;
    if (slice.events.empty()) {
      moved.late += slice.late;
      moved.refused += slice.refused;
      at = slices.erase(at);
      continue;
    }
    if (slice.on_time) {
      slice.late += std::exchange(moved.late, 0);
      slice.refused += std::exchange(moved.refused, 0);
    }
    ++at;
  }
}

std::vector<ScriptRecord> InOrderOfEffect(std::vector<ScriptRecord> events) {
  std::ranges::sort(events, std::less<>(), [](const ScriptRecord& event) {
    return std::tuple(event.time, event.partition, event.offset, event.place);
  });
  return events;
}

// An edge is a duplicate if any edge before it, of another record, with its id, counted and is at
// most `within` before it. A late edge that was moved to a slice has the time at which it begins.
void FindDuplicates(std::int64_t within, std::map<std::int64_t, ReferenceSlice>& slices) {
  struct Counted {
    ScriptRecord event;
    std::int64_t time;
  };
  std::vector<Counted> all;
  for (auto& [begin, slice] : slices) {
    for (const ScriptRecord& event : InOrderOfEffect(slice.events)) {
      const std::int64_t time = std::max(event.time, begin);
      const bool is_duplicate =
          within > 0 && event.id != 0 && std::ranges::any_of(all, [&](const Counted& other) {
            const bool same_record =
                other.event.partition == event.partition && other.event.offset == event.offset;
            return other.event.id == event.id && !same_record && time - other.time <= within;
          });
      if (is_duplicate) continue;
      slice.counted.push_back(event);
      if (event.id != 0) all.push_back({event, time});
    }
  }
}

Assigned AssignToSlices(const std::vector<ScriptRecord>& records, const WindowSpec& spec,
                        std::int64_t pane, const TimePolicy& policy) {
  Assigned assigned;
  std::map<std::uint32_t, std::int64_t> newest;
  std::map<std::uint32_t, std::int64_t> newest_position;
  std::vector<std::pair<bool, std::uint32_t>> before_first;  // counted late?, partition
  std::uint64_t accepted = 0;
  const auto count = [&](std::uint32_t partition, bool late) {
    if (!newest_position.contains(partition)) {
      before_first.emplace_back(late, partition);
      return;
    }
    ReferenceSlice& slice = assigned.slices[FloorTo(newest_position[partition], pane)];
    ++(late ? slice.late : slice.refused);
  };
  const bool by_time = spec.by == WindowAxis::kEventTime;
  // The newest time and position of the record that is being read, and its late edges. They count
  // once it has ended: its edges are not late for each other.
  std::optional<std::int64_t> newest_here;
  std::optional<std::int64_t> position_here;
  int late_here = 0;
  const auto settle = [&](std::size_t i) {
    if (WholeRecords(records, i + 1) != i + 1) return;
    const std::uint32_t partition = records[i].partition;
    if (newest_here) {
      const auto known = newest.try_emplace(partition, *newest_here).first;
      known->second = std::max(known->second, *newest_here);
      const auto place = newest_position.try_emplace(partition, *position_here).first;
      place->second = std::max(place->second, *position_here);
    }
    for (; late_here > 0; --late_here) count(partition, true);
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    const ScriptRecord& record = records[i];
    if (record.place == 0) {
      newest_here.reset();
      position_here.reset();
    }
    if (record.refused) {
      count(record.partition, false);
      continue;
    }
    if (record.filtered) {
      const auto known = newest.try_emplace(record.partition, record.time).first;
      known->second = std::max(known->second, record.time);
      if (by_time) newest_position[record.partition] = known->second;
      continue;
    }
    std::int64_t position = by_time ? record.time : static_cast<std::int64_t>(accepted);
    if (by_time && newest.contains(record.partition)) {
      const std::int64_t passed = newest[record.partition] - policy.disorder.count();
      if (FloorTo(record.time, pane) + pane <= passed) {
        ++late_here;
        if (policy.late == LatePolicy::kNextSlice) {
          ReferenceSlice& slice = assigned.slices[FloorTo(passed, pane)];
          slice.events.push_back(record);
          slice.accepted = ++accepted;
        }
        settle(i);
        continue;
      }
    }
    ReferenceSlice& slice = assigned.slices[FloorTo(position, pane)];
    slice.events.push_back(record);
    slice.accepted = ++accepted;
    slice.on_time = true;
    slice.on_time_events.push_back(record);
    assigned.first = std::min(assigned.first.value_or(position), position);
    assigned.last = std::max(assigned.last.value_or(position), position);
    newest_here = std::max(newest_here.value_or(record.time), record.time);
    position_here = std::max(position_here.value_or(position), position);
    settle(i);
  }
  if (assigned.first) {
    ReferenceSlice& first = assigned.slices[FloorTo(*assigned.first, pane)];
    for (const auto& [late, partition] : before_first) ++(late ? first.late : first.refused);
  }
  MoveCounts(assigned.slices);
  FindDuplicates(policy.dedupe_within.count(), assigned.slices);
  return assigned;
}

// Whether the edges of different types of a pair are different edges.
bool IsByType(const WindowSpec& spec) {
  return spec.duplicates == DuplicatesPolicy::kKeep || spec.identity == EdgeIdentity::kPairAndType;
}

void Apply(const ScriptRecord& event, const WindowSpec& spec, std::vector<ScriptRecord>& copies) {
  const auto is_pair = [&](const ScriptRecord& copy) {
    return copy.source == event.source && copy.target == event.target;
  };
  const auto is_of_type = [&](const ScriptRecord& copy) {
    return is_pair(copy) && (!IsByType(spec) || copy.type == event.type);
  };
  switch (event.operation) {
    case Operation::kRemove:
      std::erase_if(copies, [&](const ScriptRecord& copy) {
        return event.type == 0 ? is_pair(copy) : is_of_type(copy);
      });
      return;
    case Operation::kRemoveVertex:
      std::erase_if(copies, [&](const ScriptRecord& copy) {
        return copy.source == event.source || copy.target == event.source;
      });
      return;
    case Operation::kAdd:
      break;
  }
  if (spec.duplicates == DuplicatesPolicy::kDrop) std::erase_if(copies, is_of_type);
  copies.push_back(event);
}

std::vector<ListedEdge> List(const std::vector<ScriptRecord>& copies, const WindowSpec& spec) {
  std::vector<ListedEdge> edges;
  if (spec.duplicates != DuplicatesPolicy::kWeigh) {
    for (const ScriptRecord& copy : copies) {
      edges.push_back({copy.source, copy.target, copy.weight, copy.type});
    }
  } else {
    struct Sum {
      WeightSum weight;
      std::uint64_t type = 0;  // of the newest copy
    };
    std::map<std::tuple<std::int64_t, std::int64_t, std::uint64_t>, Sum> sums;
    for (const ScriptRecord& copy : copies) {
      Sum& sum = sums[{copy.source, copy.target, IsByType(spec) ? copy.type : 0}];
      sum.weight.Add(copy.weight);
      sum.type = copy.type;
    }
    for (const auto& [edge, sum] : sums) {
      edges.push_back({std::get<0>(edge), std::get<1>(edge), sum.weight.Total(), sum.type});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::min();

// Computes the windows of one spec, one end after another.
class Walk {
 public:
  Walk(const Assigned& assigned, const WindowSpec& spec, std::int64_t pane,
       const std::optional<Joining>& joining)
      : assigned_(assigned), spec_(spec), pane_(pane), begun_(Begun(assigned, spec)) {
    next_end_ = FirstEnd(*assigned.first, spec);
    if (!joining) return;
    joined_closed_ = joining->closed;
    next_end_ = FirstEnd(joining->closed, spec);
    have_from_ = joining->have_from;
    if (spec.length) have_from_ = std::max(have_from_, next_end_ - *spec.length);
    held_from_ = have_from_;
    asleep_ = !EventsIn(have_from_, joining->closed);
    if (!joining->before) return;
    asleep_ = asleep_ && joining->before->asleep;
    in_silence_ = joining->before->in_silence;
  }

  // Computes every window that ends at or before `last_end`.
  void Until(std::int64_t last_end) {
    for (; next_end_ <= last_end; next_end_ += spec_.slide) {
      std::tie(asleep_, held_from_) = Passed(next_end_);
      if (asleep_) continue;
      if (spec_.length) held_from_ = std::max(held_from_, next_end_ - *spec_.length);
      ExpectedWindow window = WindowAt(next_end_);
      const bool empty = window.edges.empty();
      const bool suppressed = empty && (in_silence_ || spec_.empty_windows == EmptyWindows::kSkip);
      in_silence_ = empty;
      asleep_ = empty;
      if (!suppressed) windows_.push_back(std::move(window));
    }
  }

  std::vector<ExpectedWindow>& windows() { return windows_; }
  // REQUIRES: Until(closed) was called.
  Standing StandingAt(std::int64_t closed) const {
    const auto [asleep, held_from] = Passed(closed);
    return {held_from, asleep, in_silence_};
  }

 private:
  // The begin of the first slice with an on-time event that the window shows.
  static std::int64_t Begun(const Assigned& assigned, const WindowSpec& spec) {
    for (const auto& [begin, slice] : assigned.slices) {
      if (Shows(slice.on_time_events, spec)) return begin;
    }
    return std::numeric_limits<std::int64_t>::max();
  }
  static bool Shows(const std::vector<ScriptRecord>& events, const WindowSpec& spec) {
    return std::ranges::any_of(
        events, [&](const ScriptRecord& event) { return PassesFilter(event, spec.where); });
  }

  // Whether the window sleeps, and the begin of its oldest slice, when the slices of its next end
  // have closed up to `closed`. A slice that shows nothing, because it holds only duplicates, lets
  // it age while it sleeps. Slices that closed before it joined and are not available do not wake
  // it.
  std::tuple<bool, std::int64_t> Passed(std::int64_t closed) const {
    bool asleep = asleep_;
    std::int64_t held_from = held_from_;
    const std::int64_t from = std::max({have_from_, next_end_ - spec_.slide, begun_});
    for (const auto& [begin, slice] : assigned_.slices) {
      if (!asleep || begin < from || begin >= closed) continue;
      asleep = !Shows(slice.counted, spec_);
      if (asleep && spec_.length) held_from = std::max(held_from, next_end_ - *spec_.length);
    }
    return {asleep, held_from};
  }

  // Whether a slice with events that the window shows begins in [begin, end), and not before the
  // stream began.
  bool EventsIn(std::int64_t begin, std::int64_t end) const {
    for (const auto& [slice_begin, slice] : assigned_.slices) {
      if (slice_begin >= std::max(begin, begun_) && slice_begin < end &&
          Shows(slice.counted, spec_)) {
        return true;
      }
    }
    return false;
  }

  // `end` while it has no slice.
  std::int64_t LandmarkStart(std::int64_t end) const {
    const auto first = assigned_.slices.lower_bound(std::max(have_from_, begun_));
    return first == assigned_.slices.end() ? end : std::min(first->first, end);
  }

  bool Lacks(std::int64_t start) const {
    for (const auto& [begin, slice] : assigned_.slices) {
      const bool not_had = begin + pane_ <= joined_closed_ && begin < have_from_;
      if (not_had && (!spec_.length || begin + pane_ > start)) return true;
    }
    return false;
  }

  ExpectedWindow WindowAt(std::int64_t end) const {
    ExpectedWindow window;
    window.start = spec_.length ? end - *spec_.length : LandmarkStart(end);
    window.end = end;
    window.axis_end = end;
    window.gap = Lacks(window.start);
    std::vector<ScriptRecord> copies;
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> greatest;
    for (const auto& [begin, slice] : assigned_.slices) {
      if (begin < have_from_ || begin >= end) continue;
      if (spec_.length && begin < end - *spec_.length) continue;
      window.late += slice.late;
      window.refused += slice.refused;
      window.accepted = std::max(window.accepted, slice.accepted);
      for (const ScriptRecord& event : slice.events) {
        const auto [span, added] =
            window.offsets.try_emplace(event.partition, event.offset, event.offset);
        span->second.first = std::min(span->second.first, event.offset);
        span->second.second = std::max(span->second.second, event.offset);
        least = std::min(least.value_or(event.time), event.time);
        greatest = std::max(greatest.value_or(event.time), event.time);
      }
      for (const ScriptRecord& event : slice.counted) {
        if (PassesFilter(event, spec_.where)) Apply(event, spec_, copies);
      }
    }
    if (spec_.by == WindowAxis::kEvents) {
      window.start = least.value_or(0);
      window.end = greatest.value_or(0);
    }
    window.edges = List(copies, spec_);
    return window;
  }

  const Assigned& assigned_;
  const WindowSpec& spec_;
  const std::int64_t pane_;
  const std::int64_t begun_;
  std::int64_t next_end_ = 0;
  std::int64_t joined_closed_ = kForever;
  std::int64_t have_from_ = kForever;
  std::int64_t held_from_ = kForever;
  bool asleep_ = true;
  bool in_silence_ = false;
  std::vector<ExpectedWindow> windows_;
};

}  // namespace

std::vector<ExpectedWindow> ExpectedWindows(const std::vector<ScriptRecord>& records,
                                            const WindowSpec& spec, std::int64_t pane,
                                            const TimePolicy& policy,
                                            const std::optional<Joining>& joining) {
  const Assigned assigned = AssignToSlices(records, spec, pane, policy);
  if (!assigned.first) return {};
  Walk walk(assigned, spec, pane, joining);
  walk.Until(FirstEnd(*assigned.last, spec));
  return std::move(walk.windows());
}

Standing StandingAt(const std::vector<ScriptRecord>& records, const WindowSpec& spec,
                    std::int64_t pane, const TimePolicy& policy,
                    const std::optional<Joining>& joining, std::int64_t closed) {
  const Assigned assigned = AssignToSlices(records, spec, pane, policy);
  if (!assigned.first) return {.held_from = kForever};
  Walk walk(assigned, spec, pane, joining);
  walk.Until(closed);
  return walk.StandingAt(closed);
}

}  // namespace sash::testing

#include "tests/support/reference_stream.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sash::testing {
namespace {

std::int64_t FloorTo(std::int64_t value, std::int64_t step) {
  std::int64_t floor = value / step * step;
  if (floor > value) floor -= step;
  return floor;
}

struct ReferenceSlice {
  std::vector<ScriptRecord> events;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::uint64_t accepted = 0;
};

struct Assigned {
  std::map<std::int64_t, ReferenceSlice> slices;  // by begin
  std::optional<std::int64_t> first;              // positions of on-time events
  std::optional<std::int64_t> last;
};

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
  for (const ScriptRecord& record : records) {
    if (record.refused) {
      count(record.partition, false);
      continue;
    }
    const bool by_time = spec.by == WindowAxis::kEventTime;
    std::int64_t position = by_time ? record.time : static_cast<std::int64_t>(accepted);
    if (by_time && newest.contains(record.partition)) {
      const std::int64_t passed = newest[record.partition] - policy.disorder.count();
      if (FloorTo(record.time, pane) + pane <= passed) {
        count(record.partition, true);
        if (policy.late == LatePolicy::kNextSlice) {
          ReferenceSlice& slice = assigned.slices[FloorTo(passed, pane)];
          slice.events.push_back(record);
          slice.accepted = ++accepted;
        }
        continue;
      }
    }
    ReferenceSlice& slice = assigned.slices[FloorTo(position, pane)];
    slice.events.push_back(record);
    slice.accepted = ++accepted;
    assigned.first = std::min(assigned.first.value_or(position), position);
    assigned.last = std::max(assigned.last.value_or(position), position);
    const auto known = newest.find(record.partition);
    if (known == newest.end() || record.time > known->second) newest[record.partition] = record.time;
    const auto place = newest_position.find(record.partition);
    if (place == newest_position.end() || position > place->second) {
      newest_position[record.partition] = position;
    }
  }
  if (assigned.first) {
    ReferenceSlice& first = assigned.slices[FloorTo(*assigned.first, pane)];
    for (const auto& [late, partition] : before_first) ++(late ? first.late : first.refused);
  }
  return assigned;
}

void Apply(const ScriptRecord& event, DuplicatesPolicy duplicates, std::vector<ScriptRecord>& copies) {
  const auto is_pair = [&](const ScriptRecord& copy) {
    return copy.source == event.source && copy.target == event.target;
  };
  switch (event.operation) {
    case Operation::kRemove: std::erase_if(copies, is_pair); return;
    case Operation::kRemoveVertex:
      std::erase_if(copies, [&](const ScriptRecord& copy) {
        return copy.source == event.source || copy.target == event.source;
      });
      return;
    case Operation::kAdd: break;
  }
  if (duplicates == DuplicatesPolicy::kDrop) std::erase_if(copies, is_pair);
  copies.push_back(event);
}

std::vector<ListedEdge> List(const std::vector<ScriptRecord>& copies, DuplicatesPolicy duplicates) {
  std::vector<ListedEdge> edges;
  if (duplicates != DuplicatesPolicy::kWeigh) {
    for (const ScriptRecord& copy : copies) {
      edges.push_back({copy.source, copy.target, copy.weight});
    }
  } else {
    std::map<std::pair<std::int64_t, std::int64_t>, WeightSum> sums;
    for (const ScriptRecord& copy : copies) sums[{copy.source, copy.target}].Add(copy.weight);
    for (const auto& [pair, sum] : sums) edges.push_back({pair.first, pair.second, sum.Total()});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

ExpectedWindow WindowAt(std::int64_t end, const Assigned& assigned, const WindowSpec& spec,
                        std::int64_t pane) {
  ExpectedWindow window;
  window.start = spec.length ? end - *spec.length : FloorTo(*assigned.first, pane);
  window.end = end;
  std::vector<ScriptRecord> copies;
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> greatest;
  for (const auto& [begin, slice] : assigned.slices) {
    if (begin >= end || (spec.length && begin < end - *spec.length)) continue;
    window.late += slice.late;
    window.refused += slice.refused;
    window.accepted = std::max(window.accepted, slice.accepted);
    std::vector<ScriptRecord> events = slice.events;
    std::ranges::sort(events, std::less<>(), [](const ScriptRecord& event) {
      return std::tuple(event.time, event.partition, event.offset);
    });
    for (const ScriptRecord& event : events) {
      const auto [span, added] =
          window.offsets.try_emplace(event.partition, event.offset, event.offset);
      span->second.first = std::min(span->second.first, event.offset);
      span->second.second = std::max(span->second.second, event.offset);
      least = std::min(least.value_or(event.time), event.time);
      greatest = std::max(greatest.value_or(event.time), event.time);
      Apply(event, spec.duplicates, copies);
    }
  }
  if (spec.by == WindowAxis::kEvents) {
    window.start = least.value_or(0);
    window.end = greatest.value_or(0);
  }
  window.edges = List(copies, spec.duplicates);
  return window;
}

}  // namespace

std::vector<ExpectedWindow> ExpectedWindows(const std::vector<ScriptRecord>& records,
                                            const WindowSpec& spec, std::int64_t pane,
                                            const TimePolicy& policy) {
  std::vector<ExpectedWindow> windows;
  const Assigned assigned = AssignToSlices(records, spec, pane, policy);
  if (!assigned.first) return windows;
  const std::int64_t first_end = FloorTo(*assigned.first, spec.slide) + spec.slide;
  const std::int64_t last_end = FloorTo(*assigned.last, spec.slide) + spec.slide;
  bool in_silence = false;
  for (std::int64_t end = first_end; end <= last_end; end += spec.slide) {
    ExpectedWindow window = WindowAt(end, assigned, spec, pane);
    const bool empty = window.edges.empty();
    const bool suppressed = empty && (in_silence || spec.empty_windows == EmptyWindows::kSkip);
    in_silence = empty;
    if (!suppressed) windows.push_back(std::move(window));
  }
  return windows;
}

}  // namespace sash::testing

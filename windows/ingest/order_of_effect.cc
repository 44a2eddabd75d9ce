#include "windows/ingest/order_of_effect.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "windows/base/radix_sort.h"

namespace sash {
namespace {

using Edge = PartitionLog::Edge;

struct RemarkedEdge {
  EventTime time;
  VertexId source;
  VertexId target;
  Weight weight;
  Operation operation;
};

struct FilteredEdge : RemarkedEdge {
  FilterBits passes;
};

// Writes the columns of a slice, event by event.
class Columns {
 public:
  Columns(std::size_t size, WeightColumn::Kind weights, bool only_adds, bool has_passes,
          Slice& slice)
      : slice_(slice) {
    slice.sources.resize(size);
    slice.targets.resize(size);
    if (!only_adds) slice.operations.resize(size);
    slice.weights = WeightColumn(size, weights);
    if (has_passes) slice.passes.resize(size);
  }

  void Write(const Edge& edge) {
    slice_.sources[next_] = edge.source;
    slice_.targets[next_++] = edge.target;
  }
  void Write(const RemarkedEdge& event) {
    slice_.sources[next_] = event.source;
    slice_.targets[next_] = event.target;
    if (!slice_.operations.empty()) slice_.operations[next_] = event.operation;
    slice_.weights.Set(next_++, event.weight);
  }
  void Write(const FilteredEdge& event) {
    slice_.passes[next_] = event.passes;
    Write(static_cast<const RemarkedEdge&>(event));
  }

 private:
  Slice& slice_;
  std::size_t next_ = 0;
};

// Calls take(event) for the events of a log, as Edge, RemarkedEdge or FilteredEdge.
template <typename Event, typename Take>
void TakeAll(const PartitionLog& log, const Take& take) {
  if constexpr (std::is_same_v<Event, Edge>) {
    log.ForEachChunk([&](std::span<const Edge> edges) {
      for (const Edge& edge : edges) take(edge);
    });
  } else if constexpr (std::is_same_v<Event, FilteredEdge>) {
    log.ForEachWithPasses(
        [&](const Edge& edge, Weight weight, Operation operation, FilterBits passes) {
          take(Event{{edge.time, edge.source, edge.target, weight, operation}, passes});
        });
  } else {
    log.ForEach([&](const Edge& edge, Weight weight, Operation operation) {
      take(Event{edge.time, edge.source, edge.target, weight, operation});
    });
  }
}

// Calls take(event) for the events of two sorted runs in order; of events of equal times, those of
// the first run come first.
template <typename Event, typename Take>
void MergeRuns(std::span<const Event> a, std::span<const Event> b, const Take& take) {
  const Event* first = a.data();
  const Event* const first_end = first + a.size();
  const Event* second = b.data();
  const Event* const second_end = second + b.size();
  while (first != first_end && second != second_end) {
    // The processor cannot predict which event is next, so there is no branch on it.
    const bool is_second = second->time < first->time;
    take(*(is_second ? second : first));
    second += is_second ? 1 : 0;
    first += is_second ? 0 : 1;
  }
  for (; first != first_end; ++first) take(*first);
  for (; second != second_end; ++second) take(*second);
}

// Merges pairs of neighbouring runs until two are left, and merges these into the columns. Run i
// ends at ends[i].
template <typename Event>
void Merge(std::vector<Event> events, std::vector<std::size_t> ends, Columns& columns) {
  std::vector<Event> merged(ends.size() > 2 ? events.size() : 0);
  const auto run = [&](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span<const Event>(events).subspan(begin, ends[i] - begin);
  };
  while (ends.size() > 2) {
    Event* next = merged.data();
    const auto take = [&next](const Event& event) { *next++ = event; };
    std::vector<std::size_t> merged_ends;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      MergeRuns(run(i), i + 1 < ends.size() ? run(i + 1) : std::span<const Event>(), take);
      merged_ends.push_back(static_cast<std::size_t>(next - merged.data()));
    }
    events.swap(merged);
    ends = std::move(merged_ends);
  }
  MergeRuns(run(0), run(1), [&](const Event& event) { columns.Write(event); });
}

// With more runs than this, sorting is cheaper.
constexpr std::size_t kMostRuns = 16;

template <typename Event>
void Fill(std::span<const PartitionLog* const> logs, std::size_t size, Columns& columns) {
  bool is_sorted = true;
  bool is_each_sorted = true;
  EventTime latest = EventTime::min();
  EventTime earliest = EventTime::max();
  for (const PartitionLog* log : logs) {
    is_each_sorted = is_each_sorted && log->is_sorted();
    is_sorted = is_sorted && log->least_time() >= latest;
    latest = std::max(latest, log->greatest_time());
    earliest = std::min(earliest, log->least_time());
  }
  if (is_sorted && is_each_sorted) {
    for (const PartitionLog* log : logs) {
      TakeAll<Event>(*log, [&](const Event& event) { columns.Write(event); });
    }
    return;
  }
  std::vector<Event> events;
  events.reserve(size);
  std::vector<std::size_t> ends;
  for (const PartitionLog* log : logs) {
    TakeAll<Event>(*log, [&](const Event& event) { events.push_back(event); });
    ends.push_back(events.size());
  }
  if (is_each_sorted && ends.size() <= kMostRuns) {
    return Merge(std::move(events), std::move(ends), columns);
  }
  RadixSort(events, [&](const Event& event) {
    return static_cast<std::uint64_t>(event.time.time_since_epoch().count()) -
           static_cast<std::uint64_t>(earliest.time_since_epoch().count());
  });
  for (const Event& event : events) columns.Write(event);
}

}  // namespace

void FillInOrder(std::span<const PartitionLog* const> logs, Slice& slice) {
  auto weights = WeightColumn::Kind::kOnes;
  bool only_adds = true;
  bool has_passes = false;
  std::size_t size = 0;
  for (const PartitionLog* log : logs) {
    weights = std::max(weights, log->weights());
    only_adds = only_adds && log->only_adds();
    has_passes = has_passes || log->has_passes();
    size += log->size();
  }
  Columns columns(size, weights, only_adds, has_passes, slice);
  if (has_passes) {
    Fill<FilteredEdge>(logs, size, columns);
  } else if (only_adds && weights == WeightColumn::Kind::kOnes) {
    Fill<Edge>(logs, size, columns);
  } else {
    Fill<RemarkedEdge>(logs, size, columns);
  }
}

}  // namespace sash

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
  TypeNumber type;
};

struct FilteredEdge : RemarkedEdge {
  FilterBits passes;
};

struct IdentifiedEvent : FilteredEdge {
  EdgeId id;
  EventPlace place;
};

// What all logs have, taken together.
struct Contents {
  explicit Contents(std::span<const PartitionLog* const> logs) {
    for (const PartitionLog* log : logs) {
      weights = std::max(weights, log->weights());
      types = std::max(types, log->types());
      only_adds = only_adds && log->only_adds();
      has_passes = has_passes || log->has_passes();
      has_ids = has_ids || log->has_ids();
      size += log->size();
    }
  }

  bool has_types() const { return types != TypeWidth::kNone; }

  WeightColumn::Kind weights = WeightColumn::Kind::kOnes;
  TypeWidth types = TypeWidth::kNone;
  bool only_adds = true;
  bool has_passes = false;
  bool has_ids = false;
  std::size_t size = 0;
};

// Writes the columns of a slice, event by event.
class Columns {
 public:
  // For `size` events of logs with these contents.
  Columns(std::size_t size, const Contents& contents, Slice& slice) : slice_(slice) {
    slice.sources.resize(size);
    slice.targets.resize(size);
    if (!contents.only_adds) slice.operations.resize(size);
    slice.weights = WeightColumn(size, contents.weights);
    if (contents.has_passes) slice.passes.resize(size);
    slice.types = TypeColumn(size, contents.types);
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
    if (!slice_.passes.empty()) slice_.passes[next_] = event.passes;
    slice_.types.Set(next_, event.type);
    Write(static_cast<const RemarkedEdge&>(event));
  }

 private:
  Slice& slice_;
  std::size_t next_ = 0;
};

// Keeps the events that are not duplicates.
class CountedEvents {
 public:
  explicit CountedEvents(Deduplicator& deduplicator) : deduplicator_(deduplicator) {}

  void Write(const IdentifiedEvent& event) {
    if (!event.id.is_set() ||
        deduplicator_.Counts({event.id, event.time, event.place.offset, event.place.partition})) {
      kept.push_back(event);
    } else {
      duplicates.push_back({event.source, event.target, event.place});
    }
  }

  std::vector<FilteredEdge> kept;
  std::vector<DuplicateEdge> duplicates;

 private:
  Deduplicator& deduplicator_;
};

IdentifiedEvent Identified(const BufferedEvent& event) {
  return {{{event.time, event.source, event.target, event.weight, event.operation, event.type},
           event.passes},
          event.id,
          {event.partition, event.offset, event.edges_before}};
}

// Calls take(event) for the events of a log, as Edge, RemarkedEdge, FilteredEdge or
// IdentifiedEvent. A RemarkedEdge has no type.
template <typename Event, typename Take>
void TakeAll(const PartitionLog& log, const Take& take) {
  if constexpr (std::is_same_v<Event, Edge>) {
    log.ForEachChunk([&](std::span<const Edge> edges) {
      for (const Edge& edge : edges) take(edge);
    });
  } else if constexpr (std::is_same_v<Event, IdentifiedEvent>) {
    log.ForEachEvent([&](const BufferedEvent& event) { take(Identified(event)); });
  } else if constexpr (std::is_same_v<Event, FilteredEdge>) {
    if (log.types() != TypeWidth::kNone) {
      log.ForEachEvent([&](const BufferedEvent& event) { take(FilteredEdge(Identified(event))); });
      return;
    }
    log.ForEachWithPasses(
        [&](const Edge& edge, Weight weight, Operation operation, FilterBits passes) {
          take(Event{{edge.time, edge.source, edge.target, weight, operation, kNoType}, passes});
        });
  } else {
    log.ForEach([&](const Edge& edge, Weight weight, Operation operation) {
      take(Event{edge.time, edge.source, edge.target, weight, operation, kNoType});
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

// Merges pairs of neighbouring runs until two are left, and merges these into `sink`. Run i ends at
// ends[i].
template <typename Event, typename Sink>
void Merge(std::vector<Event> events, std::vector<std::size_t> ends, Sink& sink) {
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
  MergeRuns(run(0), run(1), [&](const Event& event) { sink.Write(event); });
}

// With more runs than this, sorting is cheaper.
constexpr std::size_t kMostRuns = 16;

// Writes the events to `sink` in order.
template <typename Event, typename Sink>
void Fill(std::span<const PartitionLog* const> logs, std::size_t size, Sink& sink) {
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
      TakeAll<Event>(*log, [&](const Event& event) { sink.Write(event); });
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
    return Merge(std::move(events), std::move(ends), sink);
  }
  RadixSort(events, [&](const Event& event) {
    return static_cast<std::uint64_t>(event.time.time_since_epoch().count()) -
           static_cast<std::uint64_t>(earliest.time_since_epoch().count());
  });
  for (const Event& event : events) sink.Write(event);
}

}  // namespace

void FillInOrder(std::span<const PartitionLog* const> logs, Slice& slice) {
  const Contents contents(logs);
  Columns columns(contents.size, contents, slice);
  if (contents.has_passes || contents.has_types()) {
    Fill<FilteredEdge>(logs, contents.size, columns);
  } else if (contents.only_adds && contents.weights == WeightColumn::Kind::kOnes) {
    Fill<Edge>(logs, contents.size, columns);
  } else {
    Fill<RemarkedEdge>(logs, contents.size, columns);
  }
}

std::vector<DuplicateEdge> FillWithoutDuplicates(std::span<const PartitionLog* const> logs,
                                                 Deduplicator& deduplicator, Slice& slice) {
  const Contents contents(logs);
  if (!contents.has_ids) {
    FillInOrder(logs, slice);
    return {};
  }
  CountedEvents counted(deduplicator);
  counted.kept.reserve(contents.size);
  Fill<IdentifiedEvent>(logs, contents.size, counted);
  Columns columns(counted.kept.size(), contents, slice);
  for (const FilteredEdge& event : counted.kept) {
    columns.Write(event);
  }
  return std::move(counted.duplicates);
}

}  // namespace sash

#include "windows/slide/live_advance.h"

#include <memory>
#include <utility>

#include "windows/store/live_copy.h"

namespace sash {
namespace {

// What the slices of the window count if the open ones close at the cut.
void AddCounts(const LiveWindow& live, Provenance& about) {
  about.late = live.closed.late;
  about.refused = live.closed.refused;
  for (const OpenTail& open : live.parts.tails) {
    about.late += open.late;
    about.refused += open.refused;
  }
}

// By events, the bounds of a window are the times of its events.
void DescribeByEvents(const LiveWindow& live, Provenance& about) {
  LiveTotal times = live.closed;
  for (const OpenTail& open : live.parts.tails) {
    open.tail->ForEach(open.count, [&](const TailEvent& event) { times.Take(event.time); });
  }
  about.accepted = *live.accepted;
  about.window_start = times.least.value_or(EventTime());
  about.window_end = times.greatest.value_or(EventTime());
}

Provenance Describe(const WindowEngine& engine, const WindowStatus& window,
                    const LiveWindow& live) {
  Provenance about;
  about.window = window.spec.name;
  about.snapshot = live.snapshot;
  about.watermark = engine.progress().Watermark();
  about.gap = live.gap;
  if (live.begin) {
    about.window_start = EventTime(Duration(*live.begin));
  } else if (window.newest) {
    about.window_start = window.newest->provenance.window_start;
  }
  about.window_end = EventTime(Duration(live.end));
  if (live.accepted) DescribeByEvents(live, about);
  AddCounts(live, about);
  about.cut = OffsetsOfCut(engine, live);
  return about;
}

}  // namespace

std::map<TopicPartition, std::int64_t> OffsetsOfCut(const WindowEngine& engine,
                                                    const LiveWindow& live) {
  std::map<TopicPartition, std::int64_t> offsets;
  for (const CutPartition& each : live.cut->partitions) {
    if (!each.next_offset) continue;
    TopicPartition partition = engine.partitions().At(each.partition);
    partition.life = 0;  // results do not distinguish the lives of a partition
    offsets[std::move(partition)] = *each.next_offset;
  }
  return offsets;
}

AdvancePtr LiveAdvance(const WindowEngine& engine, const WindowStatus& window, const Clock& clock) {
  const LiveWindowPtr live = window.live;
  if (!live || live->is_rebuilding) return nullptr;
  const SteadyTime begun = clock.Steady();
  auto advance = std::make_shared<Advance>();
  Provenance& about = advance->provenance = Describe(engine, window, *live);
  const std::shared_ptr<const CsrGraph> graph = CopyOf(LiveView(live->parts));
  about.edges = graph->edge_count();
  about.vertices = graph->vertices().size();
  about.empty = about.edges == 0;
  advance->bytes = graph->bytes();
  advance->view = graph;
  if (!about.empty) advance->ids = live->cut->ids;
  advance->end = live->end;
  advance->ordinal = OrdinalOf(window.spec, live->end);
  advance->due = begun;
  advance->seconds = ToSeconds(clock.Steady() - begun);
  return advance;
}

}  // namespace sash

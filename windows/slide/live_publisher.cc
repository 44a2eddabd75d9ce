#include "windows/slide/live_publisher.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "windows/ingest/axis_position.h"

namespace sash {

void LivePublisher::Publish() {
  if (std::ranges::none_of(lanes_, [](const Lane& lane) { return lane.windows().is_live(); })) {
    return;
  }
  if (!ranks_ || !std::ranges::equal(*ranks_, partitions_.ranks())) {
    const auto ranks = partitions_.ranks();
    ranks_ = std::make_shared<const std::vector<std::uint32_t>>(ranks.begin(), ranks.end());
  }
  const std::shared_ptr<const LiveCut> cut = Cut();
  for (Lane& lane : lanes_) {
    if (lane.windows().is_live()) PublishLane(lane, cut);
  }
}

std::shared_ptr<const LiveCut> LivePublisher::Cut() const {
  auto cut = std::make_shared<LiveCut>();
  cut->partitions = partitions_.Cut();
  cut->ids = lives_.Pin();
  return cut;
}

void LivePublisher::PublishLane(Lane& lane, const std::shared_ptr<const LiveCut>& cut) {
  OpenSlices open{.tails = lane.slicer().ShowOpen()};
  open.ids = lane.slicer().ShowIds(open.tails, ranks_);
  for (Lane::Member& member : lane.members()) {
    if (!member.is_live) continue;
    windows_.SetLive(member.window.spec().name, WindowOf(lane, member, open, cut));
  }
}

// Whether a window that begins there may lack events.
bool LivePublisher::Lacks(const SlidingWindow& window, WindowAxis axis, Position begin) const {
  if (window.complete_from() && begin < *window.complete_from()) return true;
  const std::optional<EventTime> until = partitions_.gap_until();
  return until && axis != WindowAxis::kEvents && begin < ToPosition(*until);
}

// The newest advance of the window, if it ends there and has a view that can be a base: the clock
// may have passed the newest event, and the window may have released its slices.
AdvancePtr LivePublisher::Published(const std::string& window, Position end) const {
  AdvancePtr newest = windows_.Newest(window);
  const bool is_it =
      newest && newest->end == end &&
      std::holds_alternative<std::shared_ptr<const MultiversionedView>>(newest->view);
  return is_it ? std::move(newest) : nullptr;
}

// Whether the window has had an on-time event; with a filter, one that passes it. Late events do
// not begin a window.
bool LivePublisher::HasBegun(const Lane& lane, const SlidingWindow& window) {
  return window.begun() || lane.slicer().NextEnd(window.filter()).has_value();
}

// A slice with nothing but duplicates does not wake a window. A slice with nothing but late events
// does not begin a window, but a window that begins later may show its edges.
void LivePublisher::NoteSleep(const SlidingWindow& window, const OpenSlices& open,
                              LiveParts& parts) {
  const auto first = std::ranges::find_if(open.tails, [&](const OpenTail& tail) {
    return window.begun() || tail.MayBegin(window.filter());
  });
  const auto place = static_cast<std::size_t>(first - open.tails.begin());
  parts.wakes_from = place - std::min(place, parts.first_open);
}

// Null before the window has begun.
LiveWindowPtr LivePublisher::WindowOf(Lane& lane, Lane::Member& member, const OpenSlices& open,
                                      const std::shared_ptr<const LiveCut>& cut) {
  const SlidingWindow& window = member.window;
  const WindowSpec& spec = window.spec();
  auto live = std::make_shared<LiveWindow>();
  live->cut = cut;
  live->snapshot = SnapshotId{window.newest().snapshot};
  const WindowStanding standing = lane.StandingOf(member);
  live->is_rebuilding = standing.rebuilt_until || (window.rebuilds() && !standing.next_end);
  if (live->is_rebuilding) return live;
  std::optional<Position> end = window.published_until();
  if (const auto newest = lane.last_on_time()) {
    end = std::max(end, std::optional(EndAfter(spec, *newest)));
  }
  if (!end || !HasBegun(lane, window)) return nullptr;
  const Position begin = spec.length ? *end - *spec.length : std::numeric_limits<Position>::min();
  if (spec.length) live->begin = begin;
  live->end = *end;
  live->closed_until = lane.slicer().closed_until();
  live->pane = lane.slicer().pane();
  live->gap = Lacks(window, lane.axis(), begin);
  live->parts = {.tails = {},
                 .ranks = ranks_,
                 .id_limit = around_.keys.id_limit(),
                 .duplicates = spec.duplicates,
                 .identity = spec.identity_of_duplicates(),
                 .filter = window.filter()};
  if (lane.axis() == WindowAxis::kEvents) live->accepted = lane.accepted;
  if (const AdvancePtr published = Published(spec.name, *end)) {
    const auto& view = std::get<std::shared_ptr<const MultiversionedView>>(published->view);
    live->parts.base = {published, view.get()};  // it keeps its keys itself
    const Provenance& about = published->provenance;
    live->closed = {about.late, about.refused, about.window_start, about.window_end};
    return live;
  }
  LiveBase& base = lane.windows().LiveBaseOf(member);
  base.AgeTo(begin);
  live->parts.base = base.View(around_.keys.id_limit());
  live->closed = base.total();
  live->parts.open_ids = open.ids;
  for (std::size_t i = 0; i < open.tails.size(); ++i) {
    const OpenTail& tail = open.tails[i];
    if (tail.begin < begin || tail.begin >= *end) continue;
    if (live->parts.tails.empty()) live->parts.first_open = i;
    live->parts.tails.push_back(tail);
  }
  if (open.ids && !window.next_end()) NoteSleep(window, open, live->parts);
  return live;
}

}  // namespace sash

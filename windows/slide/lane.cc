#include "windows/slide/lane.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sash {
namespace {

double SecondsSince(SteadyTime begun, const Clock& clock) {
  return std::chrono::duration<double>(clock.Steady() - begun).count();
}

}  // namespace

void Lane::CloseSlice(std::span<const std::uint32_t> ranks, const Clock& clock) {
  const SteadyTime begun = clock.Steady();
  const std::shared_ptr<const Slice> slice = slicer_.CloseNext(ranks);
  const double shared = SecondsSince(begun, clock);
  ++slices_closed;
  for (Member& member : members_) {
    const SteadyTime adding = clock.Steady();
    member.window.Add(slice);
    member.freeze_seconds += shared + SecondsSince(adding, clock);
  }
}

bool Lane::Close(const Limit& limit, std::span<const std::uint32_t> ranks, VertexId id_limit,
                 const Clock& clock, const OnMoved& on_moved) {
  for (;;) {
    // The first window end within its limit, and with it every slice that ends no later.
    std::optional<Position> next;
    Position farthest = std::numeric_limits<Position>::min();
    for (const Member& member : members_) {
      const Position member_limit = limit(member.window);
      farthest = std::max(farthest, member_limit);
      const std::optional<Position> end = member.window.next_end();
      if (end && *end <= member_limit && (!next || *end < *next)) next = end;
    }
    const std::optional<Position> slice_end = slicer_.NextEnd();
    if (slice_end && *slice_end <= next.value_or(farthest)) {
      CloseSlice(ranks, clock);
      continue;
    }
    if (!next) return true;
    for (Member& member : members_) {
      if (member.window.next_end() != next || *next > limit(member.window)) continue;
      const SteadyTime begun = clock.Steady();
      std::optional<SlidingWindow::Moved> moved = member.window.Advance(id_limit);
      if (!moved) continue;
      const double seconds = std::exchange(member.freeze_seconds, 0) + SecondsSince(begun, clock);
      if (!on_moved(member, std::move(*moved), seconds)) return false;
    }
  }
}

void Lane::CloseUntil(Position position, std::span<const std::uint32_t> ranks, VertexId id_limit,
                      const Clock& clock, const OnMoved& on_moved) {
  const auto limit = [&](const SlidingWindow&) { return position; };
  if (!Close(limit, ranks, id_limit, clock, on_moved)) return;
  slicer_.CloseUntil(PaneBegin(position, slicer_.pane()));
}

void Lane::CloseAll(std::span<const std::uint32_t> ranks, VertexId id_limit, const Clock& clock,
                    const OnMoved& on_moved) {
  if (!last_on_time_) return;
  const auto last_end = [&](const SlidingWindow& window) {
    return PaneBegin(*last_on_time_, window.spec().slide) + window.spec().slide;
  };
  (void)Close(last_end, ranks, id_limit, clock, on_moved);  // nothing is closed after it
}

std::optional<Position> Lane::OldestBegin() const {
  std::optional<Position> oldest;
  if (const auto end = slicer_.NextEnd()) oldest = *end - slicer_.pane();
  for (const Member& member : members_) {
    const std::optional<Position> begin = member.window.oldest_begin();
    if (begin && (!oldest || *begin < *oldest)) oldest = begin;
  }
  return oldest;
}

std::vector<Lane> MakeLanes(std::span<const WindowSpec> windows) {
  std::vector<Lane> lanes;
  for (const WindowAxis axis :
       {WindowAxis::kEventTime, WindowAxis::kProcessingTime, WindowAxis::kEvents}) {
    Position pane = 0;
    for (const WindowSpec& spec : windows) {
      if (spec.by == axis) pane = std::gcd(pane, spec.slide);
    }
    if (pane > 0) lanes.emplace_back(axis, pane);
  }
  return lanes;
}

}  // namespace sash

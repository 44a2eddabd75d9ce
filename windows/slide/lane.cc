#include "windows/slide/lane.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/ingest/axis_position.h"
#include "windows/ingest/end_point_counts.h"

namespace sash {

void Lane::Spend(const AdvancePhases& times) {
  for (Member& member : members_) member.spent += times;
}

void Lane::CloseSlice(std::span<const std::uint32_t> ranks, const Clock& clock) {
  PhaseClock freezing(clock, AdvancePhase::kFreezing);
  const std::shared_ptr<const Slice> slice = slicer_.CloseNext(ranks);
  CodedCounts end_points = CountEndPoints(*slice);
  end_points.MoveTo(slots_);
  Spend(freezing.Read());
  ++slices_closed;
  for (const SharedStore& store : stores_) {
    PhaseClock adding(clock, AdvancePhase::kSorting);
    store.slices->OnEntering([&] { adding.Begin(AdvancePhase::kEntering); });
    store.slices->Add(slice);
    store.slices->OnEntering({});
    const AdvancePhases& times = adding.Read();
    for (Member& member : members_) {
      if (member.slices == store.slices) member.spent += times;
    }
  }
  PhaseClock noting(clock, AdvancePhase::kOther);
  const RetainedSlice& retained = retained_.Append(slice, std::move(end_points));
  for (Member& member : members_) member.window.Note(retained);
  if (on_closed_) on_closed_(*this, slice);
  Spend(noting.Read());
}

void Lane::ReleaseUnheld() {
  std::size_t most = 0;
  for (const Member& member : members_) most = std::max(most, member.window.slice_count());
  retained_.KeepNewest(most);
}

bool Lane::Move(Member& member, SteadyTime due, VertexId id_limit, const Clock& clock,
                const OnMoved& on_moved) {
  PhaseClock moving(clock, AdvancePhase::kOther);
  std::optional<SlidingWindow::Moved> moved;
  if (const auto leader = member.window.spec().leader()) {
    moved = member.window.Follow(Find(*leader)->window, id_limit);
  } else {
    moved = member.window.Advance(id_limit, moving);
  }
  moving.Begin(AdvancePhase::kReleasing);
  ReleaseUnheld();
  Timing timing{due, moving.Read()};
  timing.phases += std::exchange(member.spent, {});
  const Duration since_due = timing.phases.total() - std::exchange(member.spent_before, {});
  if (!moved) return true;
  timing.phases[AdvancePhase::kWaiting] = clock.Steady() - due - since_due;
  return on_moved(member, std::move(*moved), timing);
}

bool Lane::Close(const Limit& limit, std::span<const std::uint32_t> ranks, VertexId id_limit,
                 const Clock& clock, const OnMoved& on_moved) {
  const SteadyTime due = clock.Steady();
  for (Member& member : members_) member.spent_before = member.spent.total();
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
      if (!Move(member, due, id_limit, clock, on_moved)) return false;
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
    return EndAfter(*last_on_time_, window.spec().slide);
  };
  (void)Close(last_end, ranks, id_limit, clock, on_moved);  // nothing is closed after it
}

std::optional<Position> Lane::OldestBegin() const {
  std::optional<Position> begin;
  if (const auto end = slicer_.NextEnd()) begin = *end - slicer_.pane();
  if (retained_.size() > 0) begin = retained_[0].begin;
  // A lane that began within a pane has less than the whole of it.
  if (begin) begin = std::max(*begin, retained_.complete_from().value_or(*begin));
  return begin;
}

std::uint64_t Lane::takes() const {
  std::uint64_t takes = retained_.takes() + takes_of_removed_;
  for (const Member& member : members_) takes += member.window.takes();
  return takes;
}

WindowStanding Lane::StandingOf(const Member& member) const {
  const SlidingWindow& window = member.window;
  const Position slide = window.spec().slide;
  WindowStanding standing{.name = window.spec().name, .by = axis_, .next_end = window.next_end()};
  if (!standing.next_end) {
    // The first open slice wakes the window when it closes.
    if (const auto slice_end = slicer_.NextEnd()) {
      standing.next_end = EndAfter(*slice_end - slicer_.pane(), slide);
    } else if (axis_ == WindowAxis::kEvents) {
      standing.next_end = EndAfter(static_cast<Position>(accepted), slide);
    }
  }
  const std::optional<Position> published = window.published_until();
  if (published && standing.next_end && *standing.next_end <= *published) {
    standing.rebuilt_until = published;
    standing.next_end = *published + slide;
  }
  return standing;
}

std::vector<StoreStatus> Lane::Stores() const {
  std::vector<StoreStatus> statuses;
  for (const SharedStore& store : stores_) {
    StoreStatus status{axis_, store.spec, {}, store.slices->shared_memory()};
    for (const Member& member : members_) {
      if (member.slices != store.slices) continue;
      if (!member.window.spec().leader()) status.windows.push_back(member.window.spec().name);
      status.memory += member.window.own_memory();
    }
    status.memory.views += store.slices->view_bytes();
    statuses.push_back(std::move(status));
  }
  return statuses;
}

}  // namespace sash

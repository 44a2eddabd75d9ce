#include "windows/slide/lane.h"

#include <algorithm>
#include <utility>

#include "windows/ingest/end_point_counts.h"
#include "windows/ingest/passing_part.h"
#include "windows/slide/lane_restore.h"

namespace sash {

void Lane::Dedupe(Duration within, OnDuplicates on_duplicates) {
  slicer_.Dedupe(within);
  retained_.ReachBack(within.count());
  on_duplicates_ = std::move(on_duplicates);
}

void Lane::Spend(const AdvancePhases& times) {
  for (Member& member : members()) member.spent += times;
}

void Lane::CloseSlice(const Closing& closing) {
  const Clock& clock = closing.clock;
  PhaseClock freezing(clock, AdvancePhase::kFreezing);
  const std::shared_ptr<const Slice> slice = slicer_.CloseNext(closing.ranks);
  CodedCounts end_points = CountEndPoints(*slice);
  end_points.MoveTo(slots_);
  Spend(freezing.Read());
  ++slices_closed;
  PassingParts parts(slice);
  for (const LaneWindows::SharedStore& store : windows_.stores()) {
    PhaseClock adding(clock, AdvancePhase::kSorting);
    store.slices->OnEntering([&] { adding.Begin(AdvancePhase::kEntering); });
    store.slices->Add(parts.Of(store.filter));
    store.slices->OnEntering({});
    const AdvancePhases& times = adding.Read();
    for (Member& member : members()) {
      if (member.slices == store.slices) member.spent += times;
    }
  }
  PhaseClock noting(clock, AdvancePhase::kOther);
  const RetainedSlice& retained = retained_.Append(slice, std::move(end_points));
  for (Member& member : members()) {
    member.window.Note(retained);
    if (member.live_base) member.live_base->Note(retained);
  }
  const std::shared_ptr<const SliceLogs> logs = slicer_.TakeLogs();
  if (on_closed_) on_closed_(*this, slice, logs);
  if (slicer_.dedupes()) on_duplicates_(slicer_.TakeDuplicates());
  if (windows_.has_filters() || slicer_.dedupes() || members().empty()) {
    for (Member& member : members()) member.window.PassInSilence(retained);
    windows_.ReleaseUnheld();
  }
  Spend(noting.Read());
}

bool Lane::Move(Member& member, SteadyTime due, const Closing& closing) {
  PhaseClock moving(closing.clock, AdvancePhase::kOther);
  std::optional<SlidingWindow::Moved> moved;
  if (const auto leader = member.window.spec().leader()) {
    moved = member.window.Follow(windows_.Find(*leader)->window, closing.id_limit);
  } else {
    moved = member.window.Advance(closing.id_limit, moving);
  }
  moving.Begin(AdvancePhase::kReleasing);
  windows_.ReleaseUnheld();
  MoveListener::Timing timing{due, moving.Read()};
  timing.phases += std::exchange(member.spent, {});
  const Duration since_due = timing.phases.total() - std::exchange(member.spent_before, {});
  if (!moved) return true;
  timing.phases[AdvancePhase::kWaiting] = closing.clock.Steady() - due - since_due;
  return closing.listener.OnMoved(*this, member, std::move(*moved), timing);
}

void Lane::CloseSlices(Position position, const Closing& closing) {
  while (slicer_.NextEnd().value_or(position + 1) <= position) CloseSlice(closing);
}

bool Lane::Close(const Limit& limit, const Closing& closing) {
  const SteadyTime due = closing.clock.Steady();
  for (Member& member : members()) member.spent_before = member.spent.total();
  for (;;) {
    // Finds the first window end within its limit. Slices that end no later close before it.
    std::optional<Position> next;
    Position farthest = std::numeric_limits<Position>::min();
    for (const Member& member : members()) {
      const Position member_limit = limit(member.window);
      farthest = std::max(farthest, member_limit);
      const std::optional<Position> end = member.window.next_end();
      if (end && *end <= member_limit && (!next || *end < *next)) next = end;
    }
    const std::optional<Position> slice_end = slicer_.NextEnd();
    if (slice_end && *slice_end <= next.value_or(farthest)) {
      CloseSlice(closing);
      continue;
    }
    if (!next) return true;
    for (Member& member : members()) {
      if (member.window.next_end() != next || *next > limit(member.window)) continue;
      if (!Move(member, due, closing)) return false;
    }
  }
}

void Lane::CloseUntil(Position position, const Closing& closing) {
  const auto limit = [&](const SlidingWindow&) { return position; };
  if (members().empty()) {
    CloseSlices(position, closing);
  } else if (!Close(limit, closing)) {
    return;
  }
  slicer_.CloseUntil(PaneBegin(position, slicer_.pane()));
}

void Lane::CloseAll(const Closing& closing) {
  if (!last_on_time_) return;
  if (members().empty()) return CloseSlices(std::numeric_limits<Position>::max() - 1, closing);
  const auto last_end = [&](const SlidingWindow& window) {
    return EndAfter(window.spec(), *last_on_time_);
  };
  (void)Close(last_end, closing);  // nothing is closed afterwards
}

void Lane::SetFilters(std::shared_ptr<const FilterTexts> filters, FilterBits fresh,
                      const NumberedTypeFilters& by_type, std::optional<Position> judged_from) {
  if (fresh != 0) slicer_.Judge(fresh, by_type);
  windows_.SetFilters(std::move(filters), fresh, by_type.bits(), judged_from);
}

void Lane::BeginAt(std::optional<Position> closed, Position missed) {
  if (closed) slicer_.CloseUntil(PaneBegin(*closed, slicer_.pane()));
  retained_.MissedUntil(missed);
}

LaneState Lane::StateWith(SlicerState slicer) const {
  LaneState state{.serial = serial,
                  .axis = axis_,
                  .pane = slicer_.pane(),
                  .slicer = std::move(slicer),
                  .retained = retained_.size(),
                  .begun_before = retained_.begun_before(),
                  .complete_from = retained_.complete_from(),
                  .accepted = accepted,
                  .last_on_time = last_on_time_,
                  .windows = {},
                  .reach = retained_.Reach()};
  for (const Member& member : members()) {
    WindowState& window =
        state.windows.emplace_back(WindowState{member.window.spec(), member.window.state()});
    if (member.history) window.history = member.history->Within(window.state.slices);
  }
  return state;
}

LaneState Lane::StateWithoutEvents() const {
  LaneState state = StateWith(slicer_.StateWithoutEvents());
  // The end of the newest pane that holds anything.
  std::optional<Position> behind;
  if (retained_.size() > 0) behind = retained_[retained_.size() - 1].end;
  if (!state.slicer.open.empty()) behind = state.slicer.open.back().begin + slicer_.pane();
  state.retained = 0;
  state.reach.clear();
  state.begun_before = last_on_time_.has_value();
  state.complete_from = std::max(state.complete_from, behind);
  for (WindowState& window : state.windows) {
    window.state.slices = 0;
    window.history.clear();
    window.state.complete_from = std::max(window.state.complete_from, behind);
  }
  return state;
}

Status Lane::Restore(LaneState state, const SliceLoader& load, const Refer& refer,
                     const std::function<VertexId()>& id_limit) {
  serial = state.serial;
  retained_.RestoreReach(state.reach);
  LaneRestore restore(state, windows_, retained_, slots_);
  if (Status restored = restore.Run(load, refer, id_limit); !restored) return restored;
  windows_.LearnJudged();
  slicer_.Restore(std::move(state.slicer));
  slicer_.VisitOpenEvents([&](VertexId source, VertexId target) {
    refer(source, 1);
    refer(target, 1);
  });
  accepted = state.accepted;
  slices_closed = state.retained;
  last_on_time_ = state.last_on_time;
  return Ok{};
}

std::uint64_t Lane::AcceptedBefore() const {
  if (const RetainedSlice* const oldest = retained_.oldest_published()) {
    return oldest->account.accepted_before;
  }
  return slicer_.AcceptedBefore().value_or(accepted);
}

WindowStanding Lane::StandingOf(const Member& member) const {
  const SlidingWindow& window = member.window;
  const WindowSpec& spec = window.spec();
  WindowStanding standing{.name = spec.name, .by = axis_, .next_end = window.next_end()};
  if (!standing.next_end) {
    // The window gets its next end when the first open slice closes.
    if (const auto slice_end = slicer_.NextEnd(window.filter())) {
      standing.next_end = EndAfter(spec, *slice_end - slicer_.pane());
    } else if (axis_ == WindowAxis::kEvents) {
      standing.next_end = EndAfter(spec, static_cast<Position>(accepted));
    }
  }
  const std::optional<Position> published = window.published_until();
  if (published && standing.next_end && *standing.next_end <= *published) {
    standing.rebuilt_until = published;
    standing.next_end = EndAfter(spec, *published);
  }
  return standing;
}

}  // namespace sash

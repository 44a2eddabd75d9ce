#include "windows/slide/window_engine.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

// So many events are interned with the dictionary's lock held, then others have a turn.
constexpr std::size_t kEventsALock = 256;

}  // namespace

WindowEngine::WindowEngine(std::vector<WindowSpec> windows, const TimePolicy& policy,
                           EngineSurroundings surroundings)
    : policy_(policy),
      around_(std::move(surroundings)),
      watermark_(policy),
      now_(around_.clock.Steady()),
      wall_(around_.clock.Now()),
      processing_time_(ToPosition(wall_)) {
  for (const WindowAxis axis :
       {WindowAxis::kEventTime, WindowAxis::kProcessingTime, WindowAxis::kEvents}) {
    Position pane = 0;
    for (const WindowSpec& spec : windows) {
      if (spec.by == axis) pane = std::gcd(pane, spec.slide);
    }
    if (pane == 0) continue;
    Lane& lane = MakeLane(axis, pane);
    for (const WindowSpec& spec : windows) {
      if (spec.by == axis) lane.AddWindow(spec);
    }
    for (const WindowSpec& spec : windows) {
      if (spec.by == axis) NoteCompared(lane, spec);
    }
  }
  for (WindowSpec& spec : windows) windows_.push_back({std::move(spec), nullptr});
}

void WindowEngine::NoteCompared(Lane& lane, const WindowSpec& spec) {
  const auto every = around_.compared.find(spec.name);
  lane.Compare(spec.name,
               every == around_.compared.end() ? std::set<std::uint32_t>() : every->second);
}

Lane& WindowEngine::MakeLane(WindowAxis axis, Position pane) {
  const auto on_released = [this](const RetainedSlice& slice) {
    ++around_.stats.slices_released;
    lives_.Release(slice.end_points);
  };
  Lane::OnClosed on_closed;
  if (around_.on_slice) {
    // Its serial number at that moment: a lane that is restored gets the one that it had.
    on_closed = [this](const Lane& lane, const std::shared_ptr<const Slice>& slice) {
      around_.on_slice({lane.serial, slice, lives_.Pin()});
    };
  }
  Lane& lane = lanes_.emplace_back(axis, pane, on_released, std::move(on_closed), around_.slots);
  lane.serial = next_serial_++;
  return lane;
}

void WindowEngine::Begin(const Moment& at) {
  now_ = at.steady;
  wall_ = at.wall;
  processing_time_ = std::max(processing_time_, ToPosition(wall_));
  latest_ = policy_.check_ahead ? wall_ + policy_.ahead_limit : EventTime::max();
}

void WindowEngine::Process(const EventBatch& batch, const Moment& at) {
  Begin(at);
  if (batch.start) Begin(*batch.start);
  commands_.Execute();
  FindDue();  // windows may have come or gone
  CloseByClock();
  // Also rewind points that are taken within the batch know its records; who joins in it, afterwards.
  NoteAnchors(batch);
  KeyLookahead ahead(around_.keys, lives_, batch);
  auto mark = batch.marks().begin();
  for (std::size_t i = 0; i <= batch.events().size() && !abandoned_; ++i) {
    for (; mark != batch.marks().end() && mark->before_event == i; ++mark) Apply(*mark);
    if (i < batch.events().size()) Accept(batch, batch.events()[i], ahead.Next());
    if (i % kEventsALock == kEventsALock - 1) writer_.reset();
  }
  writer_.reset();
  NoteAnchors(batch);
  if (batch.end_of_source) {
    EndSource();
  } else if (batch.caught_up) {
    for (Lane& lane : lanes_) {
      if (lane.axis() != WindowAxis::kEvents) continue;
      // A full pane waits for the next event only while more is to be read: records refused
      // meanwhile belong to it.
      CloseLane(lane, static_cast<Position>(lane.accepted));
    }
  }
  MoveWatermark();
  lives_.Recycle();
  UpdateStats();
}

void WindowEngine::NoteAnchors(const EventBatch& batch) {
  for (const PartitionAnchor& known : batch.anchors) {
    if (known.partition < places_.size()) places_[known.partition].anchor = known.anchor;
  }
}

void WindowEngine::Tick(const Moment& at) {
  Begin(at);
  commands_.Execute();
  CloseByClock();
  MoveWatermark();
  lives_.Recycle();
  UpdateStats();
}

Decided WindowEngine::decided() const {
  Decided decided{.slices_closed = around_.stats.slices_closed,
                  .watermark = watermark_.Current(),
                  .holder = watermark_.holder(),
                  .by_clock = {}};
  for (const Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kProcessingTime) decided.by_clock = lane.slicer().closed_until();
  }
  return decided;
}

void WindowEngine::Begin(const StreamStart& start) {
  if (is_restored_) return BeginRestored(start);
  ranks_ = around_.partitions.Ranks();
  places_.resize(ranks_.size());
  for (const PartitionIndex partition : start.partitions) {
    places_[partition].assigned = true;
    watermark_.Assign(partition, std::nullopt, now_);
  }
  std::optional<EventTime> last_before;
  for (const RewindPosition& position : start.resumed.positions) {
    places_[position.partition].next_offset = position.offset;
    places_[position.partition].anchor = position.anchor;
    watermark_.Assign(position.partition, position.newest_before, now_);
    last_before = std::max(last_before, position.newest_before);
  }
  gap_until_ = start.resumed.gap_until;
  numbered_ = static_cast<std::uint64_t>(start.resumed.accepted_before.value_or(0));
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) lane.accepted = numbered_;
    if (lane.axis() == WindowAxis::kEventTime && last_before) {
      lane.HadBegun(ToPosition(*last_before));
    }
  }
  NotePublished(start.resumed);
}

void WindowEngine::NotePublished(const RewindPoint& resumed) {
  for (Lane& lane : lanes_) {
    for (Lane::Member& member : lane.members()) {
      const std::optional<Position> before = member.window.published_until();
      NotePublished(resumed, member);
      std::optional<SlidingWindow::Moved> recalled = std::exchange(member.recalled, {});
      if (member.window.published_until() != before) recalled.reset();
      if (!recalled) recalled = member.window.RecallSilence();
      if (recalled) Recall(lane, member, *std::move(recalled));
    }
  }
}

void WindowEngine::NotePublished(const RewindPoint& resumed, Lane::Member& member) {
  SlidingWindow& window = member.window;
  const auto published = resumed.published.find(window.spec().name);
  if (published == resumed.published.end()) return;
  if (window.published_until().value_or(published->second) > published->second) return;
  const auto newest = resumed.newest.find(window.spec().name);
  if (newest == resumed.newest.end()) return window.PublishedUntil(published->second);
  window.PublishedUntil(published->second, newest->second.in_silence);
}

void WindowEngine::Apply(const Mark& mark) {
  switch (mark.kind) {
    case Mark::Kind::kRefused:
      for (Lane& lane : lanes_) {
        lane.slicer().CountRefused(mark.partition, mark.offset, watermark_.Newest(mark.partition));
      }
      watermark_.Heard(mark.partition, now_);
      places_[mark.partition].next_offset = mark.offset + 1;
      ++places_[mark.partition].refused;
      return;
    case Mark::Kind::kGap:
      places_[mark.partition].gap = true;
      return;
    case Mark::Kind::kCaughtUp:
      watermark_.CaughtUp(mark.partition);
      return;
    case Mark::Kind::kBehind:
      watermark_.Behind(mark.partition);
      return;
    case Mark::Kind::kJoins:
      return Join(mark.partition, mark.offset);
    case Mark::Kind::kLeaves:
      return Leave(mark.partition);
  }
}

void WindowEngine::Join(PartitionIndex partition, std::optional<std::int64_t> offset) {
  ranks_ = around_.partitions.Ranks();
  places_.resize(ranks_.size());
  places_[partition].assigned = true;
  if (offset) places_[partition].next_offset = offset;
  watermark_.Assign(partition, watermark_.Newest(partition), now_);
  watermark_.CaughtUp(partition);
}

void WindowEngine::Leave(PartitionIndex partition) {
  places_[partition].assigned = false;
  watermark_.Unassign(partition);
}

void WindowEngine::MoveWatermark() {
  const std::optional<EventTime> current = watermark_.Advance(now_, wall_);
  if (!current) return;
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEventTime) CloseLane(lane, ToPosition(*current));
  }
  FindDue();
}

void WindowEngine::FindDue() {
  due_ = std::numeric_limits<Position>::max();
  for (const Lane& lane : lanes_) {
    if (lane.axis() != WindowAxis::kEventTime) continue;
    const Slicer& slicer = lane.slicer();
    if (slicer.closed_until() < due_ - slicer.pane()) due_ = slicer.closed_until() + slicer.pane();
    for (const Lane::Member& member : lane.members()) {
      due_ = std::min(due_, member.window.next_end().value_or(due_));
    }
  }
}

void WindowEngine::CloseByClock() {
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kProcessingTime) CloseLane(lane, processing_time_);
  }
}

void WindowEngine::CloseLane(Lane& lane, Position position) {
  if (abandoned_) return;
  const std::optional<Position> slice_end = lane.slicer().NextEnd();
  const bool anything_due =
      (slice_end && *slice_end <= position) ||
      std::ranges::any_of(lane.members(), [&](const Lane::Member& member) {
        return member.window.next_end() && *member.window.next_end() <= position;
      });
  if (!anything_due && PaneBegin(position, lane.slicer().pane()) <= lane.slicer().closed_until()) {
    return;
  }
  writer_.reset();
  // Windows by event time close when the watermark has been worked out; others name it as it is then.
  // That it moves depends on where panes end alone, not on what windows hold or publish.
  if (lane.axis() != WindowAxis::kEventTime) watermark_.Advance(now_, wall_);
  lane.CloseUntil(position, ranks_, IdLimit(), around_.clock, Publisher(lane));
}

void WindowEngine::EndSource() {
  MoveWatermark();  // the last results name it as it is
  ended_ = true;
  for (Lane& lane : lanes_) {
    lane.CloseAll(ranks_, IdLimit(), around_.clock, Publisher(lane));
  }
}

}  // namespace sash

#include "windows/slide/window_engine.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "windows/slide/axis_position.h"

namespace sash {
namespace {

// Of a number that the engine thread alone writes: no locked instruction.
void Count(std::atomic<std::uint64_t>& number) {
  number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

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
  }
  for (WindowSpec& spec : windows) windows_.push_back({std::move(spec), nullptr});
}

Lane& WindowEngine::MakeLane(WindowAxis axis, Position pane) {
  return lanes_.emplace_back(axis, pane, [this](const RetainedSlice& slice) {
    ++around_.stats.slices_released;
    lives_.Release(slice.end_points);
  });
}

void WindowEngine::LookAtClock() {
  now_ = around_.clock.Steady();
  wall_ = around_.clock.Now();
  processing_time_ = std::max(processing_time_, ToPosition(wall_));
  latest_ = policy_.check_ahead ? wall_ + policy_.ahead_limit : EventTime::max();
}

void WindowEngine::Process(const EventBatch& batch) {
  LookAtClock();
  if (batch.start) Begin(*batch.start);
  commands_.Execute();
  FindDue();  // windows may have come or gone
  CloseByClock();
  KeyLookahead ahead(around_.keys, lives_, batch);
  auto mark = batch.marks().begin();
  for (std::size_t i = 0; i <= batch.events().size() && !abandoned_; ++i) {
    for (; mark != batch.marks().end() && mark->before_event == i; ++mark) Apply(*mark);
    if (i < batch.events().size()) Accept(batch, batch.events()[i], ahead.Next());
    if (i % kEventsALock == kEventsALock - 1) writer_.reset();
  }
  writer_.reset();
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

void WindowEngine::Tick() {
  LookAtClock();
  commands_.Execute();
  CloseByClock();
  MoveWatermark();
  lives_.Recycle();
  UpdateStats();
}

void WindowEngine::Begin(const StreamStart& start) {
  ranks_ = around_.partitions.Ranks();
  places_.resize(ranks_.size());
  for (const PartitionIndex partition : start.partitions) {
    places_[partition].assigned = true;
    watermark_.Assign(partition, std::nullopt, now_);
  }
  for (const RewindPosition& position : start.resumed.positions) {
    places_[position.partition].next_offset = position.offset;
    watermark_.Assign(position.partition, position.newest_before, now_);
  }
  gap_until_ = start.resumed.gap_until;
  numbered_ = static_cast<std::uint64_t>(start.resumed.accepted_before.value_or(0));
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) lane.accepted = numbered_;
    for (Lane::Member& member : lane.members()) {
      const auto published = start.resumed.published.find(member.window.spec().name);
      if (published != start.resumed.published.end()) {
        member.window.PublishedUntil(published->second);
      }
    }
  }
}

void WindowEngine::Apply(const Mark& mark) {
  switch (mark.kind) {
    case Mark::Kind::kRefused:
      for (Lane& lane : lanes_) {
        lane.slicer().CountRefused(mark.partition, mark.offset, watermark_.Newest(mark.partition));
      }
      watermark_.Heard(mark.partition, now_);
      places_[mark.partition].next_offset = mark.offset + 1;
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
  }
}

bool WindowEngine::IsLate(const Lane& lane, const EdgeEvent& event) const {
  if (lane.axis() != WindowAxis::kEventTime) return false;
  const Position position = ToPosition(event.time);
  // A pane may have closed without its partition, while that was idle.
  if (lane.slicer().IsClosed(position)) return true;
  // Its own partition decides. What lies behind all that it has passed needs no pane to be looked at.
  const std::optional<EventTime> passed = watermark_.Passed(event.partition);
  if (!passed || event.time >= *passed) return false;
  return EndAfter(position, lane.slicer().pane()) <= ToPosition(*passed);
}

Position WindowEngine::PositionOf(const Lane& lane, const EdgeEvent& event) const {
  switch (lane.axis()) {
    case WindowAxis::kEventTime:
      return ToPosition(event.time);
    case WindowAxis::kProcessingTime:
      return processing_time_;
    case WindowAxis::kEvents:
      break;
  }
  return static_cast<Position>(lane.accepted);
}

void WindowEngine::Intern(const EventBatch& batch, const EdgeEvent& event,
                          const KeyLookahead::Hashes& hashes, BufferedEvent& buffered) {
  const bool has_target = event.operation != Operation::kRemoveVertex;
  if (!writer_) writer_.emplace(around_.keys);
  if (around_.keys.kind() == KeyKind::kString) {
    buffered.source = writer_->Intern(batch.Text(event.source.text()), hashes.source);
    buffered.target = has_target ? writer_->Intern(batch.Text(event.target.text()), hashes.target)
                                 : buffered.source;
  } else {
    buffered.source = writer_->Intern(event.source.integer(), hashes.source);
    buffered.target =
        has_target ? writer_->Intern(event.target.integer(), hashes.target) : buffered.source;
  }
  buffered.time = event.time;
  buffered.offset = event.offset;
  if (event.operation == Operation::kAdd) buffered.weight = event.weight;
  buffered.partition = event.partition;
  buffered.operation = event.operation;
}

// Source and target each, even where they are one: so CountEndPoints() counts them.
void WindowEngine::Refer(const BufferedEvent& event) {
  lives_.Refer(event.source);
  lives_.Refer(event.target);
}

void WindowEngine::ReleaseOpen(const Lane& lane) {
  lane.slicer().VisitOpenEvents([this](VertexId source, VertexId target) {
    lives_.Release(source);
    lives_.Release(target);
  });
}

void WindowEngine::Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
                          const std::string& detail) {
  writer_.reset();
  const TopicPartition place = around_.partitions.At(event.partition);
  around_.refusals.Refuse({.topic = place.topic,
                           .partition = place.partition,
                           .offset = event.offset,
                           .timestamp = event.time,
                           .reason = reason,
                           .detail = detail,
                           .stage = "window",
                           .payload = batch.Text(event.payload)});
}

void WindowEngine::RefuseAhead(const EventBatch& batch, const EdgeEvent& event) {
  Count(around_.stats.ahead);
  Refuse(batch, event, RefusalReason::kAhead, "event time is beyond ahead_limit");
  for (Lane& lane : lanes_) {
    lane.slicer().CountRefused(event.partition, event.offset, watermark_.Newest(event.partition));
  }
  watermark_.Heard(event.partition, now_);
}

void WindowEngine::Accept(const EventBatch& batch, const EdgeEvent& event,
                          const KeyLookahead::Hashes& hashes) {
  PartitionPlace& place = places_[event.partition];
  place.next_offset = event.offset + 1;
  if (event.time > latest_) return RefuseAhead(batch, event);
  BufferedEvent buffered;  // once it is interned
  bool is_interned = false;
  bool late = false;
  for (Lane& lane : lanes_) {
    const bool late_here = IsLate(lane, event);
    late = late || late_here;
    if (late_here && policy_.late != LatePolicy::kNextSlice) {
      lane.slicer().CountLate(event.partition, event.offset, watermark_.Newest(event.partition));
      continue;
    }
    if (!std::exchange(is_interned, true)) Intern(batch, event, hashes, buffered);
    Refer(buffered);  // before it enters, which may publish a window
    if (late_here) {
      EnterLate(lane, event, buffered);
    } else {
      Enter(lane, event, buffered);
    }
  }
  ++numbered_;
  if (is_interned) CountAccepted(event.operation);
  if (late) {
    Count(around_.stats.late);
    watermark_.Heard(event.partition, now_);
    if (policy_.late == LatePolicy::kDeadLetter) {
      Refuse(batch, event, RefusalReason::kLate, "its slice had closed when it came");
    }
    return;
  }
  place.gap = false;
  if (watermark_.Observe(event.partition, event.time, now_, ToTime(due_))) MoveWatermark();
}

void WindowEngine::CountAccepted(Operation operation) {
  Count(around_.stats.accepted);
  switch (operation) {
    case Operation::kAdd:
      return Count(around_.stats.added);
    case Operation::kRemove:
      return Count(around_.stats.removed);
    case Operation::kRemoveVertex:
      return Count(around_.stats.vertices_removed);
  }
}

void WindowEngine::Enter(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
  const Position position = PositionOf(lane, event);
  // A pane of events closes when the event after its last one comes.
  if (lane.axis() == WindowAxis::kEvents) CloseLane(lane, position);
  ++lane.accepted;
  lane.slicer().Add(position, buffered, lane.accepted, watermark_.Newest(event.partition));
  lane.NoteOnTime(position);
  if (places_[event.partition].gap) {
    lane.slicer().MarkGap(position);
    gap_until_ = std::max(gap_until_.value_or(event.time), event.time);
  }
}

void WindowEngine::EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
  Count(around_.stats.moved);
  ++lane.accepted;
  const std::optional<EventTime> newest = watermark_.Newest(event.partition);
  const std::optional<EventTime> passed = watermark_.Passed(event.partition);
  lane.slicer().CountLate(event.partition, event.offset, newest);
  lane.slicer().AddLate(ToPosition(std::max(passed.value_or(event.time), event.time)), buffered,
                        lane.accepted, newest);
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
  lane.CloseUntil(position, ranks_, IdLimit(), around_.clock, Publisher(lane));
}

Lane::OnMoved WindowEngine::Publisher(const Lane& lane) {
  return [this, &lane](Lane::Member& member, SlidingWindow::Moved moved, double seconds) {
    Publish(lane, member, std::move(moved), seconds);
    return !abandoned_;
  };
}

void WindowEngine::EndSource() {
  MoveWatermark();  // the last results name it as it is
  for (Lane& lane : lanes_) {
    lane.CloseAll(ranks_, IdLimit(), around_.clock, Publisher(lane));
  }
}

Provenance WindowEngine::Describe(const Lane& lane, const WindowSpec& spec,
                                  const SlidingWindow::Moved& moved) const {
  Provenance about;
  about.window = spec.name;
  about.snapshot = moved.snapshot;
  about.watermark = watermark_.Current();
  about.empty = moved.empty;
  about.edges = moved.published.edges;
  about.vertices = moved.published.vertices;
  about.late = moved.total.late;
  about.refused = moved.total.refused;
  if (lane.axis() == WindowAxis::kEvents) {
    about.gap = moved.total.gap;
    about.accepted = moved.total.last_accepted;
    about.window_start = moved.total.least_time.value_or(EventTime());
    about.window_end = moved.total.greatest_time.value_or(EventTime());
  } else {
    about.window_start = ToTime(moved.begin);
    about.window_end = ToTime(moved.end);
    about.gap = gap_until_ && about.window_start < *gap_until_;
  }
  about.gap = about.gap || moved.lacks_slices;
  for (PartitionIndex p = 0; p < moved.total.offsets.size(); ++p) {
    const auto& [least, greatest] = moved.total.offsets[p];
    if (least <= greatest) about.offsets[around_.partitions.At(p)] = {least, greatest};
  }
  return about;
}

RewindPoint WindowEngine::Rewind() const {
  RewindTotal total;
  RewindPoint point;
  point.gap_until = gap_until_;
  for (const Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) {
      point.accepted_before = lane.OldestBegin().value_or(static_cast<Position>(lane.accepted));
    }
    total.Take(lane.Rewind());
    lane.slicer().VisitOpenShares([&](PartitionIndex partition, const PartitionShare& share) {
      total.Take(partition, share);
    });
    for (const Lane::Member& member : lane.members()) {
      if (const auto until = member.window.published_until()) {
        point.published[member.window.spec().name] = *until;
      }
    }
  }
  std::vector<std::optional<RewindPosition>>& first = total.first;
  first.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    if (!places_[p].assigned) continue;
    if (!first[p] && places_[p].next_offset) {
      // With nothing retained, the next record is the first one needed.
      first[p] = RewindPosition{p, *places_[p].next_offset, watermark_.Newest(p)};
    }
    if (first[p]) point.positions.push_back(*first[p]);
  }
  return point;
}

void WindowEngine::Publish(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
                           double seconds) {
  const WindowSpec& spec = member.window.spec();
  // Windows by event time are published when the watermark has been worked out.
  if (lane.axis() != WindowAxis::kEventTime) watermark_.Advance(now_, wall_);
  auto advance = std::make_shared<Advance>();
  advance->provenance = Describe(lane, spec, moved);
  advance->view = std::move(moved.published.view);
  if (!moved.empty) advance->ids = lives_.Pin();
  advance->ordinal = moved.end / spec.slide;
  advance->slices = member.window.slice_count();
  advance->bytes = member.bytes();
  advance->seconds = seconds;
  advance->rewind = Rewind();
  {
    const std::lock_guard lock(mutex_);
    for (WindowStatus& status : windows_) {
      if (status.spec.name == spec.name) status.newest = advance;
    }
  }
  around_.on_advance(std::move(advance));
}

void WindowEngine::UpdateStats() {
  std::uint64_t slices = 0;
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  std::uint64_t closed = closed_elsewhere_;
  std::uint64_t retained = 0;
  std::uint64_t retained_bytes = 0;
  std::uint64_t takes = takes_elsewhere_;
  for (const Lane& lane : lanes_) {
    slices += lane.slicer().open_slices();
    events += lane.slicer().open_events();
    bytes += lane.slicer().bytes();
    closed += lane.slices_closed;
    retained += lane.retained_slices();
    retained_bytes += lane.retained_bytes();
    takes += lane.takes();
  }
  around_.stats.open_slices = slices;
  around_.stats.open_events = events;
  around_.stats.open_bytes = bytes;
  around_.stats.slices_closed = closed;
  around_.stats.slices_retained = retained;
  around_.stats.retained_bytes = retained_bytes;
  around_.stats.account_takes = takes;
  around_.progress.open_events = events;
  if (const auto watermark = watermark_.Current()) {
    around_.progress.watermark = ToPosition(*watermark);
  }
  std::uint64_t idle = 0;
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    idle += places_[p].assigned && watermark_.IsIdle(p, now_) ? 1 : 0;
  }
  around_.stats.idle_partitions = idle;
  ++around_.stats.rounds;
  UpdateStores();
  UpdateLifetimes();
}

void WindowEngine::UpdateLifetimes() {
  const VertexLifetimes::Figures figures = lives_.figures();
  around_.stats.ids_referred = figures.referred;
  around_.stats.ids_waiting = figures.waiting;
  around_.stats.ids_recycled = figures.recycled;
  around_.stats.lifetimes_bytes = lives_.bytes();
}

void WindowEngine::UpdateStores() {
  std::vector<StoreStatus> stores;
  MemoryUse all;
  std::size_t advance = 0;  // windows move one after the other
  for (const Lane& lane : lanes_) {
    for (const Lane::Member& member : lane.members()) {
      advance = std::max(advance, member.window.advance_bytes());
    }
    for (StoreStatus& store : lane.Stores()) {
      all += store.memory;
      stores.push_back(std::move(store));
    }
  }
  around_.stats.SetStoreMemory(all);
  around_.stats.advance_bytes = advance;
  const std::lock_guard lock(mutex_);
  stores_ = std::move(stores);
}

}  // namespace sash

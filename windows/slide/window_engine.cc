#include "windows/slide/window_engine.h"

#include <limits>
#include <utility>

#include "windows/ingest/axis_position.h"
#include "windows/slide/key_lookahead.h"

namespace sash {
namespace {

// After interning this number of events, the engine releases the dictionary's lock for others.
constexpr std::size_t kEventsALock = 256;

}  // namespace

WindowEngine::WindowEngine(const std::vector<WindowSpec>& windows, const TimePolicy& policy,
                           EngineSurroundings surroundings)
    : policy_(policy), around_(std::move(surroundings)) {
  lanes_.Open(windows);
}

void WindowEngine::Process(const EventBatch& batch, const Moment& at) {
  time_.Begin(at, policy_);
  if (batch.start) Begin(*batch.start);
  commands_.Execute();
  newest_filters_ = std::max(newest_filters_, GenerationOf(batch.filters));
  if (GenerationOf(batch.filters) == filter_set()->generation) return TakeIn(batch);
  EventBatch numbered = batch;
  numbered.NumberAs(filter_set());
  TakeIn(numbered);
}

// The bits of the batch are those of filter_set().
void WindowEngine::TakeIn(const EventBatch& batch) {
  if (batch.unjudged != 0) lanes_.NoteUnjudged(batch);
  if (batch.pane) return TakeStored(batch);
  closer_.FindDue();  // windows may have joined or left
  closer_.CloseByClock();
  partitions_.NoteAnchors(batch.anchors);  // for rewind points that are taken within the batch
  KeyLookahead ahead(around_.keys, lives_, batch);
  auto mark = batch.marks().begin();
  for (std::size_t i = 0; i <= batch.events().size() && !publisher_.abandoned();) {
    std::size_t refused = 0;  // edges of the record that begins at i
    for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
      if (batch.IsOfNextRecord(*mark)) {
        ++refused;
      } else {
        Apply(*mark);
      }
    }
    if (i == batch.events().size()) break;
    const std::size_t end = batch.RecordEnd(i);
    if (end == i + 1 && refused == 0) {
      intake_.Accept(batch, batch.events()[i], ahead.Next());
    } else {
      intake_.AcceptRecord(batch, i, end, refused, ahead);
    }
    if (i / kEventsALock != end / kEventsALock) interner_.Release();
    i = end;
  }
  interner_.Release();
  partitions_.NoteAnchors(batch.anchors);  // for partitions that joined within the batch
  if (batch.end_of_source) {
    closer_.End();
  } else if (batch.caught_up) {
    closer_.CloseFullPanes();
  }
  EndRound();
}

// Takes the events of a stored slice. Panes close before and after the slice, as in the run that
// cut it.
void WindowEngine::TakeStored(const EventBatch& batch) {
  KeyLookahead ahead(around_.keys, lives_, batch);
  // A gap for the windows that would have shown the lost slices, and close with the next line.
  if (batch.pane->lost_before) partitions_.NoteGap(batch.pane->begin);
  closer_.Reach(batch.pane->begin);
  std::size_t taken = 0;
  for (const EdgeEvent& event : batch.events()) {
    if (publisher_.abandoned()) break;
    intake_.AcceptStored(batch, event, ahead.Next());
    if (++taken % kEventsALock == 0) interner_.Release();
  }
  interner_.Release();
  if (batch.pane->is_whole && !publisher_.abandoned()) {
    intake_.CountStored(*batch.pane);
    closer_.Reach(batch.pane->end);
  }
  if (batch.end_of_source) closer_.End();
  EndRound();
}

void WindowEngine::Tick(const Moment& at) {
  time_.Begin(at, policy_);
  commands_.Execute();
  closer_.CloseByClock();
  EndRound();
}

void WindowEngine::EndRound() {
  closer_.MoveWatermark();
  live_.Publish();
  lives_.Recycle();
  boards_.Update();
}

void WindowEngine::Begin(const StreamStart& start) {
  if (is_restored_) {
    // Another instance may have continued from this state, and published what this engine would
    // publish again: NotePublished() prevents that.
    partitions_.BeginRestored(start, time_.now);
  } else {
    const std::optional<EventTime> last_before = partitions_.Begin(start, time_.now);
    time_.numbered = static_cast<std::uint64_t>(start.resumed.accepted_before.value_or(0));
    lanes_.Begin(last_before, start.resumed);
  }
  publisher_.NotePublished(start.resumed);
  // Not before: without partitions the engine would seem to be idle.
  partitions_.watermark().FollowWhenIdle(around_.others);
}

void WindowEngine::Apply(const Mark& mark) {
  switch (mark.kind) {
    case Mark::Kind::kRefused:
      intake_.CountRefused(mark.partition, mark.offset);
      partitions_[mark.partition].next_offset = mark.offset + 1;
      return;
    case Mark::Kind::kGap:
      partitions_[mark.partition].gap = true;
      return;
    case Mark::Kind::kCaughtUp:
      return partitions_.watermark().CaughtUp(mark.partition);
    case Mark::Kind::kBehind:
      return partitions_.watermark().Behind(mark.partition);
    case Mark::Kind::kJoins:
      return partitions_.Join(mark.partition, mark.offset, time_.now);
    case Mark::Kind::kLeaves:
      return partitions_.Leave(mark.partition);
  }
}

Decided WindowEngine::decided() const {
  Decided decided{.slices_closed = around_.stats.slices_closed,
                  .watermark = partitions_.watermark().Current(),
                  .holder = partitions_.watermark().holder(),
                  .by_clock = {}};
  if (const Lane* const lane = lanes_.Find(WindowAxis::kProcessingTime)) {
    decided.by_clock = lane->slicer().closed_until();
  }
  return decided;
}

// The state without the lanes.
EngineState WindowEngine::CaptureStream() const {
  EngineState state;
  partitions_.Capture(state, time_.now);
  state.numbered = time_.numbered;
  state.processing_time = time_.processing_time;
  state.next_serial = lanes_.next_serial();
  state.filters = lanes_.filters();
  state.types = around_.keys.types().Words();
  state.taken = {time_.now, time_.wall};
  state.advances = publisher_.advances();
  state.rewind = publisher_.Rewind();
  return state;
}

EngineState WindowEngine::Capture() {
  EngineState state = CaptureStream();
  state.lanes = lanes_.States();
  state.ids = lives_.Pin();
  return state;
}

EngineState WindowEngine::CaptureWithoutEvents() {
  EngineState state = CaptureStream();
  state.lanes = lanes_.StatesWithoutEvents();
  return state;
}

Status WindowEngine::Restore(EngineState state, const SliceLoader& load) {
  partitions_.Restore(state);
  time_.numbered = state.numbered;
  time_.processing_time = state.processing_time;
  NumberFilters(lanes_.filters(), state);
  for (const std::string& word : state.types) (void)around_.keys.types().Intern(word);
  Status restored = lanes_.Restore(std::move(state.lanes), load);
  if (!restored) return restored;
  lanes_.GoOnFrom(state.next_serial);
  is_restored_ = true;
  boards_.Update();
  return Ok{};
}

WindowEngine::SlicesStanding WindowEngine::StandingOfSlices() const {
  SlicesStanding standing;
  const Lane* const lane = lanes_.Find(WindowAxis::kEventTime);
  if (lane == nullptr) return standing;
  const Position closed = lane->slicer().closed_until();
  if (closed != std::numeric_limits<Position>::min()) standing.closed_until = ToTime(closed);
  standing.counts = lane->slicer().CountsApart();
  return standing;
}

PendingCommand WindowEngine::PutWindows(std::vector<WindowSpec> specs, FilterSetPtr filters) {
  return commands_.Submit([this, specs = std::move(specs), filters = std::move(filters)] {
    return lanes_.Put(specs, filters);
  });
}

PendingCommand WindowEngine::RemoveWindow(std::string name) {
  return commands_.Submit([this, name = std::move(name)]() -> Status {
    Status status = lanes_.Remove(name);
    if (status) return status;
    return std::move(status).error().Within("remove window '" + name + "'");
  });
}

PendingCommand WindowEngine::Compare(Compared compared) {
  return commands_.Submit([this, compared = std::move(compared)]() -> Status {
    lanes_.Compare(compared);
    return Ok();
  });
}

}  // namespace sash

#include "windows/slide/publisher.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

// Adds a follower to the rewind point, which has its leader already. The follower moves a little
// after its leader, and has no snapshot numbers of its own.
void NoteFollower(const SlidingWindow& follower, RewindPoint& point) {
  const WindowSpec& spec = follower.spec();
  const auto leader = point.published.find(std::string(*spec.leader()));
  if (leader != point.published.end() && SinceEnd(spec, leader->second) == 0) {
    // If empty windows are skipped, the window published last was not empty, even in silence.
    NewestWindow newest = point.newest.at(leader->first);
    newest.snapshot = 0;
    newest.in_silence = newest.in_silence && spec.empty_windows == EmptyWindows::kOnce;
    point.published[spec.name] = leader->second;
    point.newest[spec.name] = newest;
  } else if (const auto until = follower.published_until()) {
    point.published[spec.name] = *until;
    point.newest[spec.name] = follower.newest();
    point.newest[spec.name].snapshot = 0;
  }
}

// Makes the window continue after its newest published end.
void GoOnBehind(const RewindPoint& resumed, Lane::Member& member) {
  SlidingWindow& window = member.window;
  const auto published = resumed.published.find(window.spec().name);
  if (published == resumed.published.end()) return;
  if (window.published_until().value_or(published->second) > published->second) return;
  const auto newest = resumed.newest.find(window.spec().name);
  if (newest == resumed.newest.end()) return window.PublishedUntil(published->second);
  window.PublishedUntil(published->second, newest->second);
}

}  // namespace

void Publisher::NotePublished(const RewindPoint& resumed) {
  for (Lane& lane : lanes_) {
    for (Lane::Member& member : lane.members()) {
      const std::optional<Position> before = member.window.published_until();
      GoOnBehind(resumed, member);
      std::optional<SlidingWindow::Moved> recalled = std::exchange(member.recalled, {});
      if (member.window.published_until() != before) recalled.reset();
      if (!recalled) recalled = member.window.RecallSilence();
      if (recalled) Recall(lane, member, *std::move(recalled));
    }
  }
  PinForHistory(nullptr);
}

void Publisher::NoteAllPassed(const Lane& lane, Position position) const {
  if (abandoned()) return;
  for (const Lane::Member& member : lane.members()) {
    const WindowSpec& spec = member.window.spec();
    if (!spec.leader()) around_.listener.OnAllPassed(spec.name, position);
  }
}

bool Publisher::OnMoved(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
                        const Timing& timing) {
  if (moved.recalled) {
    Recall(lane, member, std::move(moved));
  } else {
    Publish(lane, member, std::move(moved), timing);
  }
  return !abandoned();
}

Provenance Publisher::Describe(const Lane& lane, const WindowSpec& spec,
                               const SlidingWindow::Moved& moved) const {
  Provenance about;
  about.window = spec.name;
  about.snapshot = moved.snapshot;
  about.watermark = partitions_.watermark().Current();
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
    const std::optional<EventTime> gap_until = partitions_.gap_until();
    about.gap = gap_until && about.window_start < *gap_until;
  }
  about.gap = about.gap || moved.lacks_slices;
  for (PartitionIndex p = 0; p < moved.total.offsets.size(); ++p) {
    const auto& [least, greatest] = moved.total.offsets[p];
    if (least > greatest) continue;
    // Results do not distinguish the lives of a partition: they have the offsets of the newest
    // life.
    TopicPartition pair = partitions_.PairOf(p);
    pair.life = 0;
    about.offsets[pair] = {least, greatest};
  }
  return about;
}

RewindPoint Publisher::Rewind() const {
  RewindTotal total;
  RewindPoint point;
  point.gap_until = partitions_.gap_until();
  for (const Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) {
      point.accepted_before = static_cast<std::int64_t>(lane.AcceptedBefore());
    }
    total.Take(lane.Rewind());
    lane.slicer().VisitOpenShares([&](PartitionIndex partition, const PartitionShare& share) {
      total.Take(partition, share);
    });
    for (const Lane::Member& member : lane.members()) {
      const SlidingWindow& window = member.window;
      if (window.spec().is_historian()) continue;  // it does not hold the rewind point
      if (window.spec().leader()) {
        NoteFollower(window, point);
      } else if (const auto until = window.published_until()) {
        point.published[window.spec().name] = *until;
        point.newest[window.spec().name] = window.newest();
      }
    }
  }
  partitions_.AddPositions(std::move(total.first), point);
  return point;
}

void Publisher::Recall(const Lane& lane, const Lane::Member& member, SlidingWindow::Moved moved) {
  if (member.recalled_for == 0) return;
  const WindowSpec& spec = member.window.spec();
  auto advance = std::make_shared<Advance>();
  advance->provenance = Describe(lane, spec, moved);
  advance->provenance.window = spec.leader().value_or(spec.name);
  advance->view = std::move(moved.published.view);
  if (!moved.empty) advance->ids = lives_.Pin();
  advance->end = moved.end;
  advance->ordinal = OrdinalOf(spec, moved.end) * (spec.leader() ? member.recalled_for : 1);
  advance->recalled_for = member.recalled_for;
  around_.listener.OnRecalled(advance);
}

void Publisher::PinForHistory(std::shared_ptr<const IdPin> newest) {
  if (windows_.NeedsPin()) windows_.SetPin(newest ? std::move(newest) : lives_.Pin());
}

void Publisher::Publish(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
                        const Timing& timing) {
  PhaseClock describing(around_.clock, AdvancePhase::kOther);
  const WindowSpec& spec = member.window.spec();
  ++advances_;
  auto advance = std::make_shared<Advance>();
  advance->provenance = Describe(lane, spec, moved);
  advance->view = std::move(moved.published.view);
  if (!moved.empty) advance->ids = lives_.Pin();
  advance->end = moved.end;
  advance->ordinal = OrdinalOf(spec, moved.end);
  advance->slices = member.window.slice_count();
  advance->bytes = member.bytes();
  advance->number = advances_;
  advance->rewind = Rewind();
  boards_.UpdateBeforeAdvance(lane);
  advance->due = timing.due;
  advance->phases = timing.phases;
  advance->phases += describing.Read();
  advance->seconds = WorkSeconds(advance->phases);
  if (const auto history = lane.windows().HistoryOf(spec.name)) {
    history->Note(*advance, around_.keys.id_limit());
  }
  PinForHistory(advance->ids);
  windows_.SetNewest(spec.name, advance);
  NoteAllPassed(lane, advance->end - 1);  // a lane moves its windows in the order of their ends
  around_.listener.OnAdvance(std::move(advance));
}

}  // namespace sash

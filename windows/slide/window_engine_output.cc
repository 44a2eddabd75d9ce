// What the engine tells others: advances with where they come from, rewind points, statistics.
#include <algorithm>
#include <utility>

#include "windows/ingest/axis_position.h"
#include "windows/slide/window_engine.h"

namespace sash {
namespace {

// What is known of a follower, whose leader is noted already. It moves a little later than that, and has
// no numbers of its own.
void NoteFollower(const SlidingWindow& follower, RewindPoint& point) {
  const WindowSpec& spec = follower.spec();
  const auto leader = point.published.find(std::string(*spec.leader()));
  if (leader != point.published.end() && leader->second % spec.slide == 0) {
    // Who skips empty windows may be in silence behind a fuller one.
    const bool in_silence =
        point.newest.at(leader->first).in_silence && spec.empty_windows == EmptyWindows::kOnce;
    point.published[spec.name] = leader->second;
    point.newest[spec.name] = {.snapshot = 0, .in_silence = in_silence};
  } else if (const auto until = follower.published_until()) {
    point.published[spec.name] = *until;
    point.newest[spec.name] = {.snapshot = 0, .in_silence = follower.newest().in_silence};
  }
}

}  // namespace

Lane::OnMoved WindowEngine::Publisher(const Lane& lane) {
  return
      [this, &lane](Lane::Member& member, SlidingWindow::Moved moved, const Lane::Timing& timing) {
        if (moved.recalled) {
          Recall(lane, member, std::move(moved));
        } else {
          Publish(lane, member, std::move(moved), timing);
        }
        return !abandoned_;
      };
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
    if (least > greatest) continue;
    // Offsets of two lives cannot be told apart: those of the newest stand for the partition.
    TopicPartition pair = around_.partitions.At(p);
    pair.life = 0;
    about.offsets[pair] = {least, greatest};
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
      const SlidingWindow& window = member.window;
      if (window.spec().leader()) {
        NoteFollower(window, point);
      } else if (const auto until = window.published_until()) {
        point.published[window.spec().name] = *until;
        point.newest[window.spec().name] = window.newest();
      }
    }
  }
  std::vector<std::optional<RewindPosition>>& first = total.first;
  first.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    if (!places_[p].assigned) continue;
    // With nothing retained, the next record is the first one needed. A gap that no window tells
    // yet would be forgotten: who has no position finds it again.
    if (!first[p] && places_[p].next_offset && !places_[p].gap) {
      first[p] = RewindPosition{p, *places_[p].next_offset, watermark_.Newest(p)};
    }
    if (!first[p]) continue;
    first[p]->anchor = places_[p].anchor;
    point.positions.push_back(*first[p]);
  }
  return point;
}

void WindowEngine::Recall(const Lane& lane, const Lane::Member& member,
                          SlidingWindow::Moved moved) {
  if (member.recalled_for == 0) return;
  const WindowSpec& spec = member.window.spec();
  auto advance = std::make_shared<Advance>();
  advance->provenance = Describe(lane, spec, moved);
  advance->provenance.window = spec.leader().value_or(spec.name);
  advance->view = std::move(moved.published.view);
  if (!moved.empty) advance->ids = lives_.Pin();
  advance->end = moved.end;
  advance->ordinal = moved.end / spec.slide * (spec.leader() ? member.recalled_for : 1);
  advance->recalled_for = member.recalled_for;
  around_.on_recalled(advance);
}

void WindowEngine::Publish(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
                           const Lane::Timing& timing) {
  PhaseClock describing(around_.clock, AdvancePhase::kOther);
  const WindowSpec& spec = member.window.spec();
  ++advances_;
  auto advance = std::make_shared<Advance>();
  advance->provenance = Describe(lane, spec, moved);
  advance->view = std::move(moved.published.view);
  if (!moved.empty) advance->ids = lives_.Pin();
  advance->end = moved.end;
  advance->ordinal = moved.end / spec.slide;
  advance->slices = member.window.slice_count();
  advance->bytes = member.bytes();
  advance->number = advances_;
  advance->rewind = Rewind();
  slices_.Update(lane.axis(), lane.retained(), lane.slicer());
  UpdateBoard();  // jobs may hold the engine for long
  advance->due = timing.due;
  advance->phases = timing.phases;
  advance->phases += describing.Read();
  advance->seconds = WorkSeconds(advance->phases);
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
  UpdateSlices();
  UpdateBoard();
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

void WindowEngine::UpdateSlices() {
  for (const WindowAxis axis :
       {WindowAxis::kEventTime, WindowAxis::kProcessingTime, WindowAxis::kEvents}) {
    const auto lane = std::ranges::find(lanes_, axis, &Lane::axis);
    if (lane == lanes_.end()) {
      slices_.Forget(axis);
    } else {
      slices_.Update(axis, lane->retained(), lane->slicer());
    }
  }
}

void WindowEngine::UpdateBoard() {
  standing_.watermark = watermark_.Current();
  standing_.wall = wall_;
  standing_.processing_time = processing_time_;
  standing_.accepted = numbered_;
  standing_.ended = ended_;
  standing_.partitions.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    standing_.partitions[p] = watermark_.StandingOf(p, now_);
    standing_.partitions[p].late = places_[p].late;
    standing_.partitions[p].refused = places_[p].refused;
  }
  standing_.windows.clear();
  for (const Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) standing_.accepted = lane.accepted;
    for (const Lane::Member& member : lane.members()) {
      if (member.window.spec().leader()) continue;
      standing_.windows.push_back(lane.StandingOf(member));
    }
  }
  board_.Update(standing_);
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

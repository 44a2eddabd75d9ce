// WindowEngine: turns batches of edge events into advances of the windows.
//
// Thread safety
//   Any thread may call PutWindows(), RemoveWindow(), Compare(), Windows(), Find(), Read(),
//   Entered(), BornAfter(), slices(), progress_board(), policy(), partitions(), stats(),
//   progress(), Stores(), Abandon(), abandoned() and Finish(). The others belong to the engine
//   thread, unless their comments say otherwise.
//
// Invariants
//   (1) The content of a window depends only on the events and their partitions, not on how
//       partitions interleave, unless a clock decides (idleness, ahead_limit, processing time).
//   (2) Every edge of a record, and every record that is not an edge event, is counted once per
//       lane, as accepted, late or refused. A filtered event is not counted.
//   (3) Advances reach the listener in order, each once.
//   (4) A window that joins or leaves does not change the advances of other windows.
//   (5) A key is known while an open or retained slice, or the view of an advance that is held,
//       names its vertex. Then it is forgotten, and another key may get its id.
//
// It has more methods than other classes: most of them return a part, or pass a call on to one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/filter_set.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"
#include "windows/ingest/vertex_lifetimes.h"
#include "windows/slide/command_queue.h"
#include "windows/slide/engine_boards.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/event_intake.h"
#include "windows/slide/interner.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/live_publisher.h"
#include "windows/slide/pane_closer.h"
#include "windows/slide/progress_board.h"
#include "windows/slide/publisher.h"
#include "windows/slide/round_outline.h"
#include "windows/slide/slice_board.h"
#include "windows/slide/store_status.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/stream_time.h"
#include "windows/slide/window_board.h"
#include "windows/slide/window_spec.h"

namespace sash {

class WindowEngine {
 public:
  WindowEngine(const std::vector<WindowSpec>& windows, const TimePolicy& policy,
               EngineSurroundings surroundings);

  void Process(const EventBatch& batch) { Process(batch, MomentOf(batch)); }
  // As if the clocks showed `at`. Moments must not go back.
  void Process(const EventBatch& batch, const Moment& at);

  // Closes what is due by the clock; call it when there was no batch for a while.
  void Tick() { Tick(Now()); }
  void Tick(const Moment& at);

  Moment Now() const { return {around_.clock.Steady(), around_.clock.Now()}; }
  // Now, but with a wall clock not earlier than when the source compared the events with it.
  Moment MomentOf(const EventBatch& batch) const {
    Moment now = Now();
    if (batch.compared_at) now.wall = std::max(now.wall, *batch.compared_at);
    return now;
  }

  // The whole state of the engine now. Call it between two batches, in the engine thread. Costs a
  // copy of the open events.
  EngineState Capture();

  // The state without events, as if every lane had released its slices; this is cheap. An engine
  // that continues from such a state, and gets the records that came since, lacks events at first.
  // Its results are the same again once no event that was in a window or an open slice at that
  // moment belongs to its windows any more.
  EngineState CaptureWithoutEvents();

  // Call it before the first Process(), in any thread: the engine continues from `state`, which
  // CheckFits() has accepted. The table of partitions and the dictionary hold exactly the
  // partitions of the state and the keys of open events, with the indices and ids of the state.
  // Slices are loaded one after the other. After an error neither the engine nor its dictionary can
  // be used.
  //
  // The source must continue at state.partitions[].next_offset. The stream begins with a
  // StreamStart as always. The engine uses its partitions, their positions, and what windows have
  // published meanwhile; it ignores the rest of StreamStart::resumed.
  Status Restore(EngineState state, const SliceLoader& load);

  // In the engine thread: whether the partition counts; after Restore() and before the stream
  // begins, whether it counted when the state was taken.
  bool IsRead(PartitionIndex partition) const { return partitions_.IsRead(partition); }

  // After the last Process() or Tick().
  Decided decided() const;
  // The number of executed commands: windows added, removed or changed while the stream ran, and
  // others. Commands that failed count too.
  std::uint64_t commands() const { return commands_.executed(); }

  // Makes a running Process() or Tick() return soon, after the current advance. Call neither of
  // them afterwards: records that were not applied are read again after a restart.
  void Abandon() {
    publisher_.Abandon();
    Finish();
  }
  bool abandoned() const { return publisher_.abandoned(); }

  // There will be no further Process() or Tick(): windows cannot join or leave any more.
  void Finish() { commands_.Close(); }

  // PutWindows(), RemoveWindow() and Compare() change windows while the stream runs. The engine
  // thread executes them before its next batch, or at its next Tick(); then the answer is ready.
  // Jobs may block the engine for a long time: wait with a limit, and never in the engine thread
  // (for example in EngineListener::OnAdvance).
  //
  // PutWindows(): each window joins, or replaces the window of its name, which must have the same
  // axis. Either all windows are put or none. `length` must be a multiple of `slide`, `offset` less
  // than `slide`, and both `slide` and `offset` multiples of the pane of the axis. If the axis has
  // no window yet, `specs` decide the pane (PaneOf). A window that joins begins with the slices of
  // its span that are still available (LaneWindows::Add); its results have `gap: true` until no
  // slice is missing. A window that differs from the replaced one begins as a window that joins,
  // and continues to number the results. Until it advances, its newest advance is that of the
  // replaced window.
  //
  // `filters`: the set by which the source judges from now on, or soon (null: as before). It comes
  // after filter_set() (NextSet()); filters that windows have keep their numbers. A window of a new
  // filter shows only events that come after this call and that the filter has judged; its results
  // have `gap: true` until its span contains no other events.
  PendingCommand PutWindows(std::vector<WindowSpec> specs, FilterSetPtr filters = nullptr);

  // With the last window of an axis its lane is removed, open slices included. The only window of
  // all lanes cannot leave: nothing would be committed any more.
  PendingCommand RemoveWindow(std::string name);

  // Sets the results that jobs compare from now on (EngineSurroundings::compared).
  using Compared = LaneSet::Compared;
  PendingCommand Compare(Compared compared);

  // The current windows, in the order in which they were added.
  using WindowStatus = sash::WindowStatus;
  std::vector<WindowStatus> Windows() const { return windows_.Windows(); }
  std::optional<WindowStatus> Find(std::string_view window) const { return windows_.Find(window); }
  // An earlier window of one that has a history; null if it cannot be read any more
  // (WindowHistory::Read(), whose comment states the cost).
  AdvancePtr Read(const WindowStatus& window, const WindowHistory::Past& past) const {
    std::shared_ptr<const IdPin> pin = windows_.Pin();
    return window.history->Read(past, std::move(pin));
  }

  // The slices that overlap [begin, end) on the axis of a window that has a history
  // (WindowHistory::Entered()), and a pin of their ids.
  struct EnteredSlices {
    std::shared_ptr<const IdPin> ids;
    std::optional<SliceArchive::Slices> slices;
  };
  EnteredSlices Entered(const WindowStatus& window, Position begin, Position end) const {
    std::shared_ptr<const IdPin> pin = windows_.Pin();
    return {std::move(pin), window.history->Entered(begin, end)};
  }

  // Whether the life of `vertex` began after the pin of epoch `then` was taken: values stored then
  // for this id belong to another vertex. `vertex` is in a view that `now` pins.
  bool BornAfter(std::uint64_t then, VertexId vertex, const IdPin& now) const {
    return lives_.BornAfter(then, vertex, now);
  }

  // In the engine thread, between two batches: the point from which records must be read again.
  // These are the records that no closed slice has and, if there are windows, those that the
  // windows hold.
  RewindPoint Rewind() const { return publisher_.Rewind(); }

  // Only with SlicesAlone; in the engine thread, between two batches.
  struct SlicesStanding {
    std::optional<EventTime> closed_until{};  // no slice before it will close any more
    std::vector<PaneCounts> counts{};         // of records that no closed slice has
  };
  SlicesStanding StandingOfSlices() const;

  // The slices that windows hold, and the open slices, after the newest batch or advance.
  const SliceBoard& slices() const { return boards_.slices(); }

  // The progress of partitions and windows at that moment, and the policy.
  const ProgressBoard& progress_board() const { return boards_.progress(); }
  const TimePolicy& policy() const { return policy_; }
  const PartitionTable& partitions() const { return around_.partitions; }
  // The filters that windows may have, numbered as the bits of events (EventBatch::NotePasses()).
  // In the engine thread; until PutWindows() gives other filters, in any thread.
  const FilterTexts& filters() const { return lanes_.filters(); }
  const FilterSetPtr& filter_set() const { return lanes_.filter_set(); }
  // In the engine thread: whether batches may come that were not judged by all of these filters.
  // Then a state that is taken now might lead to other results, because after a restart these
  // batches would be judged.
  bool awaits_filters() const { return newest_filters_ < filter_set()->generation; }

  // The counters and the progress that the engine writes (EngineSurroundings).
  const EngineStats& stats() const { return around_.stats; }
  const StreamProgress& progress() const { return around_.progress; }

  // The stores after the newest batch.
  std::vector<StoreStatus> Stores() const { return windows_.Stores(); }

 private:
  void TakeIn(const EventBatch& batch);
  void TakeStored(const EventBatch& batch);
  EngineState CaptureStream() const;
  void Begin(const StreamStart& start);
  void Apply(const Mark& mark);
  void EndRound();

  const TimePolicy policy_;
  EngineSurroundings around_;
  VertexLifetimes lives_{around_.keys};
  StreamTime time_{Now()};
  StreamPartitions partitions_{policy_, around_.partitions};
  WindowBoard windows_;
  LaneSet lanes_{around_, time_, partitions_, lives_, windows_, policy_.dedupe_within};
  EngineBoards boards_{around_, time_, partitions_, lanes_, lives_, windows_};
  Publisher publisher_{around_, partitions_, lanes_, lives_, boards_, windows_};
  Interner interner_{around_.keys};
  PaneCloser closer_{around_, time_, partitions_, lanes_, interner_, publisher_};
  EventIntake intake_{policy_, around_, time_, partitions_, lanes_, lives_, interner_, closer_};
  LivePublisher live_{around_, partitions_, lanes_, lives_, windows_};
  CommandQueue commands_;
  bool is_restored_ = false;
  std::uint64_t newest_filters_ = 0;  // the greatest FilterSet::generation of a batch
};

}  // namespace sash

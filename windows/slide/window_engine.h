// WindowEngine: from batches of edge events to advances of the windows.
//
// Thread safety
//   Process() and Tick() belong to the engine thread. AddWindow(), PutWindows(), RemoveWindow(),
//   Compare(), Windows(), Find(), slices(), progress_board(), policy(), partitions(), Stores(),
//   Abandon() and Finish() may be called from any thread.
//
// Invariants
//   (1) What a window holds depends on the events and their partitions alone, not on how partitions
//       interleave, as long as no clock decides (idleness, ahead_limit, processing time).
//   (2) Every record is accounted for once a lane: accepted, late or refused.
//   (3) Advances reach the listener in order, each once.
//   (4) A window that comes or goes changes nothing in the advances of the others.
//   (5) A key is known while an open or retained slice, or the view of an advance that is held,
//       names its vertex. Then it is forgotten, and its id is another key's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/event_batch.h"
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
  // As if the clocks said so. Moments do not go back.
  void Process(const EventBatch& batch, const Moment& at);

  // Lets the clock have its say; call it when there was no batch for a while.
  void Tick() { Tick(Now()); }
  void Tick(const Moment& at);

  Moment Now() const { return {around_.clock.Steady(), around_.clock.Now()}; }
  // Now, but the wall clock shows no less than when the source compared the events with it.
  Moment MomentOf(const EventBatch& batch) const {
    Moment now = Now();
    if (batch.compared_at) now.wall = std::max(now.wall, *batch.compared_at);
    return now;
  }

  // All that the engine knows now; between two batches, in the engine thread. Costs a copy of the
  // open events.
  EngineState Capture();

  // Likewise, but without events, and cheap: as if every lane had released what it holds. An engine
  // that goes on from such a state and gets what came since lacks events at first. It publishes the
  // same results again once no event is in its windows that was in a window, or in an open slice,
  // at that moment.
  EngineState CaptureWithoutEvents();

  // Before the first Process(), in any thread: the engine goes on from `state`, which CheckFits()
  // has found to fit. The tables hold the partitions and the keys of open events, at the places and
  // by the ids that the state names, and nothing else. Slices are loaded one after the other. After
  // an error neither the engine nor its dictionary can be used.
  //
  // The source decides where reading goes on: state.partitions[].next_offset. The stream begins
  // with a StreamStart as always. Its partitions count, and what windows have published meanwhile;
  // the other things that are resumed do not.
  Status Restore(EngineState state, const SliceLoader& load);

  // In the engine thread: whether the partition counts; after Restore() and before the stream
  // begins, whether it did when the state was taken.
  bool IsRead(PartitionIndex partition) const { return partitions_.IsRead(partition); }

  // As the last Process() or Tick() left it.
  Decided decided() const;
  // Windows that came, went or changed while the stream ran, and other commands; refused ones
  // count.
  std::uint64_t commands() const { return commands_.executed(); }

  // Lets a Process() or Tick() under way return soon, after the advance in work. There must be no
  // other afterwards: what has not been applied is to be read again after a restart.
  void Abandon() {
    publisher_.Abandon();
    Finish();
  }
  bool abandoned() const { return publisher_.abandoned(); }

  // There will be no other Process() or Tick(): windows cannot come or go any more.
  void Finish() { commands_.Close(); }

  // A window joins, or leaves, while the stream runs. The engine thread does it before its next
  // batch, or when it next looks at the clock; the answer is there then. Jobs may hold the engine
  // for long: wait with a limit, and never in the engine thread (as in EngineListener::OnAdvance).
  //
  // The name must be new, `length` a multiple of `slide`, and `slide` a multiple of the pane of its
  // axis. The first window of an axis makes its slide the pane. The window begins with the slices
  // of its span that are still to be had (LaneWindows::Add); its results have `gap: true` until
  // none is lacking.
  PendingCommand AddWindow(WindowSpec spec);

  // Each takes the place of the window of its name, whose axis it must have, or joins: all of them
  // or none. A window that differs from the one before begins as one that joins, and goes on
  // numbering the results. Until it advances, its newest advance is that of the window before.
  PendingCommand PutWindows(std::vector<WindowSpec> specs);

  // The last window of an axis takes its lane along, open slices included. The only window of all
  // cannot leave: nothing would be committed any more.
  PendingCommand RemoveWindow(std::string name);

  // What is compared from now on (EngineSurroundings::compared); likewise.
  using Compared = LaneSet::Compared;
  PendingCommand Compare(Compared compared);

  // The windows as they are now, in the order in which they were added.
  using WindowStatus = sash::WindowStatus;
  std::vector<WindowStatus> Windows() const { return windows_.Windows(); }
  std::optional<WindowStatus> Find(std::string_view window) const { return windows_.Find(window); }

  // The slices that windows hold, and those that fill, as they were after the newest batch or
  // advance.
  const SliceBoard& slices() const { return boards_.slices(); }

  // How far partitions and windows were then, and by which policy.
  const ProgressBoard& progress_board() const { return boards_.progress(); }
  const TimePolicy& policy() const { return policy_; }
  const PartitionTable& partitions() const { return around_.partitions; }

  // What it counts and how far it is, of its surroundings.
  const EngineStats& stats() const { return around_.stats; }
  const StreamProgress& progress() const { return around_.progress; }

  // The stores as they were after the newest batch.
  std::vector<StoreStatus> Stores() const { return windows_.Stores(); }

 private:
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
  LaneSet lanes_{around_, time_, partitions_, lives_, windows_};
  EngineBoards boards_{around_, time_, partitions_, lanes_, lives_, windows_};
  Publisher publisher_{around_, partitions_, lanes_, lives_, boards_, windows_};
  Interner interner_{around_.keys};
  PaneCloser closer_{around_, time_, partitions_, lanes_, interner_, publisher_};
  EventIntake intake_{policy_, around_, time_, partitions_, lanes_, lives_, interner_, closer_};
  CommandQueue commands_;
  bool is_restored_ = false;
};

}  // namespace sash

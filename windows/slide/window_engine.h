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
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/thread_annotations.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/ingest/vertex_lifetimes.h"
#include "windows/ingest/watermark.h"
#include "windows/jobs/advance.h"
#include "windows/slide/command_queue.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/key_lookahead.h"
#include "windows/slide/lane.h"
#include "windows/slide/progress_board.h"
#include "windows/slide/round_outline.h"
#include "windows/slide/slice_board.h"
#include "windows/slide/store_status.h"
#include "windows/slide/window_spec.h"

namespace sash {

class WindowEngine {
 public:
  WindowEngine(std::vector<WindowSpec> windows, const TimePolicy& policy,
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

  // All that it knows now; between two batches, in the engine thread. Costs a copy of the open
  // events.
  EngineState Capture();

  // Likewise, but without a single event, and as cheap as that is: as if every lane had let go of what
  // it holds. An engine that goes on from it and is given what came since publishes the same again,
  // once nothing is in the windows that was in them, or open, at that moment. Until then its windows
  // lack events.
  EngineState CaptureWithoutEvents();

  // Before the first Process(), in any thread: the engine goes on from `state`, which CheckFits() has
  // found to fit. The partitions and the keys of open events are in the tables already, at the
  // places and by the ids that it names, and nothing else. Slices are loaded one after the other.
  // After an error neither the engine nor its dictionary is of use.
  //
  // Where reading goes on is the source's business: state.partitions[].next_offset. The stream
  // begins as ever with a StreamStart, of which the partitions count, and what windows have published
  // meanwhile; the other things that are resumed do not.
  Status Restore(EngineState state, const SliceLoader& load);

  // In the engine thread: whether the partition counts; of an engine that is restored and has not
  // begun, whether it did when the state was taken.
  bool IsRead(PartitionIndex partition) const {
    if (partition < stood_.size()) return stood_[partition].assigned;
    return partition < places_.size() && places_[partition].assigned;
  }

  // As the last Process() or Tick() left it.
  Decided decided() const;
  // Windows that came, went or changed while the stream ran, and other commands, refused ones included.
  std::uint64_t commands() const { return commands_.executed(); }

  // Lets a Process() or Tick() under way return soon, after the advance in work. There must be no
  // other afterwards: what has not been applied is to be read again after a restart.
  void Abandon() {
    abandoned_ = true;
    Finish();
  }
  bool abandoned() const { return abandoned_; }

  // There will be no other Process() or Tick(): windows cannot come or go any more.
  void Finish() { commands_.Close(); }

  // A window joins, or leaves, while the stream runs. The engine thread does it before its next
  // batch, or when it next looks at the clock; the answer is there then. Jobs may hold the engine
  // for long: wait with a limit, and never in the engine thread (as in on_advance).
  //
  // The name must be new, `length` a multiple of `slide`, and `slide` a multiple of the pane of its
  // axis. The first window of an axis makes its slide the pane. The window begins with the slices of
  // its span that are still to be had (Lane::AddWindow); its results have `gap: true` until none is
  // lacking.
  PendingCommand AddWindow(WindowSpec spec);

  // Each takes the place of the window of its name, whose axis it must have, or joins: all of them or
  // none. One that is another than before begins as one that joins, and goes on numbering the results.
  // Until it advances, the newest one is that of the window before.
  PendingCommand PutWindows(std::vector<WindowSpec> specs);

  // The last window of an axis takes its lane along, open slices included. The only window of all
  // cannot leave: nothing would be committed any more.
  PendingCommand RemoveWindow(std::string name);

  // What is compared from now on (EngineSurroundings::compared); likewise.
  using Compared = std::map<std::string, std::set<std::uint32_t>>;
  PendingCommand Compare(Compared compared);

  // The windows as they are now, in the order in which they were added.
  struct WindowStatus {
    WindowSpec spec;
    AdvancePtr newest;  // null before the first
  };
  std::vector<WindowStatus> Windows() const;
  std::optional<WindowStatus> Find(std::string_view window) const;

  // The slices that windows hold, and those that fill, as they were after the newest batch or
  // advance.
  const SliceBoard& slices() const { return slices_; }

  // How far partitions and windows were then, and by which policy.
  const ProgressBoard& progress_board() const { return board_; }
  const TimePolicy& policy() const { return policy_; }
  const PartitionTable& partitions() const { return around_.partitions; }

  // What it counts and how far it is, of its surroundings.
  const EngineStats& stats() const { return around_.stats; }
  const StreamProgress& progress() const { return around_.progress; }

  // The stores as they were after the newest batch.
  std::vector<StoreStatus> Stores() const;

 private:
  EngineState CaptureStream();
  Status CheckPut(const WindowSpec& spec, std::optional<Position> pane) const;
  Status Put(const std::vector<WindowSpec>& specs);
  void PutChecked(const WindowSpec& spec);
  void NoteCompared(Lane& lane, const WindowSpec& spec);
  Status Remove(const std::string& name);
  Lane& MakeLane(WindowAxis axis, Position pane);
  // What this or another instance has published.
  void NotePublished(const RewindPoint& resumed);
  static void NotePublished(const RewindPoint& resumed, Lane::Member& member);
  Lane* LaneOf(WindowAxis axis);  // null when there is none
  // A lane made while the stream runs goes on where the stream is.
  void BeginLane(Lane& lane) const;
  void Begin(const StreamStart& start);
  void NoteAnchors(const EventBatch& batch);
  void BeginRestored(const StreamStart& start);
  void Apply(const Mark& mark);
  void Join(PartitionIndex partition, std::optional<std::int64_t> offset);
  void Leave(PartitionIndex partition);
  void Accept(const EventBatch& batch, const EdgeEvent& event, const KeyLookahead::Hashes& hashes);
  void RefuseAhead(const EventBatch& batch, const EdgeEvent& event);
  void CountAccepted(Operation operation);
  void NoteLateness(const EdgeEvent& event);
  bool IsLate(const Lane& lane, const EdgeEvent& event) const;
  void Intern(const EventBatch& batch, const EdgeEvent& event, const KeyLookahead::Hashes& hashes,
              BufferedEvent& buffered);
  // What a lane buffers refers to its vertices, until the lane releases or leaves it.
  void Refer(const BufferedEvent& event);
  void ReleaseOpen(const Lane& lane);
  void Enter(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered);
  void EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered);
  void Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
              const std::string& detail);
  Position PositionOf(const Lane& lane, const EdgeEvent& event) const;
  void Begin(const Moment& at);

  void MoveWatermark();
  void FindDue();
  void CloseLane(Lane& lane, Position position);
  void CloseByClock();
  void EndSource();
  Lane::OnMoved Publisher(const Lane& lane);
  void Publish(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
               const Lane::Timing& timing);
  void Recall(const Lane& lane, const Lane::Member& member, SlidingWindow::Moved moved);
  Provenance Describe(const Lane& lane, const WindowSpec& spec,
                      const SlidingWindow::Moved& moved) const;
  RewindPoint Rewind() const;
  void UpdateStats();
  void UpdateSlices();
  void UpdateBoard();
  void UpdateStores();
  void UpdateLifetimes();
  VertexId IdLimit() const { return around_.keys.id_limit(); }

  const TimePolicy policy_;
  EngineSurroundings around_;
  VertexLifetimes lives_{around_.keys};
  std::list<Lane> lanes_;
  Watermark watermark_;
  SteadyTime now_;  // of the batch in work
  EventTime wall_;
  Position processing_time_;  // wall_, but never going back
  EventTime latest_;          // later events are ahead of the clock
  // No lane by event time closes anything before the watermark is here.
  Position due_ = std::numeric_limits<Position>::min();
  // While events are interned, which takes the dictionary's lock less often than each. Never while
  // somebody is called who may wait, or look up a key.
  std::optional<VertexDictionary::Writer> writer_;

  struct PartitionPlace {
    bool assigned = false;
    bool gap = false;                         // the next event follows records that were never read
    std::optional<std::int64_t> next_offset;  // unknown until the source tells
    std::optional<RecordAnchor> anchor;       // of the newest record, if the source tells
    std::uint64_t late = 0;                   // since its newest event that was in time
    std::uint64_t refused = 0;                // since then
  };
  struct Stood {  // of an engine that is restored, until it begins
    Duration silent{};
    bool caught_up = false;
    bool assigned = false;
  };
  std::vector<PartitionPlace> places_;
  std::vector<Stood> stood_;
  std::vector<std::uint32_t> ranks_;
  std::optional<EventTime> gap_until_;
  std::uint64_t numbered_ = 0;     // events that windows by events number
  std::uint64_t next_serial_ = 0;  // of lanes
  std::uint64_t advances_ = 0;     // published
  bool is_restored_ = false;
  std::uint64_t closed_elsewhere_ = 0;  // slices of lanes that are gone
  std::uint64_t takes_elsewhere_ = 0;
  std::atomic<bool> abandoned_ = false;
  CommandQueue commands_;
  SliceBoard slices_;
  ProgressBoard board_;
  StreamStanding standing_;  // room for the next one on the board
  bool ended_ = false;

  mutable std::mutex mutex_;
  std::vector<WindowStatus> windows_ SASH_GUARDED_BY(mutex_);
  std::vector<StoreStatus> stores_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash

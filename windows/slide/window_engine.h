// WindowEngine: from batches of edge events to advances of the windows.
//
// Thread safety
//   Process() and Tick() belong to the engine thread. Newest() and Abandon() may be called from any
//   thread.
//
// Invariants
//   (1) What a window holds depends on the events and their partitions alone, not on how partitions
//       interleave, as long as no clock decides (idleness, ahead_limit, processing time).
//   (2) Every record is accounted for once a lane: accepted, late or refused.
//   (3) Advances reach the listener in order, each once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/thread_annotations.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/ingest/watermark.h"
#include "windows/jobs/advance.h"
#include "windows/slide/engine_stats.h"
#include "windows/slide/lane.h"
#include "windows/slide/window_spec.h"

namespace sash {

// What the engine works with; all outlive it.
struct EngineSurroundings {
  VertexDictionary& keys;
  PartitionTable& partitions;
  const Clock& clock;
  RefusalSink& refusals;
  EngineStats& stats;
  StreamProgress& progress;
  // Called in the engine thread; may wait (that is how jobs hold the stream back).
  std::function<void(AdvancePtr)> on_advance;
};

class WindowEngine {
 public:
  WindowEngine(std::vector<WindowSpec> windows, const TimePolicy& policy,
               EngineSurroundings surroundings);

  void Process(const EventBatch& batch);

  // Lets the clock have its say; call it when there was no batch for a while.
  void Tick();

  // Lets a Process() or Tick() under way return soon, after the advance in work. There must be no
  // other afterwards: what has not been applied is to be read again after a restart.
  void Abandon() { abandoned_ = true; }
  bool abandoned() const { return abandoned_; }

  const std::vector<WindowSpec>& windows() const { return windows_; }

  // The newest advance of a window; null before the first. `index` as in windows().
  AdvancePtr Newest(std::size_t index) const;

 private:
  void Begin(const StreamStart& start);
  void Apply(const Mark& mark);
  void Accept(const EventBatch& batch, const EdgeEvent& event);
  bool IsAhead(const EdgeEvent& event) const;
  bool IsLate(const Lane& lane, const EdgeEvent& event) const;
  BufferedEvent Intern(const EventBatch& batch, const EdgeEvent& event);
  void Enter(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered);
  void EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered);
  void Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
              const std::string& detail);
  Position PositionOf(const Lane& lane, const EdgeEvent& event) const;

  void MoveWatermark();
  void CloseLane(Lane& lane, Position position);
  void CloseByClock();
  void EndSource();
  Lane::OnMoved Publisher(const Lane& lane);
  void Publish(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved, double seconds);
  Provenance Describe(const Lane& lane, const WindowSpec& spec,
                      const SlidingWindow::Moved& moved) const;
  RewindPoint Rewind() const;
  void UpdateStats();
  void UpdateStoreBytes();
  VertexId IdLimit() const { return static_cast<VertexId>(around_.keys.size()); }

  const std::vector<WindowSpec> windows_;
  const TimePolicy policy_;
  EngineSurroundings around_;
  std::vector<Lane> lanes_;
  Watermark watermark_;
  SteadyTime now_;  // of the batch in work
  EventTime wall_;
  Position processing_time_;  // wall_, but never going back

  struct PartitionPlace {
    bool assigned = false;
    bool gap = false;                         // the next event follows records that were never read
    std::optional<std::int64_t> next_offset;  // unknown until a record or a commit tells
  };
  std::vector<PartitionPlace> places_;
  std::vector<std::uint32_t> ranks_;
  std::optional<EventTime> gap_until_;
  std::atomic<bool> abandoned_ = false;

  mutable std::mutex mutex_;
  std::vector<AdvancePtr> newest_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash

// EventIntake: decides for each event and lane whether it is refused, late, or enters a slice.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) every record is counted once in each lane, as accepted, late or refused; but a
// filtered event only moves its partition's clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/time_policy.h"
#include "windows/ingest/vertex_lifetimes.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/interner.h"
#include "windows/slide/key_lookahead.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/pane_closer.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/stream_time.h"

namespace sash {

class EventIntake {
 public:
  // All outlive it.
  EventIntake(const TimePolicy& policy, const EngineSurroundings& around, StreamTime& time,
              StreamPartitions& partitions, LaneSet& lanes, VertexLifetimes& lives,
              Interner& interner, PaneCloser& closer)
      : policy_(policy),
        around_(around),
        time_(time),
        partitions_(partitions),
        watermark_(partitions.watermark()),
        lanes_(lanes),
        lives_(lives),
        interner_(interner),
        closer_(closer) {}

  // `event` belongs to `batch`; `hashes` are those of its keys. May close panes and publish
  // windows.
  void Accept(const EventBatch& batch, const EdgeEvent& event, const KeyLookahead::Hashes& hashes);

  // Counts a record that could not be decoded, or an event that is refused.
  void CountRefused(PartitionIndex partition, std::int64_t offset);

 private:
  void Pass(const EdgeEvent& event);
  void RefuseAhead(const EventBatch& batch, const EdgeEvent& event);
  void Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
              const std::string& detail);
  bool IsLate(const Lane& lane, const EdgeEvent& event) const;
  std::optional<Position> Reached(const Lane& lane, PartitionIndex partition) const;
  Position PositionOf(const Lane& lane, const EdgeEvent& event) const;
  void Refer(const BufferedEvent& event);
  void Enter(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered);
  void EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered);
  void CountAccepted(Operation operation);
  void NoteLateness(const EdgeEvent& event);

  const TimePolicy& policy_;
  const EngineSurroundings& around_;
  StreamTime& time_;
  StreamPartitions& partitions_;
  Watermark& watermark_;
  LaneSet& lanes_;
  VertexLifetimes& lives_;
  Interner& interner_;
  PaneCloser& closer_;
};

}  // namespace sash

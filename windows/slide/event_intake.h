// EventIntake: takes in the records of a stream. Each edge is refused, late, or enters a slice of
// each lane.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) every edge of a record, and every record that is not an edge event, is counted
// once in each lane, as accepted, late or refused; but a filtered event only moves its partition's
// clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/time_policy.h"
#include "windows/ingest/vertex_lifetimes.h"
#include "windows/slide/edge_refusals.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/event_judge.h"
#include "windows/slide/interner.h"
#include "windows/slide/key_lookahead.h"
#include "windows/slide/lane_entry.h"
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
        interner_(interner),
        closer_(closer),
        judge_(around, time, partitions, lanes),
        entry_(around, time, partitions, lanes, lives, closer),
        refusals_(around, partitions, interner),
        keeps_ids_(policy.dedupe_within > Duration::zero() || around.listener.keeps_places()) {}

  // A record of one event, which belongs to `batch`; `hashes` are those of its keys. May close
  // panes and publish windows.
  void Accept(const EventBatch& batch, const EdgeEvent& event, const KeyLookahead::Hashes& hashes);

  // A record that gave several edges: the events of `batch` from `first` to before `end`, and a
  // number of edges that the source refused. `ahead` has come to the first event. Late and refused
  // edges count in the pane of the newest event that is not after the record; its own edges are
  // such events.
  void AcceptRecord(const EventBatch& batch, std::size_t first, std::size_t end,
                    std::size_t refused, KeyLookahead& ahead);

  // An event of a stored slice, which is open. Whether it is late is not decided again: if it is
  // before the slice, it was moved there.
  void AcceptStored(const EventBatch& batch, const EdgeEvent& event,
                    const KeyLookahead::Hashes& hashes);
  // Everything of a stored slice has come.
  void CountStored(const StoredPane& pane);

  // Counts a record that could not be decoded, or an event that is refused. `here`: the newest time
  // of its record, if other edges of it have entered.
  void CountRefused(PartitionIndex partition, std::int64_t offset,
                    std::optional<EventTime> here = {});

 private:
  using Verdicts = EventJudge::Verdicts;

  void Pass(const EdgeEvent& event);
  void RefuseAhead(const EventBatch& batch, const EdgeEvent& event);
  void RefuseSome(const EventBatch& batch, std::span<const EdgeEvent> edges,
                  const Verdicts& verdicts);
  void CountLateAndRefused(const EdgeEvent& edge, const Verdicts& verdicts, std::size_t refused);
  void Settle(StreamPartitions::Place& place, PartitionIndex partition, const Verdicts& verdicts);
  void Identify(const EventBatch& batch, const EdgeEvent& event, BufferedEvent& buffered) const;

  const TimePolicy& policy_;
  const EngineSurroundings& around_;
  StreamTime& time_;
  StreamPartitions& partitions_;
  Watermark& watermark_;
  LaneSet& lanes_;
  Interner& interner_;
  PaneCloser& closer_;
  EventJudge judge_;
  LaneEntry entry_;
  EdgeRefusals refusals_;
  const bool keeps_ids_;
};

}  // namespace sash

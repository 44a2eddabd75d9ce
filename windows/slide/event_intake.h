// EventIntake: decides for each event and lane whether it is refused, late, or enters a slice. The
// edges of one record are judged by the records before it, not by each other.
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
#include <string>
#include <vector>

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
        closer_(closer),
        keeps_ids_(policy.dedupe_within > Duration::zero() || around.listener.keeps_places()) {}

  // A record of one event, which belongs to `batch`; `hashes` are those of its keys. May close
  // panes and publish windows.
  void Accept(const EventBatch& batch, const EdgeEvent& event, const KeyLookahead::Hashes& hashes);

  // A record of which several edges are known: the events of `batch` from `first` to before `end`,
  // and a number of edges that were refused before. `ahead` is at the first event. What is late or
  // refused counts in the pane of the newest event up to the record, its own edges included.
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
  // What the edges of a record are, after all of them were judged.
  struct Verdicts {
    std::size_t late = 0;
    std::size_t ahead = 0;
    std::size_t of_types = 0;         // refused, because there are too many types
    bool on_time = false;             // at least one edge was in time
    std::optional<EventTime> newest;  // of the edges that were in time, and of filtered ones
    std::optional<EventTime> passed;  // of the filtered ones
  };

  bool IsAhead(const EdgeEvent& event) const { return event.ahead || event.time > time_.latest; }
  // Empty: the type is new, and no more types are held.
  std::optional<TypeNumber> TypeOf(const EventBatch& batch, const EdgeEvent& event) const {
    if (!batch.has_types() || event.operation == Operation::kRemoveVertex) return kNoType;
    return around_.keys.types().Intern(batch.Text(batch.TypeOf(event)));
  }
  void Pass(const EdgeEvent& event);
  void RefuseAlone(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason);
  void RefuseAhead(const EventBatch& batch, const EdgeEvent& event);
  Verdicts Judge(const EventBatch& batch, std::span<const EdgeEvent> edges);
  void CountLateAndRefused(const EdgeEvent& edge, const Verdicts& verdicts, std::size_t refused);
  void RefuseSome(const EventBatch& batch, std::span<const EdgeEvent> edges,
                  const Verdicts& verdicts);
  void Settle(StreamPartitions::Place& place, PartitionIndex partition, const Verdicts& verdicts);
  void NotePlace(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
                 std::vector<RefusedPlace>& places) const;
  void Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
              const std::string& detail, std::span<const RefusedPlace> places);
  bool IsLate(const Lane& lane, const EdgeEvent& event) const;
  bool IsLateSomewhere(const EdgeEvent& event) const;
  std::optional<Position> Reached(const Lane& lane, PartitionIndex partition,
                                  std::optional<EventTime> here = {}) const;
  Position PositionOf(const Lane& lane, const EdgeEvent& event) const;
  void Identify(const EventBatch& batch, const EdgeEvent& event, BufferedEvent& buffered) const;
  void Refer(const BufferedEvent& event);
  bool CountIfLate(Lane& lane, const EdgeEvent& event);
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
  const bool keeps_ids_;
};

}  // namespace sash

// EdgeRefusals: makes the dead letters of the records that the engine refuses, whole or in part.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "windows/ingest/event_batch.h"
#include "windows/ingest/refusal.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/interner.h"
#include "windows/slide/stream_partitions.h"

namespace sash {

class EdgeRefusals {
 public:
  struct RefusedEdge {
    const EdgeEvent* edge = nullptr;
    RefusalReason reason = RefusalReason::kLate;
  };

  // All outlive it. It releases the interner's lock before it writes a letter.
  EdgeRefusals(const EngineSurroundings& around, const StreamPartitions& partitions,
               Interner& interner)
      : around_(around), partitions_(partitions), interner_(interner) {}

  // One letter for a record of one event, which belongs to `batch`.
  void RefuseAlone(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason);

  // One letter for everything that is refused of a record of `edges` edges. It describes the first
  // edge of `refused` that has the reason `reason`; there is one.
  void RefuseSome(const EventBatch& batch, std::size_t edges, std::span<const RefusedEdge> refused,
                  RefusalReason reason);

 private:
  void NotePlace(const EventBatch& batch, const RefusedEdge& refused,
                 std::vector<RefusedPlace>& places) const;
  void Write(const EventBatch& batch, const RefusedEdge& refused, const std::string& detail,
             std::span<const RefusedPlace> places);

  const EngineSurroundings& around_;
  const StreamPartitions& partitions_;
  Interner& interner_;
};

}  // namespace sash

// OpenIds: which events of the open slices count at a cut, where edges are deduplicated by id
// (TimePolicy::dedupe_within): an event counts if it would count when these slices closed at the
// cut.
//
// The events of an id are judged when a reader asks for one of them.
//
// Thread safety: any thread, while the engine works. Readers wait for each other.
//
// Source: the rule of Deduplicator, applied to one id. The events of the closed slices are judged
// already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/ingest/counted_ids.h"
#include "windows/ingest/slice_tail.h"

namespace sash {

class OpenIds {
 public:
  // `tails`: every open slice that had an event, oldest first. The first `closed_slices` slices of
  // `closed` had closed at the cut. `ranks`: PartitionTable::Ranks().
  OpenIds(std::vector<OpenTail> tails, std::shared_ptr<const CountedIds> closed,
          std::uint32_t closed_slices, Duration within,
          std::shared_ptr<const std::vector<std::uint32_t>> ranks)
      : tails_(std::move(tails)),
        closed_(std::move(closed)),
        closed_slices_(closed_slices),
        within_(within),
        ranks_(std::move(ranks)) {}

  // Whether the event of this number of tails[slice] is not a duplicate.
  bool Counts(std::size_t slice, std::uint32_t number) const;

 private:
  // An event: its slice and number.
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  struct Copy {
    TailPlace place{};
    IdentifiedEdge edge{};
  };

  std::vector<Copy> CopiesOf(EdgeId id) const;
  std::vector<Place> DuplicatesOf(EdgeId id, std::vector<Copy> copies) const;

  const std::vector<OpenTail> tails_;
  const std::shared_ptr<const CountedIds> closed_;
  const std::uint32_t closed_slices_;
  const Duration within_;
  const std::shared_ptr<const std::vector<std::uint32_t>> ranks_;

  mutable Mutex mutex_;
  // The duplicates of the ids with several events that were judged, in order.
  mutable std::unordered_map<EdgeId, std::vector<Place>, EdgeIdHash> judged_
      SASH_GUARDED_BY(mutex_);
};

}  // namespace sash

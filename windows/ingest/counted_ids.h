// CountedIds: the edges with ids that counted in closed slices, for readers of open ones: whether
// an event of an open slice counts depends on the edge with its id that counted last.
//
// The engine hands over the state of its Deduplicator once, and then what counted in each slice
// that closes; the first reader afterwards indexes it. A reader knows how many slices had been
// handed over at its cut, and sees none of the later ones. After a while the engine begins another
// object, so that old ids are dropped.
//
// Thread safety: Show() and slices() belong to the engine thread, which never waits for a reader
// that indexes or reads. Any thread may call the rest; readers wait for each other.
//
// Invariants
//   (1) A reader of `slices` slices sees exactly the state and the first `slices` of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/ingest/deduplicator.h"
#include "windows/ingest/edge_id_hash.h"

namespace sash {

class CountedIds {
 public:
  // `state`: Deduplicator::State() before the slices that are shown.
  explicit CountedIds(std::vector<IdentifiedEdge> state) { Arrive(0, std::move(state)); }

  // The edges with ids that counted in the slice that closed, in the order of effect.
  void Show(std::vector<IdentifiedEdge> counted) { Arrive(++slices_, std::move(counted)); }
  std::uint32_t slices() const { return slices_; }

  // The newest edge with this id that counted in the state or in the first `slices` slices.
  std::optional<IdentifiedEdge> Newest(EdgeId id, std::uint32_t slices) const;

  std::size_t bytes() const { return bytes_; }  // about

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  struct Arrived {
    std::uint32_t slice = 0;
    std::vector<IdentifiedEdge> edges{};
  };
  struct Entry {
    IdentifiedEdge edge{};
    std::uint32_t slice = 0;
    std::uint32_t before = kNone;  // the entry before it with the same id, of an earlier slice
  };

  void Arrive(std::uint32_t slice, std::vector<IdentifiedEdge> edges);
  void IndexArrived() const SASH_REQUIRES(index_mutex_);

  std::uint32_t slices_ = 0;  // the engine's
  mutable std::atomic<std::size_t> bytes_ = 0;

  mutable Mutex arrived_mutex_;
  mutable std::vector<Arrived> arrived_ SASH_GUARDED_BY(arrived_mutex_);  // not indexed yet

  mutable Mutex index_mutex_;
  mutable std::vector<Entry> entries_ SASH_GUARDED_BY(index_mutex_);
  mutable std::unordered_map<EdgeId, std::uint32_t, EdgeIdHash> newest_
      SASH_GUARDED_BY(index_mutex_);
};

}  // namespace sash

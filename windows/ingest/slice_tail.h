// SliceTail: the events of an open slice that readers may see, found by their vertices.
//
// After each batch the engine shows the events that the batch brought. It only hands them over;
// the first reader afterwards indexes them. A reader knows how many events were shown at its cut,
// and sees no later ones.
//
// Thread safety: Show() and shown() belong to the engine thread, which never waits for a reader
// that indexes or reads. Any thread may call the rest; readers wait for each other.
//
// Invariants
//   (1) An event that was shown has its number for ever: numbers count from 0, in the order in
//       which the events were shown.
//   (2) A reader of `count` events sees exactly those whose number is below `count`.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/tail_event.h"
#include "windows/ingest/tail_events.h"
#include "windows/ingest/tail_ids.h"
#include "windows/ingest/vertex_events.h"

namespace sash {

// A role of a vertex in events.
enum class TailRole : std::uint8_t { kSource, kTarget, kRemoved };

class SliceTail {
 public:
  // `ids`: of the events that have one, by their places in `events`.
  void Show(TailEvents events, std::vector<TailId> ids = {});
  std::uint32_t shown() const { return shown_; }

  // visit(event, number) for the events below `count` that have v in this role, in no order:
  // edges that are added or removed, or removals of v.
  template <typename Visit>
  void ForEachOf(TailRole role, VertexId v, std::uint32_t count, const Visit& visit) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    VisitEvents(by_vertex_[static_cast<std::size_t>(role)], v, batches_, count, visit);
  }

  // Whether there is such an event.
  bool HasAnyOf(TailRole role, VertexId v, std::uint32_t count) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    return by_vertex_[static_cast<std::size_t>(role)].AnyOf(
        v, [count](std::uint32_t number) { return number < count; });
  }

  // The id of an event; none: it has none, or edges are not deduplicated.
  std::optional<EdgeId> IdOf(std::uint32_t number) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    return ids_.Of(number);
  }
  // visit(event, TailId) for the events below `count` with this id, in no order.
  template <typename Visit>
  void ForEachOfId(EdgeId id, std::uint32_t count, const Visit& visit) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    for (const TailId& of : ids_.With(id)) {
      if (of.event < count) visit(At(of.event), of);
    }
  }
  // The first event from number `from` on and below `count` that is_it(event) accepts.
  template <typename IsIt>
  std::optional<std::uint32_t> FindFrom(std::uint32_t from, std::uint32_t count,
                                        const IsIt& is_it) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    for (std::uint32_t i = from; i < count; ++i) {
      if (is_it(At(i))) return i;
    }
    return std::nullopt;
  }

  // visit(event) for every event below `count`.
  template <typename Visit>
  void ForEach(std::uint32_t count, const Visit& visit) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    for (const Batch& batch : batches_) {
      const std::size_t end = std::min<std::size_t>(batch.events.size(), count - batch.first);
      for (std::size_t i = 0; i < end; ++i) visit(batch.events.At(i));
      if (batch.first + end == count) return;
    }
  }

  // Whether an event may be the removal of a vertex.
  bool removes_vertices() const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    return !by_vertex_[static_cast<std::size_t>(TailRole::kRemoved)].empty();
  }

  std::size_t bytes() const { return bytes_; }  // about

 private:
  struct Arrived {
    TailEvents events{};
    std::vector<TailId> ids{};
  };
  // Events with consecutive numbers.
  struct Batch {
    std::uint32_t first = 0;  // number
    TailEvents events{};
  };

  static TailEvent EventOf(const std::vector<Batch>& batches, std::uint32_t number) {
    const Batch& batch = *std::prev(std::ranges::upper_bound(batches, number, {}, &Batch::first));
    return batch.events.At(number - batch.first);
  }
  template <typename Visit>
  static void VisitEvents(VertexEvents& by_vertex, VertexId v, const std::vector<Batch>& batches,
                          std::uint32_t count, const Visit& visit) {
    by_vertex.ForEachOf(v, [&](std::uint32_t number) {
      if (number < count) visit(EventOf(batches, number), number);
    });
  }
  TailEvent At(std::uint32_t number) const SASH_REQUIRES(index_mutex_) {
    return EventOf(batches_, number);
  }

  void IndexArrived() const SASH_REQUIRES(index_mutex_);
  void Index(TailEvents events) const SASH_REQUIRES(index_mutex_);
  std::size_t IndexBytes() const SASH_REQUIRES(index_mutex_);

  std::uint32_t shown_ = 0;  // the engine's
  mutable std::atomic<std::size_t> bytes_ = 0;

  mutable Mutex arrived_mutex_;
  mutable std::vector<Arrived> arrived_ SASH_GUARDED_BY(arrived_mutex_);  // not indexed yet

  mutable Mutex index_mutex_;
  mutable std::vector<Batch> batches_ SASH_GUARDED_BY(index_mutex_);             // none is empty
  mutable std::array<VertexEvents, 3> by_vertex_ SASH_GUARDED_BY(index_mutex_);  // by TailRole
  mutable TailIds ids_ SASH_GUARDED_BY(index_mutex_);
  mutable std::uint32_t indexed_ SASH_GUARDED_BY(index_mutex_) = 0;  // events in batches_
  mutable std::size_t index_bytes_ SASH_GUARDED_BY(index_mutex_) = 0;
};

// An open slice at a cut.
struct OpenTail {
  Position begin = 0;
  std::shared_ptr<const SliceTail> tail{};
  std::uint32_t count = 0;        // of the events that the cut has
  FilterBits on_time_passes = 0;  // SliceAccount
  bool has_on_time = false;       // likewise
  // The records that would count in the slice if it and those before it closed at the cut.
  std::uint64_t late = 0;
  std::uint64_t refused = 0;

  // Whether a window with this filter begins with it, if not before.
  bool MayBegin(FilterBits filter) const {
    return filter == kNoFilter ? has_on_time : (on_time_passes & filter) != 0;
  }
};

}  // namespace sash

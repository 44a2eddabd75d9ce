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

#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/tail_ids.h"

namespace sash {

// An accepted event of an open slice. Its log is named by partition and first offset.
struct TailEvent {
  EventTime time{};
  VertexId source = 0;
  VertexId target = 0;
  Weight weight{};
  FilterBits passes = kPassesAll;
  std::int64_t log_offset = 0;
  PartitionIndex partition = 0;
  TypeNumber type = kNoType;
  Operation operation = Operation::kAdd;
};

// The place of an event of open slices in the order of effect.
struct TailPlace {
  std::uint32_t slice = 0;
  EventTime time{};
  std::uint32_t rank = 0;  // of its partition
  std::int64_t log_offset = 0;
  std::uint32_t number = 0;  // SliceTail (1); events of one log ascend
  friend auto operator<=>(const TailPlace&, const TailPlace&) = default;
};

// `ranks`: PartitionTable::Ranks().
inline TailPlace PlaceInEffect(std::size_t slice, const TailEvent& event, std::uint32_t number,
                               std::span<const std::uint32_t> ranks) {
  return {static_cast<std::uint32_t>(slice), event.time, ranks[event.partition], event.log_offset,
          number};
}

// The newest event of each vertex that has one. Open addressing; at most half of it is full.
class NewestEvents {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  // Sets the newest event of v; returns the one before it.
  std::uint32_t Put(VertexId v, std::uint32_t event);
  // Put() of as many vertices comes soon: makes room for them at once.
  void Expect(std::size_t vertices) {
    while (2 * (used_ + vertices) > slots_.size()) Grow();
  }
  std::uint32_t Find(VertexId v) const { return slots_[PlaceOf(v)].event; }
  // Put() of v comes soon: fetches its slot ahead.
  void Fetch(VertexId v) const { __builtin_prefetch(&slots_[FirstPlaceOf(v)]); }
  bool empty() const { return used_ == 0; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    VertexId vertex = kNoVertex;
    std::uint32_t event = kNone;
  };

  std::size_t FirstPlaceOf(VertexId v) const {
    return (v * std::uint64_t{0x9E37'79B9'7F4A'7C15}) >> shift_;
  }
  std::size_t PlaceOf(VertexId v) const {
    std::size_t place = FirstPlaceOf(v);
    while (slots_[place].vertex != v && slots_[place].vertex != kNoVertex) {
      place = (place + 1) % slots_.size();
    }
    return place;
  }
  void Grow();

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  int shift_ = 64 - 6;
  std::size_t used_ = 0;
};

// A role of a vertex in events.
enum class TailRole : std::uint8_t { kSource, kTarget, kRemoved };

class SliceTail {
 public:
  // `ids`: of the events that have one, by their places in `events`.
  void Show(std::vector<TailEvent> events, std::vector<TailId> ids = {});
  std::uint32_t shown() const { return shown_; }

  // visit(event, number) for the events below `count` that have v in this role, in no order:
  // edges that are added or removed, or removals of v.
  template <typename Visit>
  void ForEachOf(TailRole role, VertexId v, std::uint32_t count, const Visit& visit) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    const auto place = static_cast<std::size_t>(role);
    std::uint32_t next = newest_[place].Find(v);
    for (; next != NewestEvents::kNone; next = indexed_[next].before[place % 2]) {
      if (next < count) visit(At(next), next);
    }
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
    for (std::uint32_t i = 0; i < count; ++i) visit(At(i));
  }

  // Whether an event may be the removal of a vertex.
  bool removes_vertices() const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    return !newest_[static_cast<std::size_t>(TailRole::kRemoved)].empty();
  }

  std::size_t bytes() const { return bytes_; }  // about

 private:
  struct Arrived {
    std::vector<TailEvent> events{};
    std::vector<TailId> ids{};
    std::size_t bytes() const;
  };
  // Events with consecutive numbers, which stay where the engine wrote them.
  struct Batch {
    std::uint32_t first = 0;  // number
    std::vector<TailEvent> events{};
  };
  struct Indexed {
    // The event before it of its source (or of the vertex that it removes), and of its target.
    std::array<std::uint32_t, 2> before{NewestEvents::kNone, NewestEvents::kNone};
    std::uint32_t batch = 0;
  };

  const TailEvent& At(std::uint32_t number) const SASH_REQUIRES(index_mutex_) {
    const Batch& batch = batches_[indexed_[number].batch];
    return batch.events[number - batch.first];
  }

  void IndexArrived() const SASH_REQUIRES(index_mutex_);
  void Index(std::vector<TailEvent> events) const SASH_REQUIRES(index_mutex_);
  void Index(const TailEvent& event, std::uint32_t batch) const SASH_REQUIRES(index_mutex_);
  // The newest event has v in this role.
  void Chain(TailRole role, VertexId v) const SASH_REQUIRES(index_mutex_);

  std::uint32_t shown_ = 0;  // the engine's
  mutable std::atomic<std::size_t> bytes_ = 0;

  mutable Mutex arrived_mutex_;
  mutable std::vector<Arrived> arrived_ SASH_GUARDED_BY(arrived_mutex_);  // not indexed yet

  mutable Mutex index_mutex_;
  mutable std::vector<Batch> batches_ SASH_GUARDED_BY(index_mutex_);
  mutable std::deque<Indexed> indexed_ SASH_GUARDED_BY(index_mutex_);         // by number
  mutable std::array<NewestEvents, 3> newest_ SASH_GUARDED_BY(index_mutex_);  // by TailRole
  mutable TailIds ids_ SASH_GUARDED_BY(index_mutex_);
  mutable std::size_t table_bytes_ SASH_GUARDED_BY(index_mutex_) = 0;  // of newest_ and ids_
};

// An open slice at a cut.
struct OpenTail {
  Position begin = 0;
  std::shared_ptr<const SliceTail> tail{};
  std::uint32_t count = 0;        // of the events that the cut has
  FilterBits on_time_passes = 0;  // SliceAccount
  bool has_on_time = false;       // likewise

  // Whether a window with this filter begins with it, if not before.
  bool MayBegin(FilterBits filter) const {
    return filter == kNoFilter ? has_on_time : (on_time_passes & filter) != 0;
  }
};

}  // namespace sash

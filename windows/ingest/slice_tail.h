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
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/ingest/slice.h"

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

// The newest event of each vertex that has one. Open addressing; at most half of it is full.
class NewestEvents {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  // Sets the newest event of v; returns the one before it.
  std::uint32_t Put(VertexId v, std::uint32_t event);
  std::uint32_t Find(VertexId v) const { return slots_[PlaceOf(v)].event; }
  bool empty() const { return used_ == 0; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    VertexId vertex = kNoVertex;
    std::uint32_t event = kNone;
  };

  std::size_t PlaceOf(VertexId v) const {
    std::size_t place = (v * std::uint64_t{0x9E37'79B9'7F4A'7C15}) >> shift_;
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
  void Show(std::vector<TailEvent> events);
  std::uint32_t shown() const { return shown_; }

  // visit(event, number) for the events below `count` that have v in this role, in no order:
  // edges that are added or removed, or removals of v.
  template <typename Visit>
  void ForEachOf(TailRole role, VertexId v, std::uint32_t count, const Visit& visit) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    const auto place = static_cast<std::size_t>(role);
    std::uint32_t next = newest_[place].Find(v);
    for (; next != NewestEvents::kNone; next = before_[next][place % 2]) {
      if (next < count) visit(events_[next], next);
    }
  }

  // visit(event) for every event below `count`.
  template <typename Visit>
  void ForEach(std::uint32_t count, const Visit& visit) const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    for (std::uint32_t i = 0; i < count; ++i) visit(events_[i]);
  }

  // Whether an event may be the removal of a vertex.
  bool removes_vertices() const {
    const MutexLock lock(index_mutex_);
    IndexArrived();
    return !newest_[static_cast<std::size_t>(TailRole::kRemoved)].empty();
  }

  std::size_t bytes() const { return bytes_; }  // about

 private:
  using Events = std::vector<TailEvent>;

  void IndexArrived() const SASH_REQUIRES(index_mutex_);
  void Index(const TailEvent& event) const SASH_REQUIRES(index_mutex_);
  // The newest event has v in this role.
  void Chain(TailRole role, VertexId v) const SASH_REQUIRES(index_mutex_);

  std::uint32_t shown_ = 0;  // the engine's
  mutable std::atomic<std::size_t> bytes_ = 0;

  mutable Mutex arrived_mutex_;
  mutable std::vector<Events> arrived_ SASH_GUARDED_BY(arrived_mutex_);  // not indexed yet

  mutable Mutex index_mutex_;
  mutable std::deque<TailEvent> events_ SASH_GUARDED_BY(index_mutex_);  // by number
  // By number: the event before it of its source (or of the vertex that it removes), and of its
  // target.
  mutable std::deque<std::array<std::uint32_t, 2>> before_ SASH_GUARDED_BY(index_mutex_);
  mutable std::array<NewestEvents, 3> newest_ SASH_GUARDED_BY(index_mutex_);  // by TailRole
  mutable std::size_t table_bytes_ SASH_GUARDED_BY(index_mutex_) = 0;         // of newest_
};

// An open slice at a cut.
struct OpenTail {
  Position begin = 0;
  std::shared_ptr<const SliceTail> tail{};
  std::uint32_t count = 0;  // of the events that the cut has
};

}  // namespace sash

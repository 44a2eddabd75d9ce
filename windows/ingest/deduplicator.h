// Deduplicator: finds the edges that came before, by the ids that their mapping gave them
// (TimePolicy::dedupe_within).
//
// It sees the edges of one axis in the order in which they take effect. The time of an edge is its
// event time, or the begin of its slice if that is later: then the edge was moved to that slice.
// So times never go back. An edge is a duplicate when an edge with its id that counted, of another
// record, is at most `within` before it. A duplicate does not count, so it makes no other edge a
// duplicate.
//
// Memory: 40 bytes a slot; 1.4 to 6 slots for each id that counted in the last `within` to
// 2 * `within`.
//
// Thread safety: like a vector.
//
// Invariants
//   (1) Whether an edge counts depends only on the edges before it, not on the table's slots.
//   (2) Ids whose edges cannot make a later edge a duplicate are dropped.
//   (3) Ids that were chosen to collide do not share slots more often than others (KeyedHash).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/edge_id.h"
#include "windows/ingest/edge_id_hash.h"

namespace sash {

// An edge with an id. Edges of one record have one partition and offset.
struct IdentifiedEdge {
  EdgeId id;
  EventTime time{};
  std::int64_t offset = 0;
  PartitionIndex partition = 0;
  friend bool operator==(const IdentifiedEdge&, const IdentifiedEdge&) = default;
};

// Whether `edge` is a duplicate of `newest`, the edge with its id that counted last.
bool MakesDuplicate(const IdentifiedEdge& newest, const IdentifiedEdge& edge, Duration within);

class Deduplicator {
 public:
  // `within` > 0.
  explicit Deduplicator(Duration within) : within_(within), slots_(kFirstSlots) {}

  Duration within() const { return within_; }

  // The next edges are of a slice that begins at `begin`, which is not before the slices before it.
  void BeginSlice(EventTime begin);
  // Whether the next edge, which has an id, counts. If not, it is a duplicate.
  bool Counts(const IdentifiedEdge& edge);

  // Whether, from now on, the edges that count are kept for TakeCounted(), in order.
  void KeepCounted(bool keeps) {
    keeps_counted_ = keeps;
    counted_.clear();
  }
  std::vector<IdentifiedEdge> TakeCounted() { return std::exchange(counted_, {}); }

  // The newest edge that counted for each id that later slices may need, in no order.
  std::vector<IdentifiedEdge> State() const;
  // It has seen no edge yet, or another state. Ids are different, and set.
  void Restore(std::span<const IdentifiedEdge> state);

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(IdentifiedEdge); }

 private:
  static constexpr std::size_t kFirstSlots = 256;

  // `within` before `time`.
  EventTime Before(EventTime time) const;
  // The slot with this id, or the free one where it belongs.
  std::size_t SlotOf(EdgeId id) const;
  void Rebuild();

  const Duration within_;
  EdgeIdHash hash_;
  bool keeps_counted_ = false;
  std::vector<IdentifiedEdge> counted_;
  std::vector<IdentifiedEdge> slots_;  // their number is a power of two; free: without an id
  std::size_t size_ = 0;               // taken slots, at most 70 %
  EventTime begin_ = EventTime::min();
  EventTime rebuilt_ = EventTime::min();  // begin_ at the last Rebuild()
};

}  // namespace sash

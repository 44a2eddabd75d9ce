// NeighbourIndex: finds the place of a neighbour in a very long list, in constant time.
//
// The degree-aware part of DegAwareRHH (Iwabuchi, thesis §4.3) that hubs need. Lists of a few
// thousand edges are searched instead. Robin Hood hashing with backward-shift deletion, in segments
// that split one at a time (linear hashing): an insertion pays for at most one segment, however
// large the hub is.
//
// The copies of one neighbour in a keep window have ordinals, so that equal keys do not pile up.
//
// The order of ids follows the order of keys, which an attacker may choose. So the hash is keyed.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) A key (neighbour, ordinal) occurs at most once.
//   (2) In a segment, entries of a home slot lie at or after it in probe order, and an entry is
//       at most one step farther from its home than the entry before it. So a search ends at the
//       first slot that is empty or whose entry is nearer to its home than the searched key would
//       be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/keyed_hash.h"
#include "windows/store/lists/list_sizes.h"

namespace sash {

class NeighbourIndex {
 public:
  // `hash`: tests may fix its secret.
  explicit NeighbourIndex(const ListSizes& sizes = {}, KeyedHash hash = KeyedHash())
      : hash_(hash),
        least_capacity_(sizes.segment_capacity),
        entries_per_segment_(sizes.segment_entries),
        segments_(1) {}

  std::optional<std::uint32_t> Find(VertexId neighbour, std::uint32_t ordinal = 0) const;

  // The key must be absent.
  void Insert(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position);

  // The key must be present.
  void Move(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position);

  // Does nothing when the key is absent.
  void Erase(VertexId neighbour, std::uint32_t ordinal = 0);

  // Fetches ahead what Find() will read.
  void Prefetch(VertexId neighbour, std::uint32_t ordinal = 0) const;

  std::size_t size() const { return size_; }
  std::size_t bytes() const;
  std::size_t CountBytes() const;       // the same, found by looking at every segment
  std::uint32_t LongestSearch() const;  // the most entries that a search looks at; O(size)

 private:
  struct Entry {
    VertexId neighbour = 0;
    std::uint32_t ordinal = 0;
    std::uint32_t position = 0;
    std::uint32_t distance = 0;  // one more than the steps from its home slot; 0: empty
  };
  static_assert(sizeof(Entry) == 16);

  // A Robin Hood table with linear probing.
  struct Segment {
    std::vector<Entry> entries;
    std::uint32_t count = 0;
    std::uint32_t mask() const { return static_cast<std::uint32_t>(entries.size()) - 1; }
  };

  // The low half chooses the segment, the high half the home slot.
  std::uint64_t Hash(VertexId neighbour, std::uint32_t ordinal) const {
    return hash_(std::uint64_t{ordinal} << 32 | neighbour);
  }
  std::size_t SegmentOf(std::uint64_t hash) const;
  static std::optional<std::uint32_t> Slot(const Segment& segment, std::uint64_t hash,
                                           VertexId neighbour, std::uint32_t ordinal);
  static std::size_t BytesOf(const Segment& segment);
  void InsertIn(Segment& segment, Entry entry);
  void Resize(Segment& segment, std::size_t capacity);
  void SplitNext();
  void JoinLast();

  KeyedHash hash_;
  std::size_t least_capacity_;
  std::size_t entries_per_segment_;  // on average, when another segment is split
  std::vector<Segment> segments_;    // (1 << level_) + split_ of them
  unsigned level_ = 0;
  std::size_t split_ = 0;  // segments below it have been split at this level
  std::size_t size_ = 0;
  std::size_t segment_bytes_ = 0;
};

}  // namespace sash

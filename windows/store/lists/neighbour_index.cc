#include "windows/store/lists/neighbour_index.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {
namespace {

std::uint32_t Home(std::uint64_t hash, std::uint32_t mask) {
  return static_cast<std::uint32_t>(hash >> 32) & mask;
}

}  // namespace

std::size_t NeighbourIndex::SegmentOf(std::uint64_t hash) const {
  const std::size_t segment = hash & ((std::size_t{1} << level_) - 1);
  return segment >= split_ ? segment : hash & ((std::size_t{2} << level_) - 1);
}

std::optional<std::uint32_t> NeighbourIndex::Slot(const Segment& segment, std::uint64_t hash,
                                                  VertexId neighbour, std::uint32_t ordinal) {
  if (segment.count == 0) return std::nullopt;
  const std::uint32_t mask = segment.mask();
  std::uint32_t slot = Home(hash, mask);
  for (unsigned distance = 1; segment.entries[slot].distance >= distance; ++distance) {
    const Entry& entry = segment.entries[slot];
    if (entry.neighbour == neighbour && entry.ordinal == ordinal) return slot;
    slot = (slot + 1) & mask;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> NeighbourIndex::Find(VertexId neighbour, std::uint32_t ordinal) const {
  const std::uint64_t hash = Hash(neighbour, ordinal);
  const Segment& segment = segments_[SegmentOf(hash)];
  const auto slot = Slot(segment, hash, neighbour, ordinal);
  if (!slot) return std::nullopt;
  return segment.entries[*slot].position;
}

void NeighbourIndex::Prefetch(VertexId neighbour, std::uint32_t ordinal) const {
  const std::uint64_t hash = Hash(neighbour, ordinal);
  const Segment& segment = segments_[SegmentOf(hash)];
  if (segment.count > 0) __builtin_prefetch(&segment.entries[Home(hash, segment.mask())], 1);
}

void NeighbourIndex::InsertIn(Segment& segment, Entry entry) {
  if ((segment.count + 1) * 8 > segment.entries.size() * 7) {
    Resize(segment, std::max(least_capacity_, segment.entries.size() * 2));
  }
  std::uint32_t slot = Home(Hash(entry.neighbour, entry.ordinal), segment.mask());
  for (entry.distance = 1; segment.entries[slot].distance != 0; ++entry.distance) {
    if (segment.entries[slot].distance < entry.distance) std::swap(entry, segment.entries[slot]);
    slot = (slot + 1) & segment.mask();
  }
  segment.entries[slot] = entry;
  ++segment.count;
}

void NeighbourIndex::Resize(Segment& segment, std::size_t capacity) {
  Segment resized;
  resized.entries.resize(capacity);
  segment_bytes_ += BytesOf(resized);
  for (const Entry& entry : segment.entries) {
    if (entry.distance != 0) InsertIn(resized, entry);
  }
  segment_bytes_ -= BytesOf(segment);
  segment = std::move(resized);
}

void NeighbourIndex::Insert(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position) {
  InsertIn(segments_[SegmentOf(Hash(neighbour, ordinal))], {neighbour, ordinal, position, 0});
  if (++size_ > segments_.size() * entries_per_segment_) SplitNext();
}

void NeighbourIndex::Move(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position) {
  const std::uint64_t hash = Hash(neighbour, ordinal);
  Segment& segment = segments_[SegmentOf(hash)];
  const auto slot = Slot(segment, hash, neighbour, ordinal);
  SASH_CHECK(slot.has_value());
  segment.entries[*slot].position = position;
}

void NeighbourIndex::Erase(VertexId neighbour, std::uint32_t ordinal) {
  const std::uint64_t hash = Hash(neighbour, ordinal);
  Segment& segment = segments_[SegmentOf(hash)];
  const auto found = Slot(segment, hash, neighbour, ordinal);
  if (!found) return;
  const std::uint32_t mask = segment.mask();
  std::uint32_t slot = *found;
  for (;;) {  // entries behind it move one slot nearer to their homes
    const std::uint32_t next = (slot + 1) & mask;
    if (segment.entries[next].distance <= 1) break;
    segment.entries[slot] = segment.entries[next];
    --segment.entries[slot].distance;
    slot = next;
  }
  segment.entries[slot].distance = 0;
  --segment.count;
  --size_;
  if (segments_.size() > 1 && size_ < segments_.size() * entries_per_segment_ / 4) JoinLast();
}

void NeighbourIndex::SplitNext() {
  Segment old = std::move(segments_[split_]);
  segments_[split_] = Segment();
  segments_.emplace_back();
  if (++split_ == std::size_t{1} << level_) {
    split_ = 0;
    ++level_;
  }
  for (const Entry& entry : old.entries) {
    if (entry.distance == 0) continue;
    InsertIn(segments_[SegmentOf(Hash(entry.neighbour, entry.ordinal))], entry);
  }
  segment_bytes_ -= BytesOf(old);
}

void NeighbourIndex::JoinLast() {
  if (split_ == 0) {
    --level_;
    split_ = std::size_t{1} << level_;
  }
  --split_;
  const Segment last = std::move(segments_.back());
  segments_.pop_back();
  if (segments_.capacity() > 4 * segments_.size()) segments_.shrink_to_fit();
  for (const Entry& entry : last.entries) {
    if (entry.distance != 0) InsertIn(segments_[split_], entry);
  }
  segment_bytes_ -= BytesOf(last);
  Segment& joined = segments_[split_];
  const std::size_t fitting =
      std::max(least_capacity_, std::bit_ceil(joined.count * std::size_t{2}));
  if (joined.entries.size() > 2 * fitting) Resize(joined, fitting);
}

std::size_t NeighbourIndex::bytes() const { return segment_bytes_ + AllocatedBytes(segments_); }

std::size_t NeighbourIndex::CountBytes() const {
  std::size_t total = AllocatedBytes(segments_);
  for (const Segment& segment : segments_) total += BytesOf(segment);
  return total;
}

std::uint32_t NeighbourIndex::LongestSearch() const {
  std::uint32_t longest = 0;
  for (const Segment& segment : segments_) {
    for (const Entry& entry : segment.entries) longest = std::max(longest, entry.distance);
  }
  return longest;
}

std::size_t NeighbourIndex::BytesOf(const Segment& segment) {
  return AllocatedBytes(segment.entries);
}

}  // namespace sash

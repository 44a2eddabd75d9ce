// ReadList(): a list as runs of neighbours, for readers that want all of it. ReadListUntil(): in
// pieces, for readers that may stop early. Readers that need slots, for weights, use a RunCursor.
//
// A block without dead slots is read in place. The visible slots of other blocks are copied
// together, without a branch for each slot. Where edges die only by newer copies, readers that need
// only the set of neighbours (ReadNeighbours(), ReadNeighboursUntil()) read in place too: a dead
// slot between the visible edges names a neighbour that a newer visible edge names again.
//
// Thread safety: pure functions.
//
// Invariants
//   (1) In one view, a list always reads the same, whatever has died since: the newest chunk first,
//       and within a run the oldest edge first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "windows/store/lists/list_page.h"

namespace sash {

// read_block(block, end, has_dead) for each block that holds a part of the list, until it returns
// false. The part is in the first `end` slots.
template <typename ReadBlock>
void ForEachBlock(const ListPage& page, VertexId vertex, const ReadBlock& read_block) {
  const std::uint32_t entry = page.ends[vertex % ListPage::kVertices];
  const std::uint32_t place = entry & ListPage::kPlace;
  if ((entry & ListPage::kIsLong) == 0) {
    read_block(*page.block, place, (entry & ListPage::kHasDead) != 0);
    return;
  }
  // The last chunk is still being filled: the count in it belongs to the writer.
  const LongListVersion& list = page.long_lists[place];
  const ListChunk* chunk = &list.chunks->back();
  std::uint32_t end = list.last_count;
  while (read_block(*chunk->block, end, chunk->block->has_dead())) end = (--chunk)->count;
}

// The slot, `begin` or later, such that `degree` slots between it and `end` are visible; `begin` if
// there are fewer. `degree` becomes the number that is missing.
inline std::uint32_t FirstOf(const EdgeBlock& block, std::uint32_t begin, std::uint32_t end,
                             bool has_dead, std::uint32_t& degree, SliceNumber view) {
  if (has_dead) return block.FindOldest(begin, end, degree, view);
  const std::uint32_t most = std::min(degree, end - begin);
  degree -= most;
  return end - most;
}

// visit(neighbours) for each run of the newest `degree` edges of `vertex` that are visible at slice
// `view`. Copies go to room(count), which is called at most once.
template <typename Room, typename Visit>
void ReadList(const ListPage& page, VertexId vertex, std::uint32_t degree, SliceNumber view,
              const Room& room, const Visit& visit) {
  VertexId* copies = nullptr;
  ForEachBlock(page, vertex, [&](const EdgeBlock& block, std::uint32_t end, bool has_dead) {
    const std::uint32_t most = std::min(degree, end);
    if (!has_dead) {
      visit(std::span(block.neighbours() + (end - most), most));
      degree -= most;
    } else {
      // The room is filled from its end: the free part is as long as the rest of the degree.
      if (copies == nullptr) copies = room(degree);
      const std::uint32_t count = block.CopyVisible(end, most, view, copies + (degree - most));
      degree -= count;
      visit(std::span<const VertexId>(copies + degree, count));
    }
    return degree > 0;
  });
}

// Visible slots are read in place if there are at least this number for each slot that is not
// visible; fewer are copied.
inline constexpr std::uint32_t kWorthARun = 4;

// Shows the `visible` slots of [begin, end), which are all its visible slots: in place if few are
// dead, else copied to copies(visible). Returns false as soon as visit(neighbours) does.
template <typename Copies, typename Visit>
bool ShowVisible(const EdgeBlock& block, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t visible, SliceNumber view, const Copies& copies,
                 const Visit& visit) {
  constexpr std::uint32_t kMost = 256;  // that are not visible
  std::uint32_t hidden = end - begin - visible;
  std::array<std::uint32_t, kMost> dead;
  if (hidden > std::min(kMost, 1 + visible / kWorthARun) ||
      (hidden > 0 && !block.ListDead(begin, end, hidden, view, dead.data()))) {
    VertexId* const to = copies(visible);
    return visit(std::span<const VertexId>(to, block.CopyVisible(end, visible, view, to)));
  }
  for (const std::uint32_t slot : std::span(dead).first(hidden)) {
    const std::span neighbours(block.neighbours() + begin, slot - begin);
    if (!neighbours.empty() && !visit(neighbours)) return false;
    begin = slot + 1;
  }
  return begin == end || visit(std::span(block.neighbours() + begin, end - begin));
}

// The same if everything that is read is a short stretch. False: it is not, and nothing was shown.
template <typename Visit>
bool ShowShort(const EdgeBlock& block, std::uint32_t end, std::uint32_t degree, SliceNumber view,
               const Visit& visit) {
  const EdgeBlock::Stretch stretch = block.FindShort(end, degree, view);
  if (stretch.slots == 0 || stretch.slots - degree > 1 + degree / kWorthARun) return false;
  const VertexId* next = block.neighbours() + (end - stretch.slots);
  std::uint32_t shown = 0;
  for (std::uint32_t dead = stretch.dead; dead != 0; dead &= dead - 1) {
    const auto until = static_cast<std::uint32_t>(std::countr_zero(dead));
    if (shown < until) visit(std::span(next + shown, until - shown));
    shown = until + 1;
  }
  if (shown < stretch.slots) visit(std::span(next + shown, stretch.slots - shown));
  return true;
}

// ReadList() for readers that accept many runs: if few slots are dead, the stretches between them
// are read in place. The number of runs depends on what has died since.
template <typename Room, typename Visit>
void ReadPieces(const ListPage& page, VertexId vertex, std::uint32_t degree, SliceNumber view,
                const Room& room, const Visit& visit) {
  VertexId* copies = nullptr;
  ForEachBlock(page, vertex, [&](const EdgeBlock& block, std::uint32_t end, bool has_dead) {
    if (has_dead && ShowShort(block, end, degree, view, visit)) return false;
    const std::uint32_t wanted = degree;
    const std::uint32_t first = FirstOf(block, 0, end, has_dead, degree, view);
    ShowVisible(
        block, first, end, wanted - degree, view,
        [&](std::uint32_t count) {
          if (copies == nullptr) copies = room(wanted);
          return copies + (wanted - count);
        },
        [&](std::span<const VertexId> neighbours) { return visit(neighbours), true; });
    return degree > 0;
  });
}

// The same for readers that may stop early: until visit(neighbours) returns false. Copies are made
// in small pieces, which are valid until visit() returns.
template <typename Visit>
void ReadListUntil(const ListPage& page, VertexId vertex, std::uint32_t degree, SliceNumber view,
                   const Visit& visit) {
  constexpr std::uint32_t kPiece = 128;
  ForEachBlock(page, vertex, [&](const EdgeBlock& block, std::uint32_t end, bool has_dead) {
    std::array<VertexId, kPiece> copies;
    while (degree > 0 && end > 0) {
      const std::uint32_t wanted = degree;
      const std::uint32_t begin = has_dead && end > kPiece ? end - kPiece : 0;
      const std::uint32_t first = FirstOf(block, begin, end, has_dead, degree, view);
      if (wanted > degree && !ShowVisible(
                                 block, first, end, wanted - degree, view,
                                 [&](std::uint32_t) { return copies.data(); }, visit)) {
        return false;
      }
      end = first;
    }
    return degree > 0;
  });
}

// visit(neighbours) for runs that together name all neighbours, each at least once, and no other
// vertices. For lists whose edges die only by newer copies.
template <typename Visit>
void ReadNeighbours(const ListPage& page, VertexId vertex, std::uint32_t degree, SliceNumber view,
                    const Visit& visit) {
  ForEachBlock(page, vertex, [&](const EdgeBlock& block, std::uint32_t end, bool has_dead) {
    const std::uint32_t first = FirstOf(block, 0, end, has_dead, degree, view);
    visit(std::span(block.neighbours() + first, end - first));
    return degree > 0;
  });
}

// The same for readers that may stop early: until visit(neighbours) returns false.
template <typename Visit>
void ReadNeighboursUntil(const ListPage& page, VertexId vertex, std::uint32_t degree,
                         SliceNumber view, const Visit& visit) {
  constexpr std::uint32_t kPiece = 256;
  ForEachBlock(page, vertex, [&](const EdgeBlock& block, std::uint32_t end, bool has_dead) {
    while (degree > 0 && end > 0) {
      const std::uint32_t begin = has_dead && end > kPiece ? end - kPiece : 0;
      const std::uint32_t first = FirstOf(block, begin, end, has_dead, degree, view);
      if (!visit(std::span(block.neighbours() + first, end - first))) return false;
      end = first;
    }
    return degree > 0;
  });
}

}  // namespace sash

// ReadList(): a list as runs of neighbours, for readers that want all of it. ReadListUntil(): in pieces,
// for readers that may have enough. Who wants slots, for their weights, has a RunCursor.
//
// What nobody has died in is shown where it lies; what is visible of the rest is copied together,
// without a branch for each slot.
//
// Thread safety: a pure function.
//
// Invariants
//   (1) A list reads the same whenever it is read in one view, whatever has died since: the newest
//       chunk first, and within a run the oldest edge first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "windows/store/list_page.h"

namespace sash {

// read_block(block, end, has_dead) for each block that holds a part of the list, in its first `end`
// slots, until it returns false.
template <typename ReadBlock>
void ForEachBlock(const ListPage& page, VertexId vertex, const ReadBlock& read_block) {
  const std::uint32_t entry = page.ends[vertex % ListPage::kVertices];
  const std::uint32_t place = entry & ListPage::kPlace;
  if ((entry & ListPage::kIsLong) == 0) {
    read_block(*page.block, place, (entry & ListPage::kHasDead) != 0);
    return;
  }
  // The last chunk is still being filled: its own count belongs to the writer.
  const LongListVersion& list = page.long_lists[place];
  const ListChunk* chunk = &list.chunks->back();
  std::uint32_t end = list.last_count;
  while (read_block(*chunk->block, end, chunk->block->has_dead())) end = (--chunk)->count;
}

// visit(neighbours) for each run of the newest `degree` edges of `vertex` that are visible at slice
// `view`. What is copied goes to room(count), which is asked at most once.
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
      // The room is filled from its end: what is left of it is what is left of the degree.
      if (copies == nullptr) copies = room(degree);
      const std::uint32_t count = block.CopyVisible(end, most, view, copies + (degree - most));
      degree -= count;
      visit(std::span<const VertexId>(copies + degree, count));
    }
    return degree > 0;
  });
}

// The same for who may have read enough: until visit(neighbours) returns false. What is copied is
// copied in small pieces, there until visit() returns.
template <typename Visit>
void ReadListUntil(const ListPage& page, VertexId vertex, std::uint32_t degree, SliceNumber view,
                   const Visit& visit) {
  constexpr std::uint32_t kPiece = 32;
  ForEachBlock(page, vertex, [&](const EdgeBlock& block, std::uint32_t end, bool has_dead) {
    if (!has_dead) {
      const std::uint32_t most = std::min(degree, end);
      degree -= most;
      return visit(std::span(block.neighbours() + (end - most), most)) && degree > 0;
    }
    std::array<VertexId, kPiece> copies;
    while (degree > 0 && end > 0) {
      const std::uint32_t most = std::min(degree, kPiece);
      const std::uint32_t count = block.CopyVisible(end, most, view, copies.data());
      degree -= count;
      if (!visit(std::span<const VertexId>(copies).subspan(most - count, count))) return false;
    }
    return degree > 0;
  });
}

}  // namespace sash

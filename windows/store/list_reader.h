// ListReader: lists as runs of neighbours, for readers that want all of a list. Who may stop early is
// better served by a RunCursor.
//
// What nobody has died in is shown where it lies; what is visible of the rest is copied together,
// without a branch for each slot.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) A list reads the same whenever it is read in one view, whatever has died since: the newest
//       chunk first, and within a run the oldest edge first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/store/list_page.h"

namespace sash {

class ListReader {
 public:
  // visit(neighbours, lasts) for each run of the newest `degree` edges of `vertex` that are visible
  // at slice `view`. A run that lasts is there as long as the view, another until visit() returns.
  template <typename Visit>
  void Read(const ListPage& page, VertexId vertex, std::uint32_t degree, SliceNumber view,
            const Visit& visit) {
    const std::uint32_t entry = page.ends[vertex % ListPage::kVertices];
    const std::uint32_t place = entry & ListPage::kPlace;
    if ((entry & ListPage::kIsLong) == 0) {
      ReadBlock(*page.block, place, (entry & ListPage::kHasDead) != 0, degree, view, visit);
      return;
    }
    // The last chunk is still being filled: its own count belongs to the writer.
    const LongListVersion& list = page.long_lists[place];
    const ListChunk* chunk = &list.chunks->back();
    std::uint32_t end = list.last_count;
    for (;;) {
      const EdgeBlock& block = *chunk->block;
      degree -= ReadBlock(block, end, block.has_dead(), degree, view, visit);
      if (degree == 0) return;
      end = (--chunk)->count;
    }
  }

 private:
  // Of [0, end) at most the newest `most`; returns how many there are.
  template <typename Visit>
  std::uint32_t ReadBlock(const EdgeBlock& block, std::uint32_t end, bool has_dead,
                          std::uint32_t most, SliceNumber view, const Visit& visit) {
    if (!has_dead) {
      const std::uint32_t count = std::min(most, end);
      visit(std::span(block.neighbours() + (end - count), count), true);
      return count;
    }
    most = std::min(most, end);
    if (copy_.size() < most) copy_.resize(most + most / 2);
    const std::uint32_t count = block.CopyVisible(end, most, view, copy_.data());
    visit(std::span<const VertexId>(copy_.data() + (most - count), count), false);
    return count;
  }

  std::vector<VertexId> copy_;
};

}  // namespace sash

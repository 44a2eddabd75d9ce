// How a searched long list is found by its neighbours: invariant (2) of long_list.h.
#include <algorithm>

#include "windows/base/check.h"
#include "windows/store/lists/long_list.h"

namespace sash {

// Numbers the chunks from 0 on: before they have come round, since the first may stay for ever.
void LongList::Renumber() {
  next_number_ = 0;
  for (ListChunk& chunk : Own()) {
    const ListChunk renumbered{chunk.block, next_number_++, chunk.count};
    for (std::uint32_t slot = 0; index_ && slot < chunk.count; ++slot) {
      if (!chunk.block->IsDead(slot)) Reindex(chunk, slot, PositionOf(renumbered, slot));
    }
    chunk = renumbered;
  }
}

// The edge in `slot` is at `position` now, if it is the one that is found.
void LongList::Reindex(const ListChunk& chunk, std::uint32_t slot, std::uint32_t position) {
  const VertexId neighbour = chunk.block->neighbour(slot);
  const std::uint32_t ordinal = parallel_ ? chunk.block->link(slot) : 0;
  if (index_->Find(neighbour, ordinal) == PositionOf(chunk, slot)) {
    index_->Move(neighbour, ordinal, position);
  }
}

void LongList::MakeIndex() {
  index_.emplace(sizes_);
  for (const ListChunk& chunk : *chunks_) {
    for (std::uint32_t slot = 0; slot < chunk.count; ++slot) {
      if (chunk.block->IsDead(slot)) continue;
      SlotContent edge = chunk.block->content(slot);
      Index(edge, PositionOf(chunk, slot));
      if (parallel_) chunk.block->SetLink(slot, edge.link);
    }
  }
}

void LongList::PrefetchReindex(const ListChunk& chunk, std::uint32_t slot) const {
  if (slot >= chunk.count) return;
  index_->Prefetch(chunk.block->neighbour(slot), parallel_ ? chunk.block->link(slot) : 0);
}

// The ordinals of a neighbour's indexed copies have no holes: copies die from the newest on and age
// out from the oldest on.
void LongList::Index(SlotContent& edge, std::uint32_t position) {
  if (!parallel_) {
    // A copy that has aged out may still be there; nobody may find it any more.
    if (index_->Find(edge.neighbour)) {
      index_->Move(edge.neighbour, 0, position);
    } else {
      index_->Insert(edge.neighbour, 0, position);
    }
    return;
  }
  const auto newest = index_->Find(edge.neighbour, kNewest);
  edge.link = newest ? (*newest + 1) % kNewest : 0;
  if (newest) {
    index_->Move(edge.neighbour, kNewest, edge.link);
  } else {
    index_->Insert(edge.neighbour, kNewest, edge.link);
  }
  index_->Insert(edge.neighbour, edge.link, position);
}

void LongList::Unindex(VertexId neighbour, std::uint32_t ordinal) {
  index_->Erase(neighbour, ordinal);
  if (!parallel_ || index_->Find(neighbour, kNewest) != ordinal) return;
  const std::uint32_t older = ordinal == 0 ? kNewest - 1 : ordinal - 1;
  if (index_->Find(neighbour, older)) {
    index_->Move(neighbour, kNewest, older);
  } else {
    index_->Erase(neighbour, kNewest);
  }
}

LongList::Place LongList::Locate(std::uint32_t position) const {
  const std::uint32_t first = chunks_->front().number;
  const std::uint32_t wanted = ((position >> sizes_.slot_bits) - first) & number_mask();
  const auto chunk = std::ranges::lower_bound(*chunks_, wanted, {}, [&](const ListChunk& part) {
    return (part.number - first) & number_mask();
  });
  SASH_CHECK(chunk != chunks_->end() && chunk->number == position >> sizes_.slot_bits);
  return {static_cast<std::size_t>(chunk - chunks_->begin()), position & (most_slots() - 1)};
}

}  // namespace sash

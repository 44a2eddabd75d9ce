#include "windows/store/lists/long_list.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kLine = 64;  // bytes of cache

}  // namespace

std::vector<ListChunk>& LongList::Own() {
  if (!is_own_) {
    chunks_ = std::make_shared<ListChunks>(*chunks_);
    CountChunks();
    is_own_ = true;
    NoteBack();
  }
  return *chunks_;
}

// After every change of where chunks lie.
void LongList::NoteBack() {
  back_ = chunks_->empty() ? nullptr : &chunks_->back();
  last_ = chunks_->empty() ? nullptr : back_->block.get();
}

std::size_t LongList::ChunksBytes() const {
  return kSharedBytes<ListChunks> + AllocatedBytes<ListChunk>(*chunks_);
}

void LongList::CountChunks() { chunks_->counted = CountedBytes(alive_bytes_, ChunksBytes()); }

void LongList::AddChunk() {
  const std::uint32_t first = chunks_->empty() ? next_number_ : chunks_->front().number;
  if (((next_number_ - first) & number_mask()) == number_mask()) Renumber();
  // An eighth of the list, so that a partly filled chunk wastes little.
  const auto wanted = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::bit_floor(total_alive_ / 8 + 1), most_slots()));
  const std::uint32_t slots = std::max(wanted, sizes_.least_slots);
  auto block = std::make_shared<EdgeBlock>(slots, layout_, alive_bytes_);
  blocks_ += block->memory();
  Own().push_back({std::move(block), next_number_++ & number_mask(), 0});
  NoteBack();
  CountChunks();
  states_.emplace_back();
  // Edges may have died in the chunk while it was the last.
  if (states_.size() > 1) TidyAfterDeath(states_.size() - 2);
}

void LongList::Append(SlotContent edge) {
  const SlotWidths widths(WeightColumn::KindOf(edge.weight), WidthOf(edge.type));
  const bool wider = !layout_.widths().Hold(widths);
  if (wider) Widen(widths);
  if (chunks_->empty() || wider || chunks_->back().count == chunks_->back().block->capacity()) {
    AddChunk();
  }
  // Versions have a count of the last chunk (LongListVersion), so filling it copies nothing.
  ListChunk& last = chunks_->back();
  if (index_) {
    const std::uint32_t ordinal =
        index_->Add(edge.neighbour, PositionOf(last, last.count), IndexedType(edge.type));
    if (parallel_) edge.link = ordinal;
  }
  if (last.count == 0) states_.back().first = {edge.birth, edge.neighbour};
  last.block->Write(last.count++, edge);
  ++states_.back().alive;
  ++total_alive_;
  if (searched_ && !index_ && total_alive_ >= sizes_.fewest_indexed) MakeIndex();
}

// Chunks that are added from now on hold such edges.
void LongList::Widen(const SlotWidths& widths) {
  SlotWidths wider = layout_.widths();
  const bool had_types = has_types();
  wider.Widen(widths);
  layout_.weights = wider.weights;
  layout_.types = wider.types;
  // This index does not distinguish types. Append() makes another one.
  if (parallel_ && has_types() && !had_types) index_.reset();
}

void LongList::Prefetch() const {
  const auto* const bytes = reinterpret_cast<const std::byte*>(this);
  for (std::size_t i = 0; i < sizeof(LongList); i += kLine) __builtin_prefetch(bytes + i, 1);
}

void LongList::PrefetchPlace() const {
  if (back_ == nullptr) return;
  __builtin_prefetch(back_, 1);
  last_->PrefetchSelf();
  if (searched_ || !layout_.lives) return;
  // For PrefetchBorn(): most lists have few chunks.
  constexpr std::size_t kMost = 4 * kLine;
  const auto* const states = reinterpret_cast<const std::byte*>(states_.data());
  const std::size_t bytes = std::min(states_.size() * sizeof(ChunkState), kMost);
  for (std::size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(states + i);
}

void LongList::PrefetchAppend() const {
  if (back_ != nullptr) last_->PrefetchWrite(back_->count);
}

void LongList::PrefetchSearch(VertexId neighbour) const {
  if (index_) {
    index_->Prefetch(neighbour);
    return;
  }
  if (back_ == nullptr) return;
  constexpr std::uint32_t kSlots = 256;
  const std::uint32_t end = back_->count;
  last_->PrefetchNeighbours(end > kSlots ? end - kSlots : 0, end);
}

void LongList::PrefetchFound(VertexId neighbour) const {
  if (!index_ || parallel_) return;
  const auto newest = index_->FindNewest(neighbour);
  if (!newest) return;
  const Place place = Locate(newest->position);
  (*chunks_)[place.chunk].block->Prefetch(place.slot);
}

// A guess where in a chunk an edge born in `birth` is.
std::uint32_t LongList::Guess(std::size_t chunk, SliceNumber birth, SliceNumber newest) const {
  const SliceNumber last = chunk + 1 < states_.size() ? states_[chunk + 1].first.birth : newest;
  return GuessPlace((*chunks_)[chunk].count, states_[chunk].first.birth, last, birth);
}

void LongList::PrefetchBorn(SliceNumber birth, SliceNumber newest) const {
  const auto behind = std::ranges::upper_bound(
      states_, birth, {}, [](const ChunkState& state) { return state.first.birth; });
  if (behind == states_.begin()) return;
  const auto chunk = static_cast<std::size_t>(behind - states_.begin()) - 1;
  (*chunks_)[chunk].block->Prefetch(Guess(chunk, birth, newest));
}

void LongList::DropOldest() {
  const ListChunk& chunk = chunks_->front();
  for (std::uint32_t slot = 0; index_ && slot < chunk.count; ++slot) {
    PrefetchReindex(chunk, slot + kAhead);
    if (chunk.block->IsDead(slot)) continue;
    const VertexId neighbour = chunk.block->neighbour(slot);
    index_->EraseAt(neighbour, OrdinalOf(*chunk.block, slot), PositionOf(chunk, slot),
                    chunk.block->type(slot));
  }
  blocks_ -= chunk.block->memory();
  total_alive_ -= states_.front().alive;
  states_.erase(states_.begin());
  std::vector<ListChunk>& chunks = Own();
  chunks.erase(chunks.begin());
  NoteBack();
}

void LongList::AgeOut(std::uint32_t alive) {
  while (!chunks_->empty() && total_alive_ - states_.front().alive >= alive) DropOldest();
}

LongList::Place LongList::FindNewest(std::uint32_t count) const {
  std::size_t chunk = chunks_->size();
  std::uint32_t slot = 0;
  while (count > 0) {
    --chunk;
    if (states_[chunk].alive < count) {
      count -= states_[chunk].alive;
      continue;
    }
    for (slot = (*chunks_)[chunk].count; count > 0;) {
      if (!(*chunks_)[chunk].block->IsDead(--slot)) --count;
    }
  }
  return {chunk, slot};
}

// Numbers the chunks from 0 on, before numbers wrap around: the first chunk may stay for ever.
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

// The edge in `slot` is at `position` now. Nothing changes if the index finds another edge.
void LongList::Reindex(const ListChunk& chunk, std::uint32_t slot, std::uint32_t position) {
  const VertexId neighbour = chunk.block->neighbour(slot);
  index_->Move(neighbour, OrdinalOf(*chunk.block, slot), PositionOf(chunk, slot), position,
               chunk.block->type(slot));
}

void LongList::MakeIndex() {
  EmptyIndex();
  for (const ListChunk& chunk : *chunks_) {
    for (std::uint32_t slot = 0; slot < chunk.count; ++slot) {
      if (chunk.block->IsDead(slot)) continue;
      const VertexId neighbour = chunk.block->neighbour(slot);
      const std::uint32_t ordinal =
          index_->Add(neighbour, PositionOf(chunk, slot), IndexedType(chunk.block->type(slot)));
      if (parallel_) chunk.block->SetLink(slot, ordinal);
    }
  }
}

void LongList::PrefetchReindex(const ListChunk& chunk, std::uint32_t slot) const {
  if (slot >= chunk.count) return;
  index_->Prefetch(chunk.block->neighbour(slot), OrdinalOf(*chunk.block, slot),
                   chunk.block->type(slot));
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

LongListVersion LongList::Publish() {
  is_own_ = false;
  return {chunks_, chunks_->empty() ? 0 : chunks_->back().count};
}

HeldMemory LongList::memory() const {
  HeldMemory held{blocks_, blocks_.total() + ChunksBytes()};
  held.use.lists += AllocatedBytes(sizeof(LongList)) + ChunksBytes() + AllocatedBytes(states_);
  if (index_) held.use.index += index_->bytes();
  return held;
}

HeldMemory LongList::CountMemory() const {
  HeldMemory held = memory();
  MemoryUse blocks;
  for (const ListChunk& chunk : *chunks_) blocks += chunk.block->memory();
  held.use += blocks;
  held.use -= blocks_;
  if (index_) held.use.index += index_->CountBytes() - index_->bytes();
  held.versioned += blocks.total() - blocks_.total();
  return held;
}

}  // namespace sash

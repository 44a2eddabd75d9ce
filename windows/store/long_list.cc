#include "windows/store/long_list.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {
namespace {

// With ordinals, the entry whose position is the ordinal of the newest copy of a neighbour.
constexpr std::uint32_t kNewest = 0xFFFF'FFFF;

constexpr std::uint32_t kAhead = 12;  // slots, for prefetching
constexpr std::size_t kLine = 64;     // bytes of cache

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
  // An eighth of the list, so that what a part-filled chunk wastes stays small.
  const auto wanted = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::bit_floor(total_alive_ / 8 + 1), most_slots()));
  const std::uint32_t slots = std::max(wanted, sizes_.least_slots);
  auto block = std::make_shared<EdgeBlock>(slots, layout_, alive_bytes_);
  blocks_ += block->memory();
  Own().push_back({std::move(block), next_number_++ & number_mask(), 0});
  NoteBack();
  CountChunks();
  states_.emplace_back();
  // What died in the chunk while it was the last.
  if (states_.size() > 1) TidyAfterDeath(states_.size() - 2);
}

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

void LongList::Append(SlotContent edge) {
  const auto kind = WeightColumn::KindOf(edge.weight);
  const bool wider = kind > layout_.weights;
  if (wider) layout_.weights = kind;
  if (chunks_->empty() || wider || chunks_->back().count == chunks_->back().block->capacity()) {
    AddChunk();
  }
  // The last chunk's count is versioned apart (LongListVersion), so filling it copies nothing.
  ListChunk& last = chunks_->back();
  if (index_) Index(edge, PositionOf(last, last.count));
  if (last.count == 0) states_.back().first = {edge.birth, edge.neighbour};
  last.block->Write(last.count++, edge);
  ++states_.back().alive;
  ++total_alive_;
  if (searched_ && !index_ && total_alive_ >= sizes_.fewest_indexed) MakeIndex();
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
  const auto position = index_->Find(neighbour);
  if (!position) return;
  const Place place = Locate(*position);
  (*chunks_)[place.chunk].block->Prefetch(place.slot);
}

void LongList::Kill(VertexId neighbour, SliceNumber oldest, SliceNumber death,
                    std::vector<SlotContent>& killed, bool is_replaced) {
  if (index_) {
    bool again = true;
    while (again) {
      const auto dead = KillIndexed(neighbour, oldest, death, is_replaced);
      if (dead) killed.push_back(*dead);
      again = dead && parallel_;
    }
    return;
  }
  bool ended = false;
  for (std::size_t chunk = chunks_->size(); chunk-- > 0 && !ended;) {
    if (KillInChunk(chunk, neighbour, oldest, death, killed, ended) > 0) TidyAfterDeath(chunk);
  }
}

// Newest first: copies older than one that is dead or in no window are so too. `ended`: there is
// nothing more to kill in older chunks.
std::uint32_t LongList::KillInChunk(std::size_t chunk, VertexId neighbour, SliceNumber oldest,
                                    SliceNumber death, std::vector<SlotContent>& killed,
                                    bool& ended) {
  EdgeBlock& block = *(*chunks_)[chunk].block;
  std::uint32_t dead = 0;
  std::uint32_t end = (*chunks_)[chunk].count;
  while (!ended) {
    const std::uint32_t slot = FindLast(block, 0, end, neighbour);
    if (slot == end) break;
    ended = block.IsDead(slot) || block.birth(slot) < oldest;
    if (ended) break;
    killed.push_back(block.content(slot));
    block.Kill(slot, death);
    ++dead;
    ended = !parallel_;
    end = slot;
  }
  states_[chunk].alive -= dead;
  total_alive_ -= dead;
  return dead;
}

std::optional<SlotContent> LongList::KillIndexed(VertexId neighbour, SliceNumber oldest,
                                                 SliceNumber death, bool is_replaced) {
  std::uint32_t ordinal = 0;
  if (parallel_) {
    const auto newest = index_->Find(neighbour, kNewest);
    if (!newest) return std::nullopt;
    ordinal = *newest;
  }
  const auto position = index_->Find(neighbour, ordinal);
  if (!position) return std::nullopt;
  const Place place = Locate(*position);
  EdgeBlock& block = *(*chunks_)[place.chunk].block;
  const SlotContent killed = block.content(place.slot);
  if (killed.birth < oldest) return std::nullopt;
  // The edge that replaces it takes its entry over.
  if (!is_replaced || parallel_) Unindex(neighbour, ordinal);
  block.Kill(place.slot, death);
  --states_[place.chunk].alive;
  --total_alive_;
  TidyAfterDeath(place.chunk);
  return killed;
}

// Where in a chunk an edge born in `birth` may be.
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

std::uint32_t LongList::KillBorn(BirthKey key, SliceNumber death) {
  SASH_CHECK(!searched_);
  const auto behind = std::ranges::upper_bound(states_, key, {}, &ChunkState::first);
  const auto last = static_cast<std::size_t>(behind - states_.begin());
  std::uint32_t killed = 0;
  std::size_t chunk = last;
  while (chunk > 0) {
    const ListChunk& part = (*chunks_)[--chunk];
    const std::uint32_t guess = Guess(chunk, key.birth, death);
    const std::uint32_t place = FindBehind(*part.block, 0, part.count, key, guess);
    const std::uint32_t dead = KillBefore(*part.block, 0, place, key, death);
    states_[chunk].alive -= dead;
    killed += dead;
    if (states_[chunk].first < key) break;  // else copies may lie in the chunk before
  }
  total_alive_ -= killed;
  for (std::size_t i = last; killed > 0 && i > chunk; --i) TidyAfterDeath(i - 1);
  return killed;
}

void LongList::KillAll(std::uint32_t alive, SliceNumber death, std::vector<SlotContent>& killed) {
  auto [chunk, slot] = FindNewest(alive);
  for (; chunk < chunks_->size(); ++chunk, slot = 0) {
    EdgeBlock& block = *(*chunks_)[chunk].block;
    for (; slot < (*chunks_)[chunk].count; ++slot) {
      if (block.IsDead(slot)) continue;
      killed.push_back(block.content(slot));
      block.Kill(slot, death);
    }
  }
  Own().clear();
  NoteBack();
  states_.clear();
  blocks_ = {};
  total_alive_ = 0;
  if (index_) index_.emplace(sizes_);
}

// The chunk being filled is left alone.
void LongList::TidyAfterDeath(std::size_t chunk) {
  if (chunk + 1 >= chunks_->size() || states_[chunk].alive * 2 >= (*chunks_)[chunk].count) return;
  const auto join = [&](std::size_t first) {
    if (states_[first].alive + states_[first + 1].alive > most_slots() / 2) return false;
    Rewrite(first, 2);
    return true;
  };
  if (chunk + 2 < chunks_->size() && join(chunk)) return;
  if (chunk > 0 && join(chunk - 1)) return;
  Rewrite(chunk, 1);
}

// Replaces `count` chunks by one that holds what is alive in them.
void LongList::Rewrite(std::size_t first, std::size_t count) {
  std::vector<ListChunk>& chunks = Own();
  std::uint32_t alive = 0;
  for (std::size_t i = first; i < first + count; ++i) alive += states_[i].alive;
  moved_ += alive;
  ListChunk rewritten{nullptr, chunks[first].number, 0};
  if (alive > 0) {
    rewritten.block = std::make_shared<EdgeBlock>(alive, layout_, alive_bytes_);
    blocks_ += rewritten.block->memory();
  }
  ChunkState state{alive, states_[first].first};
  for (std::size_t i = first; i < first + count; ++i) {
    const ListChunk& old = chunks[i];
    blocks_ -= old.block->memory();
    for (std::uint32_t slot = 0; slot < old.count; ++slot) {
      if (old.block->IsDead(slot)) continue;
      if (index_) {
        PrefetchReindex(old, slot + kAhead);
        Reindex(old, slot, PositionOf(rewritten, rewritten.count));
      }
      rewritten.block->Write(rewritten.count++, old.block->content(slot));
    }
  }
  const auto place = chunks.begin() + static_cast<std::ptrdiff_t>(first);
  const auto state_place = states_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto rest = static_cast<std::ptrdiff_t>(alive > 0 ? count - 1 : count);
  if (alive > 0) {
    *place = std::move(rewritten);
    *state_place = state;
  }
  const std::ptrdiff_t kept = alive > 0 ? 1 : 0;
  chunks.erase(place + kept, place + kept + rest);
  states_.erase(state_place + kept, state_place + kept + rest);
  NoteBack();
}

void LongList::DropOldest() {
  const ListChunk& chunk = chunks_->front();
  for (std::uint32_t slot = 0; index_ && slot < chunk.count; ++slot) {
    PrefetchReindex(chunk, slot + kAhead);
    if (chunk.block->IsDead(slot)) continue;
    const VertexId neighbour = chunk.block->neighbour(slot);
    const std::uint32_t ordinal = parallel_ ? chunk.block->link(slot) : 0;
    if (index_->Find(neighbour, ordinal) == PositionOf(chunk, slot)) Unindex(neighbour, ordinal);
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

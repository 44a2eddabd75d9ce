#include "windows/store/long_list.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// With ordinals, the entry whose position is the ordinal of the newest copy of a neighbour.
constexpr std::uint32_t kNewest = 0xFFFF'FFFF;

}  // namespace

std::vector<ListChunk>& LongList::Own() {
  if (!is_own_) {
    chunks_ = std::make_shared<std::vector<ListChunk>>(*chunks_);
    is_own_ = true;
  }
  return *chunks_;
}

void LongList::AddChunk() {
  // An eighth of the list, so that what a part-filled chunk wastes stays small.
  const auto wanted = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::bit_floor(total_alive_ / 8 + 1), most_slots()));
  const std::uint32_t slots = std::max(wanted, sizes_.least_slots);
  Own().push_back({std::make_shared<EdgeBlock>(slots, layout_), next_number_++ & number_mask(), 0});
  alive_.push_back(0);
}

// The ordinals of a neighbour's indexed copies have no holes: copies die from the newest on and age
// out from the oldest on.
void LongList::Index(SlotContent& edge, std::uint32_t position) {
  if (!ordinals_) {
    // A copy that has aged out may still be there; nobody may find it any more.
    if (index_.Find(edge.neighbour)) {
      index_.Move(edge.neighbour, 0, position);
    } else {
      index_.Insert(edge.neighbour, 0, position);
    }
    return;
  }
  const auto newest = index_.Find(edge.neighbour, kNewest);
  edge.link = newest ? (*newest + 1) % kNewest : 0;
  if (newest) {
    index_.Move(edge.neighbour, kNewest, edge.link);
  } else {
    index_.Insert(edge.neighbour, kNewest, edge.link);
  }
  index_.Insert(edge.neighbour, edge.link, position);
}

void LongList::Unindex(VertexId neighbour, std::uint32_t ordinal) {
  index_.Erase(neighbour, ordinal);
  if (!ordinals_ || index_.Find(neighbour, kNewest) != ordinal) return;
  const std::uint32_t older = ordinal == 0 ? kNewest - 1 : ordinal - 1;
  if (index_.Find(neighbour, older)) {
    index_.Move(neighbour, kNewest, older);
  } else {
    index_.Erase(neighbour, kNewest);
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
  if (indexed_) Index(edge, PositionOf(last, last.count));
  last.block->Write(last.count++, edge);
  ++alive_.back();
  ++total_alive_;
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

std::optional<SlotContent> LongList::KillNewest(VertexId neighbour, SliceNumber oldest,
                                                SliceNumber death, bool is_replaced) {
  std::uint32_t ordinal = 0;
  if (ordinals_) {
    const auto newest = index_.Find(neighbour, kNewest);
    if (!newest) return std::nullopt;
    ordinal = *newest;
  }
  const auto position = index_.Find(neighbour, ordinal);
  if (!position) return std::nullopt;
  const Place place = Locate(*position);
  EdgeBlock& block = *(*chunks_)[place.chunk].block;
  const SlotContent killed = block.content(place.slot);
  if (killed.birth < oldest) return std::nullopt;
  // The edge that replaces it takes its entry over.
  if (!is_replaced || ordinals_) Unindex(neighbour, ordinal);
  block.Kill(place.slot, death);
  --alive_[place.chunk];
  --total_alive_;
  TidyAfterDeath(place.chunk);
  return killed;
}

// The chunk being filled is left alone.
void LongList::TidyAfterDeath(std::size_t chunk) {
  if (chunk + 1 == chunks_->size() || alive_[chunk] * 2 >= (*chunks_)[chunk].count) return;
  const auto join = [&](std::size_t first) {
    if (alive_[first] + alive_[first + 1] > most_slots() / 2) return false;
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
  for (std::size_t i = first; i < first + count; ++i) alive += alive_[i];
  ListChunk rewritten{nullptr, chunks[first].number, 0};
  if (alive > 0) rewritten.block = std::make_shared<EdgeBlock>(alive, layout_);
  for (std::size_t i = first; i < first + count; ++i) {
    const ListChunk& old = chunks[i];
    for (std::uint32_t slot = 0; slot < old.count; ++slot) {
      if (old.block->IsDead(slot)) continue;
      const SlotContent edge = old.block->content(slot);
      const std::uint32_t ordinal = ordinals_ ? edge.link : 0;
      if (index_.Find(edge.neighbour, ordinal) == PositionOf(old, slot)) {
        index_.Move(edge.neighbour, ordinal, PositionOf(rewritten, rewritten.count));
      }
      rewritten.block->Write(rewritten.count++, edge);
    }
  }
  const auto place = chunks.begin() + static_cast<std::ptrdiff_t>(first);
  const auto alive_place = alive_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto rest = static_cast<std::ptrdiff_t>(alive > 0 ? count - 1 : count);
  if (alive > 0) {
    *place = std::move(rewritten);
    *alive_place = alive;
  }
  const std::ptrdiff_t kept = alive > 0 ? 1 : 0;
  chunks.erase(place + kept, place + kept + rest);
  alive_.erase(alive_place + kept, alive_place + kept + rest);
}

void LongList::DropOldest() {
  const ListChunk& chunk = chunks_->front();
  for (std::uint32_t slot = 0; indexed_ && slot < chunk.count; ++slot) {
    if (chunk.block->IsDead(slot)) continue;
    const VertexId neighbour = chunk.block->neighbour(slot);
    const std::uint32_t ordinal = ordinals_ ? chunk.block->link(slot) : 0;
    if (index_.Find(neighbour, ordinal) == PositionOf(chunk, slot)) Unindex(neighbour, ordinal);
  }
  total_alive_ -= alive_.front();
  alive_.erase(alive_.begin());
  std::vector<ListChunk>& chunks = Own();
  chunks.erase(chunks.begin());
}

void LongList::AgeOut(std::uint32_t alive) {
  while (!chunks_->empty() && total_alive_ - alive_.front() >= alive) DropOldest();
}

LongList::Place LongList::FindNewest(std::uint32_t count) const {
  std::size_t chunk = chunks_->size();
  std::uint32_t slot = 0;
  while (count > 0) {
    --chunk;
    if (alive_[chunk] < count) {
      count -= alive_[chunk];
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

void LongList::AddTo(MemoryUse& use) const {
  use.lists += sizeof(LongList) + chunks_->capacity() * sizeof(ListChunk) +
               alive_.capacity() * sizeof(std::uint32_t);
  for (const ListChunk& chunk : *chunks_) chunk.block->AddTo(use);
  if (indexed_) use.index += index_.bytes();
}

}  // namespace sash

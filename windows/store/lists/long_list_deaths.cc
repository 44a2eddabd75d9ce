// How edges of a long list die before they age out, and how their chunks are rewritten.
#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/store/lists/long_list.h"

namespace sash {

void LongList::Kill(VertexId neighbour, SliceNumber oldest, SliceNumber death,
                    std::vector<SlotContent>& killed, bool is_replaced, TypeNumber type) {
  const bool tells_types = by_type_ || (parallel_ && has_types());
  const bool has_none = !tells_types && parallel_ && type != kAnyType && type != kNoType;
  if (index_ && has_none) return;  // no edge has a type
  if (index_ && !(tells_types && type == kAnyType)) {
    bool again = true;
    while (again) {
      const auto dead =
          KillIndexed(neighbour, tells_types ? type : kNoType, oldest, death, is_replaced);
      if (dead) killed.push_back(*dead);
      again = dead && parallel_;
    }
    return;
  }
  bool ended = false;
  for (std::size_t chunk = chunks_->size(); chunk-- > 0 && !ended;) {
    if (KillInChunk(chunk, neighbour, type, oldest, death, killed, ended) > 0) {
      TidyAfterDeath(chunk);
    }
  }
}

// Newest first. Copies older than one that is in no window are in no window; those older than a
// dead one are dead too, unless they have another type. `ended`: there is nothing more to kill in
// older chunks.
std::uint32_t LongList::KillInChunk(std::size_t chunk, VertexId neighbour, TypeNumber type,
                                    SliceNumber oldest, SliceNumber death,
                                    std::vector<SlotContent>& killed, bool& ended) {
  EdgeBlock& block = *(*chunks_)[chunk].block;
  const bool mixed = (parallel_ || by_type_) && has_types();
  std::uint32_t dead = 0;
  std::uint32_t end = (*chunks_)[chunk].count;
  while (!ended) {
    const std::uint32_t slot = FindLast(block, 0, end, neighbour);
    if (slot == end) break;
    end = slot;
    if (block.IsDead(slot)) {
      ended = !mixed;
      continue;
    }
    ended = block.birth(slot) < oldest;
    if (ended || (type != kAnyType && block.type(slot) != type)) continue;
    killed.push_back(block.content(slot));
    if (index_) {
      index_->EraseAt(neighbour, OrdinalOf(block, slot), PositionOf((*chunks_)[chunk], slot),
                      block.type(slot));
    }
    block.Kill(slot, death);
    ++dead;
    ended = !parallel_ && !(by_type_ && type == kAnyType);
  }
  states_[chunk].alive -= dead;
  total_alive_ -= dead;
  return dead;
}

std::optional<SlotContent> LongList::KillIndexed(VertexId neighbour, TypeNumber type,
                                                 SliceNumber oldest, SliceNumber death,
                                                 bool is_replaced) {
  const auto newest = index_->FindNewest(neighbour, type);
  if (!newest) return std::nullopt;
  const Place place = Locate(newest->position);
  EdgeBlock& block = *(*chunks_)[place.chunk].block;
  const SlotContent killed = block.content(place.slot);
  if (killed.birth < oldest) return std::nullopt;
  // The edge that replaces it takes over its entry.
  if (!is_replaced || parallel_) index_->Erase(neighbour, newest->ordinal, type);
  block.Kill(place.slot, death);
  --states_[place.chunk].alive;
  --total_alive_;
  TidyAfterDeath(place.chunk);
  return killed;
}

std::uint32_t LongList::KillBorn(BirthKey key, SliceNumber death, TypeNumber type) {
  SASH_CHECK(!searched_);
  const auto behind = std::ranges::upper_bound(states_, key, {}, &ChunkState::first);
  const auto last = static_cast<std::size_t>(behind - states_.begin());
  std::uint32_t killed = 0;
  std::size_t chunk = last;
  while (chunk > 0) {
    const ListChunk& part = (*chunks_)[--chunk];
    const std::uint32_t guess = Guess(chunk, key.birth, death);
    const std::uint32_t place = FindBehind(*part.block, 0, part.count, key, guess);
    const std::uint32_t dead = KillBefore(*part.block, 0, place, key, type, death);
    states_[chunk].alive -= dead;
    killed += dead;
    if (states_[chunk].first < key) break;  // else copies may be in the chunk before
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
  if (index_) EmptyIndex();
}

// The last chunk, which is being filled, is not changed.
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

}  // namespace sash

// LongList: the list of a vertex with very many neighbours, as chunks of bounded size, so that the
// whole list is never moved.
//
// New edges fill the last chunk; chunks whose edges have all aged out are dropped from the front;
// chunks with many dead edges are rewritten or joined, one at a time.
//
// Thread safety: belongs to the engine thread; versions are immutable.
//
// Invariants
//   (1) Chunks are oldest first, and within a chunk older slots come first.
//   (2) A searched list has an index after it has had ListSizes::fewest_indexed edges. Every
//       edge that is not dead is found in it (CopyIndex), at a position that is its chunk's number
//       and its slot. Edges that have aged out may be found until their chunk is dropped. In a list
//       of parallel edges with types, only copies of one type die in order. So the first edge with
//       a type removes the index. The next index, which is made as soon as the list has that many
//       edges, distinguishes types.
//   (3) In a chunk that is not the last, at most half of the slots are dead.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "windows/store/lists/copy_index.h"
#include "windows/store/lists/list_page.h"
#include "windows/store/lists/list_sizes.h"
#include "windows/store/lists/slot_search.h"

namespace sash {

class alignas(64) LongList {
 public:
  // `searched`: edges will be looked up by their neighbour (layout.lives). `parallel`: one
  // neighbour may occur several times (keep); the index needs the links of such lists, as ordinals.
  // `by_type`: a neighbour may occur once with each type.
  LongList(SlotLayout layout, bool searched, bool parallel, const ListSizes& sizes = {},
           std::shared_ptr<AliveBytes> alive = nullptr, bool by_type = false)
      : chunks_(std::make_shared<ListChunks>()),
        sizes_(sizes),
        layout_(layout),
        searched_(searched),
        parallel_(parallel),
        by_type_(by_type),
        alive_bytes_(std::move(alive)) {
    CountChunks();
  }

  // `edge.link` is ignored in a list that is searched and parallel.
  void Append(SlotContent edge);

  // Kills the edges to `neighbour` that have this type, are alive and were born in `oldest` or
  // later (ListPolicy::MayHaveMore), and appends their contents to `killed`, newest first.
  // `is_replaced`: an edge to the same neighbour (by type: of this type) is appended before
  // anything else happens.
  void Kill(VertexId neighbour, SliceNumber oldest, SliceNumber death,
            std::vector<SlotContent>& killed, bool is_replaced = false, TypeNumber type = kAnyType);

  // Kills the edges to `key.neighbour` that have this type and were born in slice `key.birth`.
  // Returns their number. For lists that are not searched.
  std::uint32_t KillBorn(BirthKey key, SliceNumber death, TypeNumber type = kAnyType);

  // Kills the newest `alive` edges, which are all that a window holds, and forgets the rest.
  void KillAll(std::uint32_t alive, SliceNumber death, std::vector<SlotContent>& killed);

  // Fetch ahead, each using memory that the one before has fetched: this object; the places of its
  // newest slots and its chunks; the slots that Append() will write.
  void Prefetch() const;
  void PrefetchPlace() const;
  void PrefetchAppend() const;
  // After PrefetchPlace(), these fetch ahead the memory that Kill() will read: an entry of the
  // index, then the slot that it names; without an index, the newest slots.
  void PrefetchSearch(VertexId neighbour) const;
  void PrefetchFound(VertexId neighbour) const;
  // This one fetches ahead the memory that KillBorn() will read.
  void PrefetchBorn(SliceNumber birth, SliceNumber newest) const;

  bool is_indexed() const { return index_.has_value(); }

  // visit(SlotContent) for the newest `count` edges that are alive, oldest first.
  template <typename Visit>
  void ForEachAlive(std::uint32_t count, const Visit& visit) const {
    auto [chunk, slot] = FindNewest(count);
    for (; chunk < chunks_->size(); ++chunk, slot = 0) {
      const ListChunk& part = (*chunks_)[chunk];
      for (; slot < part.count; ++slot) {
        if (!part.block->IsDead(slot)) visit(part.block->content(slot));
      }
    }
  }

  // Only the newest `alive` edges that are not dead are in any window: drops chunks without them.
  void AgeOut(std::uint32_t alive);

  LongListVersion Publish();

  HeldMemory memory() const;
  HeldMemory CountMemory() const;  // the same, found by looking at every chunk

  // Slots copied since the last call.
  std::uint64_t TakeMoved() { return std::exchange(moved_, 0); }

 private:
  static constexpr std::uint32_t kAhead = 12;  // slots, for prefetching

  struct Place {
    std::size_t chunk = 0;
    std::uint32_t slot = 0;
  };
  struct ChunkState {
    std::uint32_t alive = 0;  // slots that are not dead
    BirthKey first{};         // of the first slot when it was written
  };

  std::vector<ListChunk>& Own();
  void NoteBack();
  void CountChunks();
  std::size_t ChunksBytes() const;
  void AddChunk();
  void Widen(const SlotWidths& widths);
  Place Locate(std::uint32_t position) const;
  std::uint32_t Guess(std::size_t chunk, SliceNumber birth, SliceNumber newest) const;
  Place FindNewest(std::uint32_t count) const;
  std::uint32_t PositionOf(const ListChunk& chunk, std::uint32_t slot) const {
    return chunk.number << sizes_.slot_bits | slot;
  }
  // A position's lower bits are the slot, the rest is the chunk's number.
  std::uint32_t most_slots() const { return 1u << sizes_.slot_bits; }
  std::uint32_t number_mask() const { return 0xFFFF'FFFFu >> sizes_.slot_bits; }
  bool has_types() const { return layout_.types != TypeWidth::kNone; }
  std::optional<SlotContent> KillIndexed(VertexId neighbour, TypeNumber type, SliceNumber oldest,
                                         SliceNumber death, bool is_replaced);
  std::uint32_t KillInChunk(std::size_t chunk, VertexId neighbour, TypeNumber type,
                            SliceNumber oldest, SliceNumber death, std::vector<SlotContent>& killed,
                            bool& ended);
  void MakeIndex();
  void EmptyIndex() { index_.emplace(parallel_, sizes_, parallel_ && has_types()); }
  // The type by which the index knows an edge.
  TypeNumber IndexedType(TypeNumber type) const { return by_type_ || parallel_ ? type : kNoType; }
  // The ordinal under which the index has the edge in a slot.
  std::uint32_t OrdinalOf(const EdgeBlock& block, std::uint32_t slot) const {
    if (by_type_) return block.type(slot);
    return parallel_ ? block.link(slot) : 0;
  }
  void Renumber();
  void Reindex(const ListChunk& chunk, std::uint32_t slot, std::uint32_t position);
  void PrefetchReindex(const ListChunk& chunk, std::uint32_t slot) const;
  void TidyAfterDeath(std::size_t chunk);
  void Rewrite(std::size_t first, std::size_t count);
  void DropOldest();

  // The members that every new edge needs are in the first cache line.
  ListChunk* back_ = nullptr;  // the last of chunks_, and its block; null: there is none
  EdgeBlock* last_ = nullptr;
  std::vector<ChunkState> states_;  // by chunk
  std::uint64_t total_alive_ = 0;
  std::shared_ptr<ListChunks> chunks_;
  std::optional<CopyIndex> index_;
  const ListSizes sizes_;
  SlotLayout layout_;
  const bool searched_;
  const bool parallel_;
  const bool by_type_;
  const std::shared_ptr<AliveBytes> alive_bytes_;
  MemoryUse blocks_;    // of the chunks
  bool is_own_ = true;  // chunks_ is not in a published version
  std::uint32_t next_number_ = 0;
  std::uint64_t moved_ = 0;
};

}  // namespace sash

// LongList: the list of a vertex with very many neighbours, as chunks of bounded size, so that
// nothing ever moves the whole of it.
//
// New edges fill the last chunk; chunks whose edges have all aged out are dropped from the front;
// chunks of which much has died are rewritten or joined, one at a time.
//
// Thread safety: belongs to the engine thread; versions are immutable.
//
// Invariants
//   (1) Chunks are oldest first, and within a chunk older slots come first.
//   (2) With an index, every edge that is not dead is found in it by (neighbour, ordinal), whose
//       position is its chunk's number and its slot. Edges that have aged out may still be found
//       until their chunk goes: callers check the birth.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "windows/store/list_page.h"
#include "windows/store/list_sizes.h"
#include "windows/store/neighbour_index.h"

namespace sash {

class LongList {
 public:
  // `indexed`: edges will be looked up (layout.lives). `ordinals`: one neighbour may occur several
  // times (keep); ordinals are kept as links.
  LongList(SlotLayout layout, bool indexed, bool ordinals, const ListSizes& sizes = {})
      : sizes_(sizes),
        layout_(layout),
        indexed_(indexed),
        ordinals_(ordinals),
        chunks_(std::make_shared<std::vector<ListChunk>>()),
        index_(sizes) {}

  // `edge.link` is ignored with ordinals.
  void Append(SlotContent edge);

  // Kills the newest edge to `neighbour` that is alive and was born in `oldest` or later.
  // `is_replaced`: an edge to the same neighbour is appended before anything else happens.
  std::optional<SlotContent> KillNewest(VertexId neighbour, SliceNumber oldest, SliceNumber death,
                                        bool is_replaced);

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

  void AddTo(MemoryUse& use) const;

 private:
  struct Place {
    std::size_t chunk = 0;
    std::uint32_t slot = 0;
  };

  std::vector<ListChunk>& Own();
  void AddChunk();
  Place Locate(std::uint32_t position) const;
  Place FindNewest(std::uint32_t count) const;
  std::uint32_t PositionOf(const ListChunk& chunk, std::uint32_t slot) const {
    return chunk.number << sizes_.slot_bits | slot;
  }
  // A position's lower bits are the slot, the rest is the chunk's number.
  std::uint32_t most_slots() const { return 1u << sizes_.slot_bits; }
  std::uint32_t number_mask() const { return 0xFFFF'FFFFu >> sizes_.slot_bits; }
  void Index(SlotContent& edge, std::uint32_t position);
  void Unindex(VertexId neighbour, std::uint32_t ordinal);
  void TidyAfterDeath(std::size_t chunk);
  void Rewrite(std::size_t first, std::size_t count);
  void DropOldest();

  const ListSizes sizes_;
  SlotLayout layout_;
  const bool indexed_;
  const bool ordinals_;
  std::shared_ptr<std::vector<ListChunk>> chunks_;
  std::vector<std::uint32_t> alive_;  // by chunk: slots that are not dead
  std::uint64_t total_alive_ = 0;
  bool is_own_ = true;  // chunks_ is in no published version
  std::uint32_t next_number_ = 0;
  NeighbourIndex index_;
};

}  // namespace sash

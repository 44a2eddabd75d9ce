// PageTenancy: the lists of one page as they grow and age. Only the writer uses it.
//
// The lists lie in the page's block, in vertex order, each with a little room behind it. A list
// that outgrows its room moves into the spare slots of the block. A block without enough spare
// slots is rebuilt. A list above ListSizes::most_short edges is kept as chunks (LongList).
//
// Views share the page, and its owner (AdjacencyLists) copies it before the first change after a
// publication. So each method is given the page: a const page is only read. A list is named by its
// number in the page, `local`.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) The newest alive(local) slots of a list that are not dead are its edges. Older slots are
//       garbage, which goes when the block is rebuilt.
//   (2) Slots of the block from `used_` on are spare; the lists and their rooms are before it.
//   (3) If lists are filtered, the filter may hold every edge of every list without an index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "windows/store/lists/list_growth.h"
#include "windows/store/lists/list_page.h"
#include "windows/store/lists/list_state.h"
#include "windows/store/lists/long_list.h"
#include "windows/store/lists/pair_filter.h"
#include "windows/store/lists/slot_search.h"

namespace sash {

class alignas(64) PageTenancy {
 public:
  // Edges that are about to be appended to one list of the page.
  struct Arrival {
    std::uint32_t local = 0;
    std::uint32_t count = 0;
  };

  // Where new edges go: slots of a block, or a long list.
  struct NewSlots {
    EdgeBlock* block = nullptr;
    std::uint32_t first = 0;
    LongList* list = nullptr;
    PairFilter* filter = nullptr;

    template <typename ContentAt>
    void Fill(std::uint32_t local, std::uint32_t count, const ContentAt& content,
              ListGrowth& growth) const;
  };

  std::uint32_t alive(std::uint32_t local) const { return lists_[local].alive(); }
  // Null: the list is short.
  LongList* FindLong(const ListPage& page, std::uint32_t local) const {
    const std::uint32_t entry = page.ends[local];
    if ((entry & ListPage::kIsLong) == 0) return nullptr;
    return long_lists_[entry & ListPage::kPlace].get();
  }
  // visit(SlotContent) for the alive edges of a list, oldest first.
  template <typename Visit>
  void ForEachAlive(const ListPage& page, std::uint32_t local, const Visit& visit) const;

  // Appending `count` edges. Most lists have room: Fits(), then TakeRoom(). Others are extended,
  // after Promote() if they become long.
  bool Fits(const ListPage& page, std::uint32_t local, std::uint32_t count,
            const ListGrowth& growth) const {
    const ListState& list = lists_[local];
    const bool fits = (page.ends[local] & ListPage::kIsLong) == 0 && count <= list.room() &&
                      list.alive() > 0 && list.alive() + count <= growth.sizes().most_short;
    return fits && !growth.filtered() && page.block->layout().widths().Hold(growth.widths());
  }
  NewSlots TakeRoom(ListPage& page, std::uint32_t local, std::uint32_t count) {
    const std::uint32_t end = page.ends[local] & ListPage::kPlace;
    page.ends[local] += count;
    lists_[local].TakeRoom(count);
    lists_[local].AddAlive(count);
    short_alive_ += count;
    return {page.block.get(), end, nullptr, nullptr};
  }
  bool BecomesLong(const ListPage& page, std::uint32_t local, std::uint32_t count,
                   const ListGrowth& growth) const;
  void Promote(ListPage& page, std::uint32_t local, ListGrowth& growth);
  NewSlots Extend(ListPage& page, std::uint32_t local, std::uint32_t count, ListGrowth& growth);

  // Whether short lists lack room for `arrivals`, and the block has too few spare slots to give
  // them that room.
  bool Overflows(const ListPage& page, std::span<const Arrival> arrivals,
                 const ListGrowth& growth) const;
  // Rebuilds the block: in vertex order, without garbage, with room for `arrivals`. Long lists that
  // have become short join it.
  void Rebuild(ListPage& page, std::span<const Arrival> arrivals, ListGrowth& growth);

  // False: the list surely has no edge to `neighbour`.
  bool MayHold(const ListPage& page, std::uint32_t local, VertexId neighbour,
               const ListGrowth& growth) const {
    if (!growth.filtered()) return true;
    const LongList* const list = FindLong(page, local);
    return (list != nullptr && list->is_indexed()) || filter_.MayHold(local, neighbour);
  }
  // In a short list, the newest slot before `end` that is an edge to `neighbour` of this type,
  // alive and born in `oldest` or later. `end`: there is none.
  std::uint32_t FindSlot(const ListPage& page, std::uint32_t local, VertexId neighbour,
                         TypeNumber type, std::uint32_t end, SliceNumber oldest,
                         const ListGrowth& growth) const;
  void KillSlot(ListPage& page, std::uint32_t local, std::uint32_t slot, SliceNumber death,
                std::vector<SlotContent>& killed);
  // LongList::Kill(). Returns how many were killed.
  std::uint32_t KillInLong(LongList& list, std::uint32_t local, VertexId neighbour, TypeNumber type,
                           SliceNumber oldest, SliceNumber death, std::vector<SlotContent>& killed,
                           bool is_replaced, ListGrowth& growth);
  // As AdjacencyLists says.
  std::uint32_t KillBorn(ListPage& page, std::uint32_t local, BirthKey key, TypeNumber type,
                         SliceNumber oldest, SliceNumber death, ListGrowth& growth);
  void KillAll(ListPage& page, std::uint32_t local, SliceNumber death,
               std::vector<SlotContent>& killed);
  void AgeOut(const ListPage& page, std::uint32_t local, std::uint32_t count);

  // Whether the page may need tidying: there is a long list, or much of the block is garbage.
  bool IsCrowded(const ListPage& page, const ListGrowth& growth) const;
  // What it needs: a page without an edge is dropped; a block is rebuilt when a long list has
  // become short, or when much of the block is garbage.
  enum class Tidying { kNone, kRebuild, kDrop };
  Tidying FindTidying(const ListPage& page, const ListGrowth& growth) const;

  // Brings the versions of long lists in the page up to date.
  void Publish(ListPage& page);

  HeldMemory memory(const ListPage& page) const { return MemoryOf(page, &LongList::memory); }
  HeldMemory CountMemory(const ListPage& page) const {
    return MemoryOf(page, &LongList::CountMemory);
  }

  // Fetch ahead: see AdjacencyLists::PrefetchPage().
  void PrefetchPage(const ListPage& page) const;
  void PrefetchState(const ListPage& page, std::uint32_t local) const {
    __builtin_prefetch(&lists_[local], 1);
    __builtin_prefetch(&page.ends[local]);
  }
  void PrefetchPlace(const ListPage& page, std::uint32_t local) const;
  void PrefetchFilter(std::uint32_t local, VertexId neighbour) const {
    filter_.Prefetch(local, neighbour);
  }
  void PrefetchList(const ListPage& page, std::uint32_t local, VertexId neighbour,
                    const ListGrowth& growth) const;
  void PrefetchSlots(const ListPage& page, std::uint32_t local, VertexId neighbour,
                     const ListGrowth& growth) const;
  void PrefetchStates(const ListPage& page, std::span<const Arrival> arrivals) const;
  void PrefetchEnds(const ListPage& page, std::span<const Arrival> arrivals) const;
  void PrefetchBorn(const ListPage& page, std::uint32_t local, SliceNumber birth,
                    SliceNumber oldest, SliceNumber newest) const;

  // What the owner notes of the page.
  struct Notes {
    bool is_crowded = false;    // it is in the owner's list of these
    bool is_uncounted = false;  // likewise
  };
  Notes& notes() { return notes_; }
  // What the owner has counted of memory().
  HeldMemory& counted() { return counted_; }

 private:
  std::uint32_t MakeRoom(ListPage& page, std::uint32_t local, std::uint32_t count,
                         ListGrowth& growth);
  void Relocate(ListPage& page, std::uint32_t local, std::uint32_t count, ListGrowth& growth);
  void ForgetLong(ListPage& page, std::uint32_t local);
  std::size_t FilteredEdges(const ListPage& page) const;
  void RenewFilter(const ListPage& page);
  HeldMemory MemoryOf(const ListPage& page, HeldMemory (LongList::*of_list)() const) const;

  // What every edge needs lies in the first line.
  PairFilter filter_;              // of lists without an index, if it is used
  std::uint32_t used_ = 0;         // slots of the block handed out
  std::uint32_t short_alive_ = 0;  // edges alive in short lists
  Notes notes_;
  std::vector<std::unique_ptr<LongList>> long_lists_;  // as in the page
  std::array<ListState, ListPage::kVertices> lists_{};
  HeldMemory counted_;
};

template <typename ContentAt>
void PageTenancy::NewSlots::Fill(std::uint32_t local, std::uint32_t count, const ContentAt& content,
                                 ListGrowth& growth) const {
  for (std::uint32_t i = 0; i < count; ++i) {
    const SlotContent edge = content(i);
    if (filter != nullptr) filter->Insert(local, edge.neighbour);
    if (list != nullptr) {
      list->Append(edge);
    } else {
      block->Write(first + i, edge);
    }
  }
  if (list != nullptr) growth.CountMoved(list->TakeMoved());
}

template <typename Visit>
void PageTenancy::ForEachAlive(const ListPage& page, std::uint32_t local,
                               const Visit& visit) const {
  std::uint32_t count = alive(local);
  if (count == 0) return;
  if (const LongList* const list = FindLong(page, local); list != nullptr) {
    list->ForEachAlive(count, visit);
    return;
  }
  const EdgeBlock& block = *page.block;
  const std::uint32_t end = page.ends[local] & ListPage::kPlace;
  std::uint32_t begin = end;
  while (count > 0) count -= block.IsDead(--begin) ? 0 : 1;
  for (std::uint32_t slot = begin; slot < end; ++slot) {
    if (!block.IsDead(slot)) visit(block.content(slot));
  }
}

}  // namespace sash

// AdjacencyLists: the lists of one direction as they grow and age, for all windows of a store.
//
// The lists of 256 neighbouring ids share a block of memory, in vertex order, each with a little
// room behind it. A list that outgrows its room moves into the spare room of its block; a block
// without spare room is built anew. So reading a list is reading consecutive memory whatever the
// number of slices, and an edge is copied 10 to 25 times in its life (rules R9 and R11 of
// windows/store/README.md). A list above ListSizes::most_short edges is kept as chunks (LongList).
//
// Thread safety: belongs to the engine thread; an AdjacencyView, to any thread.
//
// Invariants
//   (1) alive(v) edges of v are in the longest window: the newest slots of its list that are not
//       dead. Older slots are garbage, which goes when its block is built anew.
//   (2) Slots that a published view shows are never written again, but for their deaths.
//   (3) Blocks hold at most half as many more slots than edges alive, and ListSizes::least_spare
//       more.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/store/lists/adjacency_view.h"
#include "windows/store/lists/list_page.h"
#include "windows/store/lists/list_sizes.h"
#include "windows/store/lists/list_state.h"
#include "windows/store/lists/long_list.h"
#include "windows/store/lists/pair_filter.h"
#include "windows/store/lists/slot_search.h"

namespace sash {

// What a store's policy needs of its lists.
struct ListPolicy {
  bool mortal = false;     // edges may die before they age out
  bool searched = false;   // who dies is named by its ends alone; else by its birth too
  bool parallel = true;    // a list may hold several edges to one neighbour
  bool has_links = false;  // slots carry a number of the store's (SlotContent::link)
  ListSizes sizes{};
  std::pmr::memory_resource* slots = nullptr;  // where they lie (SlotLayout::memory)
};

class AdjacencyLists {
 public:
  // `alive` counts what views may share.
  explicit AdjacencyLists(const ListPolicy& policy, std::shared_ptr<AliveBytes> alive = nullptr)
      : policy_(policy), alive_bytes_(std::move(alive)) {
    SASH_CHECK(policy.sizes.most_short <= ListState::kMostShort);
  }

  // Adds `count` edges behind those of `vertex`: content(0), content(1), ..., whose weights are of
  // kind `weights` or a lesser one. Amortised O(count).
  template <typename ContentAt>
  void Append(VertexId vertex, std::uint32_t count, WeightColumn::Kind weights,
              const ContentAt& content) {
    const std::size_t page = vertex / kPageVertices;
    Open(page, weights);
    Fill(Extend(page, vertex % kPageVertices, count), vertex % kPageVertices, count, content);
  }

  // Edges that are about to be appended to one list of a page.
  struct Arrival {
    std::uint32_t local = 0;  // the number of the list in its page
    std::uint32_t count = 0;
  };

  // The same for lists of one page, each named once: edges `next`, `next` + 1, ... of `edges`,
  // which has neighbour(i), content(i) and weights(), go to the first of them, and so on.
  template <typename Edges>
  void AppendAll(std::size_t page, std::span<const Arrival> arrivals, const Edges& edges,
                 std::size_t next) {
    Open(page, edges.weights());
    for (const auto& [local, count] : arrivals) {
      const NewSlots slots = Extend(page, local, count);
      if (slots.block != nullptr && slots.block->has_only_neighbours()) {
        for (std::uint32_t i = 0; i < count; ++i) {
          slots.block->WriteNeighbour(slots.first + i, edges.neighbour(next + i));
        }
      } else {
        Fill(slots, local, count, [&](std::uint32_t i) { return edges.content(next + i); });
      }
      next += count;
    }
  }

  // Many edges are about to be appended to lists of one page, each named once. Only saves copying.
  void Expect(std::size_t page, std::span<const Arrival> arrivals, WeightColumn::Kind weights);

  // Fetch ahead what Append(), AgeOut() and Kill() will need soon, each what the one before has
  // found: the page; how the list stands; where it is, and whether it may have `neighbour`; where
  // its slots are, and those that are searched if it may; the slots that will be written, and the
  // one found.
  void PrefetchPage(VertexId vertex) const;  // once a page
  void PrefetchState(VertexId vertex) const;
  void PrefetchPlace(VertexId vertex) const;
  void PrefetchPlace(VertexId vertex, VertexId neighbour) const;
  void PrefetchList(VertexId vertex, VertexId neighbour) const;
  void PrefetchSlots(VertexId vertex, VertexId neighbour) const;
  // The same for all edges that come to a page of lists that are not searched: where the lists
  // stand, of a page that PrefetchPage() has fetched; then the slots that will be written.
  void PrefetchStates(std::size_t page, std::span<const Arrival> arrivals) const;
  void PrefetchEnds(std::size_t page, std::span<const Arrival> arrivals) const;
  // ... and what KillBorn() will need after PrefetchList().
  void PrefetchBorn(VertexId vertex, SliceNumber birth, SliceNumber oldest,
                    SliceNumber newest) const;

  // Kills the edges from `vertex` to `neighbour` that are alive (at most one unless parallel) and
  // appends what they were to `killed`, newest first. `oldest`: the oldest slice that a window
  // holds. `is_replaced`: an edge to the same neighbour is appended next. For lists that are
  // searched.
  void Kill(VertexId vertex, VertexId neighbour, SliceNumber oldest, SliceNumber death,
            std::vector<SlotContent>& killed, bool is_replaced = false);

  // Kills the edges from `vertex` to `key.neighbour` that were born in slice `key.birth`, which a
  // window holds, as it does those from `oldest` to `death`. Returns how many. For lists that are
  // not searched.
  std::uint32_t KillBorn(VertexId vertex, BirthKey key, SliceNumber oldest, SliceNumber death);

  // Kills all edges of `vertex` and appends what they were to `killed`.
  void KillAll(VertexId vertex, SliceNumber death, std::vector<SlotContent>& killed);

  // The oldest `count` edges of `vertex` have left the longest window.
  void AgeOut(VertexId vertex, std::uint32_t count);

  // Gives back the memory of pages of which much has died or aged out, and brings memory() up to
  // date; after a batch of changes.
  void Tidy();

  std::uint32_t alive(VertexId vertex) const;
  bool is_mortal() const { return policy_.mortal; }

  // visit(SlotContent) for the alive edges of `vertex`, oldest first.
  template <typename Visit>
  void ForEachAlive(VertexId vertex, const Visit& visit) const;

  AdjacencyView Publish();

  // As it was after Tidy(). O(1).
  HeldMemory memory() const;
  HeldMemory CountMemory() const;  // the same, found by looking at everything

  // Slots copied so far, to other places or blocks: what keeping lists together costs.
  std::uint64_t moved() const { return moved_; }

 private:
  static constexpr std::uint32_t kPageVertices = ListPage::kVertices;

  // What only the writer knows of a page.
  struct alignas(64) Tenancy {      // what every edge needs lies in the first line
    PairFilter filter;              // of lists without an index, if it is used
    std::uint32_t used = 0;         // slots of the block handed out
    std::uint32_t short_alive = 0;  // in short lists
    bool is_crowded = false;        // is in crowded_
    bool is_uncounted = false;      // is in uncounted_
    std::vector<std::unique_ptr<LongList>> long_lists;  // as in the page
    std::array<ListState, kPageVertices> lists{};
    HeldMemory counted;  // what memory_ has of it
  };

  // Where new edges go: slots of a block, or a long list.
  struct NewSlots {
    EdgeBlock* block = nullptr;
    std::uint32_t first = 0;
    LongList* list = nullptr;
    PairFilter* filter = nullptr;
  };

  const LongList* FindLong(std::size_t page, std::uint32_t local) const;
  void Open(std::size_t page, WeightColumn::Kind weights);
  // Of a page that is open.
  NewSlots Extend(std::size_t page, std::uint32_t local, std::uint32_t count);
  NewSlots ExtendFull(std::size_t page, std::uint32_t local, std::uint32_t count);
  template <typename ContentAt>
  void Fill(const NewSlots& slots, std::uint32_t local, std::uint32_t count,
            const ContentAt& content);
  ListPage& Own(std::size_t page);
  void Grow(std::size_t page);
  HeldMemory MemoryOf(std::size_t page, HeldMemory (LongList::*of_list)() const) const;
  HeldMemory TableMemory() const;
  void CountChanged();
  std::uint32_t MakeRoom(std::size_t page, std::uint32_t local, std::uint32_t count);
  void Relocate(ListPage& lists, Tenancy& tenancy, std::uint32_t local, std::uint32_t count);
  void Rebuild(std::size_t page, std::span<const Arrival> arrivals);
  void Promote(std::size_t page, std::uint32_t local);
  void ForgetLong(ListPage& lists, Tenancy& tenancy, std::uint32_t local);
  void CopyAlive(const EdgeBlock& from, std::uint32_t end_entry, std::uint32_t count, EdgeBlock& to,
                 std::uint32_t place);
  void KillSlot(std::size_t page, std::uint32_t local, std::uint32_t slot, SliceNumber death,
                std::vector<SlotContent>& killed);
  void KillShort(std::size_t page, std::uint32_t local, VertexId neighbour, SliceNumber oldest,
                 SliceNumber death, std::vector<SlotContent>& killed);
  bool MayHold(const Tenancy& tenancy, const LongList* list, std::uint32_t local,
               VertexId neighbour) const;
  std::size_t FilteredEdges(std::size_t page) const;
  void RenewFilter(std::size_t page);
  void CheckCrowding(std::size_t page);
  std::uint32_t Share(std::uint32_t count);
  SlotLayout Layout() const {
    return {.lives = policy_.mortal,
            .links = policy_.has_links,
            .weights = weights_,
            .memory = policy_.slots};
  }
  bool filtered() const { return policy_.searched && !policy_.parallel; }

  const ListPolicy policy_;
  const std::shared_ptr<AliveBytes> alive_bytes_;
  WeightColumn::Kind weights_ = WeightColumn::Kind::kOnes;  // the widest so far
  std::vector<std::shared_ptr<ListPage>> pages_;            // null: no lists
  std::vector<std::unique_ptr<Tenancy>> tenancies_;
  std::vector<bool> is_own_;      // by page: not in a published version
  std::vector<std::size_t> own_;  // those pages
  std::vector<std::size_t> crowded_;
  std::vector<std::size_t> uncounted_;  // pages changed since Tidy()
  HeldMemory memory_;                   // of the pages
  std::size_t published_bytes_ = 0;     // of the table in published_
  bool changed_ = true;                 // since published_
  AdjacencyView published_;
  std::uint32_t dice_ = 0x9E37'79B9;
  std::uint64_t moved_ = 0;
};

// Most lists have room.
inline AdjacencyLists::NewSlots AdjacencyLists::Extend(std::size_t page, std::uint32_t local,
                                                       std::uint32_t count) {
  ListPage& lists = *pages_[page];
  Tenancy& tenancy = *tenancies_[page];
  ListState& list = tenancy.lists[local];
  const std::uint32_t end = lists.ends[local];
  const bool fits = (end & ListPage::kIsLong) == 0 && count <= list.room() && list.alive() > 0 &&
                    list.alive() + count <= policy_.sizes.most_short;
  if (!fits || filtered() || lists.block->layout().weights < weights_) {
    return ExtendFull(page, local, count);
  }
  lists.ends[local] += count;
  list.TakeRoom(count);
  list.AddAlive(count);
  tenancy.short_alive += count;
  return {lists.block.get(), end & ListPage::kPlace, nullptr, nullptr};
}

template <typename ContentAt>
void AdjacencyLists::Fill(const NewSlots& slots, std::uint32_t local, std::uint32_t count,
                          const ContentAt& content) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const SlotContent edge = content(i);
    if (slots.filter != nullptr) slots.filter->Insert(local, edge.neighbour);
    if (slots.list != nullptr) {
      slots.list->Append(edge);
    } else {
      slots.block->Write(slots.first + i, edge);
    }
  }
  if (slots.list != nullptr) moved_ += slots.list->TakeMoved();
}

template <typename Visit>
void AdjacencyLists::ForEachAlive(VertexId vertex, const Visit& visit) const {
  std::uint32_t count = alive(vertex);
  if (count == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t entry = pages_[page]->ends[vertex % kPageVertices];
  const std::uint32_t place = entry & ListPage::kPlace;
  if ((entry & ListPage::kIsLong) != 0) {
    tenancies_[page]->long_lists[place]->ForEachAlive(count, visit);
    return;
  }
  const EdgeBlock& block = *pages_[page]->block;
  std::uint32_t begin = place;
  while (count > 0) count -= block.IsDead(--begin) ? 0 : 1;
  for (std::uint32_t slot = begin; slot < place; ++slot) {
    if (!block.IsDead(slot)) visit(block.content(slot));
  }
}

}  // namespace sash

// AdjacencyLists: the lists of one direction as they grow and age, for all windows of a store.
//
// The lists of 256 neighbouring ids are a page (ListPage) and share a block of memory, in vertex
// order, each with a little room behind it; PageTenancy says how they grow. So reading a list is
// reading consecutive memory whatever the number of slices, and an edge is copied 10 to 25 times in
// its life (rules R9 and R11 of windows/store/README.md). This class finds the page of a vertex,
// copies it before its first change after a publication, and says when it is tidied.
//
// Thread safety: belongs to the engine thread; an AdjacencyView, to any thread.
//
// Invariants
//   (1) alive(v) edges of v are in the longest window: the newest slots of its list that are not
//       dead. Older slots are garbage, which is dropped when its block is rebuilt.
//   (2) Slots that a published view shows are never written again, except for their deaths.
//   (3) After Tidy(), a block has at most one and a half times as many slots as live edges, and
//       ListSizes::least_spare more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "windows/store/lists/adjacency_view.h"
#include "windows/store/lists/list_growth.h"
#include "windows/store/lists/list_page.h"
#include "windows/store/lists/page_tenancy.h"

namespace sash {

class AdjacencyLists {
 public:
  // `alive` counts what views may share.
  explicit AdjacencyLists(const ListPolicy& policy, std::shared_ptr<AliveBytes> alive = nullptr)
      : growth_(policy, std::move(alive)) {}

  // Adds `count` edges behind those of `vertex`: content(0), content(1), ..., which slots of these
  // widths hold. Amortised O(count).
  template <typename ContentAt>
  void Append(VertexId vertex, std::uint32_t count, const SlotWidths& widths,
              const ContentAt& content) {
    const std::size_t page = vertex / kPageVertices;
    Open(page, widths);
    const std::uint32_t local = vertex % kPageVertices;
    Extend(page, local, count).Fill(local, count, content, growth_);
  }

  using Arrival = PageTenancy::Arrival;

  // The same for lists of one page, each named once: edges `next`, `next` + 1, ... of `edges`,
  // which has neighbour(i), content(i) and widths(), go to the first of them, and so on.
  template <typename Edges>
  void AppendAll(std::size_t page, std::span<const Arrival> arrivals, const Edges& edges,
                 std::size_t next) {
    Open(page, edges.widths());
    for (const auto& [local, count] : arrivals) {
      const PageTenancy::NewSlots slots = Extend(page, local, count);
      if (slots.block != nullptr && slots.block->has_only_neighbours()) {
        for (std::uint32_t i = 0; i < count; ++i) {
          slots.block->WriteNeighbour(slots.first + i, edges.neighbour(next + i));
        }
      } else {
        const auto content = [&](std::uint32_t i) { return edges.content(next + i); };
        slots.Fill(local, count, content, growth_);
      }
      next += count;
    }
  }

  // Many edges are about to be appended to lists of one page; `arrivals` names each list once. The
  // call is optional; it saves copying.
  void Expect(std::size_t page, std::span<const Arrival> arrivals, const SlotWidths& widths);

  // Fetch ahead memory that Append(), AgeOut() and Kill() will need soon, each using memory that
  // the one before has fetched: the page; the state of the list; its place, and the bits of the
  // filter for `neighbour`; the places of its slots, and the slots that are searched if the filter
  // does not rule it out; the slots that will be written, and the slot found.
  void PrefetchPage(VertexId vertex) const {  // once a page
    if (const Page at = Find(vertex / kPageVertices)) at.tenancy->PrefetchPage(*at.lists);
  }
  void PrefetchState(VertexId vertex) const {
    if (const Page at = Find(vertex / kPageVertices)) {
      at.tenancy->PrefetchState(*at.lists, vertex % kPageVertices);
    }
  }
  void PrefetchPlace(VertexId vertex) const {
    if (const Page at = Find(vertex / kPageVertices)) {
      at.tenancy->PrefetchPlace(*at.lists, vertex % kPageVertices);
    }
  }
  void PrefetchPlace(VertexId vertex, VertexId neighbour) const {
    const Page at = Find(vertex / kPageVertices);
    if (!at) return;
    at.tenancy->PrefetchPlace(*at.lists, vertex % kPageVertices);
    if (growth_.filtered()) at.tenancy->PrefetchFilter(vertex % kPageVertices, neighbour);
  }
  void PrefetchList(VertexId vertex, VertexId neighbour) const {
    if (const Page at = Find(vertex / kPageVertices)) {
      at.tenancy->PrefetchList(*at.lists, vertex % kPageVertices, neighbour, growth_);
    }
  }
  void PrefetchSlots(VertexId vertex, VertexId neighbour) const {
    if (const Page at = Find(vertex / kPageVertices)) {
      at.tenancy->PrefetchSlots(*at.lists, vertex % kPageVertices, neighbour, growth_);
    }
  }
  // The same for all edges that come to a page of lists that are not searched: the states of the
  // lists, for a page that PrefetchPage() has fetched; then the slots that will be written.
  void PrefetchStates(std::size_t page, std::span<const Arrival> arrivals) const {
    if (const Page at = Find(page)) at.tenancy->PrefetchStates(*at.lists, arrivals);
  }
  void PrefetchEnds(std::size_t page, std::span<const Arrival> arrivals) const {
    if (const Page at = Find(page)) at.tenancy->PrefetchEnds(*at.lists, arrivals);
  }
  // After PrefetchList(), this fetches ahead the memory that KillBorn() will need.
  void PrefetchBorn(VertexId vertex, SliceNumber birth, SliceNumber oldest,
                    SliceNumber newest) const {
    if (const Page at = Find(vertex / kPageVertices)) {
      at.tenancy->PrefetchBorn(*at.lists, vertex % kPageVertices, birth, oldest, newest);
    }
  }

  // Kills the edges from `vertex` to `neighbour` that have this type and are alive (at most one
  // unless parallel, or by type and for all types) and appends their contents to `killed`, newest
  // first. `oldest`: the oldest slice that a window holds. `is_replaced`: an edge to the same
  // neighbour, by type also of the same type, is appended next. For searched lists.
  void Kill(VertexId vertex, VertexId neighbour, SliceNumber oldest, SliceNumber death,
            std::vector<SlotContent>& killed, bool is_replaced = false, TypeNumber type = kAnyType);

  // Kills the edges from `vertex` to `key.neighbour` that have this type and were born in slice
  // `key.birth`. Windows hold the slices from `oldest` to `death`, and `key.birth` is one of them.
  // Returns the number of edges. For lists that are not searched.
  std::uint32_t KillBorn(VertexId vertex, BirthKey key, SliceNumber oldest, SliceNumber death,
                         TypeNumber type = kAnyType);

  // Kills all edges of `vertex` and appends their contents to `killed`.
  void KillAll(VertexId vertex, SliceNumber death, std::vector<SlotContent>& killed);

  // The oldest `count` edges of `vertex` have left the longest window.
  void AgeOut(VertexId vertex, std::uint32_t count);

  // Frees the memory of pages whose edges have mostly died or aged out, and brings memory() up to
  // date. To be called after a batch of changes.
  void Tidy();

  std::uint32_t alive(VertexId vertex) const {
    const Page at = Find(vertex / kPageVertices);
    return at ? at.tenancy->alive(vertex % kPageVertices) : 0;
  }
  bool is_mortal() const { return growth_.policy().mortal; }

  // visit(SlotContent) for the alive edges of `vertex`, oldest first.
  template <typename Visit>
  void ForEachAlive(VertexId vertex, const Visit& visit) const {
    if (const Page at = Find(vertex / kPageVertices)) {
      at.tenancy->ForEachAlive(*at.lists, vertex % kPageVertices, visit);
    }
  }

  AdjacencyView Publish();

  // The state after the last Tidy(). O(1).
  HeldMemory memory() const;
  HeldMemory CountMemory() const;  // the same, found by looking at everything

  // Slots copied so far, to other places or blocks: the cost of keeping lists together.
  std::uint64_t moved() const { return growth_.moved(); }

 private:
  static constexpr std::uint32_t kPageVertices = ListPage::kVertices;

  // A page that has lists; false: it has none.
  struct Page {
    const ListPage* lists = nullptr;
    const PageTenancy* tenancy = nullptr;
    explicit operator bool() const { return tenancy != nullptr; }
  };
  Page Find(std::size_t page) const {
    if (page >= tenancies_.size() || !tenancies_[page]) return {};
    return {pages_[page].get(), tenancies_[page].get()};
  }

  void Open(std::size_t page, const SlotWidths& widths);
  ListPage& Own(std::size_t page);
  void Grow(std::size_t page);
  // After Open() of the page.
  PageTenancy::NewSlots Extend(std::size_t page, std::uint32_t local, std::uint32_t count) {
    PageTenancy& tenancy = *tenancies_[page];
    ListPage& lists = *pages_[page];
    if (tenancy.Fits(lists, local, count, growth_)) return tenancy.TakeRoom(lists, local, count);
    return ExtendFull(page, local, count);
  }
  PageTenancy::NewSlots ExtendFull(std::size_t page, std::uint32_t local, std::uint32_t count);
  void KillShort(std::size_t page, std::uint32_t local, VertexId neighbour, TypeNumber type,
                 SliceNumber oldest, SliceNumber death, std::vector<SlotContent>& killed);
  void CheckCrowding(std::size_t page);
  HeldMemory TableMemory() const;
  void CountChanged();

  ListGrowth growth_;
  std::vector<std::shared_ptr<ListPage>> pages_;  // null: no lists
  std::vector<std::unique_ptr<PageTenancy>> tenancies_;
  std::vector<bool> is_own_;            // by page: it is not in a published version
  std::vector<std::size_t> own_;        // those pages
  std::vector<std::size_t> crowded_;    // pages that Tidy() looks at
  std::vector<std::size_t> uncounted_;  // pages changed since Tidy()
  HeldMemory memory_;                   // of the pages
  std::size_t published_bytes_ = 0;     // of the table in published_
  bool changed_ = true;                 // since published_
  AdjacencyView published_;
};

}  // namespace sash

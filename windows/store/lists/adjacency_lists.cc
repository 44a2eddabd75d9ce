#include "windows/store/lists/adjacency_lists.h"

#include <cstddef>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {

void AdjacencyLists::Grow(std::size_t page) {
  if (page >= pages_.size()) {
    pages_.resize(page + 1);
    tenancies_.resize(page + 1);
    is_own_.resize(page + 1);
  }
  if (tenancies_[page]) return;
  tenancies_[page] = std::make_unique<PageTenancy>();
  pages_[page] = std::make_shared<ListPage>();
  pages_[page]->counted = CountedBytes(growth_.alive_bytes(), pages_[page]->bytes());
  if (!is_own_[page]) {
    is_own_[page] = true;
    own_.push_back(page);
  }
}

ListPage& AdjacencyLists::Own(std::size_t page) {
  changed_ = true;
  if (!is_own_[page]) {
    pages_[page] = std::make_shared<ListPage>(*pages_[page]);
    is_own_[page] = true;
    own_.push_back(page);
  }
  if (!tenancies_[page]->notes().is_uncounted) {
    tenancies_[page]->notes().is_uncounted = true;
    uncounted_.push_back(page);
  }
  return *pages_[page];
}

void AdjacencyLists::Open(std::size_t page, const SlotWidths& widths) {
  growth_.Widen(widths);
  Grow(page);
  Own(page);
}

PageTenancy::NewSlots AdjacencyLists::ExtendFull(std::size_t page, std::uint32_t local,
                                                 std::uint32_t count) {
  PageTenancy& tenancy = *tenancies_[page];
  ListPage& lists = *pages_[page];
  if (tenancy.BecomesLong(lists, local, count, growth_)) {
    tenancy.Promote(lists, local, growth_);
    CheckCrowding(page);
  }
  return tenancy.Extend(lists, local, count, growth_);
}

void AdjacencyLists::Expect(std::size_t page, std::span<const Arrival> arrivals,
                            const SlotWidths& widths) {
  growth_.Widen(widths);
  Grow(page);
  PageTenancy& tenancy = *tenancies_[page];
  if (!tenancy.Overflows(*pages_[page], arrivals, growth_)) return;
  // Once for all of them, instead of each time that a list has no room.
  tenancy.Rebuild(Own(page), arrivals, growth_);
}

void AdjacencyLists::Kill(VertexId vertex, VertexId neighbour, SliceNumber oldest,
                          SliceNumber death, std::vector<SlotContent>& killed, bool is_replaced,
                          TypeNumber type) {
  SASH_CHECK(growth_.policy().searched);
  if (alive(vertex) == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  PageTenancy& tenancy = *tenancies_[page];
  if (!tenancy.MayHold(*pages_[page], local, neighbour, growth_)) return;
  LongList* const list = tenancy.FindLong(*pages_[page], local);
  if (list == nullptr) {
    KillShort(page, local, neighbour, type, oldest, death, killed);
    return;
  }
  if (tenancy.KillInLong(*list, local, neighbour, type, oldest, death, killed, is_replaced,
                         growth_) == 0) {
    return;
  }
  Own(page);
  if (tenancy.alive(local) < growth_.sizes().fewest_long) CheckCrowding(page);
}

// Newest first. A page without an edge to kill is not copied.
void AdjacencyLists::KillShort(std::size_t page, std::uint32_t local, VertexId neighbour,
                               TypeNumber type, SliceNumber oldest, SliceNumber death,
                               std::vector<SlotContent>& killed) {
  PageTenancy& tenancy = *tenancies_[page];
  const bool has_more = growth_.policy().MayHaveMore(type);
  std::uint32_t end = pages_[page]->ends[local] & ListPage::kPlace;
  for (;;) {
    const std::uint32_t slot =
        tenancy.FindSlot(*pages_[page], local, neighbour, type, end, oldest, growth_);
    if (slot == end) break;
    tenancy.KillSlot(Own(page), local, slot, death, killed);
    if (!has_more) break;
    end = slot;
  }
  CheckCrowding(page);
}

std::uint32_t AdjacencyLists::KillBorn(VertexId vertex, BirthKey key, SliceNumber oldest,
                                       SliceNumber death, TypeNumber type) {
  SASH_CHECK(growth_.policy().mortal && !growth_.policy().searched);
  if (alive(vertex) == 0) return 0;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  PageTenancy& tenancy = *tenancies_[page];
  const ListPage& lists = Own(page);
  const std::uint32_t killed =
      tenancy.KillBorn(*pages_[page], local, key, type, oldest, death, growth_);
  const bool is_long = (lists.ends[local] & ListPage::kIsLong) != 0;
  if (!is_long || tenancy.alive(local) < growth_.sizes().fewest_long) CheckCrowding(page);
  return killed;
}

void AdjacencyLists::KillAll(VertexId vertex, SliceNumber death, std::vector<SlotContent>& killed) {
  if (alive(vertex) == 0) return;
  const std::size_t page = vertex / kPageVertices;
  tenancies_[page]->KillAll(Own(page), vertex % kPageVertices, death, killed);
  CheckCrowding(page);
}

void AdjacencyLists::AgeOut(VertexId vertex, std::uint32_t count) {
  if (count == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  PageTenancy& tenancy = *tenancies_[page];
  tenancy.AgeOut(*pages_[page], local, count);
  if ((pages_[page]->ends[local] & ListPage::kIsLong) != 0) {
    Own(page);
    if (tenancy.alive(local) >= growth_.sizes().fewest_long) return;
  }
  CheckCrowding(page);
}

void AdjacencyLists::CheckCrowding(std::size_t page) {
  PageTenancy& tenancy = *tenancies_[page];
  if (tenancy.notes().is_crowded || !tenancy.IsCrowded(*pages_[page], growth_)) return;
  tenancy.notes().is_crowded = true;
  crowded_.push_back(page);
}

void AdjacencyLists::Tidy() {
  for (const std::size_t page : std::exchange(crowded_, {})) {
    PageTenancy& tenancy = *tenancies_[page];
    tenancy.notes().is_crowded = false;
    switch (tenancy.FindTidying(*pages_[page], growth_)) {
      case PageTenancy::Tidying::kNone:
        break;
      case PageTenancy::Tidying::kRebuild:
        tenancy.Rebuild(Own(page), {}, growth_);
        break;
      case PageTenancy::Tidying::kDrop:
        changed_ = true;
        memory_ -= tenancy.counted();
        pages_[page] = nullptr;
        tenancies_[page] = nullptr;
        break;
    }
  }
  CountChanged();
}

AdjacencyView AdjacencyLists::Publish() {
  if (!changed_) return published_;
  for (const std::size_t page : own_) {
    is_own_[page] = false;
    if (pages_[page]) tenancies_[page]->Publish(*pages_[page]);
  }
  own_.clear();
  changed_ = false;
  struct Table {
    AdjacencyView::Pages pages;
    CountedBytes counted;
  };
  auto table = std::make_shared<Table>();
  table->pages.assign(pages_.begin(), pages_.end());
  published_bytes_ = kSharedBytes<Table> + AllocatedBytes(table->pages);
  table->counted = CountedBytes(growth_.alive_bytes(), published_bytes_);
  published_ = AdjacencyView({table, &table->pages});
  return published_;
}

// Changed pages are not in a published version yet, so their counts may be set.
void AdjacencyLists::CountChanged() {
  for (const std::size_t page : uncounted_) {
    if (!pages_[page]) continue;
    PageTenancy& tenancy = *tenancies_[page];
    tenancy.notes().is_uncounted = false;
    pages_[page]->counted.Set(pages_[page]->bytes());
    memory_ -= tenancy.counted();
    tenancy.counted() = tenancy.memory(*pages_[page]);
    memory_ += tenancy.counted();
  }
  uncounted_.clear();
}

HeldMemory AdjacencyLists::TableMemory() const {
  HeldMemory held;
  held.use.vertex_tables = AllocatedBytes(pages_) + AllocatedBytes(tenancies_) +
                           AllocatedBytes(is_own_.capacity() / 8) + AllocatedBytes(own_) +
                           AllocatedBytes(uncounted_) + published_bytes_;
  held.versioned = published_bytes_;
  return held;
}

HeldMemory AdjacencyLists::memory() const {
  HeldMemory held = TableMemory();
  return held += memory_;
}

HeldMemory AdjacencyLists::CountMemory() const {
  HeldMemory held = TableMemory();
  for (std::size_t page = 0; page < pages_.size(); ++page) {
    if (pages_[page]) held += tenancies_[page]->CountMemory(*pages_[page]);
  }
  return held;
}

}  // namespace sash

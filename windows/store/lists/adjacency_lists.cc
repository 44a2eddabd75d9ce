#include "windows/store/lists/adjacency_lists.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {

std::uint32_t AdjacencyLists::alive(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return 0;
  return tenancies_[page]->lists[vertex % kPageVertices].alive();
}

void AdjacencyLists::Grow(std::size_t page) {
  if (page >= pages_.size()) {
    pages_.resize(page + 1);
    tenancies_.resize(page + 1);
    is_own_.resize(page + 1);
  }
  if (tenancies_[page]) return;
  tenancies_[page] = std::make_unique<Tenancy>();
  pages_[page] = std::make_shared<ListPage>();
  pages_[page]->counted = CountedBytes(alive_bytes_, pages_[page]->bytes());
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
  if (!tenancies_[page]->is_uncounted) {
    tenancies_[page]->is_uncounted = true;
    uncounted_.push_back(page);
  }
  return *pages_[page];
}

// False: the list surely has no edge to `neighbour`.
bool AdjacencyLists::MayHold(const Tenancy& tenancy, const LongList* list, std::uint32_t local,
                             VertexId neighbour) const {
  if (!filtered() || (list != nullptr && list->is_indexed())) return true;
  return tenancy.filter.MayHold(local, neighbour);
}

void AdjacencyLists::Open(std::size_t page, WeightColumn::Kind weights) {
  weights_ = std::max(weights_, weights);
  Grow(page);
  Own(page);
}

AdjacencyLists::NewSlots AdjacencyLists::ExtendFull(std::size_t page, std::uint32_t local,
                                                    std::uint32_t count) {
  Tenancy& tenancy = *tenancies_[page];
  ListPage& lists = *pages_[page];
  const std::uint32_t alive = tenancy.lists[local].alive();
  SASH_CHECK(count < ListPage::kPlace - alive);
  if ((lists.ends[local] & ListPage::kIsLong) == 0 && alive + count > policy_.sizes.most_short) {
    Promote(page, local);
  }
  PairFilter* filter = filtered() ? &tenancy.filter : nullptr;
  if (filter != nullptr && filter->is_full()) RenewFilter(page);
  if ((lists.ends[local] & ListPage::kIsLong) != 0) {
    tenancy.lists[local].AddAlive(count);
    LongList& list = *tenancy.long_lists[lists.ends[local] & ListPage::kPlace];
    return {nullptr, 0, &list, list.is_indexed() ? nullptr : filter};
  }
  if (alive == 0) lists.ends[local] &= ListPage::kPlace;
  const std::uint32_t slot = MakeRoom(page, local, count);
  lists.ends[local] += count;
  tenancy.lists[local].TakeRoom(count);
  tenancy.lists[local].AddAlive(count);
  tenancy.short_alive += count;
  return {lists.block.get(), slot, nullptr, filter};
}

const LongList* AdjacencyLists::FindLong(std::size_t page, std::uint32_t local) const {
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) == 0) return nullptr;
  return tenancies_[page]->long_lists[entry & ListPage::kPlace].get();
}

AdjacencyView AdjacencyLists::Publish() {
  if (!changed_) return published_;
  for (const std::size_t page : own_) {
    is_own_[page] = false;
    if (!pages_[page]) continue;
    for (std::size_t i = 0; i < tenancies_[page]->long_lists.size(); ++i) {
      LongList* list = tenancies_[page]->long_lists[i].get();
      if (list != nullptr) pages_[page]->long_lists[i] = list->Publish();
    }
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
  table->counted = CountedBytes(alive_bytes_, published_bytes_);
  published_ = AdjacencyView({table, &table->pages});
  return published_;
}

// Changed pages are in no published version yet, so their counts may be set.
void AdjacencyLists::CountChanged() {
  for (const std::size_t page : uncounted_) {
    if (!pages_[page]) continue;
    Tenancy& tenancy = *tenancies_[page];
    tenancy.is_uncounted = false;
    pages_[page]->counted.Set(pages_[page]->bytes());
    memory_ -= tenancy.counted;
    tenancy.counted = MemoryOf(page, &LongList::memory);
    memory_ += tenancy.counted;
  }
  uncounted_.clear();
}

HeldMemory AdjacencyLists::MemoryOf(std::size_t page,
                                    HeldMemory (LongList::*of_list)() const) const {
  const Tenancy& tenancy = *tenancies_[page];
  HeldMemory held;
  if (pages_[page]->block) {
    held.use = pages_[page]->block->memory();
    held.versioned = held.use.total();
  }
  held.use.vertex_tables +=
      pages_[page]->bytes() + AllocatedBytes(sizeof(Tenancy)) + AllocatedBytes(tenancy.long_lists);
  held.versioned += pages_[page]->bytes();
  held.use.index += tenancy.filter.bytes();
  for (const auto& list : tenancy.long_lists) {
    if (list) held += (*list.*of_list)();
  }
  return held;
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
    if (pages_[page]) held += MemoryOf(page, &LongList::CountMemory);
  }
  return held;
}

}  // namespace sash

#include "windows/store/adjacency_lists.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {

std::uint32_t AdjacencyLists::alive(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return 0;
  return tenancies_[page]->lists[vertex % kPageVertices].alive;
}

// About an eighth of `count`. The remainder is left to chance, so that short lists get room too and
// pages that fill at the same pace are not built anew at the same time.
std::uint32_t AdjacencyLists::Share(std::uint32_t count) {
  dice_ ^= dice_ << 13;
  dice_ ^= dice_ >> 17;
  dice_ ^= dice_ << 5;
  return (count * 32 + (dice_ & 0xFF)) >> 8;
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

void AdjacencyLists::PrefetchPage(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  constexpr std::size_t kLine = 64;
  __builtin_prefetch(tenancies_[page].get(), 1);
  __builtin_prefetch(reinterpret_cast<const std::byte*>(tenancies_[page].get()) + kLine);
  // All of it, since it is copied when the first of its lists changes.
  const auto* const bytes = reinterpret_cast<const std::byte*>(pages_[page].get());
  for (std::size_t i = 0; i < sizeof(ListPage); i += kLine) __builtin_prefetch(bytes + i);
}

void AdjacencyLists::PrefetchPlace(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const std::uint32_t local = vertex % kPageVertices;
  __builtin_prefetch(&tenancies_[page]->lists[local], 1);
  __builtin_prefetch(&pages_[page]->ends[local], 1);
  if (const LongList* const list = FindLong(page, local); list != nullptr) {
    list->Prefetch();
  } else if (pages_[page]->block) {
    pages_[page]->block->PrefetchSelf();
  }
}

void AdjacencyLists::PrefetchPlace(VertexId vertex, VertexId neighbour) const {
  PrefetchPlace(vertex);
  const std::size_t page = vertex / kPageVertices;
  if (!filtered() || page >= tenancies_.size() || !tenancies_[page]) return;
  tenancies_[page]->filter.Prefetch(vertex % kPageVertices, neighbour);
}

// False: the list surely has no edge to `neighbour`.
bool AdjacencyLists::MayHold(const Tenancy& tenancy, const LongList* list, std::uint32_t local,
                             VertexId neighbour) const {
  if (!filtered() || (list != nullptr && list->is_indexed())) return true;
  return tenancy.filter.MayHold(local, neighbour);
}

void AdjacencyLists::PrefetchList(VertexId vertex, VertexId neighbour) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const std::uint32_t local = vertex % kPageVertices;
  if (const LongList* const list = FindLong(page, local); list != nullptr) {
    list->PrefetchPlace();
    if (policy_.searched && list->is_indexed()) list->PrefetchSearch(neighbour);
    return;
  }
  if (!pages_[page]->block) return;
  const EdgeBlock& block = *pages_[page]->block;
  const std::uint32_t end = pages_[page]->ends[local] & ListPage::kPlace;
  block.PrefetchWrite(end);
  if (filtered() && MayHold(*tenancies_[page], nullptr, local, neighbour)) {
    constexpr std::uint32_t kSlots = 256;  // the hardware foresees what comes before
    const std::uint32_t first = tenancies_[page]->lists[local].start;
    block.PrefetchNeighbours(end - first > kSlots ? end - kSlots : first, end);
  }
}

void AdjacencyLists::PrefetchSlots(VertexId vertex, VertexId neighbour) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const std::uint32_t local = vertex % kPageVertices;
  const Tenancy& tenancy = *tenancies_[page];
  const LongList* const list = FindLong(page, local);
  if (list != nullptr) list->PrefetchAppend();
  if (!filtered() || tenancy.lists[local].alive == 0) return;
  if (!MayHold(tenancy, list, local, neighbour)) return;
  if (list != nullptr) {
    list->is_indexed() ? list->PrefetchFound(neighbour) : list->PrefetchSearch(neighbour);
    return;
  }
  const EdgeBlock& block = *pages_[page]->block;
  const std::uint32_t end = pages_[page]->ends[local] & ListPage::kPlace;
  const std::uint32_t slot = FindLast(block, tenancy.lists[local].start, end, neighbour);
  if (slot != end) block.Prefetch(slot);
}

void AdjacencyLists::PrefetchBorn(VertexId vertex, SliceNumber birth, SliceNumber oldest,
                                  SliceNumber newest) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const Tenancy& tenancy = *tenancies_[page];
  const std::uint32_t entry = pages_[page]->ends[vertex % kPageVertices];
  const std::uint32_t place = entry & ListPage::kPlace;
  if ((entry & ListPage::kIsLong) != 0) {
    tenancy.long_lists[place]->PrefetchBorn(birth, newest);
    return;
  }
  const std::uint32_t start = tenancy.lists[vertex % kPageVertices].start;
  if (start == place) return;
  pages_[page]->block->Prefetch(start + GuessPlace(place - start, oldest, newest, birth));
}

AdjacencyLists::NewSlots AdjacencyLists::Extend(VertexId vertex, std::uint32_t count,
                                                WeightColumn::Kind weights) {
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  weights_ = std::max(weights_, weights);
  Grow(page);
  Tenancy& tenancy = *tenancies_[page];
  ListPage& lists = Own(page);
  std::uint32_t& alive = tenancy.lists[local].alive;
  SASH_CHECK(count < ListPage::kPlace - alive);
  if ((lists.ends[local] & ListPage::kIsLong) == 0 && alive + count > policy_.sizes.most_short) {
    Promote(page, local);
  }
  PairFilter* filter = filtered() ? &tenancy.filter : nullptr;
  if (filter != nullptr && filter->is_full()) RenewFilter(page);
  if ((lists.ends[local] & ListPage::kIsLong) != 0) {
    alive += count;
    LongList& list = *tenancy.long_lists[lists.ends[local] & ListPage::kPlace];
    return {nullptr, 0, &list, list.is_indexed() ? nullptr : filter};
  }
  if (alive == 0) lists.ends[local] &= ListPage::kPlace;
  const std::uint32_t slot = MakeRoom(page, local, count);
  lists.ends[local] += count;
  tenancy.lists[local].room -= count;
  alive += count;
  tenancy.short_alive += count;
  return {lists.block.get(), slot, nullptr, filter};
}

// The slot behind the list, with room for `count`.
std::uint32_t AdjacencyLists::MakeRoom(std::size_t page, std::uint32_t local, std::uint32_t count) {
  ListPage& lists = *pages_[page];
  Tenancy& tenancy = *tenancies_[page];
  if (!lists.block || lists.block->layout().weights < weights_) {
    Rebuild(page, local, count);
  } else if (tenancy.lists[local].room < count) {
    const std::uint32_t needed = tenancy.lists[local].alive + count;
    const std::uint32_t spare = lists.block->capacity() - tenancy.used;
    const std::uint32_t end = lists.ends[local] & ListPage::kPlace;
    const std::uint32_t missing = count - tenancy.lists[local].room;
    if (end + tenancy.lists[local].room == tenancy.used && missing <= spare) {
      const std::uint32_t more = std::min(spare, missing + Share(needed));
      tenancy.used += more;
      tenancy.lists[local].room += more;
    } else if (needed <= spare) {
      Relocate(lists, tenancy, local, count);
    } else {
      Rebuild(page, local, count);
    }
  }
  return lists.ends[local] & ListPage::kPlace;
}

// Moves a short list into the spare room of its block, which is enough.
void AdjacencyLists::Relocate(ListPage& lists, Tenancy& tenancy, std::uint32_t local,
                              std::uint32_t count) {
  const std::uint32_t alive = tenancy.lists[local].alive;
  const std::uint32_t spare = lists.block->capacity() - tenancy.used;
  const std::uint32_t room = std::min(spare - alive, count + Share(alive + count));
  CopyAlive(*lists.block, lists.ends[local], alive, *lists.block, tenancy.used);
  moved_ += alive;
  tenancy.lists[local].start = tenancy.used;
  lists.ends[local] = tenancy.used + alive;
  tenancy.lists[local].room = room;
  tenancy.used += alive + room;
}

// Copies the `count` newest slots that are not dead from before `end_entry` to `place`.
void AdjacencyLists::CopyAlive(const EdgeBlock& from, std::uint32_t end_entry, std::uint32_t count,
                               EdgeBlock& to, std::uint32_t place) {
  std::uint32_t end = end_entry & ListPage::kPlace;
  if ((end_entry & ListPage::kHasDead) == 0) {
    to.Copy(from, end - count, count, place);
    return;
  }
  place += count;
  while (count > 0) {
    while (from.IsDead(end - 1)) --end;
    std::uint32_t run = 1;
    while (run < count && !from.IsDead(end - run - 1)) ++run;
    end -= run;
    count -= run;
    place -= run;
    to.Copy(from, end, run, place);
  }
}

// Builds the page's block anew, in vertex order and without garbage, with room for `count` more
// edges behind the list `local`. Long lists that have become short join it.
void AdjacencyLists::Rebuild(std::size_t page, std::uint32_t local, std::uint32_t count) {
  ListPage& lists = Own(page);
  Tenancy& tenancy = *tenancies_[page];
  const bool any_long = !tenancy.long_lists.empty();
  const auto stays_long = [&](std::uint32_t i) {
    return any_long && (lists.ends[i] & ListPage::kIsLong) != 0 &&
           tenancy.lists[i].alive >= policy_.sizes.fewest_long;
  };
  std::uint32_t used = 0;
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    ListState& list = tenancy.lists[i];
    const std::uint32_t wanted = list.alive + (i == local ? count : 0);
    list.room = 0;
    if (wanted == 0 || stays_long(i)) continue;
    list.room = wanted - list.alive + Share(wanted);
    used += list.alive + list.room;
  }
  const std::uint32_t spare = Share(used) + Share(used) / 2 + policy_.sizes.least_spare * 3 / 4;
  SASH_CHECK(used + spare <= ListPage::kPlace);
  auto block = std::make_shared<EdgeBlock>(used + spare, Layout(), alive_bytes_);
  std::uint32_t place = 0;
  std::uint32_t short_alive = 0;
  bool joined = false;
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    if (stays_long(i)) continue;
    const std::uint32_t alive = tenancy.lists[i].alive;
    if ((lists.ends[i] & ListPage::kIsLong) != 0) {
      std::uint32_t slot = place;
      tenancy.long_lists[lists.ends[i] & ListPage::kPlace]->ForEachAlive(
          alive, [&](const SlotContent& edge) { block->Write(slot++, edge); });
      ForgetLong(lists, tenancy, i);
      joined = true;
    } else if (alive > 0) {
      CopyAlive(*lists.block, lists.ends[i], alive, *block, place);
    }
    tenancy.lists[i].start = place;
    lists.ends[i] = place + alive;
    place += alive + tenancy.lists[i].room;
    short_alive += alive;
  }
  moved_ += short_alive;
  lists.block = std::move(block);
  tenancy.used = used;
  tenancy.short_alive = short_alive;
  if (filtered() && (joined || tenancy.filter.is_oversized(FilteredEdges(page)))) {
    RenewFilter(page);
  }
}

// Edges in lists without an index.
std::size_t AdjacencyLists::FilteredEdges(std::size_t page) const {
  const Tenancy& tenancy = *tenancies_[page];
  std::size_t edges = tenancy.short_alive;
  if (tenancy.long_lists.empty()) return edges;
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    const LongList* list = FindLong(page, i);
    if (list != nullptr && !list->is_indexed()) edges += tenancy.lists[i].alive;
  }
  return edges;
}

const LongList* AdjacencyLists::FindLong(std::size_t page, std::uint32_t local) const {
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) == 0) return nullptr;
  return tenancies_[page]->long_lists[entry & ListPage::kPlace].get();
}

void AdjacencyLists::RenewFilter(std::size_t page) {
  Tenancy& tenancy = *tenancies_[page];
  tenancy.filter = PairFilter(std::max<std::size_t>(FilteredEdges(page), 1));
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    const LongList* list = FindLong(page, i);
    if (list != nullptr && list->is_indexed()) continue;
    ForEachAlive(static_cast<VertexId>(page * kPageVertices + i),
                 [&](const SlotContent& edge) { tenancy.filter.Insert(i, edge.neighbour); });
  }
}

void AdjacencyLists::Promote(std::size_t page, std::uint32_t local) {
  ListPage& lists = *pages_[page];
  Tenancy& tenancy = *tenancies_[page];
  auto list = std::make_unique<LongList>(Layout(), policy_.searched, policy_.parallel,
                                         policy_.sizes, alive_bytes_);
  const auto vertex = static_cast<VertexId>(page * kPageVertices + local);
  ForEachAlive(vertex, [&](const SlotContent& edge) { list->Append(edge); });
  moved_ += tenancy.lists[local].alive;
  tenancy.short_alive -= tenancy.lists[local].alive;
  tenancy.lists[local].room = 0;
  const auto free =
      std::ranges::find_if(tenancy.long_lists, [](const auto& taken) { return taken == nullptr; });
  const auto place = static_cast<std::uint32_t>(free - tenancy.long_lists.begin());
  if (free == tenancy.long_lists.end()) {
    tenancy.long_lists.emplace_back();
    lists.long_lists.emplace_back();
  }
  tenancy.long_lists[place] = std::move(list);
  lists.ends[local] = place | ListPage::kIsLong;
  CheckCrowding(page);
}

void AdjacencyLists::ForgetLong(ListPage& lists, Tenancy& tenancy, std::uint32_t local) {
  const std::uint32_t place = lists.ends[local] & ListPage::kPlace;
  tenancy.long_lists[place] = nullptr;
  lists.long_lists[place] = LongListVersion();
  lists.ends[local] = 0;
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

// What a change of adjacency lists will need, fetched ahead: see AdjacencyLists::PrefetchPage().
#include <cstddef>

#include "windows/store/lists/adjacency_lists.h"

namespace sash {

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

void AdjacencyLists::PrefetchState(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const std::uint32_t local = vertex % kPageVertices;
  __builtin_prefetch(&tenancies_[page]->lists[local], 1);
  __builtin_prefetch(&pages_[page]->ends[local]);
}

void AdjacencyLists::PrefetchPlace(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const std::uint32_t local = vertex % kPageVertices;
  PrefetchState(vertex);
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
    const std::uint32_t first = tenancies_[page]->lists[local].start();
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
  if (!filtered() || tenancy.lists[local].alive() == 0) return;
  if (!MayHold(tenancy, list, local, neighbour)) return;
  if (list != nullptr) {
    list->is_indexed() ? list->PrefetchFound(neighbour) : list->PrefetchSearch(neighbour);
    return;
  }
  const EdgeBlock& block = *pages_[page]->block;
  const std::uint32_t end = pages_[page]->ends[local] & ListPage::kPlace;
  const std::uint32_t slot = FindLast(block, tenancy.lists[local].start(), end, neighbour);
  if (slot != end) block.Prefetch(slot);
}

void AdjacencyLists::PrefetchStates(std::size_t page, std::span<const Arrival> arrivals) const {
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const Tenancy& tenancy = *tenancies_[page];
  const ListPage& lists = *pages_[page];
  if (lists.block) lists.block->PrefetchSelf();
  for (const Arrival& arrival : arrivals) {
    __builtin_prefetch(&tenancy.lists[arrival.local], 1);
    if (const LongList* const list = FindLong(page, arrival.local)) list->Prefetch();
  }
}

void AdjacencyLists::PrefetchEnds(std::size_t page, std::span<const Arrival> arrivals) const {
  if (page >= tenancies_.size() || !tenancies_[page] || !pages_[page]->block) return;
  const ListPage& lists = *pages_[page];
  const EdgeBlock& block = *lists.block;
  for (const Arrival& arrival : arrivals) {
    const std::uint32_t entry = lists.ends[arrival.local];
    if ((entry & ListPage::kIsLong) != 0) {
      tenancies_[page]->long_lists[entry & ListPage::kPlace]->PrefetchPlace();
    } else {
      block.PrefetchWrite(entry);
    }
  }
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
  const std::uint32_t start = tenancy.lists[vertex % kPageVertices].start();
  if (start == place) return;
  pages_[page]->block->Prefetch(start + GuessPlace(place - start, oldest, newest, birth));
}

}  // namespace sash

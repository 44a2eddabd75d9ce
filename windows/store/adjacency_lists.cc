#include "windows/store/adjacency_lists.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// The last slot in [first, end) whose neighbour is `key`, or `end`. Blocks without a branch, for the
// vectoriser.
std::uint32_t FindLast(const VertexId* neighbours, std::uint32_t first, std::uint32_t end,
                       VertexId key) {
  constexpr std::uint32_t kStep = 16;
  std::uint32_t i = end;
  for (; i - first >= kStep; i -= kStep) {
    bool found = false;
    for (std::uint32_t j = i - kStep; j < i; ++j) found |= neighbours[j] == key;
    if (found) break;
  }
  while (i > first) {
    if (neighbours[--i] == key) return i;
  }
  return end;
}

}  // namespace

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
  return *pages_[page];
}

void AdjacencyLists::PrefetchPlace(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const std::uint32_t local = vertex % kPageVertices;
  __builtin_prefetch(&tenancies_[page]->lists[local], 1);
  __builtin_prefetch(&pages_[page]->ends[local], 1);
}

void AdjacencyLists::PrefetchSlots(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return;
  const ListPage& lists = *pages_[page];
  const std::uint32_t end = lists.ends[vertex % kPageVertices];
  if ((end & ListPage::kIsLong) != 0 || !lists.block) return;
  __builtin_prefetch(lists.block->neighbours() + (end & ListPage::kPlace), 1);
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
  if ((lists.ends[local] & ListPage::kIsLong) != 0) {
    alive += count;
    return {nullptr, 0, tenancy.long_lists[lists.ends[local] & ListPage::kPlace].get()};
  }
  if (alive == 0) lists.ends[local] &= ListPage::kPlace;
  const std::uint32_t slot = MakeRoom(page, local, count);
  lists.ends[local] += count;
  tenancy.lists[local].room -= count;
  alive += count;
  tenancy.short_alive += count;
  return {lists.block.get(), slot, nullptr};
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
  const std::uint32_t end = end_entry & ListPage::kPlace;
  if ((end_entry & ListPage::kHasDead) == 0) {
    to.Copy(from, end - count, count, place);
    return;
  }
  for (std::uint32_t slot = end; count > 0;) {
    if (!from.IsDead(--slot)) to.Copy(from, slot, 1, place + --count);
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
  auto block = std::make_shared<EdgeBlock>(used + spare, Layout());
  std::uint32_t place = 0;
  std::uint32_t short_alive = 0;
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    if (stays_long(i)) continue;
    const std::uint32_t alive = tenancy.lists[i].alive;
    if ((lists.ends[i] & ListPage::kIsLong) != 0) {
      std::uint32_t slot = place;
      tenancy.long_lists[lists.ends[i] & ListPage::kPlace]->ForEachAlive(
          alive, [&](const SlotContent& edge) { block->Write(slot++, edge); });
      ForgetLong(lists, tenancy, i);
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
}

void AdjacencyLists::Promote(std::size_t page, std::uint32_t local) {
  ListPage& lists = *pages_[page];
  Tenancy& tenancy = *tenancies_[page];
  auto list = std::make_unique<LongList>(Layout(), policy_.mortal, ordinals(), policy_.sizes);
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

void AdjacencyLists::Kill(VertexId vertex, VertexId neighbour, SliceNumber oldest,
                          SliceNumber death, std::vector<SlotContent>& killed, bool is_replaced) {
  SASH_CHECK(policy_.mortal);
  if (alive(vertex) == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) == 0) {
    KillShort(page, local, neighbour, oldest, death, killed);
    return;
  }
  Tenancy& tenancy = *tenancies_[page];
  LongList& list = *tenancy.long_lists[entry & ListPage::kPlace];
  for (bool again = true; again && tenancy.lists[local].alive > 0;) {
    const auto dead = list.KillNewest(neighbour, oldest, death, is_replaced);
    if (!dead) break;
    Own(page);
    --tenancy.lists[local].alive;
    killed.push_back(*dead);
    again = policy_.parallel;
  }
  if (tenancy.lists[local].alive < policy_.sizes.fewest_long) CheckCrowding(page);
}

void AdjacencyLists::KillSlot(std::size_t page, std::uint32_t local, std::uint32_t slot,
                              SliceNumber death, std::vector<SlotContent>& killed) {
  ListPage& lists = Own(page);
  killed.push_back(lists.block->content(slot));
  lists.block->Kill(slot, death);
  lists.ends[local] |= ListPage::kHasDead;
  --tenancies_[page]->lists[local].alive;
  --tenancies_[page]->short_alive;
}

// Newest first: copies older than one that is dead or in no window are so too.
void AdjacencyLists::KillShort(std::size_t page, std::uint32_t local, VertexId neighbour,
                               SliceNumber oldest, SliceNumber death,
                               std::vector<SlotContent>& killed) {
  const EdgeBlock& block = *pages_[page]->block;
  const std::uint32_t first = tenancies_[page]->lists[local].start;
  std::uint32_t end = pages_[page]->ends[local] & ListPage::kPlace;
  for (;;) {
    const std::uint32_t slot = FindLast(block.neighbours(), first, end, neighbour);
    if (slot == end || block.IsDead(slot) || block.content(slot).birth < oldest) break;
    KillSlot(page, local, slot, death, killed);
    if (!policy_.parallel) break;
    end = slot;
  }
  CheckCrowding(page);
}

void AdjacencyLists::KillAll(VertexId vertex, SliceNumber oldest, SliceNumber death,
                             std::vector<SlotContent>& killed) {
  if (alive(vertex) == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) == 0) {
    Tenancy& tenancy = *tenancies_[page];
    EdgeBlock& block = *pages_[page]->block;
    for (std::uint32_t slot = entry & ListPage::kPlace; tenancy.lists[local].alive > 0;) {
      if (!block.IsDead(--slot)) KillSlot(page, local, slot, death, killed);
    }
    CheckCrowding(page);
    return;
  }
  std::vector<VertexId> neighbours;
  ForEachAlive(vertex, [&](const SlotContent& edge) { neighbours.push_back(edge.neighbour); });
  std::ranges::sort(neighbours);
  const auto repeated = std::ranges::unique(neighbours);
  neighbours.erase(repeated.begin(), repeated.end());
  for (const VertexId neighbour : neighbours) Kill(vertex, neighbour, oldest, death, killed);
}

void AdjacencyLists::AgeOut(VertexId vertex, std::uint32_t count) {
  if (count == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  Tenancy& tenancy = *tenancies_[page];
  SASH_CHECK(tenancy.lists[local].alive >= count);
  tenancy.lists[local].alive -= count;
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) != 0) {
    Own(page);
    tenancy.long_lists[entry & ListPage::kPlace]->AgeOut(tenancy.lists[local].alive);
    if (tenancy.lists[local].alive >= policy_.sizes.fewest_long) return;
  } else {
    tenancy.short_alive -= count;
  }
  CheckCrowding(page);
}

// A page is crowded when a long list has become short, or when much of its block is garbage.
void AdjacencyLists::CheckCrowding(std::size_t page) {
  Tenancy& tenancy = *tenancies_[page];
  if (tenancy.is_crowded) return;
  const EdgeBlock* block = pages_[page]->block.get();
  const std::uint64_t capacity = block == nullptr ? 0 : block->capacity();
  const std::uint64_t alive = tenancy.short_alive;
  const bool short_long =
      std::ranges::any_of(tenancy.long_lists, [](const auto& l) { return l != nullptr; });
  if (capacity <= alive + alive / 2 + policy_.sizes.least_spare && !short_long && alive > 0) return;
  tenancy.is_crowded = true;
  crowded_.push_back(page);
}

void AdjacencyLists::Tidy() {
  for (const std::size_t page : std::exchange(crowded_, {})) {
    Tenancy& tenancy = *tenancies_[page];
    tenancy.is_crowded = false;
    const EdgeBlock* block = pages_[page]->block.get();
    const std::uint64_t alive = tenancy.short_alive;
    bool demotes = false;
    bool any_long = false;
    for (std::uint32_t i = 0; i < kPageVertices; ++i) {
      if ((pages_[page]->ends[i] & ListPage::kIsLong) == 0) continue;
      any_long = true;
      demotes = demotes || tenancy.lists[i].alive < policy_.sizes.fewest_long;
    }
    if (alive == 0 && !any_long) {
      changed_ = true;
      pages_[page] = nullptr;
      tenancies_[page] = nullptr;
    } else if (demotes || (block != nullptr &&
                           block->capacity() > alive + alive / 2 + policy_.sizes.least_spare)) {
      Rebuild(page, 0, 0);
    }
  }
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
  published_ =
      AdjacencyView(std::make_shared<const AdjacencyView::Pages>(pages_.begin(), pages_.end()));
  return published_;
}

void AdjacencyLists::AddTo(MemoryUse& use) const {
  use.vertex_tables += pages_.capacity() * (sizeof(pages_[0]) + sizeof(tenancies_[0])) +
                       pages_.size() * sizeof(pages_[0]);
  for (std::size_t page = 0; page < pages_.size(); ++page) {
    if (!pages_[page]) continue;
    const Tenancy& tenancy = *tenancies_[page];
    use.vertex_tables += sizeof(ListPage) + 16 + sizeof(Tenancy);
    if (pages_[page]->block) pages_[page]->block->AddTo(use);
    for (const auto& list : tenancy.long_lists) {
      if (list) list->AddTo(use);
    }
  }
}

}  // namespace sash

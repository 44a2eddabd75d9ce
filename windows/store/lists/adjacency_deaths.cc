// How edges leave adjacency lists: killed before their time, or aged out.
#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/store/lists/adjacency_lists.h"

namespace sash {

void AdjacencyLists::Kill(VertexId vertex, VertexId neighbour, SliceNumber oldest,
                          SliceNumber death, std::vector<SlotContent>& killed, bool is_replaced) {
  SASH_CHECK(policy_.searched);
  if (alive(vertex) == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  Tenancy& tenancy = *tenancies_[page];
  if (!MayHold(tenancy, FindLong(page, local), local, neighbour)) return;
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) == 0) {
    KillShort(page, local, neighbour, oldest, death, killed);
    return;
  }
  LongList& list = *tenancy.long_lists[entry & ListPage::kPlace];
  const std::size_t before = killed.size();
  list.Kill(neighbour, oldest, death, killed, is_replaced);
  moved_ += list.TakeMoved();
  if (killed.size() == before) return;
  Own(page);
  tenancy.lists[local].RemoveAlive(static_cast<std::uint32_t>(killed.size() - before));
  if (tenancy.lists[local].alive() < policy_.sizes.fewest_long) CheckCrowding(page);
}

void AdjacencyLists::KillSlot(std::size_t page, std::uint32_t local, std::uint32_t slot,
                              SliceNumber death, std::vector<SlotContent>& killed) {
  ListPage& lists = Own(page);
  killed.push_back(lists.block->content(slot));
  lists.block->Kill(slot, death);
  lists.ends[local] |= ListPage::kHasDead;
  tenancies_[page]->lists[local].RemoveAlive(1);
  --tenancies_[page]->short_alive;
}

// Newest first: copies older than one that is dead or in no window are so too.
void AdjacencyLists::KillShort(std::size_t page, std::uint32_t local, VertexId neighbour,
                               SliceNumber oldest, SliceNumber death,
                               std::vector<SlotContent>& killed) {
  const Tenancy& tenancy = *tenancies_[page];
  const EdgeBlock& block = *pages_[page]->block;
  const std::uint32_t first = tenancy.lists[local].start();
  std::uint32_t end = pages_[page]->ends[local] & ListPage::kPlace;
  for (;;) {
    const std::uint32_t slot = FindLast(block, first, end, neighbour);
    if (slot == end || block.IsDead(slot) || block.content(slot).birth < oldest) break;
    KillSlot(page, local, slot, death, killed);
    if (!policy_.parallel) break;
    end = slot;
  }
  CheckCrowding(page);
}

std::uint32_t AdjacencyLists::KillBorn(VertexId vertex, BirthKey key, SliceNumber oldest,
                                       SliceNumber death) {
  SASH_CHECK(policy_.mortal && !policy_.searched);
  if (alive(vertex) == 0) return 0;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  ListPage& lists = Own(page);
  ListState& list = tenancies_[page]->lists[local];
  const std::uint32_t entry = lists.ends[local];
  const std::uint32_t place = entry & ListPage::kPlace;
  if ((entry & ListPage::kIsLong) != 0) {
    LongList& chunks = *tenancies_[page]->long_lists[place];
    const std::uint32_t killed = chunks.KillBorn(key, death);
    moved_ += chunks.TakeMoved();
    list.RemoveAlive(killed);
    if (list.alive() < policy_.sizes.fewest_long) CheckCrowding(page);
    return killed;
  }
  const std::uint32_t guess =
      list.start() + GuessPlace(place - list.start(), oldest, death, key.birth);
  const std::uint32_t behind = FindBehind(*lists.block, list.start(), place, key, guess);
  const std::uint32_t killed = KillBefore(*lists.block, list.start(), behind, key, death);
  if (killed > 0) lists.ends[local] |= ListPage::kHasDead;
  list.RemoveAlive(killed);
  tenancies_[page]->short_alive -= killed;
  CheckCrowding(page);
  return killed;
}

void AdjacencyLists::KillAll(VertexId vertex, SliceNumber death, std::vector<SlotContent>& killed) {
  if (alive(vertex) == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  ListPage& lists = Own(page);
  Tenancy& tenancy = *tenancies_[page];
  const std::uint32_t entry = lists.ends[local];
  const std::uint32_t place = entry & ListPage::kPlace;
  if ((entry & ListPage::kIsLong) != 0) {
    tenancy.long_lists[place]->KillAll(tenancy.lists[local].alive(), death, killed);
    tenancy.lists[local] = ListState::Long(0);
  } else {
    for (std::uint32_t slot = place; tenancy.lists[local].alive() > 0;) {
      if (!lists.block->IsDead(--slot)) KillSlot(page, local, slot, death, killed);
    }
  }
  CheckCrowding(page);
}

void AdjacencyLists::AgeOut(VertexId vertex, std::uint32_t count) {
  if (count == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  Tenancy& tenancy = *tenancies_[page];
  SASH_CHECK(tenancy.lists[local].alive() >= count);
  tenancy.lists[local].RemoveAlive(count);
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) != 0) {
    Own(page);
    tenancy.long_lists[entry & ListPage::kPlace]->AgeOut(tenancy.lists[local].alive());
    if (tenancy.lists[local].alive() >= policy_.sizes.fewest_long) return;
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
    bool any_in_long = false;
    for (std::uint32_t i = 0; i < kPageVertices; ++i) {
      if ((pages_[page]->ends[i] & ListPage::kIsLong) == 0) continue;
      any_in_long = any_in_long || tenancy.lists[i].alive() > 0;
      demotes = demotes || tenancy.lists[i].alive() < policy_.sizes.fewest_long;
    }
    if (alive == 0 && !any_in_long) {
      changed_ = true;
      memory_ -= tenancy.counted;
      pages_[page] = nullptr;
      tenancies_[page] = nullptr;
    } else if (demotes || (block != nullptr &&
                           block->capacity() > alive + alive / 2 + policy_.sizes.least_spare)) {
      Rebuild(page, {});
    }
  }
  CountChanged();
}

}  // namespace sash

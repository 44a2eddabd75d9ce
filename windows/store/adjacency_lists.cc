#include "windows/store/adjacency_lists.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// Where `key` is among `count` neighbours, or `count`. Blocks without a branch, for the vectoriser.
std::uint32_t FindNeighbour(const VertexId* neighbours, std::uint32_t count, VertexId key) {
  constexpr std::uint32_t kStep = 16;
  std::uint32_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    bool found = false;
    for (std::uint32_t j = 0; j < kStep; ++j) found |= neighbours[i + j] == key;
    if (found) break;
  }
  while (i < count && neighbours[i] != key) ++i;
  return i;
}

}  // namespace

std::uint32_t AdjacencyLists::alive(VertexId vertex) const {
  const std::size_t page = vertex / kPageVertices;
  if (page >= tenancies_.size() || !tenancies_[page]) return 0;
  return tenancies_[page]->alive[vertex % kPageVertices];
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

void AdjacencyLists::Append(VertexId vertex, std::span<const SlotContent> edges) {
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  for (const SlotContent& edge : edges) {
    weights_ = std::max(weights_, WeightColumn::KindOf(edge.weight));
  }
  Grow(page);
  Tenancy& tenancy = *tenancies_[page];
  ListPage& lists = Own(page);
  SASH_CHECK(edges.size() < ListPage::kPlace - tenancy.alive[local]);
  const auto count = static_cast<std::uint32_t>(edges.size());
  const bool is_long = (lists.ends[local] & ListPage::kIsLong) != 0;
  if (!is_long && tenancy.alive[local] + count > policy_.sizes.most_short) Promote(page, local);
  if ((lists.ends[local] & ListPage::kIsLong) != 0) {
    LongList& list = *tenancy.long_lists[lists.ends[local] & ListPage::kPlace];
    for (const SlotContent& edge : edges) list.Append(edge);
    moved_ += list.TakeMoved();
    tenancy.alive[local] += count;
    return;
  }
  if (tenancy.alive[local] == 0) lists.ends[local] &= ListPage::kPlace;
  std::uint32_t slot = MakeRoom(page, local, count);
  for (const SlotContent& edge : edges) lists.block->Write(slot++, edge);
  lists.ends[local] += count;
  tenancy.room[local] = static_cast<std::uint16_t>(tenancy.room[local] - count);
  tenancy.alive[local] += count;
  tenancy.short_alive += count;
}

// The slot behind the list, with room for `count`.
std::uint32_t AdjacencyLists::MakeRoom(std::size_t page, std::uint32_t local, std::uint32_t count) {
  ListPage& lists = *pages_[page];
  Tenancy& tenancy = *tenancies_[page];
  if (!lists.block || lists.block->layout().weights < weights_) {
    Rebuild(page, local, count);
  } else if (tenancy.room[local] < count) {
    const std::uint32_t needed = tenancy.alive[local] + count;
    const std::uint32_t spare = lists.block->capacity() - tenancy.used;
    const std::uint32_t end = lists.ends[local] & ListPage::kPlace;
    const std::uint32_t missing = count - tenancy.room[local];
    if (end + tenancy.room[local] == tenancy.used && missing <= spare) {
      const std::uint32_t more = std::min(spare, missing + Share(needed));
      tenancy.used += more;
      tenancy.room[local] = static_cast<std::uint16_t>(tenancy.room[local] + more);
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
  const std::uint32_t alive = tenancy.alive[local];
  const std::uint32_t spare = lists.block->capacity() - tenancy.used;
  const std::uint32_t room = std::min(spare - alive, count + Share(alive + count));
  CopyAlive(*lists.block, lists.ends[local], alive, *lists.block, tenancy.used);
  lists.ends[local] = tenancy.used + alive;
  tenancy.room[local] = static_cast<std::uint16_t>(room);
  tenancy.used += alive + room;
}

// Copies the `count` newest slots that are not dead from before `end_entry` to `place`.
void AdjacencyLists::CopyAlive(const EdgeBlock& from, std::uint32_t end_entry, std::uint32_t count,
                               EdgeBlock& to, std::uint32_t place) {
  moved_ += count;
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
  std::array<std::uint16_t, kPageVertices> room{};
  std::uint32_t used = 0;
  const auto stays_long = [&](std::uint32_t i) {
    return (lists.ends[i] & ListPage::kIsLong) != 0 &&
           tenancy.alive[i] >= policy_.sizes.fewest_long;
  };
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    const std::uint32_t wanted = tenancy.alive[i] + (i == local ? count : 0);
    if (wanted == 0 || stays_long(i)) continue;
    room[i] = static_cast<std::uint16_t>(wanted - tenancy.alive[i] + Share(wanted));
    used += tenancy.alive[i] + room[i];
  }
  const std::uint32_t spare = Share(used) + Share(used) / 2 + 4;
  SASH_CHECK(used + spare <= ListPage::kPlace);
  auto block = std::make_shared<EdgeBlock>(used + spare, Layout());
  std::uint32_t place = 0;
  std::uint32_t short_alive = 0;
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    if (stays_long(i)) continue;
    const std::uint32_t alive = tenancy.alive[i];
    if ((lists.ends[i] & ListPage::kIsLong) != 0) {
      std::uint32_t slot = place;
      tenancy.long_lists[lists.ends[i] & ListPage::kPlace]->ForEachAlive(
          alive, [&](const SlotContent& edge) { block->Write(slot++, edge); });
      moved_ += alive;
      ForgetLong(lists, tenancy, i);
    } else if (alive > 0) {
      CopyAlive(*lists.block, lists.ends[i], alive, *block, place);
    }
    lists.ends[i] = place + alive;
    place += alive + room[i];
    short_alive += alive;
  }
  lists.block = std::move(block);
  tenancy.room = room;
  tenancy.used = used;
  tenancy.short_alive = short_alive;
}

void AdjacencyLists::Promote(std::size_t page, std::uint32_t local) {
  ListPage& lists = *pages_[page];
  Tenancy& tenancy = *tenancies_[page];
  auto list = std::make_unique<LongList>(Layout(), policy_.mortal, ordinals(), policy_.sizes);
  const auto vertex = static_cast<VertexId>(page * kPageVertices + local);
  ForEachAlive(vertex, [&](const SlotContent& edge) { list->Append(edge); });
  moved_ += tenancy.alive[local];
  tenancy.short_alive -= tenancy.alive[local];
  tenancy.room[local] = 0;
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
                          SliceNumber death, std::vector<SlotContent>& killed) {
  SASH_CHECK(policy_.mortal);
  if (alive(vertex) == 0) return;
  const std::size_t page = vertex / kPageVertices;
  const std::uint32_t local = vertex % kPageVertices;
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) == 0) {
    KillShort(page, local, neighbour, death, killed);
    return;
  }
  Tenancy& tenancy = *tenancies_[page];
  LongList& list = *tenancy.long_lists[entry & ListPage::kPlace];
  for (bool again = true; again && tenancy.alive[local] > 0;) {
    const auto dead = list.KillNewest(neighbour, oldest, death);
    if (!dead) break;
    Own(page);
    --tenancy.alive[local];
    killed.push_back(*dead);
    again = policy_.parallel;
  }
  moved_ += list.TakeMoved();
  if (tenancy.alive[local] < policy_.sizes.fewest_long) CheckCrowding(page);
}

void AdjacencyLists::KillSlot(std::size_t page, std::uint32_t local, std::uint32_t slot,
                              SliceNumber death, std::vector<SlotContent>& killed) {
  ListPage& lists = Own(page);
  killed.push_back(lists.block->content(slot));
  lists.block->Kill(slot, death);
  lists.ends[local] |= ListPage::kHasDead;
  --tenancies_[page]->alive[local];
  --tenancies_[page]->short_alive;
}

void AdjacencyLists::KillShort(std::size_t page, std::uint32_t local, VertexId neighbour,
                               SliceNumber death, std::vector<SlotContent>& killed) {
  const EdgeBlock& block = *pages_[page]->block;
  const std::uint32_t entry = pages_[page]->ends[local];
  std::uint32_t end = entry & ListPage::kPlace;
  std::uint32_t left = tenancies_[page]->alive[local];
  if ((entry & ListPage::kHasDead) == 0) {
    for (;;) {
      const std::uint32_t first = end - left;
      const std::uint32_t found = FindNeighbour(block.neighbours() + first, left, neighbour);
      if (found == left) break;
      KillSlot(page, local, first + found, death, killed);
      if (!policy_.parallel) break;
      left -= found + 1;
    }
  } else {
    while (left > 0) {
      if (block.IsDead(--end)) continue;
      --left;
      if (block.neighbour(end) != neighbour) continue;
      KillSlot(page, local, end, death, killed);
      if (!policy_.parallel) break;
    }
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
    for (std::uint32_t slot = entry & ListPage::kPlace; tenancy.alive[local] > 0;) {
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
  SASH_CHECK(tenancy.alive[local] >= count);
  tenancy.alive[local] -= count;
  const std::uint32_t entry = pages_[page]->ends[local];
  if ((entry & ListPage::kIsLong) != 0) {
    Own(page);
    tenancy.long_lists[entry & ListPage::kPlace]->AgeOut(tenancy.alive[local]);
    if (tenancy.alive[local] >= policy_.sizes.fewest_long) return;
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
      any_in_long = any_in_long || tenancy.alive[i] > 0;
      demotes = demotes || tenancy.alive[i] < policy_.sizes.fewest_long;
    }
    if (alive == 0 && !any_in_long) {
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

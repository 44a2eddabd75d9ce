#include "windows/store/lists/page_tenancy.h"

#include <algorithm>
#include <array>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {
namespace {

// Copies the `count` newest slots that are not dead from before `end_entry` to `place`.
void CopyAlive(const EdgeBlock& from, std::uint32_t end_entry, std::uint32_t count, EdgeBlock& to,
               std::uint32_t place) {
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

// Whether a block has more garbage, spare slots and room than it may keep.
bool IsWasteful(const EdgeBlock* block, std::uint64_t alive, const ListGrowth& growth) {
  return block != nullptr && block->capacity() > alive + alive / 2 + growth.sizes().least_spare;
}

}  // namespace

bool PageTenancy::BecomesLong(const ListPage& page, std::uint32_t local, std::uint32_t count,
                              const ListGrowth& growth) const {
  const std::uint32_t alive = lists_[local].alive();
  SASH_CHECK(count < ListPage::kPlace - alive);
  return (page.ends[local] & ListPage::kIsLong) == 0 && alive + count > growth.sizes().most_short;
}

PageTenancy::NewSlots PageTenancy::Extend(ListPage& page, std::uint32_t local, std::uint32_t count,
                                          ListGrowth& growth) {
  PairFilter* filter = growth.filtered() ? &filter_ : nullptr;
  if (filter != nullptr && filter->is_full()) RenewFilter(page);
  if (LongList* const list = FindLong(page, local); list != nullptr) {
    lists_[local].AddAlive(count);
    return {nullptr, 0, list, list->is_indexed() ? nullptr : filter};
  }
  if (lists_[local].alive() == 0) page.ends[local] &= ListPage::kPlace;
  const std::uint32_t slot = MakeRoom(page, local, count, growth);
  page.ends[local] += count;
  lists_[local].TakeRoom(count);
  lists_[local].AddAlive(count);
  short_alive_ += count;
  return {page.block.get(), slot, nullptr, filter};
}

// The slot behind the list, with room for `count`.
std::uint32_t PageTenancy::MakeRoom(ListPage& page, std::uint32_t local, std::uint32_t count,
                                    ListGrowth& growth) {
  if (!page.block || !page.block->layout().widths().Hold(growth.widths())) {
    Rebuild(page, std::array{Arrival{local, count}}, growth);
  } else if (lists_[local].room() < count) {
    ListState& list = lists_[local];
    const std::uint32_t needed = list.alive() + count;
    const std::uint32_t spare = page.block->capacity() - used_;
    const std::uint32_t end = page.ends[local] & ListPage::kPlace;
    const std::uint32_t missing = count - list.room();
    if (end + list.room() == used_ && missing <= spare) {
      const std::uint32_t more = std::min(spare, missing + growth.Share(needed));
      used_ += more;
      list.AddRoom(more);
    } else if (needed <= spare) {
      Relocate(page, local, count, growth);
    } else {
      Rebuild(page, std::array{Arrival{local, count}}, growth);
    }
  }
  return page.ends[local] & ListPage::kPlace;
}

// Moves a short list into the spare slots of its block, which are enough.
void PageTenancy::Relocate(ListPage& page, std::uint32_t local, std::uint32_t count,
                           ListGrowth& growth) {
  const std::uint32_t alive = lists_[local].alive();
  const std::uint32_t spare = page.block->capacity() - used_;
  const std::uint32_t room = std::min(spare - alive, count + growth.Share(alive + count));
  CopyAlive(*page.block, page.ends[local], alive, *page.block, used_);
  growth.CountMoved(alive);
  lists_[local] = ListState::Short(used_, alive, room);
  page.ends[local] = used_ + alive;
  used_ += alive + room;
}

bool PageTenancy::Overflows(const ListPage& page, std::span<const Arrival> arrivals,
                            const ListGrowth& growth) const {
  if (!page.block) return true;
  std::uint64_t needed = 0;
  for (const Arrival& arrival : arrivals) {
    const ListState& list = lists_[arrival.local];
    if ((page.ends[arrival.local] & ListPage::kIsLong) != 0) continue;
    const std::uint64_t wanted = std::uint64_t{list.alive()} + arrival.count;
    if (arrival.count > list.room() && wanted <= growth.sizes().most_short) needed += wanted;
  }
  return needed > page.block->capacity() - used_;
}

void PageTenancy::Rebuild(ListPage& page, std::span<const Arrival> arrivals, ListGrowth& growth) {
  const bool any_long = !long_lists_.empty();
  const auto stays_long = [&](std::uint32_t i) {
    return any_long && (page.ends[i] & ListPage::kIsLong) != 0 &&
           lists_[i].alive() >= growth.sizes().fewest_long;
  };
  std::array<std::uint32_t, ListPage::kVertices> expected{};
  for (const Arrival& arrival : arrivals) expected[arrival.local] = arrival.count;
  std::uint32_t used = 0;
  for (std::uint32_t i = 0; i < ListPage::kVertices; ++i) {
    if (stays_long(i)) continue;
    ListState& list = lists_[i];
    const std::uint32_t alive = list.alive();
    std::uint32_t wanted = alive + expected[i];
    if (wanted > growth.sizes().most_short) wanted = alive;  // it will be long
    list = ListState::Short(0, alive, wanted == 0 ? 0 : wanted - alive + growth.Share(wanted));
    used += alive + list.room();
  }
  const std::uint32_t spare = growth.Share(used) + growth.sizes().least_spare * 3 / 4;
  SASH_CHECK(used + spare <= ListPage::kPlace);
  auto block = std::make_shared<EdgeBlock>(used + spare, growth.Layout(), growth.alive_bytes());
  std::uint32_t place = 0;
  std::uint32_t short_alive = 0;
  bool joined = false;
  for (std::uint32_t i = 0; i < ListPage::kVertices; ++i) {
    if (stays_long(i)) continue;
    const std::uint32_t alive = lists_[i].alive();
    const std::uint32_t room = lists_[i].room();
    if (const LongList* const list = FindLong(page, i); list != nullptr) {
      std::uint32_t slot = place;
      list->ForEachAlive(alive, [&](const SlotContent& edge) { block->Write(slot++, edge); });
      ForgetLong(page, i);
      joined = true;
    } else if (alive > 0) {
      CopyAlive(*page.block, page.ends[i], alive, *block, place);
    }
    lists_[i] = ListState::Short(place, alive, room);
    page.ends[i] = place + alive;
    place += alive + room;
    short_alive += alive;
  }
  growth.CountMoved(short_alive);
  page.block = std::move(block);
  used_ = used;
  short_alive_ = short_alive;
  if (growth.filtered() && (joined || filter_.is_oversized(FilteredEdges(page)))) {
    RenewFilter(page);
  }
}

// Edges in lists without an index.
std::size_t PageTenancy::FilteredEdges(const ListPage& page) const {
  std::size_t edges = short_alive_;
  if (long_lists_.empty()) return edges;
  for (std::uint32_t i = 0; i < ListPage::kVertices; ++i) {
    const LongList* list = FindLong(page, i);
    if (list != nullptr && !list->is_indexed()) edges += lists_[i].alive();
  }
  return edges;
}

void PageTenancy::RenewFilter(const ListPage& page) {
  filter_ = PairFilter(std::max<std::size_t>(FilteredEdges(page), 1));
  for (std::uint32_t i = 0; i < ListPage::kVertices; ++i) {
    const LongList* list = FindLong(page, i);
    if (list != nullptr && list->is_indexed()) continue;
    ForEachAlive(page, i, [&](const SlotContent& edge) { filter_.Insert(i, edge.neighbour); });
  }
}

void PageTenancy::Promote(ListPage& page, std::uint32_t local, ListGrowth& growth) {
  const ListPolicy& policy = growth.policy();
  auto list = std::make_unique<LongList>(growth.Layout(), policy.searched, policy.parallel,
                                         policy.sizes, growth.alive_bytes(), policy.by_type);
  ForEachAlive(page, local, [&](const SlotContent& edge) { list->Append(edge); });
  const std::uint32_t alive = lists_[local].alive();
  growth.CountMoved(alive);
  short_alive_ -= alive;
  lists_[local] = ListState::Long(alive);
  const auto free =
      std::ranges::find_if(long_lists_, [](const auto& taken) { return taken == nullptr; });
  const auto place = static_cast<std::uint32_t>(free - long_lists_.begin());
  if (free == long_lists_.end()) {
    long_lists_.emplace_back();
    page.long_lists.emplace_back();
  }
  long_lists_[place] = std::move(list);
  page.ends[local] = place | ListPage::kIsLong;
}

void PageTenancy::ForgetLong(ListPage& page, std::uint32_t local) {
  const std::uint32_t place = page.ends[local] & ListPage::kPlace;
  long_lists_[place] = nullptr;
  page.long_lists[place] = LongListVersion();
  page.ends[local] = 0;
}

std::uint32_t PageTenancy::FindSlot(const ListPage& page, std::uint32_t local, VertexId neighbour,
                                    TypeNumber type, std::uint32_t end, SliceNumber oldest,
                                    const ListGrowth& growth) const {
  const EdgeBlock& block = *page.block;
  const bool mixed = growth.policy().mixes_types() && block.has_types();
  for (std::uint32_t before = end;;) {
    const std::uint32_t slot = FindLast(block, lists_[local].start(), before, neighbour);
    if (slot == before) return end;
    before = slot;
    // Copies older than one that is dead are dead too, unless they have another type. Those older
    // than one that is in no window are in no window.
    if (block.IsDead(slot)) {
      if (mixed) continue;
      return end;
    }
    if (block.birth(slot) < oldest) return end;
    if (type == kAnyType || block.type(slot) == type) return slot;
  }
}

void PageTenancy::KillSlot(ListPage& page, std::uint32_t local, std::uint32_t slot,
                           SliceNumber death, std::vector<SlotContent>& killed) {
  killed.push_back(page.block->content(slot));
  page.block->Kill(slot, death);
  page.ends[local] |= ListPage::kHasDead;
  lists_[local].RemoveAlive(1);
  --short_alive_;
}

std::uint32_t PageTenancy::KillInLong(LongList& list, std::uint32_t local, VertexId neighbour,
                                      TypeNumber type, SliceNumber oldest, SliceNumber death,
                                      std::vector<SlotContent>& killed, bool is_replaced,
                                      ListGrowth& growth) {
  const std::size_t before = killed.size();
  list.Kill(neighbour, oldest, death, killed, is_replaced, type);
  growth.CountMoved(list.TakeMoved());
  const auto dead = static_cast<std::uint32_t>(killed.size() - before);
  lists_[local].RemoveAlive(dead);
  return dead;
}

std::uint32_t PageTenancy::KillBorn(ListPage& page, std::uint32_t local, BirthKey key,
                                    TypeNumber type, SliceNumber oldest, SliceNumber death,
                                    ListGrowth& growth) {
  ListState& list = lists_[local];
  if (LongList* const chunks = FindLong(page, local); chunks != nullptr) {
    const std::uint32_t killed = chunks->KillBorn(key, death, type);
    growth.CountMoved(chunks->TakeMoved());
    list.RemoveAlive(killed);
    return killed;
  }
  const std::uint32_t end = page.ends[local] & ListPage::kPlace;
  const std::uint32_t guess =
      list.start() + GuessPlace(end - list.start(), oldest, death, key.birth);
  const std::uint32_t behind = FindBehind(*page.block, list.start(), end, key, guess);
  const std::uint32_t killed = KillBefore(*page.block, list.start(), behind, key, type, death);
  if (killed > 0) page.ends[local] |= ListPage::kHasDead;
  list.RemoveAlive(killed);
  short_alive_ -= killed;
  return killed;
}

void PageTenancy::KillAll(ListPage& page, std::uint32_t local, SliceNumber death,
                          std::vector<SlotContent>& killed) {
  if (LongList* const list = FindLong(page, local); list != nullptr) {
    list->KillAll(lists_[local].alive(), death, killed);
    lists_[local] = ListState::Long(0);
    return;
  }
  for (std::uint32_t slot = page.ends[local] & ListPage::kPlace; lists_[local].alive() > 0;) {
    if (!page.block->IsDead(--slot)) KillSlot(page, local, slot, death, killed);
  }
}

void PageTenancy::AgeOut(const ListPage& page, std::uint32_t local, std::uint32_t count) {
  SASH_CHECK(lists_[local].alive() >= count);
  lists_[local].RemoveAlive(count);
  if (LongList* const list = FindLong(page, local); list != nullptr) {
    list->AgeOut(lists_[local].alive());
  } else {
    short_alive_ -= count;
  }
}

bool PageTenancy::IsCrowded(const ListPage& page, const ListGrowth& growth) const {
  const bool any_long =
      std::ranges::any_of(long_lists_, [](const auto& list) { return list != nullptr; });
  return short_alive_ == 0 || any_long || IsWasteful(page.block.get(), short_alive_, growth);
}

PageTenancy::Tidying PageTenancy::FindTidying(const ListPage& page,
                                              const ListGrowth& growth) const {
  bool demotes = false;
  bool any_in_long = false;
  for (std::uint32_t i = 0; i < ListPage::kVertices; ++i) {
    if ((page.ends[i] & ListPage::kIsLong) == 0) continue;
    any_in_long = any_in_long || lists_[i].alive() > 0;
    demotes = demotes || lists_[i].alive() < growth.sizes().fewest_long;
  }
  if (short_alive_ == 0 && !any_in_long) return Tidying::kDrop;
  const bool rebuilds = demotes || IsWasteful(page.block.get(), short_alive_, growth);
  return rebuilds ? Tidying::kRebuild : Tidying::kNone;
}

void PageTenancy::Publish(ListPage& page) {
  for (std::size_t i = 0; i < long_lists_.size(); ++i) {
    LongList* list = long_lists_[i].get();
    if (list != nullptr) page.long_lists[i] = list->Publish();
  }
}

HeldMemory PageTenancy::MemoryOf(const ListPage& page,
                                 HeldMemory (LongList::*of_list)() const) const {
  HeldMemory held;
  if (page.block) {
    held.use = page.block->memory();
    held.versioned = held.use.total();
  }
  held.use.vertex_tables +=
      page.bytes() + AllocatedBytes(sizeof(PageTenancy)) + AllocatedBytes(long_lists_);
  held.versioned += page.bytes();
  held.use.index += filter_.bytes();
  for (const auto& list : long_lists_) {
    if (list) held += (*list.*of_list)();
  }
  return held;
}

}  // namespace sash

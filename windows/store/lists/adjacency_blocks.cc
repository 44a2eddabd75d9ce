// Where short lists lie in their page's block: room behind a list, another place, another block, or
// chunks of its own when it is long.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "windows/base/check.h"
#include "windows/store/lists/adjacency_lists.h"

namespace sash {

// About an eighth of `count`. The remainder is left to chance, so that short lists get room too and
// pages that fill at the same pace are not built anew at the same time.
std::uint32_t AdjacencyLists::Share(std::uint32_t count) {
  dice_ ^= dice_ << 13;
  dice_ ^= dice_ >> 17;
  dice_ ^= dice_ << 5;
  return (count * 32 + (dice_ & 0xFF)) >> 8;
}

// The slot behind the list, with room for `count`.
std::uint32_t AdjacencyLists::MakeRoom(std::size_t page, std::uint32_t local, std::uint32_t count) {
  ListPage& lists = *pages_[page];
  Tenancy& tenancy = *tenancies_[page];
  if (!lists.block || lists.block->layout().weights < weights_) {
    Rebuild(page, std::array{Arrival{local, count}});
  } else if (tenancy.lists[local].room() < count) {
    ListState& list = tenancy.lists[local];
    const std::uint32_t needed = list.alive() + count;
    const std::uint32_t spare = lists.block->capacity() - tenancy.used;
    const std::uint32_t end = lists.ends[local] & ListPage::kPlace;
    const std::uint32_t missing = count - list.room();
    if (end + list.room() == tenancy.used && missing <= spare) {
      const std::uint32_t more = std::min(spare, missing + Share(needed));
      tenancy.used += more;
      list.AddRoom(more);
    } else if (needed <= spare) {
      Relocate(lists, tenancy, local, count);
    } else {
      Rebuild(page, std::array{Arrival{local, count}});
    }
  }
  return lists.ends[local] & ListPage::kPlace;
}

// Moves a short list into the spare room of its block, which is enough.
void AdjacencyLists::Relocate(ListPage& lists, Tenancy& tenancy, std::uint32_t local,
                              std::uint32_t count) {
  const std::uint32_t alive = tenancy.lists[local].alive();
  const std::uint32_t spare = lists.block->capacity() - tenancy.used;
  const std::uint32_t room = std::min(spare - alive, count + Share(alive + count));
  CopyAlive(*lists.block, lists.ends[local], alive, *lists.block, tenancy.used);
  moved_ += alive;
  tenancy.lists[local] = ListState::Short(tenancy.used, alive, room);
  lists.ends[local] = tenancy.used + alive;
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

// Many edges are about to be appended to the lists of a page: when they do not fit, its block is
// built anew once, instead of list after list running out of room.
void AdjacencyLists::Expect(std::size_t page, std::span<const Arrival> arrivals,
                            WeightColumn::Kind weights) {
  weights_ = std::max(weights_, weights);
  Grow(page);
  const ListPage& lists = *pages_[page];
  const Tenancy& tenancy = *tenancies_[page];
  if (!lists.block) {
    Rebuild(page, arrivals);
    return;
  }
  std::uint64_t needed = 0;
  for (const Arrival& arrival : arrivals) {
    const ListState& list = tenancy.lists[arrival.local];
    if ((lists.ends[arrival.local] & ListPage::kIsLong) != 0) continue;
    const std::uint64_t wanted = std::uint64_t{list.alive()} + arrival.count;
    if (arrival.count > list.room() && wanted <= policy_.sizes.most_short) needed += wanted;
  }
  if (needed > lists.block->capacity() - tenancy.used) Rebuild(page, arrivals);
}

// Builds the page's block anew, in vertex order and without garbage, with room for what is to
// arrive. Long lists that have become short join it.
void AdjacencyLists::Rebuild(std::size_t page, std::span<const Arrival> arrivals) {
  ListPage& lists = Own(page);
  Tenancy& tenancy = *tenancies_[page];
  const bool any_long = !tenancy.long_lists.empty();
  const auto stays_long = [&](std::uint32_t i) {
    return any_long && (lists.ends[i] & ListPage::kIsLong) != 0 &&
           tenancy.lists[i].alive() >= policy_.sizes.fewest_long;
  };
  std::array<std::uint32_t, kPageVertices> expected{};
  for (const Arrival& arrival : arrivals) expected[arrival.local] = arrival.count;
  std::uint32_t used = 0;
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    if (stays_long(i)) continue;
    ListState& list = tenancy.lists[i];
    const std::uint32_t alive = list.alive();
    std::uint32_t wanted = alive + expected[i];
    if (wanted > policy_.sizes.most_short) wanted = alive;  // it will be long
    list = ListState::Short(0, alive, wanted == 0 ? 0 : wanted - alive + Share(wanted));
    used += alive + list.room();
  }
  const std::uint32_t spare = Share(used) + policy_.sizes.least_spare * 3 / 4;
  SASH_CHECK(used + spare <= ListPage::kPlace);
  auto block = std::make_shared<EdgeBlock>(used + spare, Layout(), alive_bytes_);
  std::uint32_t place = 0;
  std::uint32_t short_alive = 0;
  bool joined = false;
  for (std::uint32_t i = 0; i < kPageVertices; ++i) {
    if (stays_long(i)) continue;
    const std::uint32_t alive = tenancy.lists[i].alive();
    const std::uint32_t room = tenancy.lists[i].room();
    if ((lists.ends[i] & ListPage::kIsLong) != 0) {
      std::uint32_t slot = place;
      tenancy.long_lists[lists.ends[i] & ListPage::kPlace]->ForEachAlive(
          alive, [&](const SlotContent& edge) { block->Write(slot++, edge); });
      ForgetLong(lists, tenancy, i);
      joined = true;
    } else if (alive > 0) {
      CopyAlive(*lists.block, lists.ends[i], alive, *block, place);
    }
    tenancy.lists[i] = ListState::Short(place, alive, room);
    lists.ends[i] = place + alive;
    place += alive + room;
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
    if (list != nullptr && !list->is_indexed()) edges += tenancy.lists[i].alive();
  }
  return edges;
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
  const std::uint32_t alive = tenancy.lists[local].alive();
  moved_ += alive;
  tenancy.short_alive -= alive;
  tenancy.lists[local] = ListState::Long(alive);
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

}  // namespace sash

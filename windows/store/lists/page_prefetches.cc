// The prefetches of PageTenancy: memory of lists that will be read or changed soon.
#include "windows/store/lists/page_tenancy.h"

#include <cstddef>

namespace sash {

void PageTenancy::PrefetchPage(const ListPage& page) const {
  constexpr std::size_t kLine = 64;
  __builtin_prefetch(this, 1);
  __builtin_prefetch(reinterpret_cast<const std::byte*>(this) + kLine);
  // All of it, since it is copied when the first of its lists changes.
  const auto* const bytes = reinterpret_cast<const std::byte*>(&page);
  for (std::size_t i = 0; i < sizeof(ListPage); i += kLine) __builtin_prefetch(bytes + i);
}

void PageTenancy::PrefetchPlace(const ListPage& page, std::uint32_t local) const {
  PrefetchState(page, local);
  if (const LongList* const list = FindLong(page, local); list != nullptr) {
    list->Prefetch();
  } else if (page.block) {
    page.block->PrefetchSelf();
  }
}

void PageTenancy::PrefetchList(const ListPage& page, std::uint32_t local, VertexId neighbour,
                               const ListGrowth& growth) const {
  if (const LongList* const list = FindLong(page, local); list != nullptr) {
    list->PrefetchPlace();
    if (growth.policy().searched && list->is_indexed()) list->PrefetchSearch(neighbour);
    return;
  }
  if (!page.block) return;
  const EdgeBlock& block = *page.block;
  const std::uint32_t end = page.ends[local] & ListPage::kPlace;
  block.PrefetchWrite(end);
  if (growth.filtered() && filter_.MayHold(local, neighbour)) {
    constexpr std::uint32_t kSlots = 256;  // the hardware fetches what comes before
    const std::uint32_t first = lists_[local].start();
    block.PrefetchNeighbours(end - first > kSlots ? end - kSlots : first, end);
  }
}

void PageTenancy::PrefetchSlots(const ListPage& page, std::uint32_t local, VertexId neighbour,
                                const ListGrowth& growth) const {
  const LongList* const list = FindLong(page, local);
  if (list != nullptr) list->PrefetchAppend();
  if (!growth.filtered() || lists_[local].alive() == 0) return;
  if (!MayHold(page, local, neighbour, growth)) return;
  if (list != nullptr) {
    list->is_indexed() ? list->PrefetchFound(neighbour) : list->PrefetchSearch(neighbour);
    return;
  }
  const EdgeBlock& block = *page.block;
  const std::uint32_t end = page.ends[local] & ListPage::kPlace;
  const std::uint32_t slot = FindLast(block, lists_[local].start(), end, neighbour);
  if (slot != end) block.Prefetch(slot);
}

void PageTenancy::PrefetchStates(const ListPage& page, std::span<const Arrival> arrivals) const {
  if (page.block) page.block->PrefetchSelf();
  for (const Arrival& arrival : arrivals) {
    __builtin_prefetch(&lists_[arrival.local], 1);
    if (const LongList* const list = FindLong(page, arrival.local)) list->Prefetch();
  }
}

void PageTenancy::PrefetchEnds(const ListPage& page, std::span<const Arrival> arrivals) const {
  if (!page.block) return;
  const EdgeBlock& block = *page.block;
  for (const Arrival& arrival : arrivals) {
    if (const LongList* const list = FindLong(page, arrival.local)) {
      list->PrefetchPlace();
    } else {
      block.PrefetchWrite(page.ends[arrival.local]);
    }
  }
}

void PageTenancy::PrefetchBorn(const ListPage& page, std::uint32_t local, SliceNumber birth,
                               SliceNumber oldest, SliceNumber newest) const {
  if (const LongList* const list = FindLong(page, local); list != nullptr) {
    list->PrefetchBorn(birth, newest);
    return;
  }
  const std::uint32_t end = page.ends[local] & ListPage::kPlace;
  const std::uint32_t start = lists_[local].start();
  if (start != end) page.block->Prefetch(start + GuessPlace(end - start, oldest, newest, birth));
}

}  // namespace sash

// ForEachUnlike(): the lists of one direction that may differ between two views. Pages that both
// views share are skipped. In other pages, a list is the same if it ends at the same slot and has
// the same degree: an edge that came would have moved the end, and an edge that left would have
// lowered the degree.
// ForEachUnlikeEnd() knows these lists, and looks at no other.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/base/ids.h"
#include "windows/store/degree_table.h"
#include "windows/store/list_ends.h"
#include "windows/store/lists/list_page.h"
#include "windows/store/shown_lists.h"

namespace sash {

namespace unlike_lists {

using Places = std::array<std::uint8_t, ListPage::kVertices>;
static_assert(ListPage::kVertices <= 256);

// The lists of a page, in both views.
struct PagePair {
  const ListPage* before;  // null: there are no lists
  const ListPage* after;
  const DegreeTable::Array::Page& degrees_before;
  const DegreeTable::Array::Page& degrees_after;
  bool follows;  // if false, the views may see different dead slots in the same list

  // Finds the lists in [begin, end) that may differ, without a branch for each.
  std::span<const std::uint8_t> Find(std::uint32_t begin, std::uint32_t end, Places& places) const {
    static const ListPage none;
    const ListPage& old = before != nullptr ? *before : none;
    const ListPage& now = after != nullptr ? *after : none;
    const bool moved = old.block != now.block;
    const std::uint32_t special = ListPage::kIsLong | (follows ? 0 : ListPage::kHasDead);
    std::uint32_t count = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      const bool ends_elsewhere = old.ends[i] != now.ends[i] || moved;
      const bool may_differ = ends_elsewhere || (now.ends[i] & special) != 0;
      places[count] = static_cast<std::uint8_t>(i);
      const std::uint32_t differs = degrees_before[i] != degrees_after[i] ? 1 : 0;
      const std::uint32_t is_there = degrees_after[i] != 0 ? 1 : 0;
      count += differs | (is_there & (may_differ ? 1 : 0));
    }
    return std::span(places).first(count);
  }

  // For a list that may differ.
  bool IsSameLongList(std::uint32_t i) const {
    if (!follows || degrees_before[i] != degrees_after[i]) return false;
    if ((before->ends[i] & after->ends[i] & ListPage::kIsLong) == 0) return false;
    const LongListVersion& old = before->long_lists[before->ends[i] & ListPage::kPlace];
    const LongListVersion& now = after->long_lists[after->ends[i] & ListPage::kPlace];
    return old.chunks == now.chunks && old.last_count == now.last_count;
  }

  // Brings the ends of lists into the cache, as TouchEnds() does.
  void Touch(std::span<const std::uint8_t> lists) const {
    VertexId read = 0;
    for (const std::uint8_t i : lists) {
      read +=
          SlotOf(before, i, degrees_before[i]) + SlotOf(after, i, std::min(degrees_after[i], 1u));
    }
    asm volatile("" : : "r"(read));
  }
  // The neighbour so many slots before the end of a short list; 0 for 0 slots, and in long lists.
  static VertexId SlotOf(const ListPage* page, std::uint32_t i, std::uint32_t slots) {
    if (page == nullptr || page->block == nullptr || (page->ends[i] & ListPage::kIsLong) != 0) {
      return 0;
    }
    const std::uint32_t end = page->ends[i] & ListPage::kPlace;
    return slots == 0 || end < slots ? 0 : page->block->neighbour(end - slots);
  }
};

// Brings the ends of lists into the cache: edges that came are at the end of a list, edges that
// left were at its beginning. It reads them, because loads overlap and reach every page, while
// prefetches of pages that are not in the TLB are dropped. (This halved the time of a visit.)
inline void TouchEnds(const ShownLists& before, const ShownLists& after,
                      std::span<const ListEnds::Ends> lists) {
  VertexId read = 0;
  for (const ListEnds::Ends& ends : lists) {
    const std::size_t page = ends.vertex >> ListPage::kBits;
    const std::uint32_t i = ends.vertex % ListPage::kVertices;
    if (ends.left > 0) {
      read += PagePair::SlotOf(before.lists.page(page), i, before.degrees_of(page)[i]);
    }
    if (ends.came > 0) read += PagePair::SlotOf(after.lists.page(page), i, 1);
  }
  asm volatile("" : : "r"(read));
}

}  // namespace unlike_lists

// visit(v) for each v in [first, last) whose list may differ, ascending.
template <typename Visit>
void ForEachUnlike(const ShownLists& before, const ShownLists& after, VertexId first, VertexId last,
                   const Visit& visit) {
  const bool follows = after.Follows(before);
  unlike_lists::Places places;
  while (first < last) {
    const std::size_t page = first >> ListPage::kBits;
    const auto page_begin = static_cast<VertexId>(page << ListPage::kBits);
    const std::uint32_t end = std::min(last - page_begin, ListPage::kVertices);
    const unlike_lists::PagePair pages{before.lists.page(page), after.lists.page(page),
                                       before.degrees_of(page), after.degrees_of(page), follows};
    const bool shared =
        pages.before == pages.after && &pages.degrees_before == &pages.degrees_after && follows;
    if (!shared) {
      const std::span<const std::uint8_t> found = pages.Find(first - page_begin, end, places);
      pages.Touch(found);
      for (const std::uint8_t i : found) {
        if (!pages.IsSameLongList(i)) visit(page_begin + i);
      }
    }
    first = page_begin + end;
  }
}

// For windows whose edges leave a list only at its front. visit(v, left, came) for the lists of
// [first, last), ascending.
template <typename Visit>
void ForEachUnlikeEnd(const ShownLists& before, const ShownLists& after, const ListEnds& ends,
                      VertexId first, VertexId last, const Visit& visit) {
  constexpr std::size_t kTouched = 64;  // lists at a time
  std::span<const ListEnds::Ends> rest = ends.Of(first, last);
  while (!rest.empty()) {
    const auto lists = rest.first(std::min(kTouched, rest.size()));
    unlike_lists::TouchEnds(before, after, lists);
    for (const ListEnds::Ends& each : lists) visit(each.vertex, each.left, each.came);
    rest = rest.subspan(lists.size());
  }
}

}  // namespace sash

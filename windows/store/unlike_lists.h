// ForEachUnlike(): the lists of one direction that may not be the same in two views. Pages that both
// share are passed over; of the others a list is the same where it ends at the same slot with the same
// degree: an edge that came would have moved its end, and an edge that left would have lowered its degree.
//
// Thread safety: a pure function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "windows/base/ids.h"
#include "windows/store/adjacency_view.h"
#include "windows/store/degree_table.h"
#include "windows/store/edge_block.h"

namespace sash {

// The lists of a direction, and how much of them a window shows.
struct ShownLists {
  const AdjacencyView& lists;
  const DegreeTable::Array::Version& degrees;
  SliceNumber oldest;  // that the window shows
  SliceNumber newest;

  // Whether all edges of `earlier` that this one does not show have left: none has yet to enter.
  bool Follows(const ShownLists& earlier) const {
    return earlier.oldest <= oldest && earlier.newest <= newest;
  }
  const DegreeTable::Array::Page& degrees_of(std::size_t page) const {
    static const DegreeTable::Array::Page none{};
    return page < degrees.page_count() ? degrees.page(page) : none;
  }
};

namespace unlike_lists {

// Of lists of the same degree. If the one view does not follow the other, different ones of the same
// slots may be dead.
inline bool IsSameList(const ListPage& before, const ListPage& after, std::uint32_t i,
                       bool follows) {
  const std::uint32_t entry = before.ends[i];
  const std::uint32_t other = after.ends[i];
  if (((entry ^ other) & ListPage::kIsLong) != 0) return false;
  if (!follows && (entry & (ListPage::kIsLong | ListPage::kHasDead)) != 0) return false;
  if ((entry & ListPage::kIsLong) == 0) return entry == other && before.block == after.block;
  const LongListVersion& list = before.long_lists[entry & ListPage::kPlace];
  const LongListVersion& other_list = after.long_lists[other & ListPage::kPlace];
  return list.chunks == other_list.chunks && list.last_count == other_list.last_count;
}

inline void FetchAhead(const ListPage* page, std::uint32_t i, std::uint32_t degree, bool oldest) {
  if (page == nullptr || degree == 0 || (page->ends[i] & ListPage::kIsLong) != 0) return;
  const std::uint32_t end = page->ends[i] & ListPage::kPlace;
  page->block->PrefetchRead(oldest ? end - degree : end - 1, false);
}

}  // namespace unlike_lists

// visit(v) for each v in [first, last) whose list may differ, ascending.
template <typename Visit>
void ForEachUnlike(const ShownLists& before, const ShownLists& after, VertexId first, VertexId last,
                   const Visit& visit) {
  constexpr std::uint32_t kAhead = 8;  // lists
  const bool follows = after.Follows(before);
  while (first < last) {
    const std::size_t page = first >> ListPage::kBits;
    const auto page_begin = static_cast<VertexId>(page << ListPage::kBits);
    const std::uint32_t end = std::min(last - page_begin, ListPage::kVertices);
    const ListPage* const old = before.lists.page(page);
    const ListPage* const now = after.lists.page(page);
    const DegreeTable::Array::Page& old_degrees = before.degrees_of(page);
    const DegreeTable::Array::Page& now_degrees = after.degrees_of(page);
    const auto is_unlike = [&](std::uint32_t i) {
      if (old_degrees[i] != now_degrees[i]) return true;
      return now_degrees[i] > 0 && !unlike_lists::IsSameList(*old, *now, i, follows);
    };
    if (old != now || &old_degrees != &now_degrees || !follows) {
      for (std::uint32_t i = first - page_begin; i < end; ++i) {
        if (i + kAhead < end && is_unlike(i + kAhead)) {
          unlike_lists::FetchAhead(old, i + kAhead, old_degrees[i + kAhead], true);
          unlike_lists::FetchAhead(now, i + kAhead, now_degrees[i + kAhead], false);
        }
        if (is_unlike(i)) visit(page_begin + i);
      }
    }
    first = page_begin + end;
  }
}

}  // namespace sash

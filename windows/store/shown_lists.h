// ShownLists: the lists of one direction, and the part of them that a window shows.
//
// Thread safety: immutable. It refers to a view, which outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/base/fetch_step.h"
#include "windows/base/ids.h"
#include "windows/store/degree_table.h"
#include "windows/store/lists/adjacency_view.h"
#include "windows/store/lists/edge_block.h"
#include "windows/store/lists/read_list.h"

namespace sash {

struct ShownLists {
  const AdjacencyView& lists;
  const DegreeTable::Array::Version& degrees;
  SliceNumber oldest;  // the oldest slice that the window shows
  SliceNumber newest;

  // Whether this side is not before `earlier`. Then edges that only `earlier` shows have left, and
  // edges that only this side shows have come.
  bool Follows(const ShownLists& earlier) const {
    return earlier.oldest <= oldest && earlier.newest <= newest;
  }
  const DegreeTable::Array::Page& degrees_of(std::size_t page) const {
    return degrees.page_or_zeros(page);
  }
  std::uint32_t degree(VertexId v) const { return v < degrees.size() ? degrees[v] : 0; }
  RunCursor Runs(VertexId v) const { return lists.Runs(v, degree(v), newest); }

  // visit(v, neighbours) for each run of the lists of [first, last), ascending by v. room(v, count)
  // returns memory for `count` copied ids of v.
  template <typename Visit, typename Room>
  void ForEachRun(VertexId first, VertexId last, const Visit& visit, Room room) const {
    ForEachList(first, last, [&](const ListPage& page, VertexId v, std::uint32_t degree) {
      ReadList(
          page, v, degree, newest, [&](std::uint32_t most) { return room(v, most); },
          [&](std::span<const VertexId> run) { visit(v, run); });
    });
  }

  // The same for readers that need only to know which neighbours exist. `only_replaced`: edges die
  // by newer copies alone; then a neighbour may be named more often than it has edges.
  template <typename Visit, typename Room>
  void ForEachNeighbours(bool only_replaced, VertexId first, VertexId last, const Visit& visit,
                         Room room) const {
    ForEachList(first, last, [&](const ListPage& page, VertexId v, std::uint32_t degree) {
      const auto visit_of = [&](std::span<const VertexId> run) { visit(v, run); };
      if (only_replaced) {
        sash::ReadNeighbours(page, v, degree, newest, visit_of);
      } else {
        ReadPieces(
            page, v, degree, newest, [&](std::uint32_t most) { return room(v, most); }, visit_of);
      }
    });
  }

  // The same for one list, in pieces, until visit(neighbours) returns false.
  template <typename Visit>
  void ReadNeighbours(bool only_replaced, VertexId v, const Visit& visit) const {
    const std::uint32_t wanted = degree(v);
    if (wanted == 0) return;
    const ListPage& page = *lists.page(v >> ListPage::kBits);
    if (only_replaced) {
      ReadNeighboursUntil(page, v, wanted, newest, visit);
    } else {
      ReadListUntil(page, v, wanted, newest, visit);
    }
  }

  // The list of v will be read soon: fetches ahead the part that `step` names.
  void Fetch(VertexId v, FetchStep step) const {
    const ListPage* const page = lists.page(v >> ListPage::kBits);
    if (page == nullptr) return;
    const std::uint32_t* const end = &page->ends[v % ListPage::kVertices];
    if (step == FetchStep::kState) {
      __builtin_prefetch(page);
      __builtin_prefetch(end);
      if (v < degrees.size()) __builtin_prefetch(&degrees[v]);
    } else if ((*end & ListPage::kIsLong) == 0 && page->block != nullptr) {
      if (step == FetchStep::kPlace) {
        page->block->PrefetchSelf();
      } else {
        page->block->PrefetchNewest(*end & ListPage::kPlace, (*end & ListPage::kHasDead) != 0);
      }
    }
  }

 private:
  static constexpr VertexId kListsAhead = 6;

  // read(page, v, degree) for each list that is not empty.
  template <typename Read>
  void ForEachList(VertexId first, VertexId last, const Read& read) const {
    while (first < last) {
      const std::size_t page = first >> ListPage::kBits;
      if (page >= degrees.page_count()) return;
      const VertexId end = ListPage::EndOnPage(first, last);
      const ListPage* const at = lists.page(page);
      if (at != nullptr && !degrees.is_zero_page(page)) {
        const DegreeTable::Array::Page& counts = degrees.page(page);
        for (VertexId v = first; v < end; ++v) {
          PrefetchList(*at, counts, v + kListsAhead);
          const std::uint32_t count = counts[v % ListPage::kVertices];
          if (count > 0) read(*at, v, count);
        }
      }
      first = end;
    }
  }

  // Lists that outgrew their room are out of order, so the hardware does not fetch them ahead.
  static void PrefetchList(const ListPage& page, const DegreeTable::Array::Page& counts,
                           VertexId v) {
    const std::uint32_t entry = page.ends[v % ListPage::kVertices];
    const std::uint32_t count = counts[v % ListPage::kVertices];
    if (count == 0 || (entry & ListPage::kIsLong) != 0) return;
    page.block->PrefetchRead((entry & ListPage::kPlace) - count, (entry & ListPage::kHasDead) != 0);
  }
};

}  // namespace sash

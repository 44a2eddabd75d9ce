// ForEachUnlikeDegree(): the vertices whose out-degree differs between two views of a window, or
// that are vertices in only one of them. Pages that both views share are skipped.
//
// Thread safety: a pure function.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "windows/base/ids.h"
#include "windows/store/degree_table.h"

namespace sash {

// visit(v, was a vertex, is one, its out-degree) for each such v in [first, last), ascending.
template <typename Visit>
void ForEachUnlikeDegree(const DegreeTable::Version& before, const DegreeTable::Version& after,
                         VertexId first, VertexId last, const Visit& visit) {
  using Page = DegreeTable::Array::Page;
  while (first < last) {
    const std::size_t page = first >> ListPage::kBits;
    const auto page_begin = static_cast<VertexId>(page << ListPage::kBits);
    const std::uint32_t end = std::min(last - page_begin, ListPage::kVertices);
    const Page& old_out = before.out.page_or_zeros(page);
    const Page& old_in = before.in.page_or_zeros(page);
    const Page& new_out = after.out.page_or_zeros(page);
    const Page& new_in = after.in.page_or_zeros(page);
    if (&old_out != &new_out || &old_in != &new_in) {
      const auto was = [&](std::uint32_t i) { return (old_out[i] | old_in[i]) != 0; };
      const auto is = [&](std::uint32_t i) { return (new_out[i] | new_in[i]) != 0; };
      // Without a branch for each vertex.
      std::array<std::uint8_t, ListPage::kVertices> places;
      static_assert(ListPage::kVertices <= 256);
      std::uint32_t count = 0;
      for (std::uint32_t i = first - page_begin; i < end; ++i) {
        places[count] = static_cast<std::uint8_t>(i);
        count += (old_out[i] != new_out[i] ? 1 : 0) | (was(i) != is(i) ? 1 : 0);
      }
      for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = places[k];
        visit(page_begin + i, was(i), is(i), new_out[i]);
      }
    }
    first = page_begin + end;
  }
}

}  // namespace sash

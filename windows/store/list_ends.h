// EnteredCounts: how many edges have entered each list of one direction since an earlier view, as
// the records of the newest slices tell it. Where edges leave a list only at its front, these
// counts and the degrees say which slots differ, so no list has to be compared.
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/coded_counts.h"
#include "windows/store/lists/edge_block.h"
#include "windows/store/lists/list_page.h"

namespace sash {

// The edges that a slice brought to one direction.
struct EnteredSlice {
  SliceNumber number = 0;
  std::shared_ptr<const CodedCounts> edges{};  // by the vertex in whose list they are
};

class EnteredCounts {
 public:
  using OfPage = std::array<std::uint32_t, ListPage::kVertices>;
  static constexpr std::size_t kMostSlices = 4;  // that a view knows

  // With the slices after `since`. `newest`: consecutive slices, oldest first. Returns nothing if
  // these do not reach back so far.
  static std::optional<EnteredCounts> Since(std::span<const EnteredSlice> newest,
                                            SliceNumber since) {
    if (newest.empty() || newest.front().number > since + 1) return std::nullopt;
    EnteredCounts counts;
    for (const EnteredSlice& slice : newest) {
      if (slice.number <= since) continue;
      slice.edges->ForEach(
          [&](VertexId v, std::uint32_t edges) { counts.lists_.emplace_back(v, edges); });
    }
    const auto by_vertex = [](const auto& list) { return list.first; };
    if (newest.back().number > since + 1) std::ranges::stable_sort(counts.lists_, {}, by_vertex);
    return counts;
  }

  // Fills `counts` with those of a page. Returns false if all are 0.
  bool Read(std::size_t page, OfPage& counts) const {
    const auto begin = static_cast<VertexId>(page << ListPage::kBits);
    const auto is_before = [](const auto& list, VertexId v) { return list.first < v; };
    auto list = std::lower_bound(lists_.begin(), lists_.end(), begin, is_before);
    counts.fill(0);
    bool found = false;
    for (; list != lists_.end() && list->first - begin < ListPage::kVertices; ++list) {
      counts[list->first - begin] += list->second;
      found = true;
    }
    return found;
  }

 private:
  std::vector<std::pair<VertexId, std::uint32_t>> lists_;  // ascending; a list may be there often
};

}  // namespace sash

// The edges that slices entering a store together bring to one page of its lists.
//
// `Edges` are the edges of a slice in the order of the lists that they enter: size(), vertex(i),
// widths().
//
// Thread safety: plain values.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "windows/base/ids.h"
#include "windows/store/lists/adjacency_lists.h"
#include "windows/store/lists/list_page.h"

namespace sash {

inline std::size_t PageOf(VertexId vertex) { return vertex >> ListPage::kBits; }

// The edges of one slice; those before `next` have entered.
template <typename Edges>
struct EnteringEdges {
  Edges edges;
  std::size_t next = 0;

  bool IsAt(std::size_t page) const {
    return next < edges.size() && PageOf(edges.vertex(next)) == page;
  }
};

// The first page whose edges have not all entered; kNoPage: all edges have entered.
inline constexpr std::size_t kNoPage = std::numeric_limits<std::size_t>::max();
template <typename Edges>
std::size_t FirstPage(std::span<const EnteringEdges<Edges>> slices) {
  std::size_t first = kNoPage;
  for (const EnteringEdges<Edges>& slice : slices) {
    if (slice.next < slice.edges.size()) {
      first = std::min(first, PageOf(slice.edges.vertex(slice.next)));
    }
  }
  return first;
}

// If a page gets at least this number of edges, it prepares for them before they enter.
inline constexpr std::size_t kManyArrivals = 32;

using Arrivals = std::array<AdjacencyLists::Arrival, ListPage::kVertices>;

// The edges that a slice brings to the page of its next edge. Returns the number of lists.
template <typename Edges>
std::size_t Arrive(const EnteringEdges<Edges>& slice, std::size_t page, Arrivals& arrivals) {
  std::size_t count = 0;
  for (std::size_t i = slice.next; i < slice.edges.size(); ++i) {
    const VertexId vertex = slice.edges.vertex(i);
    if (PageOf(vertex) != page) break;
    const std::uint32_t local = vertex % ListPage::kVertices;
    if (count == 0 || arrivals[count - 1].local != local) arrivals[count++] = {local, 0};
    ++arrivals[count - 1].count;
  }
  return count;
}

// The same for several slices.
template <typename Edges>
std::size_t Arrive(std::span<const EnteringEdges<Edges>> slices, std::size_t page,
                   Arrivals& arrivals) {
  std::array<std::uint32_t, ListPage::kVertices> counts{};
  for (const EnteringEdges<Edges>& slice : slices) {
    for (std::size_t i = slice.next; i < slice.edges.size(); ++i) {
      const VertexId vertex = slice.edges.vertex(i);
      if (PageOf(vertex) != page) break;
      ++counts[vertex % ListPage::kVertices];
    }
  }
  std::size_t count = 0;
  for (std::uint32_t local = 0; local < ListPage::kVertices; ++local) {
    if (counts[local] > 0) arrivals[count++] = {local, counts[local]};
  }
  return count;
}

// The edges that one slice brings to one page.
struct PageArrivals {
  std::size_t page = 0;
  std::size_t begin = 0;  // the first of its edges, and their number
  std::size_t edges = 0;
  std::size_t lists = 0;
  Arrivals of{};

  bool empty() const { return lists == 0; }
  std::span<const AdjacencyLists::Arrival> arrivals() const { return std::span(of).first(lists); }
};

// The pages to which a slice brings edges, one after the other, each with the pages that come after
// it: the memory that a page needs is fetched before its edges enter.
template <typename Edges>
class ArrivingPages {
 public:
  static constexpr std::size_t kAhead = 2;

  explicit ArrivingPages(Edges edges) : beyond_{std::move(edges)} {
    for (PageArrivals& page : pages_) Find(page);
  }

  const Edges& edges() const { return beyond_.edges; }

  // The current page (0), or the page that comes `ahead` pages later; empty after the last.
  const PageArrivals& at(std::size_t ahead) const {
    return pages_[(current_ + ahead) % pages_.size()];
  }
  void Advance() {
    Find(pages_[current_]);
    current_ = (current_ + 1) % pages_.size();
  }

  // Whether there is a page behind at(kAhead); the first vertex of that page.
  bool has_more() const { return beyond_.next < beyond_.edges.size(); }
  VertexId first_beyond() const { return beyond_.edges.vertex(beyond_.next); }

 private:
  void Find(PageArrivals& found) {
    found.begin = beyond_.next;
    found.edges = 0;
    found.lists = 0;
    if (!has_more()) return;
    found.page = PageOf(first_beyond());
    found.lists = Arrive(beyond_, found.page, found.of);
    for (const AdjacencyLists::Arrival& arrival : found.arrivals()) found.edges += arrival.count;
    beyond_.next += found.edges;
  }

  EnteringEdges<Edges> beyond_;
  std::array<PageArrivals, kAhead + 1> pages_;
  std::size_t current_ = 0;
};

// Calls lists.Expect() for the edges that the slices bring to a page, if there are at least
// kManyArrivals.
template <typename Edges>
void ExpectPage(AdjacencyLists& lists, std::span<const EnteringEdges<Edges>> slices,
                std::size_t page) {
  const EnteringEdges<Edges>& first = slices.front();
  const bool is_single = slices.size() == 1;
  if (is_single) {
    const std::size_t last = first.next + kManyArrivals - 1;
    if (last >= first.edges.size() || PageOf(first.edges.vertex(last)) != page) return;
  }
  Arrivals arrivals;
  const std::size_t count =
      is_single ? Arrive(first, page, arrivals) : Arrive(slices, page, arrivals);
  SlotWidths widths;
  for (const EnteringEdges<Edges>& slice : slices) {
    widths.Widen(slice.edges.widths());
  }
  lists.Expect(page, std::span(arrivals).first(count), widths);
}

}  // namespace sash

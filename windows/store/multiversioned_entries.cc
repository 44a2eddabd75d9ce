// How the edges of slices enter the lists of a multiversioned store.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/large_array.h"
#include "windows/base/radix_sort.h"
#include "windows/store/lists/page_arrivals.h"
#include "windows/store/multiversioned_store.h"
#include "windows/store/multiversioned_window.h"

namespace sash {
namespace {

constexpr std::size_t kEdgesAhead = 8;  // edges, for prefetching

// Notes edges [begin, end), those of one vertex, in the record of their slice.
template <typename Edges>
void NoteEdges(const Edges& edges, std::size_t begin, std::size_t end, TouchedVertices& touched) {
  touched.Append(edges.vertex(begin), static_cast<std::uint32_t>(end - begin));
  if (!touched.keeps_sums()) return;
  std::int64_t sum = 0;
  bool is_known = true;
  for (std::size_t i = begin; i < end && is_known; ++i) {
    const Weight weight = edges.weight(i);
    is_known = weight.is_integer() && !__builtin_add_overflow(sum, weight.integer(), &sum);
  }
  touched.AppendSum(is_known ? std::optional(sum) : std::nullopt);
}

}  // namespace

MultiversionedStore::Direction MultiversionedStore::out_direction() {
  return {edges_.out(), &DegreeTable::out, &SliceRecord::out,
          &MultiversionedWindow::OutEdgesEntered};
}

MultiversionedStore::Direction MultiversionedStore::in_direction() {
  return {edges_.in(), &DegreeTable::in, &SliceRecord::in, &MultiversionedWindow::InEdgesEntered};
}

SlotContent MultiversionedStore::Content(const Entering& entering, std::size_t pair,
                                         VertexId neighbour) const {
  return {neighbour, entering.number, entering.links.empty() ? 0 : entering.links[pair],
          entering.folded.type(pair), entering.folded.weight(pair)};
}

// Edges in the order of pairs. They may end older copies.
struct MultiversionedStore::Outgoing {
  Outgoing(MultiversionedStore& owner, Entering& of) : store(&owner), entering(&of) {}

  std::size_t size() const { return entering->folded.pairs.size(); }
  VertexId vertex(std::size_t i) const { return SourceOf(entering->folded.pairs[i]); }
  VertexId neighbour(std::size_t i) const { return TargetOf(entering->folded.pairs[i]); }
  SlotWidths widths() const { return entering->folded.widths(); }
  SliceNumber number() const { return entering->number; }
  SlotContent content(std::size_t i) const { return store->Content(*entering, i, neighbour(i)); }
  Weight weight(std::size_t i) const { return entering->folded.weight(i); }
  void PrefetchOlder(std::size_t) const {}
  void EndOlder(std::size_t i) const {
    if (store->spec_.duplicates != DuplicatesPolicy::kKeep) store->Replace(*entering, i);
  }

  MultiversionedStore* store;
  Entering* entering;
};

// Edges in the order of targets. Older copies that ended in the out-lists end here too.
struct MultiversionedStore::Incoming {
  // The source is stored too, because reading it from the pair would be a cache miss.
  struct Turned {
    VertexId target;
    VertexId source;
    std::uint32_t pair;
  };

  Incoming(MultiversionedStore& owner, const Entering& of)
      : store(&owner), entering(&of), turned(of.folded.pairs.size()) {
    const std::vector<PairKey>& pairs = of.folded.pairs;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      turned[i] = {TargetOf(pairs[i]), SourceOf(pairs[i]), i};
    }
    // The sort is stable, so that the sources of a target stay in order.
    RadixSort(turned, [](const Turned& edge) { return edge.target; });
  }

  std::size_t size() const { return turned.size(); }
  VertexId vertex(std::size_t i) const { return turned[i].target; }
  VertexId neighbour(std::size_t i) const { return turned[i].source; }
  SlotWidths widths() const { return entering->folded.widths(); }
  SliceNumber number() const { return entering->number; }
  SlotContent content(std::size_t i) const {
    return store->Content(*entering, turned[i].pair, turned[i].source);
  }
  Weight weight(std::size_t i) const { return entering->folded.weight(turned[i].pair); }
  void PrefetchOlder(std::size_t i) const {
    const SliceNumber birth = entering->replaced_birth(turned[i].pair);
    if (birth == kNone) return;
    store->edges_.in().PrefetchBorn(turned[i].target, birth, store->oldest(), number());
  }
  void EndOlder(std::size_t i) const {
    const BirthKey older{entering->replaced_birth(turned[i].pair), turned[i].source};
    if (older.birth == kNone) return;
    const TypeNumber type = entering->folded.type(turned[i].pair);
    store->edges_.ReplaceIn(turned[i].target, older, type, number());
  }

  MultiversionedStore* store;
  const Entering* entering;
  LargeArray<Turned> turned;
};

// Ends the older copy of a pair, if there is one; in `weigh` the newer copy takes over its weight.
void MultiversionedStore::Replace(Entering& entering, std::size_t pair) {
  const FoldedSlice& folded = entering.folded;
  const SlotContent* const older =
      edges_.ReplaceOut(folded.pairs[pair], folded.type(pair), entering.number);
  if (older != nullptr) {
    if (entering.replaced.empty()) entering.replaced.resize(folded.pairs.size(), kNone);
    entering.replaced[pair] = older->birth;
  }
  if (spec_.duplicates != DuplicatesPolicy::kWeigh) return;
  const CopyNumber copy = chains_.Add(older, folded.exact_sum(pair), entering.number);
  if (copy == 0) return;
  if (entering.links.empty()) entering.links.resize(folded.pairs.size());
  entering.links[pair] = copy;
}

// Without deaths, the directions do not depend on each other, and lists are not searched. Each
// direction is sorted separately, by the vertices that own the lists alone.
void MultiversionedStore::AddBoth(Slices slices) {
  SASH_CHECK(spec_.duplicates == DuplicatesPolicy::kKeep);
  std::size_t events = 0;
  for (const auto& slice : slices) events += slice->size();
  const auto enter = [&](const Direction& direction, Slices own, const auto& fold,
                         const auto& begin) {
    std::vector<Entering> entering;
    for (std::shared_ptr<const Slice>& slice : own) {
      entering.push_back({SliceRecords::NumberOf(*slice), fold(*slice), {}, {}});
      slice.reset();  // its memory may be needed
    }
    begin();
    Enter<Outgoing>(direction, entering);
    direction.lists.Tidy();
  };
  // Each direction releases a slice after folding it.
  Slices turned = slices;
  second_thread_.CallBoth(
      events >= kWorthTwoThreads,
      [&] { enter(out_direction(), std::move(slices), FoldBySource, [this] { BeginEntering(); }); },
      [&] { enter(in_direction(), std::move(turned), FoldByTarget, [] {}); });
}

// Where edges may die, the out-lists come first: they show which edges die in the in-lists.
void MultiversionedStore::AddInTurn(Slices slices) {
  std::vector<Entering> entering;
  for (std::shared_ptr<const Slice>& slice : slices) {
    FoldedSlice folded = Fold(*slice, spec_.duplicates, spec_.identity);
    entering.push_back({SliceRecords::NumberOf(*slice), std::move(folded), {}, {}});
    slice.reset();  // its memory may be needed
  }
  BeginEntering();
  for (const Entering& one : entering) {
    SASH_CHECK(!one.folded.removes() || entering.size() == 1);
    edges_.Remove(one.folded);
  }
  Enter<Outgoing>(out_direction(), entering);
  edges_.out().Tidy();
  Enter<Incoming>(in_direction(), entering);
  edges_.in().Tidy();
}

// Consecutive vertices of a slice are pages apart. Each costs a few cache misses, which need not
// wait for one another.
void MultiversionedStore::Prefetch(const Direction& direction, VertexId vertex,
                                   VertexId neighbour) const {
  direction.lists.PrefetchPlace(vertex, neighbour);
  for (const MultiversionedWindow* window : edges_.windows()) {
    (window->degrees().*direction.degrees).Prefetch(vertex);
  }
}

void MultiversionedStore::PrefetchPage(const Direction& direction, VertexId vertex) const {
  direction.lists.PrefetchPage(vertex);
  for (const MultiversionedWindow* window : edges_.windows()) {
    (window->degrees().*direction.degrees).PrefetchPage(vertex);
  }
}

// One slice whose edges end no other edges. The memory that a page needs is fetched while edges
// enter the pages before it: the page itself three pages ahead, the states of its lists two pages
// ahead, and the slots one page ahead.
template <typename Edges>
void MultiversionedStore::EnterUnsearched(const Direction& direction, Edges arriving) {
  AdjacencyLists& lists = direction.lists;
  ArrivingPages<Edges> pages(std::move(arriving));
  const Edges& edges = pages.edges();
  TouchedVertices& touched = edges_.records().Of(edges.number()).*direction.touched;
  for (; !pages.at(0).empty(); pages.Advance()) {
    const PageArrivals& now = pages.at(0);
    if (now.edges >= kManyArrivals) lists.Expect(now.page, now.arrivals(), edges.widths());
    lists.PrefetchEnds(pages.at(1).page, pages.at(1).arrivals());
    lists.PrefetchStates(pages.at(2).page, pages.at(2).arrivals());
    if (pages.has_more()) PrefetchPage(direction, pages.first_beyond());
    lists.AppendAll(now.page, now.arrivals(), edges, now.begin);
    const auto first = static_cast<VertexId>(now.page << ListPage::kBits);
    std::size_t begin = now.begin;
    for (const auto& [local, count] : now.arrivals()) {
      NoteEdges(edges, begin, begin + count, touched);
      begin += count;
      for (MultiversionedWindow* window : edges_.windows()) {
        (window->*direction.entered)(first + local, count);
      }
    }
  }
}

// Page by page, and within a page slice by slice: a list is changed in the order of slices, and a
// change does not depend on another list.
template <typename Edges>
void MultiversionedStore::Enter(const Direction& direction, std::vector<Entering>& entering) {
  if (entering.size() == 1 && !direction.lists.is_mortal()) {
    return EnterUnsearched(direction, Edges(*this, entering.front()));
  }
  std::vector<EnteringEdges<Edges>> slices;
  slices.reserve(entering.size());
  for (Entering& one : entering) slices.push_back({Edges(*this, one)});
  const std::span<const EnteringEdges<Edges>> entries(slices);
  // With many slices, a page is in the cache after the first slice, but not the slots that are
  // searched.
  const bool fetches = direction.lists.is_mortal();
  for (;;) {
    const std::size_t page = FirstPage(entries);
    if (page == kNoPage) return;
    ExpectPage(direction.lists, entries, page);
    for (EnteringEdges<Edges>& slice : slices) {
      if (slice.IsAt(page)) slice.next = EnterPage(direction, slice.edges, slice.next, fetches);
    }
  }
}

// The edges of one slice that belong to the page of edge `begin`, which is the first edge there.
// Returns the first edge of the next page.
template <typename Edges>
std::size_t MultiversionedStore::EnterPage(const Direction& direction, const Edges& edges,
                                           std::size_t begin, bool fetches) {
  AdjacencyLists& lists = direction.lists;
  TouchedVertices& touched = edges_.records().Of(edges.number()).*direction.touched;
  const std::size_t page = PageOf(edges.vertex(begin));
  while (begin < edges.size() && PageOf(edges.vertex(begin)) == page) {
    const VertexId vertex = edges.vertex(begin);
    std::size_t end = begin;
    for (; end < edges.size() && edges.vertex(end) == vertex; ++end) {
      if (fetches && end + 4 * kEdgesAhead < edges.size()) {
        const std::size_t latest = end + 4 * kEdgesAhead;
        if (PageOf(edges.vertex(latest - 1)) != PageOf(edges.vertex(latest))) {
          PrefetchPage(direction, edges.vertex(latest));
        }
        const std::size_t later = end + 3 * kEdgesAhead;
        Prefetch(direction, edges.vertex(later), edges.neighbour(later));
        const std::size_t next = end + 2 * kEdgesAhead;
        lists.PrefetchList(edges.vertex(next), edges.neighbour(next));
        const std::size_t soon = end + kEdgesAhead;
        lists.PrefetchSlots(edges.vertex(soon), edges.neighbour(soon));
        edges.PrefetchOlder(soon);
      }
      edges.EndOlder(end);
    }
    const auto count = static_cast<std::uint32_t>(end - begin);
    lists.Append(vertex, count, edges.widths(),
                 [&](std::uint32_t i) { return edges.content(begin + i); });
    NoteEdges(edges, begin, end, touched);
    for (MultiversionedWindow* window : edges_.windows())
      (window->*direction.entered)(vertex, count);
    begin = end;
  }
  return begin;
}

}  // namespace sash

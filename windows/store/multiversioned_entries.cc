// How the edges of a slice enter the lists of a multiversioned store.
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/large_array.h"
#include "windows/base/radix_sort.h"
#include "windows/store/multiversioned_store.h"
#include "windows/store/multiversioned_window.h"

namespace sash {
namespace {

constexpr std::size_t kAhead = 8;  // edges, for prefetching

bool IsSamePage(VertexId a, VertexId b) { return a >> ListPage::kBits == b >> ListPage::kBits; }

// Tells `lists` what `edges` bring to the page of edge `begin`, which is the first of it, when it is
// much.
template <typename Edges>
void ExpectPage(AdjacencyLists& lists, const Edges& edges, std::size_t begin) {
  constexpr std::size_t kMany = 32;  // edges
  const VertexId first = edges.vertex(begin);
  if (begin + kMany > edges.size() || !IsSamePage(edges.vertex(begin + kMany - 1), first)) return;
  std::array<AdjacencyLists::Arrival, ListPage::kVertices> arrivals;
  std::size_t count = 0;
  for (std::size_t i = begin; i < edges.size() && IsSamePage(edges.vertex(i), first); ++i) {
    const std::uint32_t local = edges.vertex(i) % ListPage::kVertices;
    if (count == 0 || arrivals[count - 1].local != local) arrivals[count++] = {local, 0};
    ++arrivals[count - 1].count;
  }
  lists.Expect(first / ListPage::kVertices, std::span(arrivals).first(count), edges.weights());
}

}  // namespace

MultiversionedStore::Direction MultiversionedStore::out_direction() {
  return {out_, &DegreeTable::out, &SliceRecord::out, &MultiversionedWindow::OutEdgesEntered};
}

MultiversionedStore::Direction MultiversionedStore::in_direction() {
  return {in_, &DegreeTable::in, &SliceRecord::in, &MultiversionedWindow::InEdgesEntered};
}

SlotContent MultiversionedStore::Content(const Entering& entering, std::size_t pair,
                                         VertexId neighbour) const {
  return {neighbour, newest_, entering.links.empty() ? 0 : entering.links[pair],
          entering.folded.weight(pair)};
}

// In the order of pairs. Its edges may end older copies.
struct MultiversionedStore::Outgoing {
  MultiversionedStore& store;
  Entering& entering;

  std::size_t size() const { return entering.folded.pairs.size(); }
  VertexId vertex(std::size_t i) const { return SourceOf(entering.folded.pairs[i]); }
  VertexId neighbour(std::size_t i) const { return TargetOf(entering.folded.pairs[i]); }
  WeightColumn::Kind weights() const { return entering.folded.weight_kind; }
  SlotContent content(std::size_t i) const { return store.Content(entering, i, neighbour(i)); }
  void PrefetchOlder(std::size_t) const {}
  void EndOlder(std::size_t i) {
    if (store.spec_.duplicates != DuplicatesPolicy::kKeep) store.Replace(entering, i);
  }
};

// In the order of targets. The older copies that the out-lists ended end here too.
struct MultiversionedStore::Incoming {
  // With its source, which would be a cache miss to ask for by the pair.
  struct Turned {
    VertexId target;
    VertexId source;
    std::uint32_t pair;
  };

  Incoming(MultiversionedStore& owner, const Entering& of)
      : store(owner), entering(of), turned(of.folded.pairs.size()) {
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
  WeightColumn::Kind weights() const { return entering.folded.weight_kind; }
  SlotContent content(std::size_t i) const {
    return store.Content(entering, turned[i].pair, turned[i].source);
  }
  void PrefetchOlder(std::size_t i) const {
    const SliceNumber birth = entering.replaced_birth(turned[i].pair);
    if (birth == kNone) return;
    store.in_.PrefetchBorn(turned[i].target, birth, store.oldest(), store.newest_);
  }
  void EndOlder(std::size_t i) {
    const BirthKey older{entering.replaced_birth(turned[i].pair), turned[i].source};
    if (older.birth == kNone) return;
    const VertexId target = turned[i].target;
    SASH_CHECK(store.in_.KillBorn(target, older, store.oldest(), store.newest_) == 1);
    store.NoteInDeath(target, older.birth);
  }

  MultiversionedStore& store;
  const Entering& entering;
  LargeArray<Turned> turned;
};

// Without deaths the directions have nothing to tell each other: each is put in order by itself.
void MultiversionedStore::AddBoth(const Slice& slice) {
  const auto enter = [&](const Direction& direction, const FoldedSlice& folded) {
    SASH_CHECK(folded.removed_vertices.empty() && folded.removed_pairs.empty());
    Entering entering{folded, {}, {}};
    Enter(direction, Outgoing{*this, entering});
    direction.lists.Tidy();
  };
  second_thread_.CallBoth(
      slice.size() >= kWorthTwoThreads,
      [&] { enter(out_direction(), Fold(slice, spec_.duplicates)); },
      [&] { enter(in_direction(), FoldTurned(slice, spec_.duplicates)); });
}

// Where edges may die, the out-lists tell the in-lists who does.
void MultiversionedStore::AddInTurn(std::shared_ptr<const Slice> slice) {
  const FoldedSlice folded = Fold(*slice, spec_.duplicates);
  slice.reset();  // its memory may be needed
  Remove(folded);
  Entering entering{folded, {}, {}};
  Enter(out_direction(), Outgoing{*this, entering});
  out_.Tidy();
  Enter(in_direction(), Incoming(*this, entering));
  in_.Tidy();
}

// Consecutive vertices of a slice lie pages apart: each is a few cache misses that need not wait
// for one another.
void MultiversionedStore::Prefetch(const Direction& direction, VertexId vertex,
                                   VertexId neighbour) const {
  direction.lists.PrefetchPlace(vertex, neighbour);
  for (const MultiversionedWindow* window : windows_) {
    (window->degrees().*direction.degrees).Prefetch(vertex);
  }
}

// Once a page: `vertex` comes after `before`.
void MultiversionedStore::PrefetchPage(const Direction& direction, VertexId before,
                                       VertexId vertex) const {
  if (IsSamePage(before, vertex)) return;
  direction.lists.PrefetchPage(vertex);
  for (const MultiversionedWindow* window : windows_) {
    (window->degrees().*direction.degrees).PrefetchPage(vertex);
  }
}

template <typename Edges>
void MultiversionedStore::Enter(const Direction& direction, Edges edges) {
  AdjacencyLists& lists = direction.lists;
  TouchedVertices& touched = records_.back().*direction.touched;
  for (std::size_t begin = 0; begin < edges.size();) {
    const VertexId vertex = edges.vertex(begin);
    if (begin == 0 || !IsSamePage(vertex, edges.vertex(begin - 1))) {
      ExpectPage(lists, edges, begin);
    }
    std::size_t end = begin;
    for (; end < edges.size() && edges.vertex(end) == vertex; ++end) {
      if (end + 4 * kAhead < edges.size()) {
        const std::size_t latest = end + 4 * kAhead;
        PrefetchPage(direction, edges.vertex(latest - 1), edges.vertex(latest));
        const std::size_t later = end + 3 * kAhead;
        Prefetch(direction, edges.vertex(later), edges.neighbour(later));
        const std::size_t next = end + 2 * kAhead;
        lists.PrefetchList(edges.vertex(next), edges.neighbour(next));
        const std::size_t soon = end + kAhead;
        lists.PrefetchSlots(edges.vertex(soon), edges.neighbour(soon));
        edges.PrefetchOlder(soon);
      }
      edges.EndOlder(end);
    }
    const auto count = static_cast<std::uint32_t>(end - begin);
    lists.Append(vertex, count, edges.weights(),
                 [&](std::uint32_t i) { return edges.content(begin + i); });
    touched.Append(vertex, count);
    for (MultiversionedWindow* window : windows_) (window->*direction.entered)(vertex, count);
    begin = end;
  }
}

}  // namespace sash

#include "windows/store/multiversioned_store.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "windows/base/check.h"
#include "windows/base/large_array.h"
#include "windows/base/radix_sort.h"
#include "windows/store/multiversioned_window.h"

namespace sash {
namespace {

constexpr std::size_t kAhead = 8;  // edges, for prefetching

// Who dies is found in the out-lists, which then tell the in-lists when it was born.
ListPolicy ListsFor(const StoreSpec& spec, const ListSizes& sizes, bool searched) {
  const bool keep = spec.duplicates == DuplicatesPolicy::kKeep;
  const bool weigh = spec.duplicates == DuplicatesPolicy::kWeigh;
  const bool mortal = !keep || spec.removals;
  return {.mortal = mortal,
          .searched = mortal && searched,
          .parallel = keep,
          .has_links = weigh || (keep && mortal && searched),
          .sizes = sizes};
}

VertexId IdLimit(const Slice& slice) {
  VertexId limit = 0;
  for (const VertexId v : slice.sources) limit = std::max(limit, v + 1);
  for (const VertexId v : slice.targets) limit = std::max(limit, v + 1);
  return limit;
}

}  // namespace

MultiversionedStore::MultiversionedStore(const StoreSpec& spec, const ListSizes& sizes)
    : spec_(spec),
      out_(ListsFor(spec, sizes, true), alive_bytes_),
      in_(ListsFor(spec, sizes, false), alive_bytes_),
      chains_(alive_bytes_) {}

std::unique_ptr<WindowStore> MultiversionedStore::Open(std::size_t slices) {
  SASH_CHECK(slices <= records_.size());
  return std::make_unique<MultiversionedWindow>(shared_from_this(), slices);
}

void MultiversionedStore::AddRecord(const Slice& slice) {
  SASH_CHECK(slice.id.value <= EdgeBlock::kMostSlices);
  const auto number = static_cast<SliceNumber>(slice.id.value);
  SASH_CHECK(records_.empty() ? !has_slices_ || number > newest_ : number == newest_ + 1);
  has_slices_ = true;
  newest_ = number;
  records_.emplace_back().number = number;
  records_use_ += records_.back().memory();
  id_limit_ = std::max(id_limit_, IdLimit(slice));
  for (MultiversionedWindow* window : windows_) window->SliceAdded(id_limit_);
}

void MultiversionedStore::Add(std::shared_ptr<const Slice> slice) {
  AddRecord(*slice);
  const FoldedSlice folded = Fold(*slice, spec_.duplicates);
  slice.reset();
  Remove(folded);
  Entering entering{folded, {}, {}};
  const auto out = [&] {
    EnterOut(entering);
    out_.Tidy();
  };
  const auto in = [&] {
    EnterIn(entering);
    in_.Tidy();
  };
  // Where edges may die, the out-lists tell the in-lists who does.
  second_thread_.CallBoth(folded.pairs.size() >= kWorthTwoThreads && !out_.is_mortal(), out, in);
  chains_.Complete(oldest());
  SliceRecord& record = records_.back();
  record.out.ShrinkToFit();
  record.in.ShrinkToFit();
  records_use_.touched += record.out.memory().touched + record.in.memory().touched;
  ReleaseUnheld();
}

SlotContent MultiversionedStore::Content(const Entering& entering, std::size_t pair,
                                         VertexId neighbour) const {
  return {neighbour, newest_, entering.links.empty() ? 0 : entering.links[pair],
          entering.folded.weight(pair)};
}

// Consecutive vertices of a slice lie pages apart: each is a few cache misses that need not wait
// for one another.
void MultiversionedStore::Prefetch(const AdjacencyLists& lists,
                                   DegreeTable::Direction DegreeTable::*degrees, VertexId vertex,
                                   VertexId neighbour) const {
  lists.PrefetchPlace(vertex, neighbour);
  for (const MultiversionedWindow* window : windows_) {
    (window->degrees().*degrees).Prefetch(vertex);
  }
}

// Once a page: `vertex` comes after `before`.
void MultiversionedStore::PrefetchPage(const AdjacencyLists& lists,
                                       DegreeTable::Direction DegreeTable::*degrees,
                                       VertexId before, VertexId vertex) const {
  if (before >> ListPage::kBits == vertex >> ListPage::kBits) return;
  lists.PrefetchPage(vertex);
  for (const MultiversionedWindow* window : windows_) {
    (window->degrees().*degrees).PrefetchPage(vertex);
  }
}

namespace {

// Tells `lists` what a slice brings to the page of vertex_at(begin), when it is much. `vertex_at`
// ascends, below `size`.
template <typename VertexAt>
void ExpectPage(AdjacencyLists& lists, std::size_t begin, std::size_t size,
                WeightColumn::Kind weights, const VertexAt& vertex_at) {
  constexpr std::size_t kMany = 32;  // edges
  const auto page_at = [&](std::size_t i) { return vertex_at(i) >> ListPage::kBits; };
  const VertexId page = page_at(begin);
  if (begin + kMany > size || page_at(begin + kMany - 1) != page) return;
  std::array<AdjacencyLists::Arrival, ListPage::kVertices> arrivals;
  std::size_t count = 0;
  for (std::size_t i = begin; i < size && page_at(i) == page; ++i) {
    const std::uint32_t local = vertex_at(i) % ListPage::kVertices;
    if (count == 0 || arrivals[count - 1].local != local) arrivals[count++] = {local, 0};
    ++arrivals[count - 1].count;
  }
  lists.Expect(page, std::span(arrivals).first(count), weights);
}

}  // namespace

void MultiversionedStore::EnterOut(Entering& entering) {
  const std::vector<PairKey>& pairs = entering.folded.pairs;
  const bool unique = spec_.duplicates != DuplicatesPolicy::kKeep;
  SliceRecord& record = records_.back();
  for (std::size_t begin = 0; begin < pairs.size();) {
    const VertexId source = SourceOf(pairs[begin]);
    if (begin == 0 || source >> ListPage::kBits != SourceOf(pairs[begin - 1]) >> ListPage::kBits) {
      ExpectPage(out_, begin, pairs.size(), entering.folded.weight_kind,
                 [&](std::size_t i) { return SourceOf(pairs[i]); });
    }
    std::size_t end = begin;
    for (; end < pairs.size() && SourceOf(pairs[end]) == source; ++end) {
      if (end + 4 * kAhead < pairs.size()) {
        PrefetchPage(out_, &DegreeTable::out, SourceOf(pairs[end + 4 * kAhead - 1]),
                     SourceOf(pairs[end + 4 * kAhead]));
        const PairKey later = pairs[end + 3 * kAhead];
        Prefetch(out_, &DegreeTable::out, SourceOf(later), TargetOf(later));
        const PairKey next = pairs[end + 2 * kAhead];
        out_.PrefetchList(SourceOf(next), TargetOf(next));
        const PairKey soon = pairs[end + kAhead];
        out_.PrefetchSlots(SourceOf(soon), TargetOf(soon));
      }
      if (unique) Replace(entering, end);
    }
    const auto count = static_cast<std::uint32_t>(end - begin);
    out_.Append(source, count, entering.folded.weight_kind, [&](std::uint32_t i) {
      return Content(entering, begin + i, TargetOf(pairs[begin + i]));
    });
    record.out.Append(source, count);
    for (MultiversionedWindow* window : windows_) window->OutEdgesEntered(source, count);
    begin = end;
  }
}

void MultiversionedStore::EnterIn(const Entering& entering) {
  // With its source, which would be a cache miss to ask for by the pair.
  struct Turned {
    VertexId target;
    VertexId source;
    std::uint32_t pair;
  };
  const std::vector<PairKey>& pairs = entering.folded.pairs;
  LargeArray<Turned> turned(pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    turned[i] = {TargetOf(pairs[i]), SourceOf(pairs[i]), i};
  }
  // The sort is stable, so that the sources of a target stay in order.
  RadixSort(turned, [](const Turned& edge) { return edge.target; });
  SliceRecord& record = records_.back();
  for (std::size_t begin = 0; begin < turned.size();) {
    const VertexId target = turned[begin].target;
    if (begin == 0 || target >> ListPage::kBits != turned[begin - 1].target >> ListPage::kBits) {
      ExpectPage(in_, begin, turned.size(), entering.folded.weight_kind,
                 [&](std::size_t i) { return turned[i].target; });
    }
    std::size_t end = begin;
    for (; end < turned.size() && turned[end].target == target; ++end) {
      if (end + 4 * kAhead < turned.size()) {
        PrefetchPage(in_, &DegreeTable::in, turned[end + 4 * kAhead - 1].target,
                     turned[end + 4 * kAhead].target);
        const Turned& later = turned[end + 3 * kAhead];
        Prefetch(in_, &DegreeTable::in, later.target, later.source);
        const Turned& next = turned[end + 2 * kAhead];
        in_.PrefetchList(next.target, next.source);
        const Turned& soon = turned[end + kAhead];
        in_.PrefetchSlots(soon.target, soon.source);
        const SliceNumber birth = entering.replaced_birth(soon.pair);
        if (birth != kNone) in_.PrefetchBorn(soon.target, birth, oldest(), newest_);
      }
      const BirthKey older{entering.replaced_birth(turned[end].pair), turned[end].source};
      if (older.birth == kNone) continue;
      SASH_CHECK(in_.KillBorn(target, older, oldest(), newest_) == 1);
      NoteInDeath(target, older.birth);
    }
    const auto count = static_cast<std::uint32_t>(end - begin);
    in_.Append(target, count, entering.folded.weight_kind, [&](std::uint32_t i) {
      const Turned& edge = turned[begin + i];
      return Content(entering, edge.pair, edge.source);
    });
    record.in.Append(target, count);
    for (MultiversionedWindow* window : windows_) window->InEdgesEntered(target, count);
    begin = end;
  }
}

void MultiversionedStore::ReleaseUnheld() {
  std::size_t held = 0;
  for (const MultiversionedWindow* window : windows_) held = std::max(held, window->held());
  if (records_.size() <= held) return;
  const auto age_out = [&](AdjacencyLists& lists, TouchedVertices SliceRecord::*touched) {
    for (std::size_t i = 0; i + held < records_.size(); ++i) {
      (records_[i].*touched)
          .ForEachAlive([&](VertexId v) { lists.PrefetchPlace(v); },
                        [&](VertexId v, std::uint32_t n) { lists.AgeOut(v, n); });
    }
    lists.Tidy();
  };
  second_thread_.CallBoth(
      records_.front().touched() >= kWorthTwoThreads, [&] { age_out(out_, &SliceRecord::out); },
      [&] { age_out(in_, &SliceRecord::in); });
  for (; records_.size() > held; records_.pop_front()) {
    records_use_ -= records_.front().memory();
  }
  chains_.DropBefore(records_.empty() ? newest_ + 1 : oldest());
}

MemoryUse MultiversionedStore::shared_memory() const {
  MemoryUse use = records_use_;
  use += out_.memory().use;
  use += in_.memory().use;
  use.absorbed += chains_.bytes();
  return use;
}

MemoryUse MultiversionedStore::CountMemory() const {
  MemoryUse use = out_.CountMemory().use;
  use += in_.CountMemory().use;
  for (const SliceRecord& record : records_) use += record.memory();
  use.absorbed += chains_.bytes();
  return use;
}

std::size_t MultiversionedStore::view_bytes() const {
  std::size_t held = out_.memory().versioned + in_.memory().versioned + chains_.bytes();
  for (const MultiversionedWindow* window : windows_) held += window->versioned_bytes();
  // Other threads only let go of what is not held.
  return *alive_bytes_ - held;
}

}  // namespace sash

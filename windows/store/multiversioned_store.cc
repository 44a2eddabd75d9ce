#include "windows/store/multiversioned_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "windows/base/check.h"
#include "windows/store/edges_by_slice.h"
#include "windows/store/multiversioned_window.h"

namespace sash {

MultiversionedStore::MultiversionedStore(const StoreSpec& spec, const ListSizes& sizes)
    : spec_(spec), edges_(spec, sizes, alive_bytes_), chains_(alive_bytes_) {}

// Where edges of different types never become one, and never end each other. In weigh, the weight
// of an edge is that of several copies.
bool MultiversionedStore::CanCopyFor(const StoreSpec& spec) const {
  return spec.removes_by_type() && spec.duplicates != DuplicatesPolicy::kWeigh &&
         spec.duplicates == spec_.duplicates && spec.identity == spec_.identity;
}

void MultiversionedStore::CopyPassing(const NumberedTypeFilters& filters,
                                      const std::vector<std::shared_ptr<Slice>>& parts) {
  CopyEdgesBySlice(filters, parts, edges_);
}

std::unique_ptr<WindowStore> MultiversionedStore::Open(std::size_t slices) {
  SASH_CHECK(slices <= edges_.records().size());
  return std::make_unique<MultiversionedWindow>(shared_from_this(), slices);
}

void MultiversionedStore::Add(std::shared_ptr<const Slice> slice) {
  Slices one;
  one.push_back(std::move(slice));
  AddTogether(std::move(one));
  ReleaseUnheld();
}

// A removal may end edges anywhere, so a slice that may hold one enters alone.
void MultiversionedStore::AddAll(Slices slices) {
  for (auto next = slices.begin(); next != slices.end();) {
    const auto first = next;
    const auto removes = [](const auto& slice) { return !slice->operations.empty(); };
    next = removes(*first) ? first + 1 : std::find_if(first, slices.end(), removes);
    AddTogether(Slices(std::move_iterator(first), std::move_iterator(next)));
  }
  ReleaseUnheld();
}

void MultiversionedStore::AddTogether(Slices slices) {
  const std::size_t count = slices.size();
  for (const auto& slice : slices) edges_.AddSlice(*slice);
  if (edges_.out().is_mortal()) {
    AddInTurn(std::move(slices));
  } else {
    AddBoth(std::move(slices));
  }
  chains_.Complete(oldest());
  edges_.records().Complete(count, spec_.slots);
}

void MultiversionedStore::ReleaseUnheld() {
  SliceRecords& records = edges_.records();
  std::size_t held = 0;
  for (const MultiversionedWindow* window : edges_.windows()) held = std::max(held, window->held());
  if (records.size() <= held) return;
  const auto age_out = [&](AdjacencyLists& lists, TouchedVertices SliceRecord::*touched) {
    for (std::size_t i = 0; i + held < records.size(); ++i) {
      (records.at(i).*touched)
          .ForEachAlive([&](VertexId v) { lists.PrefetchState(v); },
                        [&](VertexId v) { lists.PrefetchPlace(v); },
                        [&](VertexId v, std::uint32_t n) { lists.AgeOut(v, n); });
    }
    lists.Tidy();
  };
  second_thread_.CallBoth(
      records.at(0).touched() >= kWorthTwoThreads,
      [&] { age_out(edges_.out(), &SliceRecord::out); },
      [&] { age_out(edges_.in(), &SliceRecord::in); });
  while (records.size() > held) records.DropOldest();
  chains_.DropBefore(records.empty() ? records.newest() + 1 : records.oldest());
}

MemoryUse MultiversionedStore::shared_memory() const {
  MemoryUse use = edges_.records().memory();
  use += edges_.out().memory().use;
  use += edges_.in().memory().use;
  use.absorbed += chains_.bytes();
  return use;
}

MemoryUse MultiversionedStore::CountMemory() const {
  MemoryUse use = edges_.records().CountMemory();
  use += edges_.out().CountMemory().use;
  use += edges_.in().CountMemory().use;
  use.absorbed += chains_.bytes();
  return use;
}

std::size_t MultiversionedStore::view_bytes() const {
  std::size_t held =
      edges_.out().memory().versioned + edges_.in().memory().versioned + chains_.bytes();
  for (const MultiversionedWindow* window : edges_.windows()) held += window->versioned_bytes();
  // Other threads free only memory that is not counted in `held`.
  return *alive_bytes_ - held;
}

}  // namespace sash

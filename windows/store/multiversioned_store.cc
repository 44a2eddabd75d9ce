#include "windows/store/multiversioned_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "windows/base/check.h"
#include "windows/store/multiversioned_window.h"

namespace sash {
namespace {

// Who dies is found in the out-lists, which then tell the in-lists when it was born.
ListPolicy ListsFor(const StoreSpec& spec, const ListSizes& sizes, bool searched) {
  const bool keep = spec.duplicates == DuplicatesPolicy::kKeep;
  const bool weigh = spec.duplicates == DuplicatesPolicy::kWeigh;
  const bool mortal = !keep || spec.removals;
  return {.mortal = mortal,
          .searched = mortal && searched,
          .parallel = keep,
          .has_links = weigh || (keep && mortal && searched),
          .sizes = sizes,
          .slots = spec.slots};
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
  const SliceNumber number = NumberOf(slice);
  SASH_CHECK(records_.empty() ? !has_slices_ || number > newest_ : number == newest_ + 1);
  has_slices_ = true;
  newest_ = number;
  records_.emplace_back().number = number;
  records_use_ += records_.back().memory();
  id_limit_ = std::max(id_limit_, IdLimit(slice));
  for (MultiversionedWindow* window : windows_) window->SliceAdded(id_limit_);
}

void MultiversionedStore::Add(std::shared_ptr<const Slice> slice) {
  Slices one;
  one.push_back(std::move(slice));
  AddTogether(std::move(one));
  ReleaseUnheld();
}

// What a removal ends may lie anywhere, so a slice that may hold one goes alone.
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
  for (const auto& slice : slices) AddRecord(*slice);
  if (out_.is_mortal()) {
    AddInTurn(std::move(slices));
  } else {
    AddBoth(std::move(slices));
  }
  chains_.Complete(oldest());
  for (std::size_t i = records_.size() - count; i < records_.size(); ++i) {
    SliceRecord& record = records_[i];
    record.out.Complete(spec_.slots);
    record.in.Complete(spec_.slots);
    records_use_.touched += record.out.memory().touched + record.in.memory().touched;
  }
}

void MultiversionedStore::ReleaseUnheld() {
  std::size_t held = 0;
  for (const MultiversionedWindow* window : windows_) held = std::max(held, window->held());
  if (records_.size() <= held) return;
  const auto age_out = [&](AdjacencyLists& lists, TouchedVertices SliceRecord::*touched) {
    for (std::size_t i = 0; i + held < records_.size(); ++i) {
      (records_[i].*touched)
          .ForEachAlive([&](VertexId v) { lists.PrefetchState(v); },
                        [&](VertexId v) { lists.PrefetchPlace(v); },
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

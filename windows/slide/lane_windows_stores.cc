// How LaneWindows opens stores, and fills new ones with the retained slices that it can get.
#include <algorithm>
#include <utility>

#include "windows/ingest/type_filters.h"
#include "windows/slide/lane_windows.h"

namespace sash {

LaneWindows::Opened LaneWindows::OpenStore(const StoreSpec& spec, FilterBits filter,
                                           std::size_t wanted) {
  const auto known = std::ranges::find_if(stores_, [&](const SharedStore& store) {
    return store.spec == spec && store.filter == filter;
  });
  if (known != stores_.end()) {
    const std::size_t held = std::min(wanted, known->slices->retained());
    return {known->slices, known->slices->Open(held), held};
  }
  SliceStore::Slices slices =
      filter == kNoFilter ? WholeSlices(wanted) : TypedParts(spec, filter, wanted);
  Opened opened;
  opened.slices = MakeSliceStore(spec);
  opened.store = opened.slices->Open(0);
  opened.held = slices.size();
  for (std::shared_ptr<const Slice>& slice : slices) opened.slices->Add(std::move(slice));
  stores_.push_back({spec, filter, opened.slices});
  return opened;
}

// The newest slices that stores of kind rebuild keep, at most `wanted`, oldest first.
SliceStore::Slices LaneWindows::WholeSlices(std::size_t wanted) const {
  SliceStore::Slices slices;
  while (slices.size() < wanted) {
    auto slice = retained_[retained_.size() - 1 - slices.size()].slice.lock();
    if (!slice) break;
    slices.push_back(std::move(slice));
  }
  std::ranges::reverse(slices);
  return slices;
}

// The same for the edges that pass a filter that judges by types alone: as many slices as some
// store of all edges can give.
SliceStore::Slices LaneWindows::TypedParts(const StoreSpec& spec, FilterBits filter,
                                           std::size_t wanted) {
  const TypeFilters by_type(*filters_, filter);
  if (by_type.bits() == 0 || types_ == nullptr) return {};
  SliceStore* source = nullptr;
  for (const SharedStore& store : stores_) {
    if (store.filter != kNoFilter || !store.slices->CanCopyFor(spec)) continue;
    if (source == nullptr || store.slices->retained() > source->retained()) {
      source = store.slices.get();
    }
  }
  if (source == nullptr) return {};
  const std::size_t count = std::min(wanted, source->retained());
  const std::size_t first = retained_.size() - count;
  std::vector<std::shared_ptr<Slice>> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const RetainedSlice& whole = retained_[first + i];
    auto part = std::make_shared<Slice>();
    part->id = SliceId{slicer_.next_id() - count + i};
    part->begin = whole.begin;
    part->end = whole.end;
    parts.push_back(std::move(part));
  }
  source->CopyPassing(NumberedTypeFilters(by_type, types_->Words()), parts);
  for (std::size_t i = 0; i < count; ++i) {
    retained_.NotePassing(first + i, filter, parts[i]->size() > 0);
  }
  return {parts.begin(), parts.end()};
}

}  // namespace sash

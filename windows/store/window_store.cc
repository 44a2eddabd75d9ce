#include "windows/store/window_store.h"

#include <utility>

#include "windows/store/multiversioned_store.h"
#include "windows/store/rebuild_store.h"

namespace sash {

void SliceStore::AddAll(Slices slices) {
  for (std::shared_ptr<const Slice>& slice : slices) Add(std::move(slice));
}

std::shared_ptr<SliceStore> MakeSliceStore(const StoreSpec& spec) {
  if (spec.kind == StoreKind::kRebuild) {
    return std::make_shared<RebuildStore>(spec.duplicates, spec.identity);
  }
  return std::make_shared<MultiversionedStore>(spec);
}

}  // namespace sash

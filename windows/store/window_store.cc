#include "windows/store/window_store.h"

#include <utility>

#include "windows/store/multiversioned_store.h"
#include "windows/store/rebuild_store.h"
#include "windows/store/slice_archive.h"

namespace sash {

void SliceStore::AddAll(Slices slices) {
  for (std::shared_ptr<const Slice>& slice : slices) Add(std::move(slice));
}

std::shared_ptr<SliceStore> MakeSliceStore(const StoreSpec& spec) {
  switch (spec.kind) {
    case StoreKind::kRebuild:
      return std::make_shared<RebuildStore>(spec.duplicates, spec.identity);
    case StoreKind::kArchive:
      return std::make_shared<SliceArchive>(spec.duplicates, spec.identity);
    case StoreKind::kMultiversioned:
      break;
  }
  return std::make_shared<MultiversionedStore>(spec);
}

}  // namespace sash

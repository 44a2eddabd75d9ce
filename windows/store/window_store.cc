#include "windows/store/window_store.h"

#include "windows/store/multiversioned_store.h"
#include "windows/store/rebuild_store.h"

namespace sash {

std::shared_ptr<SliceStore> MakeSliceStore(const StoreSpec& spec) {
  if (spec.kind == StoreKind::kRebuild) return std::make_shared<RebuildStore>(spec.duplicates);
  return std::make_shared<MultiversionedStore>(spec);
}

}  // namespace sash

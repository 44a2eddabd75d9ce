#include "windows/store/window_store.h"

#include "windows/base/check.h"
#include "windows/store/multiversioned_store.h"
#include "windows/store/rebuild_store.h"

namespace sash {

std::unique_ptr<WindowStore> MakeWindowStore(StoreKind kind, DuplicatesPolicy duplicates) {
  if (kind == StoreKind::kRebuild) return std::make_unique<RebuildStore>(duplicates);
  SASH_CHECK(duplicates == DuplicatesPolicy::kKeep);
  return std::make_unique<MultiversionedStore>();
}

}  // namespace sash

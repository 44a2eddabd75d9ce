// The text of snapshot.json, by which a frozen snapshot is found and read.
//
// Thread safety: pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/export/frozen/frozen_columns.h"
#include "connectors/export/snapshot_format.h"
#include "connectors/export/window_outline.h"
#include "windows/jobs/advance.h"
#include "windows/store/window_policy.h"

namespace sash {

// The version of the format, in the member `frozen`.
inline constexpr int kFrozenFormat = 1;

std::string SnapshotText(const Advance& advance, const StoreSpec& policy,
                         const WindowOutline& outline, const std::vector<WrittenColumn>& written,
                         const SnapshotMoment& moment);

}  // namespace sash

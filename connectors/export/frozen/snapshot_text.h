// The text of snapshot.json, by which a frozen snapshot is found and read.
//
// Thread safety: pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/export/frozen/frozen_columns.h"
#include "connectors/export/frozen/frozen_outline.h"
#include "windows/base/clock.h"
#include "windows/jobs/advance.h"
#include "windows/store/window_policy.h"

namespace sash {

// The version of the format, in the member `frozen`.
inline constexpr int kFrozenFormat = 1;

struct FrozenMoment {
  EventTime written;   // by the wall clock
  double seconds = 0;  // that it took
};

std::string SnapshotText(const Advance& advance, const StoreSpec& policy,
                         const FrozenOutline& outline, const std::vector<WrittenColumn>& written,
                         const FrozenMoment& moment);

}  // namespace sash

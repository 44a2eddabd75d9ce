// The members of snapshot.json that all formats have, besides those of results.
//
// Thread safety: pure.
#pragma once

#include "connectors/export/snapshot_format.h"
#include "connectors/sinks/json_text.h"
#include "windows/store/window_policy.h"

namespace sash {

void WritePolicy(const StoreSpec& policy, JsonText& json);       // duplicates, identity
void WriteMoment(const SnapshotMoment& moment, JsonText& json);  // written, seconds

}  // namespace sash

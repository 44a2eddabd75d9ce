// ChosenSnapshot: the frozen snapshot that a request leases, locked as any reader would lock it.
//
// Thread safety: a free function; the result belongs to one thread.
#pragma once

#include "connectors/export/leases/lease.h"
#include "connectors/export/owned_descriptor.h"
#include "connectors/export/snapshot_folder.h"
#include "windows/base/result.h"

namespace sash {

struct ChosenSnapshot {
  Lease about;  // without id, name and times
  OwnedDescriptor lock;
};

// The snapshot that the request names, or the newest one of its window. kNotFound: there is none;
// otherwise the error of one that cannot be read.
Result<ChosenSnapshot> ChooseSnapshot(const LeaseRequest& request, const SnapshotFolder& folder);

}  // namespace sash

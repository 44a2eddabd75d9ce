// The slices that a source reads: how many there are, and of which time.
#pragma once

#include "connectors/export/slices/slice_source_spec.h"
#include "daemon/probe/finding.h"

namespace sash {

// Reads the manifests in the folder.
// Or the snapshot, if the folder is that of one.
void ProbeSlices(const SliceSourceSpec& spec, Findings& findings);

}  // namespace sash

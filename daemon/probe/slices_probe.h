// The slices that a source reads: how many there are, and of which time.
//
// Thread safety: belongs to one thread; it reads files.
#pragma once

#include "connectors/export/slices/slice_source_spec.h"
#include "daemon/probe/finding.h"

namespace sash {

// Reads the manifests of the slices in the folder, or the snapshot if the folder is that of one.
void ProbeSlices(const SliceSourceSpec& spec, Findings& findings);

}  // namespace sash

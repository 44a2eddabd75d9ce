// How often a slice names each vertex, as a source or as a target.
//
// Thread safety: a pure function.
#pragma once

#include "windows/ingest/coded_counts.h"
#include "windows/ingest/slice.h"

namespace sash {

// Every event counts twice, once for each end. So a self-loop or a remove_vertex counts its vertex
// twice. Linear in the events for short ids; uses 16 bytes of temporary memory per event.
CodedCounts CountEndPoints(const Slice& slice);

}  // namespace sash

// How often a slice names each vertex, as a source or as a target.
#pragma once

#include "windows/ingest/coded_counts.h"
#include "windows/ingest/slice.h"

namespace sash {

// Every event counts twice, once for each end; so a self-loop, and remove_vertex, counts its vertex
// twice. Linear in the events for ids of few bytes; holds 16 bytes an event meanwhile.
CodedCounts CountEndPoints(const Slice& slice);

}  // namespace sash

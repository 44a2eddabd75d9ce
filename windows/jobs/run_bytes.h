// RunBytes: what a run of a job takes for a moment, beside the window and the result before.
//
// An upper bound for windows of the size given, measured (run_bytes_test.cc), not counted: it is to
// be reserved before a run begins.
//
// Thread safety: pure.
#pragma once

#include <cstdint>

#include "windows/jobs/job_spec.h"

namespace sash {

// Of a window with so many visible edges, and ids below `id_limit`. `on_disk`: its edges are, and
// PageRank and BFS leave them there.
std::uint64_t RunBytes(const JobParameters& parameters, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk = false);

}  // namespace sash

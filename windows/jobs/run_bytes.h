// RunBytes: the temporary memory of a run of a job, beside the window and the previous result.
//
// An upper bound for windows of the given size, measured (run_bytes_test.cc), not computed. It must
// be reserved before a run begins.
//
// Thread safety: pure.
#pragma once

#include <cstdint>

#include "windows/jobs/job_spec.h"

namespace sash {

// For a window with this number of visible edges, and ids below `id_limit`. `on_disk`: its edges
// are on disk, and PageRank and BFS leave them there.
std::uint64_t RunBytes(const JobParameters& parameters, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk = false);

}  // namespace sash

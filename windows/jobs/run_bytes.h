// RunBytes: the temporary memory of a run of a job, beside the window and the previous result.
//
// An upper bound for windows of the given size, measured (run_bytes_test.cc), not computed. This
// memory must be reserved before a run begins.
//
// Thread safety: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/jobs/job_spec.h"

namespace sash {

// For a window with this number of visible edges, and ids below `id_limit`. `on_disk`: its edges
// are on disk, and PageRank and BFS leave them there.
std::uint64_t RunBytes(const JobParameters& parameters, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk = false);

// The same of a job, with the comparison with its baseline, if it has one.
std::uint64_t RunBytes(const JobSpec& job, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk = false);

// The sum of the greatest `count` of `needs`, or of all if there are fewer: the temporary memory of
// this number of runs at once.
std::uint64_t SumOfGreatest(std::vector<std::uint64_t> needs, std::size_t count);

}  // namespace sash

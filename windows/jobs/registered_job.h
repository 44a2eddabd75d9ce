// RegisteredJob: a job that the scheduler runs, with its status.
//
// Thread safety: none; JobScheduler serialises.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/job_status.h"

namespace sash {

struct RegisteredJob {
  JobSpec settings;
  JobStatus status;             // without waiting_seconds
  std::uint64_t place = 0;      // in the order in which jobs joined
  std::uint64_t run_bytes = 0;  // of its next run
  SnapshotId newest;            // the newest on which it was given a run
  bool removed = false;
  std::optional<SteadyTime> ready_since{};  // it has waited for a runner since then

  bool IsDue(const Advance& advance) const;

  // Estimates `run_bytes`. An advance of another window changes nothing.
  void NoteRunBytes(const Advance& advance);
};
using RegisteredJobPtr = std::shared_ptr<RegisteredJob>;

}  // namespace sash

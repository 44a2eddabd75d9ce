// JobSpec: a kernel registered to run on the advances of a window (configuration: jobs[]).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "windows/jobs/kinds/kinds.h"

namespace sash {

// What happens to an advance while the job is still busy with earlier ones.
struct OverrunPolicy {
  // 0: skip; the newest advance waits and displaces the one before, which is counted as skipped.
  // n: up to n advances wait; then the window itself waits, and with it the stream.
  std::size_t queue = 0;
};

struct JobSpec {
  std::string name;
  std::string window;
  JobParameters parameters;
  std::uint32_t every = 1;  // runs when window end / slide, rounded down, is a multiple of it
  int threads = 0;          // 0: all the cores
  std::optional<std::chrono::nanoseconds> deadline;  // a run that takes longer is cancelled
  OverrunPolicy overrun;
  std::size_t top = 50;
  std::size_t keep_results = 100;  // >= 1
};

}  // namespace sash

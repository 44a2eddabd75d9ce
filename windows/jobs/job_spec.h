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

// What the results of a job are compared with: either `window`, or `results` that is not 0.
struct BaselineSpec {
  // The newest result of the same kernel with the same parameters on this window that ends at or
  // before the result. It is another window of the same axis.
  std::string window{};
  std::uint32_t results = 0;  // the mean of this number of results of the job before the result

  friend bool operator==(const BaselineSpec&, const BaselineSpec&) = default;
};

enum class ListOrder : std::uint8_t { kScore, kSurprise };

struct JobSpec {
  std::string name;
  std::string window;
  JobParameters parameters;
  std::uint32_t every = 1;  // runs when window end / slide, rounded down, is a multiple of it
  // The job runs on the live view of its window, this often; nothing: on the window's advances.
  std::optional<std::chrono::nanoseconds> live_every{};
  int threads = 0;                                   // 0: all the cores
  std::optional<std::chrono::nanoseconds> deadline;  // a run that takes longer is cancelled
  OverrunPolicy overrun;
  std::optional<BaselineSpec> baseline{};  // only of kernels with scores (HasScores())
  ListOrder order = ListOrder::kScore;     // of `top`; kSurprise only with a baseline
  std::size_t top = 50;
  std::size_t keep_results = 100;  // >= 1
  std::size_t keep_vectors = 0;    // <= keep_results; only if HasVectors()
};

// Whether the job has live results, which are never final, and no others.
inline bool IsLive(const JobSpec& job) { return job.live_every.has_value(); }

// Whether results of `job` are compared with results of `other`, a job on another window.
inline bool IsComparedWith(const JobSpec& job, const JobSpec& other) {
  return job.baseline && !job.baseline->window.empty() && job.baseline->window == other.window &&
         !IsLive(other) && EqualParameters(job.parameters, other.parameters);
}

}  // namespace sash

// RunTimeJobs: adds, changes and removes jobs while the process runs, for the API or a reload.
//
// Thread safety: belongs to the main thread, the only one that changes jobs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/pipeline/pipeline.h"
#include "windows/base/result.h"
#include "windows/jobs/job_spec.h"
#include "windows/slide/window_engine.h"

namespace sash {

class RunTimeJobs {
 public:
  static constexpr std::size_t kMost = 1000;  // each has metric series

  // `left` is called after a job was removed.
  RunTimeJobs(Pipeline& pipeline, std::function<void(const std::string& job)> left)
      : pipeline_(pipeline), left_(std::move(left)) {}

  std::vector<std::string> Names() const;

  // Adds a job, or replaces the job of the same name.
  Status Put(const JobSpec& job);

  // Removes a job that exists.
  void Remove(const std::string& job);

  // Removes the jobs that are not in `wanted`, then adds or replaces these.
  void Fit(const std::vector<JobSpec>& wanted);

  // Tells the engine which windows to keep for jobs that compare; it takes effect when the engine
  // gets to it.
  void HoldCompared();

 private:
  Pipeline& pipeline_;  // built after this object
  const std::function<void(const std::string& job)> left_;
  std::optional<WindowEngine::Compared> compared_;  // as last given to the engine
};

}  // namespace sash

// PreviousResults: the result before each result of a job.
//
// Thread safety: none; the owner serialises.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "windows/jobs/run_result.h"

namespace sash {

class PreviousResults {
 public:
  // The job's result before `now`; null if there is none, or if it was of another kernel: jobs come
  // and go, and an earlier job may have had the same name. The next call returns this `now`.
  std::shared_ptr<const RunResult> Before(const std::shared_ptr<const RunResult>& now) {
    std::shared_ptr<const RunResult> before = std::exchange(newest_[now->job], now);
    if (before != nullptr && before->kernel != now->kernel) return nullptr;
    return before;
  }

 private:
  std::map<std::string, std::shared_ptr<const RunResult>> newest_;  // by job
};

}  // namespace sash

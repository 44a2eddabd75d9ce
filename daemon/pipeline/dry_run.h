// DryRun: a bounded replay that only says which alerts it would send (sashd --replay --dry-run).
// Each alert is a line of JSON on standard output. Nothing else leaves the process: it has no
// sinks and no exports, and its dead letters are in a temporary folder.
//
// Thread safety: Tell() may be called by any thread; the rest belongs to one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "daemon/config/config.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

class DryRun {
 public:
  // Changes the configuration of a process that replays a span. kInvalidArgument: it has no alert;
  // otherwise the temporary folder cannot be made.
  static Result<std::unique_ptr<DryRun>> Prepare(Config& config);
  ~DryRun();  // removes the folder
  DryRun(const DryRun&) = delete;
  DryRun& operator=(const DryRun&) = delete;

  // Prints the alert. `json` has no line break.
  void Tell(const std::string& alert, const std::string& json);

  // Why some alerts are not on standard output; empty: all are. Call it at the end.
  std::string Failure();
  // How many alerts of each definition would have been sent: a sentence.
  std::string Summary() const;

 private:
  DryRun() = default;

  std::string folder_;
  mutable Mutex mutex_;
  std::map<std::string, std::uint64_t> fired_ SASH_GUARDED_BY(mutex_);  // by alert
  int error_ SASH_GUARDED_BY(mutex_) = 0;                               // errno
};

}  // namespace sash

// RunTimeWindows: windows that come, change and go while the process runs, as the API or a reload
// wants it.
//
// The engine does it between two batches, and jobs may hold the engine for long. Nothing here waits
// longer than kEnginePatience: then what was asked is taken back and nothing has changed.
//
// Thread safety: belongs to the main thread.
//
// Invariants
//   (1) A window that a job runs on, or may be told to, stays: Names() lack those that are leaving.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/config_change.h"
#include "daemon/pipeline/pipeline.h"
#include "windows/base/result.h"
#include "windows/slide/window_engine.h"

namespace sash {

class RunTimeWindows {
 public:
  static constexpr std::size_t kMost = 100;
  static constexpr std::chrono::seconds kEnginePatience{5};

  explicit RunTimeWindows(Pipeline& pipeline) : pipeline_(pipeline) {}

  std::vector<std::string> Names() const;  // of those that stay
  std::vector<WindowSpec> Specs() const;   // of all
  WindowPanes Panes() const;
  bool IsLeaving(const std::string& name) const { return leaving_.contains(name); }

  // Each joins, or takes the place of the one with its name; all or none, and nothing waits for the
  // engine if they are there already. kInvalidArgument: one does
  // not fit; kUnavailable: the engine was held, try again.
  Status Put(std::vector<WindowSpec> specs);

  // Likewise; it is used by no job.
  Status Remove(const std::string& name);

  // Those that no name of `wanted` names leave, if not now, then when jobs let the engine.
  void RemoveOthers(const std::vector<WindowSpec>& wanted);

  // Those that have left are no longer leaving.
  void ForgetGone();

 private:
  static Status Await(PendingCommand pending);

  WindowEngine& engine() const { return pipeline_.engine(); }

  Pipeline& pipeline_;  // which is built later
  std::map<std::string, PendingCommand> leaving_;
};

}  // namespace sash

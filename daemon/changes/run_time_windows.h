// RunTimeWindows: adds, changes and removes windows while the process runs, for the API or a
// reload.
//
// The engine applies changes between two batches, and jobs may keep it busy for long. Nothing here
// waits longer than kEnginePatience; after that the request is withdrawn and nothing has changed.
//
// If windows have filters that are new, first the source makes decoders for them, then the engine
// puts the windows, then the source switches. What the source decoded before it switched is in no
// window with these filters, whenever it reaches the engine.
//
// Thread safety: belongs to the main thread.
//
// Invariants
//   (1) A window that a job uses, or that a new job may name (Names()), is not being removed.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
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

  std::vector<std::string> Names() const;  // without the windows being removed
  std::vector<WindowSpec> Specs() const;   // of all windows
  WindowPanes Panes() const;
  bool IsLeaving(const std::string& name) const { return leaving_.contains(name); }

  // Adds each window, or replaces the window of the same name: all or none. Does not wait for the
  // engine if all of them exist already. kInvalidArgument: a window or its filter does not fit;
  // kUnavailable: the engine was busy, try again.
  Status Put(std::vector<WindowSpec> specs);

  // Removes a window that no job uses; otherwise like Put().
  Status Remove(const std::string& name);

  // Removes the windows that are not named in `wanted`: at once, or as soon as jobs release the
  // engine.
  void RemoveOthers(const std::vector<WindowSpec>& wanted);

  // Why these may not be the only windows: slices are exported, and none of them would cut slices.
  std::optional<std::string> WhyNotAll(const std::vector<WindowSpec>& left) const;

  // Drops finished removals from the list of windows being removed.
  void ForgetGone();

 private:
  static Status Await(PendingCommand pending);
  Result<FilterSetPtr> FiltersFor(const std::vector<WindowSpec>& specs);

  WindowEngine& engine() const { return pipeline_.engine(); }

  Pipeline& pipeline_;  // built after this object
  std::map<std::string, PendingCommand> leaving_;
  FilterSetPtr filters_;  // that of the engine; null: as at the start
};

}  // namespace sash

// What a reload finds: which keys have another value, and which of them a running process takes.
//
// Thread safety: free functions over values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/config.h"

namespace sash {

struct ConfigChange {
  // Dotted; windows and jobs by name: "jobs[influencers].top". One that came or went as a whole is
  // one change: "windows[last-5m]".
  std::string key;
  std::optional<std::string> before;  // as --print-config shows it; none: the key was not there
  std::optional<std::string> after;
  bool live = false;  // a running process takes it; otherwise it needs a restart

  std::string ToString() const;  // "log.level: info -> debug"
};

// Whether a job goes on as it is, with new settings at most. Otherwise another takes its place.
bool IsSameJob(const JobSpec& a, const JobSpec& b);

// Of each axis, what the slide of a window has to be a multiple of to join while the process runs.
// An axis that is missing takes any.
using WindowPanes = std::map<WindowAxis, std::int64_t>;

// Sorted by key. Secrets are not shown; that one has changed is.
std::vector<ConfigChange> FindChanges(const Config& before, const Config& after,
                                      const WindowPanes& panes = {});

// `to` with the live keys of `from` outside of windows and jobs.
void TakeLiveKeys(const Config& from, Config& to);

// `running` with the live ones of the changes that lead to `wanted`: jobs and windows as they are
// there, but for windows that cannot become so while they are running.
Config WithLiveChanges(const Config& running, const Config& wanted, const WindowPanes& panes = {});

}  // namespace sash

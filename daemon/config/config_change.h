// The changes that a reload finds: keys with a new value, and whether a running process applies
// them.
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
  // Dotted; windows and jobs by name: "jobs[influencers].top". An added or removed window or job is
  // one change: "windows[last-5m]".
  std::string key;
  std::optional<std::string> before;  // as in --print-config; none: the key was not set
  std::optional<std::string> after;
  bool live = false;  // a running process applies it; false: it needs a restart

  std::string ToString() const;  // "log.level: info -> debug"
};

// Whether `b` is the same job, perhaps with new settings. Otherwise it replaces `a`.
bool IsSameJob(const JobSpec& a, const JobSpec& b);

// Per axis, the pane: slide and offset of a window that is added while the process runs must be
// multiples of it. An axis that is missing accepts any.
using WindowPanes = std::map<WindowAxis, std::int64_t>;

// Sorted by key. A changed secret is reported without its value.
std::vector<ConfigChange> FindChanges(const Config& before, const Config& after,
                                      const WindowPanes& panes = {});

// Copies the live keys of `from` to `to`, except those of windows, jobs and alerts.
void TakeLiveKeys(const Config& from, Config& to);

// `running` with the live changes of `wanted`. Jobs, alerts and windows are those of `wanted`; a
// window that cannot change as wanted while it is running keeps its settings.
Config WithLiveChanges(const Config& running, const Config& wanted, const WindowPanes& panes = {});

}  // namespace sash

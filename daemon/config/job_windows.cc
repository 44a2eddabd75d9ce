#include "daemon/config/job_windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "windows/jobs/kinds/kinds.h"

namespace sash {

std::optional<std::string> WhyNotLive(const JobSpec& job, const std::vector<WindowSpec>& windows) {
  if (!IsLive(job)) return std::nullopt;
  const auto window = std::ranges::find(windows, job.window, &WindowSpec::name);
  if (window == windows.end()) return std::nullopt;
  if (!window->live) {
    return fmt::format(
        "is live, but window `{}` cannot be read between its advances; give the window `live: "
        "true`, or leave it out",
        job.window);
  }
  return std::nullopt;
}

std::optional<std::string> WhyWithoutSlices(const JobSpec& job,
                                            const std::vector<WindowSpec>& windows) {
  if (!TraitsOfJob(job.parameters).needs_slices) return std::nullopt;
  const auto window = std::ranges::find(windows, job.window, &WindowSpec::name);
  if (window == windows.end() || window->retain > 0) return std::nullopt;
  return fmt::format(
      "asks when edges came, but window `{}` does not keep its slices; give the window `retain`, "
      "for example its slide",
      job.window);
}

}  // namespace sash

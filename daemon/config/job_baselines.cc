#include "daemon/config/job_baselines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "daemon/config/error_list.h"

namespace sash {
namespace {

// The name of a job on the way from `from` back to `job`, along the jobs that are compared with.
const JobSpec* WayBack(const JobSpec& job, const JobSpec& from, const std::vector<JobSpec>& jobs,
                       std::set<std::string>& seen) {
  for (const JobSpec& next : jobs) {
    const JobSpec& other = next.name == job.name ? job : next;
    if (!IsComparedWith(from, other)) continue;
    if (other.name == job.name) return &from;
    if (!seen.insert(other.name).second) continue;
    if (const JobSpec* const found = WayBack(job, other, jobs, seen)) return found;
  }
  return nullptr;
}

std::string Names(const std::vector<WindowSpec>& windows) {
  std::vector<std::string> names;
  for (const WindowSpec& window : windows) names.push_back(window.name);
  return SomeOf(names);
}

}  // namespace

std::optional<std::string> WhyWithoutBaseline(const JobSpec& job, const std::vector<JobSpec>& jobs,
                                              const std::vector<WindowSpec>& windows) {
  if (!job.baseline || job.baseline->window.empty()) return std::nullopt;
  const std::string& name = job.baseline->window;
  if (name == job.window) {
    return fmt::format(
        "is `{}`, the window of the job itself; give another window, or {{results: N}} to compare "
        "with earlier results",
        name);
  }
  const auto window = std::ranges::find(windows, name, &WindowSpec::name);
  if (window == windows.end()) {
    return fmt::format("there is no window `{}`; windows: {}", name, Names(windows));
  }
  const auto own = std::ranges::find(windows, job.window, &WindowSpec::name);
  if (own != windows.end() && own->by != window->by) {
    return fmt::format(
        "is `{}`, which counts by another axis than `{}`, so their ends cannot be compared; give a "
        "window with the same `by`",
        name, job.window);
  }
  const bool is_there = std::ranges::any_of(jobs, [&](const JobSpec& other) {
    return other.name != job.name && IsComparedWith(job, other);
  });
  if (!is_there) {
    return fmt::format(
        "is `{0}`, on which no job of kernel {1} with the same parameters runs; add one to jobs: "
        "{{name: {2}-{0}, kernel: {1}, window: {0}}} with the parameters of `{2}`",
        name, KernelOf(job.parameters), job.name);
  }
  std::set<std::string> seen;
  std::vector<JobSpec> all = jobs;
  if (std::ranges::find(all, job.name, &JobSpec::name) == all.end()) all.push_back(job);
  if (const JobSpec* const back = WayBack(job, job, all, seen)) {
    return fmt::format(
        "is `{}`, whose results are compared with those of `{}` again (by job `{}`); leave out one "
        "of the baselines",
        name, job.window, back->name);
  }
  return std::nullopt;
}

}  // namespace sash

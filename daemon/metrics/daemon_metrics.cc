#include "daemon/metrics/daemon_metrics.h"

#include <utility>

#include "daemon/metrics/exposition.h"
#include "daemon/metrics/part_samples.h"

namespace sash {

DaemonMetrics::DaemonMetrics(MetricsSurroundings surroundings) : around_(std::move(surroundings)) {
  for (const WindowSpec& window : around_.engine.windows()) advance_seconds_[window.name];
  for (const JobSpec& job : around_.jobs.jobs()) run_seconds_[job.name];
}

void DaemonMetrics::AdvanceObserved(const AdvancePtr& advance) {
  const auto seconds = advance_seconds_.find(advance->provenance.window);
  if (seconds != advance_seconds_.end()) seconds->second.Observe(advance->seconds);
  pinned_.Add(advance, around_.clock.Steady());
}

void DaemonMetrics::RunObserved(const RunResult& result) {
  const auto seconds = run_seconds_.find(result.job);
  if (seconds != run_seconds_.end()) seconds->second.Observe(result.seconds);
}

std::string DaemonMetrics::MetricsText() const {
  MetricSamples samples;
  samples.Set("sash_build_info", {around_.version}, 1);
  AddSourceSamples(around_, samples);
  AddEngineSamples(around_, samples);
  std::uint64_t view_bytes = 0;
  for (std::size_t i = 0; i < around_.engine.windows().size(); ++i) {
    const std::string& window = around_.engine.windows()[i].name;
    const PinCount pins = pinned_.Count(window, around_.clock.Steady());
    view_bytes += pins.bytes;
    AddWindowSamples(window, around_.engine.Newest(i).get(), advance_seconds_.at(window).counts(),
                     pins, samples);
  }
  for (const JobStatus& job : around_.jobs.Statuses()) {
    AddJobSamples(job, run_seconds_.at(job.name).counts(), samples);
  }
  AddSinkSamples(around_.sinks(), samples);
  AddMemorySamples(around_, view_bytes, samples);
  AddProcessSamples(samples);
  return ExpositionText(samples);
}

}  // namespace sash

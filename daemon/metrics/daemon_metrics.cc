#include "daemon/metrics/daemon_metrics.h"

#include <utility>

#include "daemon/metrics/exposition.h"
#include "daemon/metrics/part_samples.h"

namespace sash {

DaemonMetrics::DaemonMetrics(MetricsSurroundings surroundings) : around_(std::move(surroundings)) {
  for (const JobSpec& job : around_.jobs.jobs()) run_seconds_[job.name];
}

void DaemonMetrics::AdvanceObserved(const AdvancePtr& advance) {
  AdvanceSeconds(advance->provenance.window).Observe(advance->seconds);
  pinned_.Add(advance, around_.clock.Steady());
}

void DaemonMetrics::RunObserved(const RunResult& result) {
  const auto seconds = run_seconds_.find(result.job);
  if (seconds != run_seconds_.end()) seconds->second.Observe(result.seconds);
}

Histogram& DaemonMetrics::AdvanceSeconds(const std::string& window) const {
  const std::lock_guard lock(mutex_);
  return advance_seconds_[window];
}

std::string DaemonMetrics::MetricsText() const {
  MetricSamples samples;
  samples.Set("sash_build_info", {around_.version}, 1);
  AddSourceSamples(around_, samples);
  AddEngineSamples(around_, samples);
  for (const auto& [spec, newest] : around_.engine.Windows()) {
    AddWindowSamples(spec.name, newest.get(), AdvanceSeconds(spec.name).counts(),
                     pinned_.Count(spec.name, around_.clock.Steady()), samples);
  }
  for (const JobStatus& job : around_.jobs.Statuses()) {
    AddJobSamples(job, run_seconds_.at(job.name).counts(), samples);
  }
  AddSinkSamples(around_, samples);
  AddMemorySamples(around_, samples);
  if (const auto counts = around_.checkpoints()) AddCheckpointSamples(*counts, samples);
  AddReloadSamples(around_.reloads(), samples);
  AddProcessSamples(samples);
  return ExpositionText(samples);
}

}  // namespace sash

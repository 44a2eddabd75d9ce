#include "daemon/metrics/daemon_metrics.h"

#include <utility>

#include "daemon/metrics/exposition.h"
#include "daemon/metrics/part_samples.h"

namespace sash {

DaemonMetrics::DaemonMetrics(MetricsSurroundings surroundings) : around_(std::move(surroundings)) {}

void DaemonMetrics::AdvanceObserved(const AdvancePtr& advance) {
  AdvanceSeconds(advance->provenance.window).Observe(advance->seconds);
  {
    const MutexLock lock(mutex_);
    advance_phases_[advance->provenance.window] += advance->phases;
  }
  pinned_.Add(advance, around_.clock.Steady());
}

void DaemonMetrics::RunObserved(const RunResult& result) {
  RunSeconds(result.job)->Observe(result.seconds);
  if (result.triggered) return;
  ResultFigures figures = FiguresOf(result);
  const MutexLock lock(mutex_);
  figures_[result.job] = std::move(figures);
}

void DaemonMetrics::JobLeft(const std::string& job) {
  const MutexLock lock(mutex_);
  run_seconds_.erase(job);
  figures_.erase(job);
}

std::shared_ptr<Histogram> DaemonMetrics::RunSeconds(const std::string& job) const {
  const MutexLock lock(mutex_);
  std::shared_ptr<Histogram>& seconds = run_seconds_[job];
  if (seconds == nullptr) seconds = std::make_shared<Histogram>();
  return seconds;
}

std::optional<ResultFigures> DaemonMetrics::FiguresOfJob(const std::string& job) const {
  const MutexLock lock(mutex_);
  const auto found = figures_.find(job);
  return found == figures_.end() ? std::nullopt : std::optional(found->second);
}

Histogram& DaemonMetrics::AdvanceSeconds(const std::string& window) const {
  const MutexLock lock(mutex_);
  return advance_seconds_[window];
}

AdvancePhases DaemonMetrics::AdvancePhasesOf(const std::string& window) const {
  const MutexLock lock(mutex_);
  const auto found = advance_phases_.find(window);
  return found == advance_phases_.end() ? AdvancePhases() : found->second;
}

std::string DaemonMetrics::MetricsText() const {
  MetricSamples samples;
  samples.Set("sash_build_info", around_.build.labels(), 1);
  AddSourceSamples(around_, samples);
  AddEngineSamples(around_, samples);
  for (const WindowStatus& window : around_.engine.Windows()) {
    const std::string& name = window.spec.name;
    AddWindowSamples(name, window.newest.get(),
                     {AdvanceSeconds(name).counts(), AdvancePhasesOf(name)},
                     pinned_.Count(name, around_.clock.Steady()), samples);
  }
  for (const JobStatus& job : around_.jobs.Statuses()) {
    AddJobSamples(job, RunSeconds(job.name)->counts(), samples);
    if (const auto figures = FiguresOfJob(job.name)) {
      AddResultSamples(job.name, *figures, samples);
    }
  }
  AddSinkSamples(around_, samples);
  AddExportSamples(around_, samples);
  for (const AlertStatus& alert : around_.alerts()) AddAlertSamples(alert, samples);
  AddMemorySamples(around_, samples);
  if (const auto counts = around_.checkpoints()) AddCheckpointSamples(*counts, samples);
  if (const auto figures = around_.journal()) AddJournalSamples(*figures, samples);
  AddHttpSamples(around_.http(), samples);
  AddReloadSamples(around_.reloads(), samples);
  AddLogSamples(around_.log(), samples);
  AddProcessSamples(samples);
  return ExpositionText(samples);
}

}  // namespace sash

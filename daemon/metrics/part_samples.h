// What each part of the process adds to a scrape. To add a metric: a line in metric_catalogue.cc,
// its value in one of these, a row in README.md.
#pragma once

#include <cstdint>
#include <vector>

#include "daemon/metrics/daemon_metrics.h"
#include "daemon/metrics/metric_samples.h"

namespace sash {

// A count as samples have it.
inline double Number(std::uint64_t count) { return static_cast<double>(count); }

// stream_samples.cc
void AddSourceSamples(const MetricsSurroundings& around, MetricSamples& samples);
void AddEngineSamples(const MetricsSurroundings& around, MetricSamples& samples);

// window_samples.cc; `advance` is null before the first one
struct AdvanceTimes {
  HistogramCounts seconds;
  AdvancePhases phases;
};
void AddWindowSamples(const std::string& window, const Advance* advance, const AdvanceTimes& times,
                      const PinCount& pins, MetricSamples& samples);
void AddJobSamples(const JobStatus& job, const HistogramCounts& seconds, MetricSamples& samples);
void AddSinkSamples(const MetricsSurroundings& around, MetricSamples& samples);

// memory_samples.cc
void AddMemorySamples(const MetricsSurroundings& around, MetricSamples& samples);

// process_samples.cc
void AddProcessSamples(MetricSamples& samples);
void AddCheckpointSamples(const CheckpointCounts& counts, MetricSamples& samples);
void AddJournalSamples(const JournalFigures& figures, MetricSamples& samples);
void AddHttpSamples(const HttpCounts& counts, MetricSamples& samples);
void AddReloadSamples(const ReloadCounts& counts, MetricSamples& samples);
void AddLogSamples(const std::vector<LogCounts>& counts, MetricSamples& samples);

}  // namespace sash

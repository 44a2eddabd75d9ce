// The metrics of each part of the process, and the samples it adds to a scrape. To add a metric,
// add its description and its value in one of these files, and a row in README.md.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "daemon/metrics/daemon_metrics.h"
#include "daemon/metrics/metric_catalogue.h"
#include "daemon/metrics/metric_samples.h"

namespace sash {

// A count as the value of a sample.
inline double Number(std::uint64_t count) { return static_cast<double>(count); }

using Labels = std::vector<std::string_view>;

// stream_samples.cc
std::vector<MetricDescription> StreamMetrics();
void AddSourceSamples(const MetricsSurroundings& around, MetricSamples& samples);
void AddEngineSamples(const MetricsSurroundings& around, MetricSamples& samples);

// window_samples.cc; `advance` is null before the first one
std::vector<MetricDescription> WindowMetrics();
struct AdvanceTimes {
  HistogramCounts seconds;
  AdvancePhases phases;
};
void AddWindowSamples(const std::string& window, const Advance* advance, const AdvanceTimes& times,
                      const PinCount& pins, MetricSamples& samples);
void AddJobSamples(const JobStatus& job, const HistogramCounts& seconds, MetricSamples& samples);
void AddSinkSamples(const MetricsSurroundings& around, MetricSamples& samples);

// memory_samples.cc
std::vector<MetricDescription> MemoryMetrics();
void AddMemorySamples(const MetricsSurroundings& around, MetricSamples& samples);

// process_samples.cc
std::vector<MetricDescription> ProcessMetrics();
void AddProcessSamples(MetricSamples& samples);
void AddCheckpointSamples(const CheckpointCounts& counts, MetricSamples& samples);
void AddJournalSamples(const JournalFigures& figures, MetricSamples& samples);
void AddHttpSamples(const HttpCounts& counts, MetricSamples& samples);
void AddReloadSamples(const ReloadCounts& counts, MetricSamples& samples);
void AddLogSamples(const std::vector<LogCounts>& counts, MetricSamples& samples);

}  // namespace sash

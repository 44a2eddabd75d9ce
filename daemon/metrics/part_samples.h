// The metrics of each part of the process, and the samples it adds to a scrape. To add a metric,
// add its description and its value in one of these files, and a row in README.md.
//
// Thread safety: any thread may call the functions; samples belong to the thread of the scrape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/metrics/daemon_metrics.h"
#include "daemon/metrics/metric_catalogue.h"
#include "daemon/metrics/metric_samples.h"
#include "daemon/metrics/result_figures.h"

namespace sash {

// Sets the values of metrics with the same label values:
//   const SamplesOf set(samples, {job.name});
//   set("sash_job_waiting", job.waiting);
class SamplesOf {
 public:
  explicit SamplesOf(MetricSamples& samples, std::vector<std::string> label_values = {})
      : samples_(samples), label_values_(std::move(label_values)) {}

  // `value` is a number, an atomic number, or a bool (1: true).
  template <typename Value>
  void operator()(std::string_view metric, const Value& value) const {
    samples_.Set(metric, label_values_, static_cast<double>(value));
  }

 private:
  MetricSamples& samples_;
  const std::vector<std::string> label_values_;
};

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

// export_samples.cc
std::vector<MetricDescription> ExportMetrics();
void AddExportSamples(const MetricsSurroundings& around, MetricSamples& samples);

// result_samples.cc
std::vector<MetricDescription> ResultMetrics();
void AddResultSamples(const std::string& job, const ResultFigures& figures, MetricSamples& samples);
void AddAlertSamples(const AlertStatus& alert, MetricSamples& samples);

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

#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/metrics/part_samples.h"

namespace sash {
namespace {

std::uint64_t Total(const HistogramCounts& counts) {
  return std::accumulate(counts.buckets.begin(), counts.buckets.end(), std::uint64_t{0});
}

template <typename Phase>
void AddPhases(const char* metric, const std::vector<std::string>& labels,
               const PhaseTimes<Phase>& phases, MetricSamples& samples) {
  phases.ForEach([&](std::string_view name, Duration time) {
    std::vector<std::string> with_phase = labels;
    with_phase.emplace_back(name);
    samples.Set(metric, std::move(with_phase), ToSeconds(time));
  });
}

}  // namespace

void AddWindowSamples(const std::string& window, const Advance* advance, const AdvanceTimes& times,
                      const PinCount& pins, MetricSamples& samples) {
  const auto set = [&](const char* metric, double value) { samples.Set(metric, {window}, value); };
  set("sash_window_advances_total", Number(Total(times.seconds)));
  samples.Set("sash_window_advance_seconds", {window}, times.seconds);
  AddPhases("sash_window_advance_phase_seconds_total", {window}, times.phases, samples);
  set("sash_window_slices", advance ? Number(advance->slices) : 0);
  set("sash_window_edges", advance ? Number(advance->provenance.edges) : 0);
  set("sash_window_vertices", advance ? Number(advance->provenance.vertices) : 0);
  set("sash_window_bytes", advance ? Number(advance->bytes) : 0);
  if (advance != nullptr) {
    set("sash_window_end_timestamp_seconds",
        ToSeconds(advance->provenance.window_end.time_since_epoch()));
  }
  set("sash_views_pinned", Number(pins.pinned));
  set("sash_views_oldest_pin_age_seconds", ToSeconds(pins.oldest));
}

void AddJobSamples(const JobStatus& job, const HistogramCounts& seconds, MetricSamples& samples) {
  const std::vector<std::string> labels = {job.name, std::string(job.kernel), job.window};
  const auto set = [&](const char* metric, double value) { samples.Set(metric, labels, value); };
  set("sash_job_runs_total", Number(job.runs));
  samples.Set("sash_job_seconds", labels, seconds);
  AddPhases("sash_job_phase_seconds_total", labels, job.total_phases, samples);
  set("sash_job_skipped_total", Number(job.skipped));
  set("sash_job_cancelled_total", Number(job.cancelled));
  set("sash_job_waiting", Number(job.waiting));
  set("sash_job_running", job.running ? 1 : 0);
  set("sash_job_paused", job.paused ? 1 : 0);
  set("sash_job_iteration", job.iteration);
  set("sash_job_residual", job.residual);
  set("sash_job_drift", job.drift);
  set("sash_job_fallbacks_total", Number(job.fallbacks));
}

void AddSinkSamples(const MetricsSurroundings& around, MetricSamples& samples) {
  for (const SinkCounts& sink : around.sinks()) {
    samples.Set("sash_sink_results_total", {sink.sink}, Number(sink.results));
    samples.Set("sash_sink_failures_total", {sink.sink}, Number(sink.failures));
  }
  for (const KafkaSinkCounts& sink : around.kafka_sinks()) {
    const std::vector<std::string> labels = {sink.sink};
    const auto set = [&](const char* metric, double value) { samples.Set(metric, labels, value); };
    set("sash_sink_delivered_total", Number(sink.delivered));
    set("sash_sink_retries_total", Number(sink.retries));
    set("sash_sink_refused_total", Number(sink.refused));
    set("sash_sink_dropped_total", Number(sink.dropped));
    set("sash_sink_waiting_results", Number(sink.waiting));
    set("sash_sink_outbox_bytes", Number(sink.outbox_bytes));
    set("sash_sink_outbox_limit_bytes", Number(sink.outbox_limit_bytes));
    set("sash_sink_ready", sink.ready ? 1 : 0);
    if (!sink.transactions) continue;
    set("sash_sink_transactions_total", Number(sink.transactions->committed));
    set("sash_sink_aborted_transactions_total", Number(sink.transactions->aborted));
    set("sash_sink_skipped_total", Number(sink.transactions->held));
  }
}

}  // namespace sash

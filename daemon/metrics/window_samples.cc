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

std::vector<MetricDescription> WindowMetrics() {
  using enum MetricKind;
  const Labels window = {"window"};
  const Labels job = {"job", "kernel", "window"};
  const Labels sink = {"sink"};
  return {
      {"sash_window_advances_total", kCounter, window, "Advances of the window."},
      {"sash_window_advance_seconds", kHistogram, window,
       "Time of an advance; freezing its slices and taking them into the store counts in every "
       "window that shares it."},
      {"sash_window_advance_phase_seconds_total",
       kCounter,
       {"window", "phase"},
       "Time of the window's advances, by phase; sash_window_advance_seconds does not include "
       "waiting."},
      {"sash_window_slices", kGauge, window, "Slices in the newest snapshot."},
      {"sash_window_edges", kGauge, window,
       "Visible edges in the newest snapshot: copies in keep, pairs in drop and weigh."},
      {"sash_window_vertices", kGauge, window, "Vertices in the newest snapshot."},
      {"sash_window_bytes", kGauge, window,
       "Bytes held by the window's store, including what it shares with other windows."},
      {"sash_window_end_timestamp_seconds", kGauge, window,
       "End of the newest window, in event time; absent before the first advance."},

      {"sash_views_pinned", kGauge, window,
       "Older views that a job, a result or a reader keeps alive."},
      {"sash_views_oldest_pin_age_seconds", kGauge, window,
       "Age of the oldest of these views; 0 without one."},

      {"sash_job_runs_total", kCounter, job, "Finished runs."},
      {"sash_job_seconds", kHistogram, job, "Time of a finished run."},
      {"sash_job_phase_seconds_total",
       kCounter,
       {"job", "kernel", "window", "phase"},
       "Time of finished runs, by phase; sash_job_seconds does not include waiting and "
       "delivering."},
      {"sash_job_skipped_total", kCounter, job,
       "Advances skipped because a newer window displaced them (overrun: skip)."},
      {"sash_job_cancelled_total", kCounter, job, "Runs cancelled at their deadline."},
      {"sash_job_failed_total",
       kCounter,
       {"job", "kernel", "window", "reason"},
       "Runs of external jobs and of plug-ins that failed, by reason."},
      {"sash_job_waiting", kGauge, job, "Advances that wait for the job."},
      {"sash_job_waiting_seconds", kGauge, job,
       "How long the job has waited for a runner, because all of them run other jobs."},
      {"sash_job_running", kGauge, job, "1 while the job runs."},
      {"sash_job_paused", kGauge, job, "1 while the job is paused: due on no advance."},
      {"sash_job_iteration", kGauge, job,
       "Iteration of the current run, or the last iteration of the previous run."},
      {"sash_job_residual", kGauge, job, "Residual of that iteration; 0 for kernels without one."},
      {"sash_job_drift", kGauge, job,
       "Distance of the last checked warm run from a full run: L1 distance of ranks, or vertices "
       "with another depth, count, sum or component; 0 without one."},
      {"sash_job_fallbacks_total", kCounter, job,
       "Times that the drift was too large, which ends the job's warm starts."},

      {"sash_sink_results_total", kCounter, sink, "Results that the sink has taken."},
      {"sash_sink_failures_total", kCounter, sink, "Attempts to make results durable that failed."},
      {"sash_sink_delivered_total", kCounter, sink,
       "Results, or dead letters, that the brokers or the webhook acknowledged."},
      {"sash_sink_retries_total", kCounter, sink,
       "Results, or dead letters, that were sent again."},
      {"sash_sink_refused_total", kCounter, sink,
       "Results, or dead letters, that can never be delivered: too large, or refused."},
      {"sash_sink_parked_total", kCounter, sink,
       "Results that a webhook refused for good; they are in the file `parked` of the outbox."},
      {"sash_sink_requests_total", kCounter, sink, "Requests of a webhook sink that ended."},
      {"sash_sink_request_seconds_total", kCounter, sink, "Time of these requests."},
      {"sash_sink_dropped_total", kCounter, sink,
       "Messages that did not fit into the outbox: results, which a restart produces again, or "
       "dead letters, which do not reach the topic."},
      {"sash_sink_transactions_total", kCounter, sink,
       "Transactions of a transactional sink that were committed."},
      {"sash_sink_aborted_transactions_total", kCounter, sink,
       "Transactions of a transactional sink that were aborted; their results are sent again."},
      {"sash_sink_skipped_total", kCounter, sink,
       "Results that a transactional sink did not send because the topic already had them."},
      {"sash_sink_waiting_results", kGauge, sink,
       "Results, or dead letters, that are not acknowledged yet."},
      {"sash_sink_outbox_bytes", kGauge, sink, "Bytes of the outbox."},
      {"sash_sink_outbox_limit_bytes", kGauge, sink, "Bytes at which the outbox is full."},
      {"sash_sink_ready", kGauge, sink, "1 while the sink can deliver."},
      {"sash_sink_partial_left_out_total",
       kCounter,
       {},
       "Results that are not final which a sink with `partial: true` had no room for."},
      {"sash_sink_terminal_lines_total",
       kCounter,
       {"result"},
       "Lines of terminal sinks: written, or left_out because the reader did not take them."},
  };
}

void AddWindowSamples(const std::string& window, const Advance* advance, const AdvanceTimes& times,
                      const PinCount& pins, MetricSamples& samples) {
  const SamplesOf set(samples, {window});
  set("sash_window_advances_total", Total(times.seconds));
  samples.Set("sash_window_advance_seconds", {window}, times.seconds);
  AddPhases("sash_window_advance_phase_seconds_total", {window}, times.phases, samples);
  set("sash_window_slices", advance ? advance->slices : 0);
  set("sash_window_edges", advance ? advance->provenance.edges : 0);
  set("sash_window_vertices", advance ? advance->provenance.vertices : 0);
  set("sash_window_bytes", advance ? advance->bytes : 0);
  if (advance != nullptr) {
    set("sash_window_end_timestamp_seconds",
        ToSeconds(advance->provenance.window_end.time_since_epoch()));
  }
  set("sash_views_pinned", pins.pinned);
  set("sash_views_oldest_pin_age_seconds", ToSeconds(pins.oldest));
}

void AddJobSamples(const JobStatus& job, const HistogramCounts& seconds, MetricSamples& samples) {
  const std::vector<std::string> labels = {job.name, std::string(job.kernel), job.window};
  const SamplesOf set(samples, labels);
  set("sash_job_runs_total", job.runs);
  samples.Set("sash_job_seconds", labels, seconds);
  AddPhases("sash_job_phase_seconds_total", labels, job.total_phases, samples);
  set("sash_job_skipped_total", job.skipped);
  set("sash_job_cancelled_total", job.cancelled);
  const bool by_worker = job.kernel == ExternalParameters::kKernel;
  if (by_worker || job.kernel == PluginParameters::kKernel) {
    for (std::size_t i = 0; i < kRunFaults; ++i) {
      const auto fault = static_cast<RunFault>(i);
      if (!(by_worker ? IsOfWorkers(fault) : IsOfPlugins(fault))) continue;
      std::vector<std::string> with_reason = labels;
      with_reason.emplace_back(NameOf(fault));
      samples.Set("sash_job_failed_total", with_reason, static_cast<double>(job.failed[i]));
    }
  }
  set("sash_job_waiting", job.waiting);
  set("sash_job_waiting_seconds", job.waiting_seconds);
  set("sash_job_running", job.running);
  set("sash_job_paused", job.paused);
  set("sash_job_iteration", job.iteration);
  set("sash_job_residual", job.residual);
  set("sash_job_drift", job.drift);
  set("sash_job_fallbacks_total", job.fallbacks);
}

void AddSinkSamples(const MetricsSurroundings& around, MetricSamples& samples) {
  for (const DeliveryCounts& sink : around.delivery()) {
    const SamplesOf set(samples, {sink.sink});
    set("sash_sink_results_total", sink.results);
    set("sash_sink_failures_total", sink.failures);
  }
  const SinkCounts sinks = around.sinks();
  for (const KafkaSinkCounts& sink : sinks.kafka) {
    const SamplesOf set(samples, {sink.sink});
    set("sash_sink_delivered_total", sink.delivered);
    set("sash_sink_retries_total", sink.retries);
    set("sash_sink_refused_total", sink.refused);
    set("sash_sink_dropped_total", sink.dropped);
    set("sash_sink_waiting_results", sink.waiting);
    set("sash_sink_outbox_bytes", sink.outbox_bytes);
    set("sash_sink_outbox_limit_bytes", sink.outbox_limit_bytes);
    set("sash_sink_ready", sink.ready);
    if (!sink.transactions) continue;
    set("sash_sink_transactions_total", sink.transactions->committed);
    set("sash_sink_aborted_transactions_total", sink.transactions->aborted);
    set("sash_sink_skipped_total", sink.transactions->held);
  }
  for (const WebhookCounts& sink : sinks.webhooks) {
    const SamplesOf set(samples, {sink.sink});
    set("sash_sink_delivered_total", sink.delivered);
    set("sash_sink_retries_total", sink.retries);
    set("sash_sink_parked_total", sink.parked);
    set("sash_sink_refused_total", sink.refused);
    set("sash_sink_dropped_total", sink.dropped);
    set("sash_sink_requests_total", sink.requests);
    set("sash_sink_request_seconds_total", sink.request_seconds);
    set("sash_sink_waiting_results", sink.waiting);
    set("sash_sink_outbox_bytes", sink.outbox_bytes);
    set("sash_sink_outbox_limit_bytes", sink.outbox_limit_bytes);
    set("sash_sink_ready", sink.ready);
  }
  SamplesOf(samples, {})("sash_sink_partial_left_out_total", sinks.partial_left_out);
  if (!sinks.terminal) return;
  SamplesOf(samples, {"written"})("sash_sink_terminal_lines_total", sinks.terminal->written);
  SamplesOf(samples, {"left_out"})("sash_sink_terminal_lines_total", sinks.terminal->left_out);
}

}  // namespace sash

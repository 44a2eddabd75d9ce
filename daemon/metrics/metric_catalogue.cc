#include "daemon/metrics/metric_catalogue.h"

namespace sash {
namespace {

using enum MetricKind;
using Labels = std::vector<std::string_view>;

std::vector<MetricDescription> MakeCatalogue() {
  const Labels none;
  const Labels partition = {"topic", "partition"};
  const Labels window = {"window"};
  const Labels job = {"job", "kernel", "window"};
  const Labels sink = {"sink"};
  return {
      {"sash_build_info",
       kGauge,
       {"version", "compiler", "librdkafka", "microhttpd", "jemalloc"},
       "Always 1; the labels give the versions of sashd, the compiler and the libraries."},

      {"sash_source_records_total", kCounter, none, "Records read, refused ones included."},
      {"sash_source_bytes_total", kCounter, none, "Bytes of the records read."},
      {"sash_source_refused_total",
       kCounter,
       {"reason"},
       "Records that entered no window, by reason."},
      {"sash_source_lag_records", kGauge, partition, "Records of the partition not read yet."},
      {"sash_source_paused", kGauge, partition,
       "1 while reading of the partition waits because it is ahead of the others."},
      {"sash_source_held_ahead_records", kGauge, partition,
       "Events that wait because the first of them is ahead of the clock, which may be wrong."},
      {"sash_source_ready", kGauge, none, "1 while the source can be read."},
      {"sash_source_standby", kGauge, none,
       "1 while another instance reads for the group, and this one stands by."},
      {"sash_source_incidents_total",
       kCounter,
       {"kind"},
       "Incidents of the connector, by kind: lost records, failed commits, stalls, ..."},

      {"sash_dead_letters_rotated_total", kCounter, none,
       "Dead letters that were removed from the file at its limit."},
      {"sash_dead_letters_lost_total", kCounter, none,
       "Dead letters that never reached the file, because it could not be written."},

      {"sash_buffer_bytes", kGauge, none,
       "Bytes of edge events between the source and the engine."},
      {"sash_buffer_limit_bytes", kGauge, none, "Bytes at which the source waits for the engine."},

      {"sash_engine_events_accepted_total",
       kCounter,
       {"operation"},
       "Edge events that entered a slice, by operation."},
      {"sash_engine_late_total", kCounter, none, "Edge events whose slice had closed."},
      {"sash_engine_late_moved_total", kCounter, none,
       "Late edge events that entered a later slice (late: next_slice)."},
      {"sash_engine_lateness_seconds", kHistogram, none,
       "How far late edge events were behind the time of their partition, or the watermark."},
      {"sash_engine_watermark_timestamp_seconds", kGauge, none,
       "Event time up to which the stream is believed complete; absent before the first event."},
      {"sash_engine_watermark_lag_seconds", kGauge, none,
       "Wall clock minus watermark; absent before the first event."},
      {"sash_engine_idle_partitions", kGauge, none,
       "Partitions that are caught up and silent, and so do not hold the watermark."},
      {"sash_engine_open_slices", kGauge, none, "Slices that have not closed."},
      {"sash_engine_open_events", kGauge, none, "Edge events in slices that have not closed."},
      {"sash_engine_open_bytes", kGauge, none, "Bytes of the slices that have not closed."},
      {"sash_engine_slices_closed_total", kCounter, none, "Slices closed."},

      {"sash_dictionary_vertices", kGauge, none,
       "Vertex keys that have an id: live vertices and waiting ones."},
      {"sash_dictionary_live_vertices", kGauge, none,
       "Vertices that an open or retained slice names."},
      {"sash_dictionary_waiting_vertices", kGauge, none,
       "Vertices that no slice names any more, but that a held view still names."},
      {"sash_dictionary_recycled_total", kCounter, none,
       "Vertex keys that were forgotten and whose ids were given back."},
      {"sash_dictionary_bytes", kGauge, none,
       "Bytes of the vertex dictionary, counts of references included."},

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
       "Bytes held by the window's store, what it shares with other windows included."},
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
      {"sash_job_waiting", kGauge, job, "Advances that wait for the job."},
      {"sash_job_running", kGauge, job, "1 while the job runs."},
      {"sash_job_paused", kGauge, job, "1 while the job is paused: due on no advance."},
      {"sash_job_iteration", kGauge, job,
       "Iteration of the current run, or the last iteration of the previous run."},
      {"sash_job_residual", kGauge, job, "Residual of that iteration; 0 for kernels without one."},
      {"sash_job_drift", kGauge, job,
       "Distance of the last checked warm run from a full run: L1 distance of ranks, or vertices "
       "of another depth; 0 without one."},
      {"sash_job_fallbacks_total", kCounter, job,
       "Times that the drift was too large, which ends the job's warm starts."},

      {"sash_sink_results_total", kCounter, sink, "Results that the sink has taken."},
      {"sash_sink_failures_total", kCounter, sink, "Attempts to make results durable that failed."},
      {"sash_sink_delivered_total", kCounter, sink,
       "Results, or dead letters, that the brokers acknowledged."},
      {"sash_sink_retries_total", kCounter, sink,
       "Results, or dead letters, that were sent again."},
      {"sash_sink_refused_total", kCounter, sink,
       "Results, or dead letters, that can never be delivered: too large, or refused."},
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

      {"sash_memory_bytes", kGauge, {"part"}, "Bytes of the process's own accounts, by part."},
      {"sash_memory_used_bytes", kGauge, none,
       "Resident memory of the process, without pages of files and shared pages; compared with the "
       "limit."},
      {"sash_memory_reserved_bytes", kGauge, none,
       "Memory that the next advance (rebuild) and the next run need for a moment; the limit "
       "includes it."},
      {"sash_memory_allocated_bytes", kGauge, none,
       "Bytes that the allocator has handed out; absent when it does not report them."},
      {"sash_memory_limit_bytes", kGauge, none, "The memory limit; absent without one."},
      {"sash_memory_state", kGauge, none,
       "0: reading at full speed, 1: slowed down, 2: full, reading stopped."},

      {"sash_checkpoint_writes_total", kCounter, none, "Checkpoints that became durable."},
      {"sash_checkpoint_failures_total", kCounter, none,
       "Attempts to write a checkpoint, or a slice of one, that failed."},
      {"sash_checkpoint_seconds_total", kCounter, none,
       "Time spent on writing checkpoints, in a separate thread."},
      {"sash_checkpoint_written_bytes_total", kCounter, none, "Bytes written for checkpoints."},
      {"sash_checkpoint_bytes", kGauge, none, "Bytes of the newest checkpoint."},
      {"sash_checkpoint_waiting_slices", kGauge, none,
       "Slices that have closed and are not written yet."},
      {"sash_checkpoint_age_seconds", kGauge, none,
       "Time since the newest checkpoint held the whole state of the process, or since the start; "
       "near 0 while the stream is quiet."},
      {"sash_recovery_seconds", kGauge, none,
       "Time of recovery from a checkpoint at the start; 0 without one."},
      {"sash_journal_rounds_total", kCounter, none,
       "Rounds of the engine that were recorded in the journal."},
      {"sash_journal_written_bytes_total", kCounter, none, "Bytes written to the journal."},
      {"sash_journal_failures_total", kCounter, none,
       "Writes to the journal that failed; after a failure nothing is recorded until the next "
       "state."},

      {"sash_config_reloads_total",
       kCounter,
       {"result"},
       "Reloads of the configuration: applied (success), or wrong (failure)."},
      {"sash_config_last_reload_success", kGauge, none,
       "1 if the last reload was applied, or before the first."},

      {"sash_http_connections",
       kGauge,
       {"listener"},
       "Open connections to the API or to metrics_listen."},
      {"sash_http_evicted_connections_total",
       kCounter,
       {"listener"},
       "Connections that were closed because a new connection needed their place."},
      {"sash_http_refused_connections_total",
       kCounter,
       {"listener"},
       "Connections that were refused because their address had as many as allowed, each with a "
       "request in progress."},
      {"sash_http_refused_tokens_total",
       kCounter,
       {"reason"},
       "Requests that were refused because their token was missing or wrong."},

      {"sash_log_lines_total",
       kCounter,
       {"event"},
       "Lines of the log by event id, including lines that were held back."},
      {"sash_log_held_back_total",
       kCounter,
       {"event"},
       "Lines that were not written, because the event repeated (log.rate_limit)."},

      {"process_start_time_seconds", kGauge, none, "Start of the process, since 1970."},
      {"process_cpu_seconds_total", kCounter, none, "CPU time spent, user and system."},
      {"process_resident_memory_bytes", kGauge, none, "Resident memory."},
      {"process_virtual_memory_bytes", kGauge, none, "Virtual memory."},
      {"process_threads", kGauge, none, "Threads of the process."},
      {"process_open_fds", kGauge, none, "Open file descriptors."},
      {"process_max_fds", kGauge, none, "Most file descriptors the process may open."},
  };
}

}  // namespace

std::span<const MetricDescription> MetricCatalogue() {
  static const std::vector<MetricDescription> catalogue = MakeCatalogue();
  return catalogue;
}

}  // namespace sash

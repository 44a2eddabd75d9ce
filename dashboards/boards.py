"""The content of the dashboards. draw.py converts it to Grafana's JSON.

In queries, {I} selects the chosen instances, {W} also the chosen windows, {J} also the chosen
jobs, {R} the chosen instances and jobs. Prometheus must scrape /metrics with honor_labels off (the
default): the label job of Sash's metrics then arrives as exported_job.
"""
from draw import ALERTS, Board, Panel

RATE = "[$__rate_interval]"
# The kinds of incidents that need attention.
TROUBLE = "lost_records|unreadable_batches|commit_failures|stalls|partitions_renewed|claims_lost"


def quantiles(metric: str, by: str, selector: str) -> list[tuple[str, str]]:
    buckets = f"sum by (le, instance, {by}) (rate({metric}_bucket{{{selector}}}{RATE}))"
    return [(f"histogram_quantile({share}, {buckets})", f"{{{{instance}}}} {{{{{by}}}}} {name}")
            for share, name in (("0.5", "p50"), ("0.99", "p99"))]


def per_phase(phases: str, count: str, selector: str, of: str) -> tuple[str, str]:
    return (f"rate({phases}{{{selector}}}{RATE}) / ignoring (phase) group_left "
            f"rate({count}{{{selector}}}{RATE})", f"{{{{instance}}}} {of} {{{{phase}}}}")


def of_sash(query: str) -> str:
    """Restricts a query to Sash: other programs export metrics of these names too."""
    return f"{query} and on (job, instance) sash_build_info"


WATERMARK_LAG = Panel(
    "Watermark lag", "s",
    "The least age of the newest result: wall clock minus watermark.",
    [("sash_engine_watermark_lag_seconds{I}", "{{instance}}")],
    alerts=("SashWatermarkStuck", "SashLag"))
WINDOW_AGE = Panel(
    "Age of the newest window", "s",
    "Wall clock minus the end of the newest window. It rises for a slide, and falls at an advance.",
    [("time() - sash_window_end_timestamp_seconds{W}", "{{instance}} {{window}}")],
    alerts=("SashWatermarkStuck",))
RECORDS = Panel(
    "Records read", "cps", "Records read from the source, refused ones included.",
    [(f"rate(sash_source_records_total{{I}}{RATE})", "{{instance}}")], alerts=("SashStalled",))
LAG = Panel(
    "Records not read yet", "short",
    "Records of each partition that are not read yet. Records behind an open transaction count.",
    [("sash_source_lag_records{I}", "{{instance}} {{topic}}/{{partition}}")],
    alerts=("SashLag", "SashStalled"))
LOSSES = Panel(
    "Late and refused", "percentunit",
    "The share of late and of refused records in the records read, over 5 minutes.",
    [("sash:late:ratio5m{I}", "{{instance}} late"),
     ("sash:refused:ratio5m{I}", "{{instance}} refused")], alerts=("SashLate", "SashRefused"))
EDGES = Panel(
    "Edges", "short", "Edges of the newest snapshot: copies in keep, pairs in drop and weigh.",
    [("sash_window_edges{W}", "{{instance}} {{window}}")])
ADVANCE_SECONDS = Panel(
    "Time of an advance", "s",
    "Freezing slices and taking them into the store counts in every window that shares it.",
    quantiles("sash_window_advance_seconds", "window", "W"),
    alerts=("SashAdvanceOverrun",))
ADVANCE_PHASES = Panel(
    "Where an advance spends its time", "s",
    "The phases of a mean advance, including the wait before it for other windows, or for a job "
    "that blocks the stream.",
    [per_phase("sash_window_advance_phase_seconds_total", "sash_window_advances_total", "W",
               "{{window}}")], options=("stack",), alerts=("SashAdvanceOverrun",))
RUN_SECONDS = Panel(
    "Time of a run", "s", "Finished runs count; runs that reached their deadline do not.",
    quantiles("sash_job_seconds", "exported_job", "J"),
    alerts=("SashJobSkips", "SashJobCancelled"))
SKIPPED_SHARE = Panel(
    "Advances skipped", "percentunit",
    "The share of the due advances of 30 minutes that the job skipped, because it was too slow.",
    [("sash:job_skipped:ratio30m{J}", "{{instance}} {{exported_job}}")], alerts=("SashJobSkips",))
MEMORY = Panel(
    "Memory and its limit", "bytes",
    "The process's own resident memory, the memory handed out by the allocator, and the limit.",
    [("sash_memory_used_bytes{I}", "{{instance}} used"),
     ("sash_memory_allocated_bytes{I}", "{{instance}} allocated"),
     ("sash_memory_limit_bytes{I}", "{{instance}} limit")],
    alerts=("SashMemoryNear", "SashMemoryFull"))
CPU = Panel(
    "CPU", "short", "Cores in use, by user and system.",
    [(of_sash(f"rate(process_cpu_seconds_total{{I}}{RATE})"), "{{instance}}")])
RESULTS = Panel(
    "Results", "cps",
    "Results that the sinks have taken, and attempts to make them durable that failed.",
    [(f"rate(sash_sink_results_total{{I}}{RATE})", "{{instance}} taken"),
     (f"rate(sash_sink_failures_total{{I}}{RATE})", "{{instance}} failed")],
    alerts=("SashResultsNotDurable",))

OVERVIEW = Board(
    "sash-overview", "Sash overview",
    "Health, lag, windows and jobs.",
    ("instance", "window", "job"),
    [("State", [
        Panel("Source", "none",
              "Whether the source can be read now. GET /readyz names the reasons when it cannot.",
              [("sash_source_ready{I}", "{{instance}}")], kind="stat", options=("ready",), width=4,
              height=5, alerts=("SashNotReady", "SashDown")),
        Panel("Alerts", "none", "The number of alerts of rules.yml that fire.",
              [(f"count({ALERTS}) or vector(0)", "firing")], kind="stat", options=("alarm",),
              width=4, height=5),
        Panel("Behind", "s", "Wall clock minus watermark.",
              [("sash_engine_watermark_lag_seconds{I}", "{{instance}}")], kind="stat", width=4,
              height=5),
        Panel("Memory", "percentunit", "Used and reserved, as a share of the limit.",
              [("sash:memory:ratio{I}", "{{instance}}")], kind="stat", width=4, height=5),
        Panel("Up since", "dateTimeFromNow", "Start of the process.",
              [("process_start_time_seconds{I} * 1000 and on (job, instance) sash_build_info",
                "{{instance}}")], kind="stat", width=4, height=5, alerts=("SashRestarts",)),
        Panel("Version", "none", "The version of sashd that runs.",
              [("sash_build_info{I}", "{{version}}")], kind="stat", options=("name",), width=4,
              height=5)]),
     ("Stream", [RECORDS, LAG, LOSSES, WATERMARK_LAG, WINDOW_AGE, RESULTS]),
     ("Windows and jobs", [EDGES, ADVANCE_SECONDS, RUN_SECONDS]),
     ("Capacity", [MEMORY, CPU, SKIPPED_SHARE])])

INGEST = Board(
    "sash-ingest", "Sash Kafka ingest",
    "Records read, records refused and why, and partitions that wait for others.",
    ("instance",),
    [("Flow", [
        RECORDS,
        Panel("Bytes read", "Bps", "Bytes of the records read.",
              [(f"rate(sash_source_bytes_total{{I}}{RATE})", "{{instance}}")]),
        Panel("Edge events accepted", "cps", "Edge events that entered a slice, by operation.",
              [(f"rate(sash_engine_events_accepted_total{{I}}{RATE})",
                "{{instance}} {{operation}}")]),
        Panel("Buffer fill", "percentunit",
              "The buffer between source and engine. If it is full, the engine is the slower "
              "part; if it is empty, the source is.",
              [("sash_buffer_bytes{I} / sash_buffer_limit_bytes{I}", "{{instance}}")],
              alerts=("SashStalled", "SashLag"))]),
     ("Lag and event time", [
         LAG,
         Panel("Time to read the waiting records", "s",
               "For all partitions together, at the rate of the last 5 minutes.",
               [("sash:source_lag:seconds{I}", "{{instance}}")], alerts=("SashLag",)),
         WATERMARK_LAG,
         Panel("Partitions held back or idle", "none",
               "Held back: ahead of the slowest one by more than max_drift, or memory is full. "
               "Ahead of the clock: their events wait, since the clock may be behind. Idle: read "
               "to the end and silent, so that they do not hold the watermark.",
               [("sum by (instance) (sash_source_paused{I})", "{{instance}} held back"),
                ("sum by (instance) (sash_source_held_ahead_records{I} > bool 0)",
                 "{{instance}} ahead of the clock"),
                ("sash_engine_idle_partitions{I}", "{{instance}} idle")],
               alerts=("SashWatermarkStuck",)),
         Panel("Open slices", "none", "Slices that have not closed.",
               [("sash_engine_open_slices{I}", "{{instance}}")]),
         Panel("Open edge events", "short", "Edge events in slices that have not closed.",
               [("sash_engine_open_events{I}", "{{instance}}")])]),
     ("Kept out", [
         LOSSES,
         Panel("Refused records", "cps", "Records that entered no window, by reason.",
               [(f"sum by (instance, reason) (rate(sash_source_refused_total{{I}}{RATE}))",
                 "{{instance}} {{reason}}")], alerts=("SashRefused",)),
         Panel("Filtered records", "cps",
               "Records that `where` or `skip` left out, or that no mapping takes.",
               [(f"sum by (instance) (rate(sash_source_filtered_total{{I}}{RATE}))",
                 "{{instance}}"),
                (f"rate(sash_source_unmapped_total{{I}}{RATE})", "{{instance}} without mapping")]),
         Panel("Edges of mappings", "cps",
               "What became of the records of each of `source.mappings`: accepted and refused "
               "edges, and filtered records.",
               [(f"sum by (instance, mapping, outcome) (rate(sash_source_mapped_total{{I}}{RATE}))",
                 "{{instance}} {{mapping}} {{outcome}}")]),
         Panel("Late and duplicate edge events", "cps",
               "Late: their slice had closed. Moved: they entered a later slice (late: "
               "next_slice). Duplicate: source.dedupe left them out, because their ids had come "
               "before.",
               [(f"rate(sash_engine_late_total{{I}}{RATE})", "{{instance}} late"),
                (f"rate(sash_engine_late_moved_total{{I}}{RATE})", "{{instance}} moved"),
                (f"rate(sash_engine_duplicates_total{{I}}{RATE})", "{{instance}} duplicate")],
               alerts=("SashLate",)),
         Panel("How late", "s",
               "How much later events came than allowed. With a disorder larger by this time they "
               "would have counted.",
               [(f"histogram_quantile({share}, sum by (le, instance) "
                 f"(rate(sash_engine_lateness_seconds_bucket{{I}}{RATE})))",
                 f"{{{{instance}}}} {name}") for share, name in (("0.5", "p50"), ("0.99", "p99"))],
               alerts=("SashLate",)),
         Panel("Dead letters gone", "cps",
               "Rotated: removed from the file at its limit. Lost: never written.",
               [(f"rate(sash_dead_letters_rotated_total{{I}}{RATE})", "{{instance}} rotated"),
                (f"rate(sash_dead_letters_lost_total{{I}}{RATE})", "{{instance}} lost")],
               alerts=("SashDeadLettersLost",))]),
     ("Connector", [
         Panel("Trouble", "none",
               "Incidents of the last 15 minutes: records lost to retention, batches that cannot "
               "be read, failed commits, partitions that stalled or were added, a group member "
               "dropped by the brokers.",
               [(f'increase(sash_source_incidents_total{{I, kind=~"{TROUBLE}"}}[15m])',
                 "{{instance}} {{kind}}")],
               alerts=("SashRecordsLost", "SashCommitsFailing", "SashStalled")),
         Panel("Routine", "cps", "Commits, pauses for drift, duplicates and tombstones ignored.",
               [(f'rate(sash_source_incidents_total{{I, kind!~"{TROUBLE}"}}{RATE})',
                 "{{instance}} {{kind}}")]),
         Panel("Ready", "none",
               "Ready: 1 while the source can be read. Standby: 1 while another instance reads "
               "instead.",
               [("sash_source_ready{I}", "{{instance}}"),
                ("sash_source_standby{I}", "{{instance}} standby")], alerts=("SashNotReady",))])])

WINDOWS = Board(
    "sash-windows", "Sash windows and memory",
    "The size of windows, the time of advances, and the use of memory.",
    ("instance", "window"),
    [("Size", [
        EDGES,
        Panel("Vertices", "short", "Vertices of the newest snapshot.",
              [("sash_window_vertices{W}", "{{instance}} {{window}}")]),
        Panel("Slices", "none", "Slices of the newest snapshot.",
              [("sash_window_slices{W}", "{{instance}} {{window}}")])]),
     ("Advance", [
         ADVANCE_SECONDS,
         ADVANCE_PHASES,
         Panel("Share of time in advances", "percentunit",
               "The share of 10 minutes. All windows move in one thread; at 100 % they fall "
               "behind the stream.",
               [("sash:window_advance:ratio10m{W}", "{{instance}} {{window}}")],
               alerts=("SashAdvanceOverrun",)),
         WINDOW_AGE,
         Panel("Advances", "cps", "Advances of the window.",
               [(f"rate(sash_window_advances_total{{W}}{RATE})", "{{instance}} {{window}}")]),
         Panel("Slices closed", "cps", "Slices that will not change any more.",
               [(f"rate(sash_engine_slices_closed_total{{I}}{RATE})", "{{instance}}")])]),
     ("Memory", [
         MEMORY,
         Panel("Memory by part", "bytes",
               "The parts' own accounts: daemon/metrics/README.md lists them.",
               [("sash_memory_bytes{I}", "{{instance}} {{part}}")], options=("stack",)),
         Panel("Used of the limit", "percentunit",
               "Used and reserved memory. From 80 % on reading is slowed down, from 95 % on it "
               "stops.",
               [("sash:memory:ratio{I}", "{{instance}}")],
               alerts=("SashMemoryNear", "SashMemoryFull")),
         Panel("Memory state", "none",
               "0: reading at full speed, 1: slowed down, 2: full, nothing more is read.",
               [("sash_memory_state{I}", "{{instance}}")],
               alerts=("SashMemoryNear", "SashMemoryFull")),
         Panel("Reserved for the next advance", "bytes",
               "Memory that the next advance of a rebuild window and the next run take for a "
               "moment.",
               [("sash_memory_reserved_bytes{I}", "{{instance}}")]),
         Panel("Snapshots in memory", "bytes",
               "Bytes of exported snapshots in shared memory; the limit includes them.",
               [("sash_memory_shared_bytes{I}", "{{instance}}")]),
         Panel("Window memory", "bytes",
               "Memory of the window's store. Shared memory counts in each window, so do not add "
               "them up.",
               [("sash_window_bytes{W}", "{{instance}} {{window}}")])]),
     ("Views and vertices", [
         Panel("Pinned views", "none",
               "Older views that a job, a result or a reader keeps alive; 1 or 2 is normal.",
               [("sash_views_pinned{W}", "{{instance}} {{window}}")]),
         Panel("Age of the oldest pinned view", "s",
               "An age of many slides means that a job hangs.",
               [("sash_views_oldest_pin_age_seconds{W}", "{{instance}} {{window}}")],
               alerts=("SashJobHangs",)),
         Panel("Vertex keys", "short",
               "All known vertices; vertices in an open or retained slice; vertices that wait for "
               "removal.",
               [("sash_dictionary_vertices{I}", "{{instance}} known"),
                ("sash_dictionary_live_vertices{I}", "{{instance}} live"),
                ("sash_dictionary_waiting_vertices{I}", "{{instance}} waiting")]),
         Panel("Vertex keys forgotten", "cps", "Their ids are used again.",
               [(f"rate(sash_dictionary_recycled_total{{I}}{RATE})", "{{instance}}")]),
         Panel("Dictionary", "bytes", "Bytes of the vertex keys, counts of references included.",
               [("sash_dictionary_bytes{I}", "{{instance}}")]),
         Panel("Types of edges", "short",
               "Those that are held, at most 65,536; edges with a further type are refused.",
               [("sash_dictionary_types{I}", "{{instance}}")]),
         Panel("Bytes of open slices", "bytes", "Slices that have not closed.",
               [("sash_engine_open_bytes{I}", "{{instance}}")])]),
     ("Process", [
         CPU,
         Panel("Resident memory", "bytes",
               "Resident memory as the kernel counts it, libraries included.",
               [(of_sash("process_resident_memory_bytes{I}"), "{{instance}}")]),
         Panel("Open files", "none", "Open files, and the most that the process may open.",
               [(of_sash("process_open_fds{I}"), "{{instance}} open"),
                (of_sash("process_max_fds{I}"), "{{instance}} most")], options=("log",))])])

JOBS = Board(
    "sash-jobs", "Sash jobs",
    "The time of runs, advances without a result, and the delivery of results.",
    ("instance", "window", "job"),
    [("Time", [
        RUN_SECONDS,
        Panel("Runs", "cps", "Finished runs.",
              [(f"rate(sash_job_runs_total{{J}}{RATE})", "{{instance}} {{exported_job}}")]),
        Panel("Mean time of a run", "s",
              "The mean over finished runs. The legend names the kernel, for comparing kernels.",
              [(f"rate(sash_job_seconds_sum{{J}}{RATE}) / rate(sash_job_seconds_count{{J}}{RATE})",
                "{{instance}} {{exported_job}} ({{kernel}})")]),
        Panel("Where a run spends its time", "s",
              "The phases of a mean run, from the request until the sinks have the result.",
              [per_phase("sash_job_phase_seconds_total", "sash_job_runs_total", "J",
                         "{{exported_job}}")],
              options=("stack",), alerts=("SashJobSkips", "SashJobCancelled"))]),
     ("Keeping up", [
         SKIPPED_SHARE,
         Panel("Skipped and cancelled", "cps",
               "Advances that a newer window displaced; runs that reached their deadline.",
               [(f"rate(sash_job_skipped_total{{J}}{RATE})",
                 "{{instance}} {{exported_job}} skipped"),
                (f"rate(sash_job_cancelled_total{{J}}{RATE})",
                 "{{instance}} {{exported_job}} cancelled")],
               alerts=("SashJobSkips", "SashJobCancelled")),
         Panel("Failed runs of external jobs and plug-ins", "cps",
               "Workers that died or were late; no worker, or no snapshot; plug-ins that failed or "
               "did not stop; wrong answers.",
               [(f"rate(sash_job_failed_total{{J}}{RATE})",
                 "{{instance}} {{exported_job}} {{reason}}")]),
         Panel("Busy", "percentunit",
               "The share of 5 minutes in which the job was seen running, or was paused.",
               [("avg_over_time(sash_job_running{J}[5m])", "{{instance}} {{exported_job}}"),
                ("avg_over_time(sash_job_paused{J}[5m])", "{{instance}} {{exported_job}} paused")],
               alerts=("SashJobHangs",)),
         Panel("Advances that wait", "none",
               "Advances that wait for the job. If a queue is full, the stream waits too.",
               [("sash_job_waiting{J}", "{{instance}} {{exported_job}}")]),
         Panel("Waiting for a runner", "s",
               "How long the job has waited because all runners run other jobs: `runners` is the "
               "number of jobs that may run at once.",
               [("sash_job_waiting_seconds{J}", "{{instance}} {{exported_job}}")])]),
     ("Inside a run", [
         Panel("Iterations", "none",
               "The iteration of the current run, or the last iteration of the previous run.",
               [("sash_job_iteration{J}", "{{instance}} {{exported_job}}")]),
         Panel("Residual", "sci", "The residual of that iteration; 0 for kernels without one.",
               [("sash_job_residual{J}", "{{instance}} {{exported_job}}")], options=("log",),
               alerts=("SashJobHangs",)),
         Panel("Drift of warm starts", "sci",
               "The distance of the last checked warm run from a full run: L1 distance of ranks, "
               "or number of vertices with another depth; 0 without such a run.",
               [("sash_job_drift{J}", "{{instance}} {{exported_job}}")],
               alerts=("SashWarmStartsEnded",)),
         Panel("Warm starts given up", "none",
               "The number of times that the drift was too large, which ends the job's warm "
               "starts.",
               [("sash_job_fallbacks_total{J}", "{{instance}} {{exported_job}}")])]),
     ("Delivery", [
         RESULTS,
         Panel("To Kafka", "cps",
               "Results that were acknowledged, sent again, refused by the brokers, and dropped.",
               [(f"rate(sash_sink_{what}_total{{I}}{RATE})", "{{instance}} {{sink}} " + what)
                for what in ("delivered", "retries", "refused", "dropped")],
               alerts=("SashSinkFailing", "SashResultsDropped")),
         Panel("Transactions", "cps",
               "For transactional sinks: transactions committed and aborted, and results not sent "
               "because the topic had them.",
               [(f"rate(sash_sink_{what}_total{{I}}{RATE})", "{{instance}} {{sink}} " + says)
                for what, says in (("transactions", "committed"),
                                   ("aborted_transactions", "aborted"),
                                   ("skipped", "skipped"))]),
         Panel("To webhooks", "cps",
               "Requests of webhook sinks, and results that the receiver refused for good.",
               [(f"rate(sash_sink_requests_total{{I}}{RATE})", "{{instance}} {{sink}} requests"),
                (f"rate(sash_sink_parked_total{{I}}{RATE})", "{{instance}} {{sink}} parked")],
               alerts=("SashSinkFailing",)),
         Panel("Time in requests", "percentunit",
               "The part of the time in which a webhook sink waited for its receiver.",
               [(f"rate(sash_sink_request_seconds_total{{I}}{RATE})",
                 "{{instance}} {{sink}}")]),
         Panel("Waiting for Kafka", "none", "Results that are not acknowledged yet.",
               [("sash_sink_waiting_results{I}", "{{instance}} {{sink}}")]),
         Panel("Outbox", "bytes", "Bytes of the outbox on disk, and its limit.",
               [("sash_sink_outbox_bytes{I}", "{{instance}} {{sink}}"),
                ("sash_sink_outbox_limit_bytes{I}", "{{instance}} {{sink}} limit")]),
         Panel("Outbox fill", "percentunit",
               "When the outbox is full, results are dropped and committing stops.",
               [("sash:sink_outbox:ratio{I}", "{{instance}} {{sink}}")],
               alerts=("SashOutboxFilling",)),
         Panel("Topics that can be written", "none", "1 while the sink can deliver.",
               [("sash_sink_ready{I}", "{{instance}} {{sink}}")],
               alerts=("SashSinkFailing", "SashDeadLetterTopicFailing")),
         Panel("Lines on the terminal, and what was left out", "cps",
               "Lines written, and lines left out because the reader of standard output did not "
               "take them. Results that are not final which a sink had no room for.",
               [(f"rate(sash_sink_terminal_lines_total{{I}}{RATE})", "{{instance}} {{result}}"),
                (f"rate(sash_sink_partial_left_out_total{{I}}{RATE})",
                 "{{instance}} not final, left out")]),
         Panel("Exported snapshots", "bytes",
               "Bytes of the snapshots that exist, and the limit.",
               [("sash_export_bytes{I}", "{{instance}} {{export}}"),
                ("sash_export_limit_bytes{I}", "{{instance}} {{export}} limit")]),
         Panel("Exported snapshots kept", "none",
               "Snapshots that exist; those beyond `keep` that readers have locked; and 1 while "
               "none is written, because of a failure or of the limit.",
               [("sash_export_snapshots{I}", "{{instance}} {{export}}"),
                ("sash_export_overdue_snapshots{I}", "{{instance}} {{export}} locked"),
                ("sash_export_failing{I}", "{{instance}} {{export}} failing")]),
         Panel("Exported snapshots written", "none",
               "In the last 5 minutes: snapshots written, advances that a newer one replaced or "
               "that did not fit, and failures.",
               [("increase(sash_export_written_total{I}[5m])",
                 "{{instance}} {{window}} written"),
                ("increase(sash_export_skipped_total{I}[5m])",
                 "{{instance}} {{window}} {{reason}}"),
                ("increase(sash_export_failures_total{I}[5m])",
                 "{{instance}} {{window}} failed")]),
         Panel("Leases of snapshots", "none",
               "Leases of frozen snapshots, and the most at a time; in the last 5 minutes those "
               "that were taken, refused, or ended without being released.",
               [("sash_export_leases{I}", "{{instance}} {{export}}"),
                ("sash_export_leases_limit{I}", "{{instance}} {{export}} limit"),
                ("increase(sash_export_leases_taken_total{I}[5m])",
                 "{{instance}} {{export}} taken"),
                ("increase(sash_export_leases_refused_total{I}[5m])",
                 "{{instance}} {{export}} refused"),
                ("increase(sash_export_leases_ended_total{I}[5m])",
                 "{{instance}} {{export}} {{reason}}")]),
         Panel("Leased snapshots", "bytes",
               "Bytes of the leased snapshots, and the limit.",
               [("sash_export_leased_bytes{I}", "{{instance}} {{export}}"),
                ("sash_export_leased_limit_bytes{I}", "{{instance}} {{export}} limit")]),
         Panel("Exported slices that wait", "none",
               "Slices that have closed and are not durable yet, and those removed before `keep` "
               "in the last 5 minutes. Nothing is committed beyond a slice that waits.",
               [("sash_export_waiting_slices{I}", "{{instance}} {{export}} waiting"),
                ("increase(sash_export_removed_early_total{I}[5m])",
                 "{{instance}} {{export}} removed early")]),
         Panel("Memory of slices that wait", "bytes",
               "Slices that have closed and are not durable yet.",
               [("sash_export_waiting_bytes{I}", "{{instance}} {{export}}")]),
         Panel("Exported slices lag", "s",
               "How far the clock is ahead of the newest durable slice; of a shard, of what has "
               "closed.",
               [("time() - (sash_export_closed_until_seconds{I} "
                 "or sash_export_durable_until_seconds{I})", "{{instance}} {{export}}")]),
         Panel("Time of an exported snapshot", "s", "How long the newest snapshot took to write.",
               [("sash_export_last_seconds{I}", "{{instance}} {{export}} {{window}}")]),
         Panel("HTTP connections", "none",
               "Open connections; and in the last 5 minutes: connections closed for a new one or "
               "refused without room, and requests without a valid token.",
               [("sash_http_connections{I}", "{{instance}} {{listener}}"),
                ("increase(sash_http_evicted_connections_total{I}[5m])",
                 "{{instance}} {{listener}} closed for a new one"),
                ("increase(sash_http_refused_connections_total{I}[5m])",
                 "{{instance}} {{listener}} refused without room"),
                ("sum by (instance) (increase(sash_http_refused_tokens_total{I}[5m]))",
                 "{{instance}} without a valid token")])]),
     ("Checkpoints", [
         Panel("Age", "s", "Time since the state of the newest checkpoint was taken.",
               [("sash_checkpoint_age_seconds{I}", "{{instance}}")],
               alerts=("SashCheckpointOld",)),
         Panel("Written and failed", "cps", "Checkpoints, and attempts that failed.",
               [(f"rate(sash_checkpoint_{what}_total{{I}}{RATE})", "{{instance}} " + what)
                for what in ("writes", "failures")],
               alerts=("SashCheckpointsFailing",)),
         Panel("Size", "bytes", "Bytes of the newest checkpoint.",
               [("sash_checkpoint_bytes{I}", "{{instance}}")]),
         Panel("Bytes written", "Bps",
               "Slices are written once, the rest of the state with each checkpoint.",
               [(f"rate(sash_checkpoint_written_bytes_total{{I}}{RATE})", "{{instance}}")]),
         Panel("Time spent on writing", "percentunit", "The share of the time of one thread.",
               [(f"rate(sash_checkpoint_seconds_total{{I}}{RATE})", "{{instance}}")]),
         Panel("Slices that wait", "none", "Slices that have closed and are not written yet.",
               [("sash_checkpoint_waiting_slices{I}", "{{instance}}")]),
         Panel("Recovery", "s", "The time of recovery at the start; 0 if there was no checkpoint.",
               [("sash_recovery_seconds{I}", "{{instance}}")]),
         Panel("Journal", "cps",
               "Rounds recorded, and writes that failed: after a failure none is recorded until "
               "the next state.",
               [(f"rate(sash_journal_{what}_total{{I}}{RATE})", "{{instance}} " + what)
                for what in ("rounds", "failures")]),
         Panel("Bytes of the journal", "Bps", "Bytes written to the journal, without a sync.",
               [(f"rate(sash_journal_written_bytes_total{{I}}{RATE})", "{{instance}}")])]),
     ("Configuration", [
         Panel("Reloads", "none",
               "The number of times that the configuration was read again, by result.",
               [("sash_config_reloads_total{I}", "{{instance}} {{result}}")]),
         Panel("Last reload", "none", "1 if the last reload was applied, or before the first.",
               [("sash_config_last_reload_success{I}", "{{instance}}")],
               alerts=("SashReloadFailed",))]),
     ("Log", [
         Panel("Lines of the log", "cps",
               "Lines of each event, including lines that were held back.",
               [(f"rate(sash_log_lines_total{{I}}{RATE})", "{{instance}} {{event}}")]),
         Panel("Lines held back", "cps",
               "Lines that were not written, because the event repeated (log.rate_limit).",
               [(f"rate(sash_log_held_back_total{{I}}{RATE})", "{{instance}} {{event}}")])])])

# Figures of a run, not of the graph.
OF_RUN = "iterations|converged|residual|drift|steps"

RESULT_BOARD = Board(
    "sash-results", "Sash results",
    "The numbers of the newest results, and how old they are.",
    ("instance", "job"),
    [("The graph", [
        Panel("Figures", "short",
              "The figures of the newest result of each job, such as components, pairs or reached. "
              "A figure without a value, or of a result with an error, has no line.",
              [(f'sash_result_value{{R, figure!~"top_.+|{OF_RUN}"}}',
                "{{instance}} {{exported_job}} {{figure}}")]),
        Panel("First rows", "short",
              "The greatest score, count or size of the newest result: the value of its first row.",
              [('sash_result_value{R, figure=~"top_.+"}',
                "{{instance}} {{exported_job}} {{figure}}")]),
        Panel("Compared with the last day", "percentunit",
              "Each figure divided by its mean of the last day.",
              [("sash:result_value:ratio1d{R}", "{{instance}} {{exported_job}} {{figure}}")],
              alerts=("SashResultJump",))]),
     ("How sound it is", [
         Panel("Age of the newest result", "s",
               "Wall clock minus the end of its window. It rises until the next result.",
               [("time() - sash_result_end_timestamp_seconds{R}",
                 "{{instance}} {{exported_job}}")], alerts=("SashResultIncomplete",)),
         Panel("Results with an error", "none",
               "1 if the newest result is missing or partial; its member error says why.",
               [("sash_result_error{R}", "{{instance}} {{exported_job}}")],
               alerts=("SashResultIncomplete",)),
         Panel("Converged", "none", "1 if the run has converged.",
               [('sash_result_value{R, figure="converged"}', "{{instance}} {{exported_job}}")]),
         Panel("Iterations of results", "none", "Iterations of the run that made the result.",
               [('sash_result_value{R, figure="iterations"}', "{{instance}} {{exported_job}}")]),
         Panel("Residual and drift", "sci",
               "The residual of the last iteration; the distance of a warm run from a full run, "
               "where it was measured.",
               [('sash_result_value{R, figure=~"residual|drift"}',
                 "{{instance}} {{exported_job}} {{figure}}")], options=("log",))]),
     ("What alerts tell", [
         Panel("Alerts told", "none",
               "In the last 5 minutes: alerts of the configuration that their receivers got.",
               [("increase(sash_alert_fired_total{I}[5m])", "{{instance}} {{alert}}")]),
         Panel("Alerts not told", "none",
               "In the last 5 minutes: held back by at_most; beyond 1,000 of one result; and rows "
               "for which the filter has no value.",
               [("increase(sash_alert_suppressed_total{I}[5m])",
                 "{{instance}} {{alert}} held back"),
                ("increase(sash_alert_left_out_total{I}[5m])",
                 "{{instance}} {{alert}} left out"),
                ("increase(sash_alert_failures_total{I}[5m])",
                 "{{instance}} {{alert}} without a value")]),
         Panel("Subjects of alerts", "none",
               "Subjects for which the condition of the alert holds in the newest result.",
               [("sash_alert_holding{I}", "{{instance}} {{alert}}")])])])

BOARDS = {"overview": OVERVIEW, "ingest": INGEST, "windows": WINDOWS, "jobs": JOBS,
          "results": RESULT_BOARD}

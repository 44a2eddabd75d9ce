"""Panels that several dashboards have, and the words of their queries.

In queries, {I} selects the chosen instances, {W} also the chosen windows, {J} also the chosen
jobs, {R} the chosen instances and jobs. Prometheus must scrape /metrics with honor_labels off (the
default): the label job of Sash's metrics then arrives as exported_job.
"""
from draw import Panel

RATE = "[$__rate_interval]"


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

"""The dashboard of the whole: health, lag, windows and jobs."""
from draw import ALERTS, Board, Panel
from panels import (
    ADVANCE_SECONDS, CPU, EDGES, LAG, LOSSES, MEMORY, RECORDS, RESULTS, RUN_SECONDS,
    SKIPPED_SHARE, WATERMARK_LAG, WINDOW_AGE,
)

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

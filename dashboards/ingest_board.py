"""The dashboard of the source: what is read, what is kept out, and what waits."""
from draw import Board, Panel
from panels import LAG, LOSSES, RATE, RECORDS, WATERMARK_LAG

# The kinds of incidents that need attention.
TROUBLE = "lost_records|unreadable_batches|commit_failures|stalls|partitions_renewed|claims_lost"

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

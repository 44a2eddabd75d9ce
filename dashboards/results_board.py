"""The dashboard of results: their numbers, and how sound they are."""
from draw import Board, Panel

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
         Panel("Alerts sent", "none",
               "In the last 5 minutes: alerts of the configuration that their receivers got.",
               [("increase(sash_alert_fired_total{I}[5m])", "{{instance}} {{alert}}")]),
         Panel("Alerts not sent", "none",
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

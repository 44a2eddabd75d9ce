"""An independent computation of the expected results of `sashd`.

The package takes the configuration file of a replay and its input file, and computes every result
of every window and job from the rules in windows/semantics.md, simply and slowly: each
window is computed from scratch from its events. It shares no code with the daemon, so equal results
mean that the rules were followed, not that a mistake was made twice.

  configuration   the YAML file, with defaults
  times, weights  the two kinds of number that must stay exact
  records         JSON or CSV records to edge events, or refusals
  json_fields     the fields of JSON records
  filters         which edges a window with a filter shows
  slices          lateness, panes, counters
  duplicate_ids   which edges `source.dedupe` leaves out
  live_edges      the duplicates policies and removals
  windows         which windows there are, and what each holds
  kernels         PageRank, BFS
  networks        the other kernels, most of them by networkx
  expectations    windows and jobs to the results that must be written
  compare         a results file against the expectations
"""

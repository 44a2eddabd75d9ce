"""The dashboard of windows: their size, their advances, and memory."""
from draw import Board, Panel
from panels import ADVANCE_PHASES, ADVANCE_SECONDS, CPU, EDGES, MEMORY, RATE, WINDOW_AGE, of_sash

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

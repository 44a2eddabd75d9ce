#!/usr/bin/env python3
"""Draws rows of `sash_bench` beside what the seeds' authors measured: draw_seeds.py FILE PICTURE.

FILE has rows of the benchmarks `graph500`, `one_hop`, `mixed` and `streaming_bfs`, as `--json FILE`
writes them; several files can be joined to one list. The authors' figures are for their machines,
for as many threads as the rows have (seeds.md). See drawing.py.
"""
import pathlib
import sys

from drawing import POLICY_COLOURS, REMOVALS_COLOUR, run, save, subplots

OURS, THEIRS = POLICY_COLOURS["keep"], REMOVALS_COLOUR
NETALX_GTEPS = 0.61  # of two threads
CSRPP_UPDATES = 0.67  # millions a second and thread
GRAPHONE_MS = {"GraphOne": 0.83, "GraphOne,\n1,024 fresh": 54.7}

Values = dict[str, float]  # by name of the row


def bars(axes, labels: list[str], heights: list[float], colours: list[str]) -> None:
    axes.bar(range(len(heights)), heights, color=colours, width=0.6)
    axes.set_xticks(range(len(labels)), labels)
    axes.grid(axis="y", alpha=0.3)


def goal(axes, height: float, whose: str) -> None:
    axes.axhline(height, color=THEIRS, linestyle="--", label=whose)
    axes.legend(fontsize=6)


def graph500(axes, rows: Values) -> None:
    bars(axes, ["plain CSR", "60 slices", "depths\nalone"],
         [rows[f"graph500_{name}"] for name in ("csr", "60", "depths_60")], [OURS] * 3)
    goal(axes, NETALX_GTEPS, "NETALX, two threads")
    axes.set(title="Graph 500: a search with its tree", ylabel="GTEPS")


def one_hop(axes, rows: Values) -> None:
    ours = [rows[f"one_hop_{name}"] / 1000 for name in ("published", "live", "live_1024")]
    bars(axes, ["published", "live", "live,\n1,024 fresh", *GRAPHONE_MS],
         [*ours, *GRAPHONE_MS.values()], [OURS] * 3 + [THEIRS] * 2)
    axes.set_yscale("log")
    axes.set(title="512 one-hop queries", ylabel="ms")


def mixed(axes, rows: Values) -> None:
    shares = [0, 10, 40, 50]
    bars(axes, list(map(str, shares)), [rows[f"mixed_{share}"] for share in shares],
         [OURS] * len(shares))
    goal(axes, CSRPP_UPDATES, "CSR++, a thread")
    axes.set(title="a log of adds and removals", xlabel="% removals",
             ylabel="M events/s of CPU")


def streaming(axes, rows: Values) -> None:
    jobs = [0, 1, 8]
    axes.plot(jobs, [rows[f"streaming_bfs_{count}"] for count in jobs], "o-", color=OURS)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.set(title="50 slides with BFS beside", xlabel="jobs", ylabel="s")


PANELS = {"graph500_60": graph500, "one_hop_published": one_hop, "mixed_0": mixed,
          "streaming_bfs_8": streaming}


def draw_all(rows: list[dict], picture: pathlib.Path) -> str:
    values = {row["name"]: row["value"] for row in rows}
    if missing := [name for name in PANELS if name not in values]:
        return f"has no row {missing[0]}"
    figure, panels = subplots(8, 2, 2, figsize=(8.4, 4.8))
    for axes, draw in zip(panels.flat, PANELS.values()):
        draw(axes, values)
    save(figure, picture)
    return ""


if __name__ == "__main__":
    sys.exit(run(__doc__, draw_all))

#!/usr/bin/env python3
"""Draws the rows of `sash_bench --only sweep --json FILE`: draw_sweep.py FILE PICTURE.

One panel for each measure over the rate of the stream, and one over the share of duplicates. See
drawing.py.
"""
import pathlib
import re
import sys
from collections import defaultdict

from drawing import POLICY_COLOURS, REMOVALS_COLOUR, run, save, subplots

ROW = re.compile(r"sweep_(?P<measure>[a-z]+)_(?P<kind>[a-z_]+)_(?P<rate>\d+)k_(?P<share>\d+)")
MEASURES = {
    "pagerank": ("PageRank, 20 iterations", "ms of CPU"),
    "advance": ("an advance", "ms of CPU"),
    "memory": ("memory", "MiB"),
}
COLOURS = {**POLICY_COLOURS, "removable": REMOVALS_COLOUR}
FEW_DUPLICATES = 1  # percent, where the rate is swept
MIDDLE_RATE = 100   # thousand edges a second, where duplicates are swept

Curves = dict[tuple[str, str], list[tuple[int, float]]]  # by measure and kind of window


def curves(rows: list[dict]) -> tuple[Curves, Curves]:
    """Over the rate, and over the share of duplicates."""
    over_rate, over_share = defaultdict(list), defaultdict(list)
    for row in rows:
        if name := ROW.fullmatch(row["name"]):
            rate, share = int(name["rate"]), int(name["share"])
            if share == FEW_DUPLICATES:
                over_rate[name["measure"], name["kind"]].append((rate, row["value"]))
            if rate == MIDDLE_RATE:
                over_share[name["measure"], name["kind"]].append((share, row["value"]))
    return over_rate, over_share


def draw(axes, found: Curves, measure: str, label: str) -> None:
    for (of, kind), points in found.items():
        if of != measure:
            continue
        policy, _, rebuilt = kind.partition("_")
        axes.plot(*zip(*sorted(points)), "--" if rebuilt else "-", color=COLOURS[policy],
                  marker=".", label=kind.replace("_", ", "))
    title, unit = MEASURES[measure]
    axes.set(title=title, xlabel=label, ylabel=unit)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)


def draw_all(rows: list[dict], picture: pathlib.Path) -> str:
    over_rate, over_share = curves(rows)
    if not over_rate:
        return "has no rows of the benchmark `sweep`"
    figure, panels = subplots(8, 2, len(MEASURES), figsize=(8.4, 4.8))
    for column, measure in enumerate(MEASURES):
        draw(panels[0][column], over_rate, measure, "1,000 edges/s, with 1 % duplicates")
        draw(panels[1][column], over_share, measure, "% duplicates, at 100,000 edges/s")
    panels[0][0].legend(fontsize=6)
    save(figure, picture)
    return ""


if __name__ == "__main__":
    sys.exit(run(__doc__, draw_all))

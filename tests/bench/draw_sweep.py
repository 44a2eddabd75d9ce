#!/usr/bin/env python3
"""Draws the rows of `sash_bench --only sweep --json FILE`: draw_sweep.py FILE PICTURE.

One panel for each measure over the rate of the stream, and one over the share of duplicates. Needs
matplotlib (`pip install matplotlib==3.10.7`). The picture is an SVG with text as text; the same
rows give the same picture.
"""
import json
import pathlib
import re
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "sash", "font.size": 8})
import matplotlib.pyplot as plt  # noqa: E402  after the choice of what it draws with

ROW = re.compile(r"sweep_(?P<measure>[a-z]+)_(?P<kind>[a-z_]+)_(?P<rate>\d+)k_(?P<share>\d+)")
MEASURES = {
    "pagerank": ("PageRank, 20 iterations", "ms of CPU"),
    "advance": ("an advance", "ms of CPU"),
    "memory": ("memory", "MiB"),
}
COLOURS = {"keep": "#0072b2", "drop": "#d55e00", "weigh": "#009e73", "removable": "#cc79a7"}
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


def main(rows_path: str, picture: str) -> int:
    over_rate, over_share = curves(json.loads(pathlib.Path(rows_path).read_text(encoding="utf-8")))
    if not over_rate:
        print(f"draw_sweep: {rows_path} has no rows of the benchmark `sweep`", file=sys.stderr)
        return 1
    figure, panels = plt.subplots(2, len(MEASURES), figsize=(8.4, 4.8), layout="constrained")
    for column, measure in enumerate(MEASURES):
        draw(panels[0][column], over_rate, measure, "1,000 edges/s, with 1 % duplicates")
        draw(panels[1][column], over_share, measure, "% duplicates, at 100,000 edges/s")
    panels[0][0].legend(fontsize=6)
    figure.savefig(picture, metadata={"Date": None})
    plt.close(figure)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""Draws the rows of `sash_bench --only curve --json FILE`: draw_curves.py FILE FOLDER.

Needs matplotlib (`pip install matplotlib==3.10.7`). The pictures are SVG with text as text; the
same rows give the same pictures.
"""
import json
import pathlib
import re
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "sash", "font.size": 9})
import matplotlib.pyplot as plt  # noqa: E402  after the choice of what it draws with

ROW = re.compile(r"curve_(?P<measure>[a-z]+)_(?P<slices>\d+)_(?P<policy>[a-z]+)(?P<share>\d+)")
TITLES = {
    "pagerank": ("PageRank, 20 iterations, pin to result", "time / time on the plain CSR"),
    "bfs": ("BFS from 16 roots, pin to result", "time / time on the plain CSR"),
    "advance": ("An advance, for each event that enters", "CPU time, ns"),
}
COLOURS = {"keep": "#0072b2", "drop": "#d55e00", "weigh": "#009e73", "removals": "#cc79a7"}
DASHES = {"0": "-", "20": "--", "80": ":", "5": "-"}


def curves(rows: list[dict]) -> dict[str, dict[tuple[str, str], list[tuple[int, float]]]]:
    """By measure, then policy and share: the numbers of slices and the measured values."""
    found = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if name := ROW.fullmatch(row["name"]):
            value = row["value"] if row["ratio"] is None else row["ratio"]
            curve = found[name["measure"]][name["policy"], name["share"]]
            curve.append((int(name["slices"]), value))
    return found


def draw(measure: str, lines: dict[tuple[str, str], list[tuple[int, float]]],
         path: pathlib.Path) -> None:
    figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for (policy, share), points in lines.items():
        what = "removals" if policy == "removals" else "duplicates"
        axes.plot(*zip(*sorted(points)), DASHES[share], color=COLOURS[policy], marker=".",
                  label=f"{'keep' if policy == 'removals' else policy}, {share} % {what}")
    title, unit = TITLES[measure]
    axes.set(title=title, xlabel="slices in the window", ylabel=unit, xscale="log")
    slices = sorted({point[0] for points in lines.values() for point in points})
    axes.set_xticks(slices, [str(number) for number in slices])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, ncols=2)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main(rows_path: str, folder: str) -> int:
    found = curves(json.loads(pathlib.Path(rows_path).read_text(encoding="utf-8")))
    if not found:
        print(f"draw_curves: {rows_path} has no rows of the benchmark `curve`", file=sys.stderr)
        return 1
    for measure, lines in found.items():
        draw(measure, lines, pathlib.Path(folder) / f"{measure}.svg")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))

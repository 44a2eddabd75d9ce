#!/usr/bin/env python3
"""Draws the rows of `sash_bench --only curve --json FILE`: draw_curves.py FILE FOLDER.

See drawing.py.
"""
import pathlib
import re
import sys
from collections import defaultdict

from drawing import POLICY_COLOURS, REMOVALS_COLOUR, run, save, subplots

ROW = re.compile(r"curve_(?P<measure>[a-z]+)_(?P<slices>\d+)_(?P<policy>[a-z]+)(?P<share>\d+)")
TITLES = {
    "pagerank": ("PageRank, 20 iterations, pin to result", "time / time on the plain CSR"),
    "bfs": ("BFS from 16 roots, pin to result", "time / time on the plain CSR"),
    "advance": ("An advance, for each event that enters", "CPU time, ns"),
}
COLOURS = {**POLICY_COLOURS, "removals": REMOVALS_COLOUR}
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
    figure, axes = subplots(9, figsize=(6.4, 3.6))
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
    save(figure, path)


def draw_all(rows: list[dict], folder: pathlib.Path) -> str:
    found = curves(rows)
    for measure, lines in found.items():
        draw(measure, lines, folder / f"{measure}.svg")
    return "" if found else "has no rows of the benchmark `curve`"


if __name__ == "__main__":
    sys.exit(run(__doc__, draw_all))

"""What the programs that draw rows of the benchmark share.

Needs matplotlib (`pip install matplotlib==3.10.7`). Pictures are SVG with text as text; the same
rows give the same picture.
"""
import json
import pathlib
import sys
from typing import Any, Callable

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "sash"})
import matplotlib.pyplot as plt  # noqa: E402  after the choice of what it draws with

POLICY_COLOURS = {"keep": "#0072b2", "drop": "#d55e00", "weigh": "#009e73"}
REMOVALS_COLOUR = "#cc79a7"


def subplots(font_size: int, *shape: int, **size: Any) -> tuple[Any, Any]:
    plt.rcParams["font.size"] = font_size
    return plt.subplots(*shape, layout="constrained", **size)


def save(figure: Any, path: pathlib.Path) -> None:
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def run(document: str | None, draw: Callable[[list[dict], pathlib.Path], str]) -> int:
    """The program: its arguments are a file of rows, and where to draw. draw() returns why it
    cannot."""
    if len(sys.argv) != 3:
        print(document, file=sys.stderr)
        return 2
    rows_path, target = map(pathlib.Path, sys.argv[1:])
    why = draw(json.loads(rows_path.read_text(encoding="utf-8")), target)
    if why:
        print(f"{pathlib.Path(sys.argv[0]).stem}: {rows_path} {why}", file=sys.stderr)
    return 1 if why else 0

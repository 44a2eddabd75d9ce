#!/usr/bin/env python3
"""The dashboards as Grafana draws them: its own components, in a real Chromium, from a real
Prometheus that scrapes a real `sashd`. No panel is empty, each shows its unit, and there are no
errors."""
import copy
import json
import re
import time
import unittest
from typing import Any, Callable

from live_stack import DATA_SECONDS, dashboards, started
from panels_page import Screen, seen

MINUTES = 1
SCRAPES = 40  # to wait for before drawing: a line needs at least two points
LEAST_PIXELS = 30
TIME = re.compile(r"\d\d:\d\d(:\d\d)?")
NUMBER = r"-?\d+(\.\d+)?"
# How Grafana writes a unit.
WRITTEN = {
    "none": NUMBER,
    "short": NUMBER + "( K| Mil)?",
    "sci": r"\d\.\de[+-]\d+",
    "percentunit": NUMBER + "%",
    "s": NUMBER + " ?(ns|µs|ms|s|mins?|hours?)",
    "cps": NUMBER + "K? c/s",
    "bytes": NUMBER + " [KMGT]?i?B",
    "Bps": NUMBER + " [kMG]?B/s",
    "dateTimeFromNow": r"(a few|a|\d+) (seconds?|minutes?) ago",
}


def legends(target: dict[str, Any]) -> re.Pattern[str]:
    """The pattern of the names of a query's series."""
    parts = re.split(r"\{\{\w+\}\}", target["legendFormat"])
    return re.compile(r"\S+".join(re.escape(part) for part in parts))


def line_faults(panel: dict[str, Any], shown: dict[str, Any]) -> list[str]:
    unit = panel["fieldConfig"]["defaults"]["unit"]
    values = [text for text in shown["drawn"] if not TIME.fullmatch(text)]
    faults = [f"{text!r} is not of unit {unit}" for text in values
              if not re.fullmatch(WRITTEN.get(unit, "no such unit"), text)]
    if len(values) == len(shown["drawn"]):
        faults.append("no times at the axis")
    if len(values) < 2:
        faults.append(f"too few values at the axis: {values}")
    if len(set(values)) < len(values):
        faults.append(f"values at the axis look the same: {values}")
    for target in panel["targets"]:
        if not any(legends(target).fullmatch(name) for name in shown["legend"]):
            faults.append(f"no line of {target['expr']}; there are {shown['legend']}")
    if shown["coloured"] < LEAST_PIXELS:
        faults.append(f"no line to be seen: {shown['coloured']} pixels")
    return faults


def figure_faults(panel: dict[str, Any], shown: dict[str, Any]) -> list[str]:
    """A figure may be preceded by the name of its series."""
    defaults = panel["fieldConfig"]["defaults"]
    if panel["options"]["textMode"] == "name":
        wanted = NUMBER + r"(\.\d+)*(-\w+)?"  # a version number
    elif defaults["mappings"]:
        mapped = defaults["mappings"][0]["options"].values()
        wanted = "|".join(re.escape(each["text"]) for each in mapped)
    else:
        wanted = WRITTEN.get(defaults["unit"], "no such unit").replace(" ", r"\s*")
    values = shown["text"].split("\n")
    text = " ".join(values)
    return [] if re.search(rf"(^|\s)({wanted})$", text) else [f"{text!r} is not {wanted}"]


def faults(board: dict[str, Any], shown: dict[str, dict[str, Any]]) -> list[str]:
    found = []
    for panel in dashboards.panels(board):
        there = shown[panel["title"]]
        faults_of = line_faults if panel["type"] == "timeseries" else figure_faults
        found += [f"{panel['title']}: {fault}" for fault in [
            *(["no title"] if there["header"] != panel["title"] else []),
            *(["no description"] if not there["described"] else []),
            *(["empty"] if not there["text"] or there["text"] == "No data" else
              faults_of(panel, there))]]
    return found


def first(board: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(panel for panel in board["panels"] if panel["type"] == kind)


def panel_of(board: dict[str, Any], title: str) -> dict[str, Any]:
    return next(panel for panel in board["panels"] if panel["title"] == title)


def unit(kind: str, name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda board: first(board, kind)["fieldConfig"]["defaults"].update(unit=name)


def too_small(board: dict[str, Any]) -> None:
    panel = panel_of(board, "Advances skipped")
    panel["targets"][0]["expr"] = "vector(0.00002)"
    del panel["fieldConfig"]["defaults"]["custom"]["axisSoftMax"]


# A defect, the change to the overview that causes it, and the message that it must lead to.
DEFECTS: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("a unit that Grafana does not know", unit("timeseries", "cpss"), "is not of unit"),
    ("a share that is too small for its axis", too_small, "look the same"),
    ("a query without an answer",
     lambda b: first(b, "timeseries")["targets"][0].update(expr="sash_no_such_metric"), "empty"),
    ("one query of several without an answer",
     lambda b: first(b, "timeseries")["targets"].append(
         {**first(b, "timeseries")["targets"][0], "refId": "Z", "expr": "vector(1) > 2",
          "legendFormat": "never"}), "no line of vector(1) > 2"),
    ("a figure without an answer",
     lambda b: first(b, "stat")["targets"][0].update(expr="sash_no_such_metric"), "empty"),
    ("a line in the colour of the ground",
     lambda b: first(b, "timeseries")["fieldConfig"]["defaults"]["custom"].update(lineWidth=0),
     "no line to be seen"),
    ("a panel without a description", lambda b: first(b, "timeseries").pop("description"),
     "no description"),
]


class PanelsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.screen = Screen()
        cls.addClassCleanup(cls.screen.close)
        cls.stack = started(cls)
        cls.boards = {path.stem: dashboards.load(path) for path in dashboards.files()}
        expressions = {dashboards.substitute(query, dashboards.EVERYTHING)
                       for board in cls.boards.values()
                       for panel in dashboards.panels(board)
                       for query in (target["expr"] for target in panel["targets"])}
        missing = cls.stack.without_data(expressions)
        if missing:
            raise AssertionError(f"{missing} {cls.stack.tails()}")
        deadline = time.monotonic() + DATA_SECONDS
        while min(cls.stack.query("count_over_time(up[10m])"), default=0) < SCRAPES:
            if time.monotonic() > deadline:
                raise AssertionError(f"Prometheus scrapes too seldom: {cls.stack.tails()}")
            time.sleep(0.5)

    def faults(self, name: str, board: dict[str, Any]) -> list[str]:
        """The defects of a board, including its errors."""
        page = self.screen.show(name, json.dumps(board).encode(), self.stack.prometheus, MINUTES)
        try:
            found = faults(board, seen(page))
        finally:
            page.context.close()
        asked = {url for url in page.foreign if not url.startswith(self.stack.prometheus)}
        return [*found, *page.complaints, *sorted(asked)]

    def test_every_panel_shows_its_lines_and_figures_in_its_unit(self):
        for name, board in self.boards.items():
            with self.subTest(dashboard=name):
                self.assertEqual(self.faults(name, board), [])

    def test_every_defect_is_noticed(self):
        for title, spoil, said in DEFECTS:
            board = copy.deepcopy(self.boards["overview"])
            spoil(board)
            with self.subTest(defect=title):
                self.assertIn(said, " ".join(self.faults("overview", board)))


if __name__ == "__main__":
    unittest.main(verbosity=2)

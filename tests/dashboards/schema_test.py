#!/usr/bin/env python3
"""Tests that dashboards match Grafana's own schema, of the oldest and of the newest supported
version. npm fetches both. Dashboards with one seeded defect each show that the test finds defects.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Callable

from node_packages import check_pins, installed

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import dashboards  # noqa: E402

SCHEMA = HERE / "schema"
VALIDATE_SECONDS = 600
WHOLE = "overview"  # the board in which defects are seeded; it has panels of every type

Defect = tuple[str, Callable[[dict[str, Any]], Any], str]


def first(board: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(panel for panel in board["panels"] if panel["type"] == kind)


def lines(board: dict[str, Any]) -> dict[str, Any]:
    return first(board, "timeseries")


def defaults(board: dict[str, Any], kind: str) -> dict[str, Any]:
    return first(board, kind)["fieldConfig"]["defaults"]


def variable(board: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in board["templating"]["list"] if each["name"] == name)


def rename(part: dict[str, Any], old: str, new: str) -> None:
    part[new] = part.pop(old)


# The defect, the function that causes it, and a word that the message must contain.
DEFECTS: list[Defect] = [
    ("a misspelt member of a board", lambda b: rename(b, "refresh", "refrech"), "refrech"),
    ("a time range of one end", lambda b: b["time"].pop("to"), "board/time"),
    ("no version of the schema", lambda b: b.pop("schemaVersion"), "schemaVersion"),
    ("an unknown type of panel", lambda b: lines(b).update(type="timeserie"), "timeserie"),
    ("a misspelt member of a panel", lambda b: rename(lines(b), "description", "desription"),
     "desription"),
    ("a place without a width", lambda b: lines(b)["gridPos"].pop("w"), "gridPos"),
    ("a link of no kind", lambda b: lines(b)["links"][0].pop("type"), "links/0"),
    ("a row that is neither open nor closed", lambda b: first(b, "row").pop("collapsed"),
     "collapsed"),
    ("a misspelt option", lambda b: rename(lines(b)["options"], "tooltip", "toltip"), "toltip"),
    ("a misspelt option of the legend",
     lambda b: rename(lines(b)["options"]["legend"], "displayMode", "displaymode"), "displaymode"),
    ("a legend that does not exist",
     lambda b: lines(b)["options"]["legend"].update(displayMode="rows"), "displayMode"),
    ("an option of another type of panel",
     lambda b: lines(b)["options"].update(textMode="name"), "textMode"),
    ("a text mode that does not exist",
     lambda b: first(b, "stat")["options"].update(textMode="names"), "textMode"),
    ("a reduction without calculations",
     lambda b: first(b, "stat")["options"]["reduceOptions"].pop("calcs"), "calcs"),
    ("a unit that is a number", lambda b: defaults(b, "timeseries").update(unit=1), "unit"),
    ("a style of drawing that does not exist",
     lambda b: defaults(b, "timeseries")["custom"].update(drawStyle="lines"), "drawStyle"),
    ("a misspelt property of a line",
     lambda b: rename(defaults(b, "timeseries")["custom"], "spanNulls", "spanNull"), "spanNull"),
    ("stacking of an unknown mode",
     lambda b: defaults(b, "timeseries")["custom"]["stacking"].update(mode="sum"), "stacking"),
    ("a property of lines in a figure",
     lambda b: defaults(b, "stat").update(custom={"lineWidth": 1}), "custom"),
    ("a colour mode that does not exist",
     lambda b: defaults(b, "stat")["color"].update(mode="threshold"), "color"),
    ("a threshold without a colour",
     lambda b: defaults(b, "stat")["thresholds"]["steps"][0].pop("color"), "thresholds"),
    ("a mapping of an unknown type",
     lambda b: defaults(b, "stat")["mappings"][0].update(type="values"), "mappings/0"),
    ("a misspelt member of a query",
     lambda b: rename(lines(b)["targets"][0], "legendFormat", "legend"), "legend"),
    ("a query without an expression", lambda b: lines(b)["targets"][0].pop("expr"), "expr"),
    ("an unknown editor of a query",
     lambda b: lines(b)["targets"][0].update(editorMode="text"), "editorMode"),
    ("an annotation of Grafana before 9",
     lambda b: rename(b["annotations"]["list"][0], "target", "expr"), "expr"),
    ("a variable of an unknown type", lambda b: variable(b, "instance").update(type="label"),
     "variable instance/type"),
    ("a variable that is refreshed at no known time",
     lambda b: variable(b, "window").update(refresh=3), "variable window/refresh"),
    ("a variable whose query has no name",
     lambda b: variable(b, "job")["query"].pop("refId"), "variable job/query"),
]


class SchemaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = installed(SCHEMA, "dashboard-schema")
        folder = tempfile.TemporaryDirectory(prefix="sash-schema-")
        cls.addClassCleanup(folder.cleanup)
        boards = {path.stem: dashboards.load(path) for path in dashboards.files()}
        cls.defective = {}
        for title, spoil, named in DEFECTS:
            board = copy.deepcopy(boards[WHOLE])
            spoil(board)
            cls.defective[title] = (board, named)
        cls.found = cls.validate(work, pathlib.Path(folder.name), boards
                                 | {title: board for title, (board, _) in cls.defective.items()})

    @staticmethod
    def validate(work: pathlib.Path, folder: pathlib.Path, boards: dict[str, Any]
                 ) -> dict[str, dict[str, list[str]]]:
        """version of Grafana -> board -> the defects that were found in it."""
        for name, board in boards.items():
            (folder / f"{name}.json").write_text(json.dumps(board), encoding="utf-8")
        said = subprocess.run(["node", "validate.mjs",
                               *(str(folder / f"{name}.json") for name in boards)],
                              cwd=work, capture_output=True, text=True, timeout=VALIDATE_SECONDS)
        if said.returncode != 0:
            raise AssertionError(f"validate.mjs:\n{said.stderr[:3000]}")
        return {version: {pathlib.Path(file).stem: wrong for file, wrong in files.items()}
                for version, files in json.loads(said.stdout).items()}

    def test_dashboards_are_what_both_versions_of_grafana_take(self):
        self.assertEqual([version.split(".")[0] for version in self.found], ["10", "13"])
        for version, boards in self.found.items():
            for path in dashboards.files():
                with self.subTest(grafana=version, dashboard=path.name):
                    self.assertEqual(boards[path.stem], [])

    def test_every_defect_is_noticed_where_it_is(self):
        for version, boards in self.found.items():
            for title, (_, named) in self.defective.items():
                with self.subTest(grafana=version, defect=title):
                    self.assertTrue(boards[title], "no defect was reported")
                    self.assertIn(named, " ".join(boards[title]))

    def test_versions_are_pinned_and_no_host_is_named(self):
        check_pins(self, SCHEMA)


if __name__ == "__main__":
    unittest.main(verbosity=2)

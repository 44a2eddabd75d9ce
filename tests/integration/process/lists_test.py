"""Lists of the API as CSV and JSON Lines, read by Python's own csv module, equal those in JSON."""
import csv
import io
import json
import unittest
import urllib.error
import urllib.request
from typing import Any

from sashd_process import PATIENCE_SECONDS, SHAPE, Sashd, await_that, edges, replay

AWKWARD = ["=1+1", 'say "no", please', "two\r\nlines", "ключ", "9007199254740993", " edge "]
JOBS = [{"name": kernel, "kernel": kernel, "window": "w", **more} for kernel, more in (
    ("pagerank", {"top": 3}), ("hits", {}), ("wcc", {}), ("strength", {}), ("new_edges", {}),
    ("cycles", {}), ("edge_features", {}),
    ("paths", {"parameters": {"from": ["ключ"], "to": AWKWARD}}),
    ("bfs", {"parameters": {"roots": ["hub", "ключ"], "separate": True}}))]
LISTS = {"pagerank": ["top"], "hits": ["top"], "wcc": ["top"], "strength": ["top"],
         "new_edges": ["top_edges"], "cycles": ["top_cycles"],
         "paths": ["top_paths"], "edge_features": ["top_features"]}


def cell(value: Any) -> str:
    """What CSV has for a value of JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False,
                                                           separators=(",", ":"))


class ListsTest(unittest.TestCase):
    def setUp(self) -> None:
        rows = [(source, target, second * 1000)
                for second in range(12)
                for key in (AWKWARD if second < 11 else [*AWKWARD, "last, of all"])
                for source, target in (("hub", key), (key, "hub"))]
        document = replay(jobs=[SHAPE, *JOBS], http={"listen": "127.0.0.1:0"})
        document["source"]["replay"]["at_end"] = "stay"
        self.sashd = Sashd(document, edges(rows))
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.await_log("the process stays")
        newest = self.sashd.json("/api/v1/windows/w")["snapshot"]
        for job in JOBS:  # the last results may still be on their way
            latest = f"/api/v1/jobs/{job['name']}/results/latest"
            await_that(lambda: self.sashd.json(latest).get("snapshot") == newest)

    def ask(self, path: str, accept: str) -> tuple[Any, Any]:
        request = urllib.request.Request(self.sashd.url(path), headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.headers, answer.read().decode()

    def compare(self, path: str, wanted: list[dict[str, Any]]) -> None:
        headers, lines = self.ask(path, "application/x-ndjson")
        self.assertEqual([json.loads(line) for line in lines.split("\n")[:-1]], wanted)
        headers, text = self.ask(path, "text/csv")
        self.assertEqual(headers["Content-Type"], "text/csv; charset=utf-8; header=present")
        rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
        self.assertEqual(len(rows), len(wanted))
        for row, each in zip(rows, wanted):
            self.assertEqual(set(each) - set(row), set(), "a column is missing")
            for name, found in row.items():
                expected = each.get(name)
                if isinstance(expected, float):
                    self.assertEqual(float(found), expected)
                else:
                    self.assertEqual(found, cell(expected), name)

    def test_every_list_is_the_same_in_every_format(self) -> None:
        for name, lists in LISTS.items():
            path = f"/api/v1/jobs/{name}/results/latest?top=5"
            whole = json.loads(self.ask(path, "*/*")[1])
            wanted = [row for each in lists for row in whole[each]]
            self.assertTrue(wanted, name)
            with self.subTest(path):
                self.compare(path, wanted)
        whole = json.loads(self.ask("/api/v1/jobs/bfs/results/latest", "*/*")[1])
        self.compare("/api/v1/jobs/bfs/results/latest",
                     [{"root": each["root"], **row} for each in whole["traversals"]
                      for row in each["top"]])
        for path in ("/api/v1/jobs", "/api/v1/windows", "/api/v1/windows/w/slices?limit=3"):
            whole = json.loads(self.ask(path, "application/json")[1])
            with self.subTest(path):
                self.compare(path, whole["slices"] if "slices" in whole else whole)
        whole = json.loads(self.ask("/api/v1/jobs/pagerank/diffs/latest", "*/*")[1])
        self.compare("/api/v1/jobs/pagerank/diffs/latest",
                     [{"change": change, **row} for change in ("entered", "left", "changed")
                      for row in whole[change]])
        path = "/api/v1/windows/w/vertices/hub?limit=4"
        whole = json.loads(self.ask(path, "*/*")[1])
        self.compare(path, [{"direction": direction, **row} for direction in ("out", "in")
                            for row in whole[direction]])
        headers, _ = self.ask(path, "text/csv")
        self.assertEqual((headers["Sash-Rows"], headers["Sash-Truncated"]),
                         (str(whole["rows"]["out"] + whole["rows"]["in"]), "true"))

    def test_a_format_that_there_is_not_is_refused(self) -> None:
        for path, accept in (("/api/v1/jobs", "image/png"),
                             ("/api/v1/jobs/shape/results/latest", "text/csv")):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.ask(path, accept)
            self.assertEqual(refused.exception.code, 406)


if __name__ == "__main__":
    unittest.main()

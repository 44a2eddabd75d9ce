"""Tests of the console: lists of pairs, cycles, paths and features, compared with the API.

console_test.py runs them.
"""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console_test import ConsoleTest

# The vertices in the first row, all at once: it may belong to the next result a moment later.
FIRST_ROW = """() => [...document.querySelectorAll(
    ".unranked tbody tr:first-child button.vertex")]
  .map((button) => button.textContent)"""


class Listing:
    """Tests for a class with `sashd`, `page()`, `assert_quiet()` and the assertions of unittest."""

    def test_new_edges_show_their_pairs(self: "ConsoleTest"):
        page = self.page().open("/#window=last-4s&job=arrivals")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 3")
        shown = page.page.evaluate(FIRST_ROW)
        pairs = [(pair["source"], pair["target"]) for result in
                 self.sashd.json("/api/v1/jobs/arrivals/results?limit=60")
                 for pair in result["top_edges"]]
        self.assertIn(tuple(shown), pairs)
        self.assert_quiet(page)

    def test_new_cycles_show_their_vertices(self: "ConsoleTest"):
        page = self.page().open("/#window=last-4s&job=rings")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 1")
        shown = page.page.evaluate(FIRST_ROW)
        cycles = [cycle["vertices"] for result in
                  self.sashd.json("/api/v1/jobs/rings/results?limit=60")
                  for cycle in result["top_cycles"]]
        self.assertEqual(shown[0], shown[-1])
        self.assertIn(shown[:-1], cycles)
        self.assert_quiet(page)

    def test_paths_show_their_vertices(self: "ConsoleTest"):
        page = self.page().open("/#window=last-4s&job=chains")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 0")
        shown = page.page.evaluate(FIRST_ROW)
        paths = [path["vertices"] for result in
                 self.sashd.json("/api/v1/jobs/chains/results?limit=60")
                 for path in result["top_paths"]]
        self.assertIn(shown, paths)
        self.assert_quiet(page)

    def test_features_of_pairs_are_shown_in_a_table(self: "ConsoleTest"):
        page = self.page().open("/#window=last-4s&job=features")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 0")
        cells = page.page.evaluate(
            "[...document.querySelectorAll('.unranked tbody tr:first-child td')]"
            ".map((cell) => cell.textContent)")
        rows = [[row["source"], row["target"], str(row["intermediates"])] for result in
                self.sashd.json("/api/v1/jobs/features/results?limit=60")
                for row in result["top_features"]]
        self.assertIn([*cells[:2], cells[-1]], rows)
        self.assert_quiet(page)

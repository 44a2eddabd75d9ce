#!/usr/bin/env python3
"""Dashboards are whole, and ask only for metrics and labels that daemon/metrics/README.md lists."""
import pathlib
import re
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TESTS / "integration" / "dashboard"))
import dashboards  # noqa: E402  (shared with the integration test)


class DashboardNamesTest(unittest.TestCase):
    def setUp(self):
        self.dashboards = [(path.name, dashboards.load(path)) for path in dashboards.files()]
        self.assertTrue(self.dashboards, "there are no dashboards")
        self.exported = dashboards.exported()
        self.assertGreater(len(self.exported), 20, "the table of metrics was not understood")

    def test_every_metric_and_label_is_exported(self):
        for file, dashboard in self.dashboards:
            for title, query in dashboards.queries(dashboard):
                names = re.findall(r"\b(?:sash|process)_\w+", query)
                self.assertTrue(names, f"{file}: {title}: no metric in {query}")
                for name in names:
                    self.assertIn(name, self.exported, f"{file}: {title}")
                for name, matchers in re.findall(r"(\w+)\{([^}]*)\}", query):
                    for label in re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers):
                        self.assertIn(label, self.exported[name], f"{file}: {title}: {query}")

    def test_variables_list_labels_that_are_exported(self):
        for file, dashboard in self.dashboards:
            variables = dashboards.variables(dashboard)
            self.assertIn("window", variables, file)
            for name, (metric, label) in variables.items():
                self.assertIn(label, self.exported[metric], f"{file}: ${name}")

    def test_every_panel_is_whole(self):
        for file, dashboard in self.dashboards:
            titles = [panel["title"] for panel in dashboards.panels(dashboard)]
            self.assertEqual(len(titles), len(set(titles)), f"{file}: a title is used twice")
            for panel in dashboards.panels(dashboard):
                where = f"{file}: {panel['title']}"
                self.assertTrue(panel["description"], where)
                self.assertTrue(panel["fieldConfig"]["defaults"]["unit"], where)
                self.assertTrue(panel["targets"], where)
                self.assertEqual(panel["datasource"]["uid"], "${datasource}", where)
                for target in panel["targets"]:
                    self.assertTrue(target["expr"], where)
                    self.assertTrue(target["legendFormat"], where)
                    self.assertEqual(target["datasource"]["uid"], "${datasource}", where)

    def test_legends_name_labels_that_remain(self):
        for file, dashboard in self.dashboards:
            for panel in dashboards.panels(dashboard):
                for target in panel["targets"]:
                    known = set().union(*(self.exported[name] for name in
                                          re.findall(r"\b(?:sash|process)_\w+", target["expr"])))
                    grouped = re.search(r"\bsum by \(([^)]*)\)", target["expr"])
                    if grouped:
                        known &= set(grouped.group(1).split(", "))
                    for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                        self.assertIn(label, known, f"{file}: {panel['title']}")

    def test_panels_do_not_overlap(self):
        for file, dashboard in self.dashboards:
            taken: set[tuple[int, int]] = set()
            ids = [panel["id"] for panel in dashboard["panels"]]
            self.assertEqual(len(ids), len(set(ids)), file)
            for panel in dashboard["panels"]:
                place = panel["gridPos"]
                self.assertLessEqual(place["x"] + place["w"], 24, f"{file}: {panel['title']}")
                cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                         for y in range(place["y"], place["y"] + place["h"])}
                self.assertFalse(cells & taken, f"{file}: {panel['title']}")
                taken |= cells

    def test_only_known_variables_are_used(self):
        for file, dashboard in self.dashboards:
            for title, query in dashboards.queries(dashboard):
                try:
                    left = dashboards.substitute(query, dashboards.EVERYTHING)
                except KeyError as name:
                    self.fail(f"{file}: {title}: unknown variable {name}")
                self.assertNotIn("$", left, f"{file}: {title}")


if __name__ == "__main__":
    unittest.main(verbosity=2)

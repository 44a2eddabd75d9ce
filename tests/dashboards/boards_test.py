#!/usr/bin/env python3
"""Tests that dashboards are complete, match dashboards/boards.py, and query only series and labels
that sashd exports or the rules record."""
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "dashboards")]
import boards  # noqa: E402
import dashboards  # noqa: E402
import draw  # noqa: E402

SOURCE = "${datasource}"


class BoardsTest(unittest.TestCase):
    def setUp(self):
        self.dashboards = [(path.name, dashboards.load(path)) for path in dashboards.files()]
        self.series = dashboards.series()
        self.assertGreater(len(dashboards.exported()), 20, "the table of metrics was not parsed")

    def panels(self):
        for file, dashboard in self.dashboards:
            for panel in dashboards.panels(dashboard):
                yield f"{file}: {panel['title']}", panel

    def queries(self):
        for file, dashboard in self.dashboards:
            for title, query in dashboards.queries(dashboard):
                yield f"{file}: {title}: {query}", query

    def test_the_files_are_those_that_draw_writes(self):
        self.assertEqual([path.stem for path in dashboards.files()], sorted(boards.BOARDS))
        for path in dashboards.files():
            drawn = draw.render(boards.BOARDS[path.stem])
            self.assertTrue(path.read_text(encoding="utf-8") == drawn,
                            f"{path.name} differs from its board: run dashboards/draw.py")

    def test_every_series_and_label_exists(self):
        for where, query in self.queries():
            names = dashboards.SERIES.findall(query)
            self.assertTrue(names, where)
            for name in names:
                self.assertIn(name, self.series, where)
            for name, matchers in re.findall(r"([\w:]+)\{([^}]*)\}", query):
                for label in re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers):
                    self.assertIn(label, self.series[name], where)

    def test_every_series_is_that_of_the_chosen_instances(self):
        for where, query in self.queries():
            for found in dashboards.SERIES.finditer(query):
                if query[:found.start()].endswith("on (job, instance) "):
                    continue  # the other operand of this join selects the instances
                self.assertRegex(query[found.end():], r'^\{[^}]*instance=~"\$instance"', where)

    def test_every_exported_metric_but_a_few_is_shown(self):
        shown = {name for _, query in self.queries() for name in dashboards.SERIES.findall(query)}
        recorded = " ".join(dashboards.recordings()[name] for name in shown
                            if name in dashboards.recordings())
        shown |= set(dashboards.SERIES.findall(recorded))
        hidden = {re.sub("_(bucket|sum|count)$", "", name)
                  for name in set(dashboards.exported()) - shown}
        hidden -= {re.sub("_(bucket|sum|count)$", "", name) for name in shown}
        self.assertEqual(hidden, {"process_virtual_memory_bytes", "process_threads",
                                  "sash_engine_watermark_timestamp_seconds",
                                  "sash_export_lease_ttl_limit_seconds"})  # of the configuration

    def test_every_recording_is_used(self):
        asked = " ".join(query for _, query in self.queries()) + " ".join(
            rule["expr"] for rule in dashboards.rules())
        self.assertLessEqual(set(dashboards.recordings()), set(dashboards.SERIES.findall(asked)))

    def test_variables_list_labels_that_are_exported(self):
        for file, dashboard in self.dashboards:
            variables = dashboards.variables(dashboard)
            self.assertIn("instance", variables, file)
            for name, (selector, label) in variables.items():
                self.assertIn(label, self.series[selector.split("{")[0]], f"{file}: ${name}")

    def test_every_variable_is_used_and_none_other(self):
        for file, dashboard in self.dashboards:
            used = set()
            for title, query in dashboards.queries(dashboard):
                used |= set(re.findall(r"\$(\w+)", query))
                left = dashboards.substitute(query, dashboards.EVERYTHING)
                self.assertNotIn("$", left, f"{file}: {title}")
            used -= {"__rate_interval"}
            self.assertEqual(used, set(dashboards.variables(dashboard)), file)

    def test_every_panel_is_whole(self):
        for where, panel in self.panels():
            self.assertTrue(panel["description"].endswith("."), where)
            self.assertTrue(panel["fieldConfig"]["defaults"]["unit"], where)
            self.assertTrue(panel["targets"], where)
            for part in [panel, *panel["targets"]]:
                self.assertEqual(part["datasource"]["uid"], SOURCE, where)
            for target in panel["targets"]:
                self.assertTrue(target["legendFormat"], where)
            self.assertEqual(len({target["refId"] for target in panel["targets"]}),
                             len(panel["targets"]), where)

    def test_units_fit_what_is_measured(self):
        for where, panel in self.panels():
            for target in panel["targets"]:
                query, unit = target["expr"], panel["fieldConfig"]["defaults"]["unit"]
                if re.match(r"rate\(\w+_bytes", query):
                    self.assertEqual(unit, "Bps", where)
                elif query.startswith(("rate(", "sum by (instance, reason)")):
                    wanted = {"_seconds_sum": "s", "_phase_seconds": "s", "_cpu_seconds": "short",
                              "_checkpoint_seconds": "percentunit",
                              "_request_seconds": "percentunit"}
                    self.assertEqual(unit, next((wanted[part] for part in wanted if part in query),
                                                "cps"), where)
                elif re.match(r"\w+_bytes\{[^}]*\}$", query):
                    self.assertEqual(unit, "bytes", where)
                elif re.match(r"histogram_quantile|time\(\)|\w+_seconds\{[^}]*\}$", query):
                    self.assertEqual(unit, "s", where)
                elif re.match(r"sash:\w+:ratio", query):
                    self.assertEqual(unit, "percentunit", where)

    def test_legends_name_labels_that_remain(self):
        for where, panel in self.panels():
            for target in panel["targets"]:
                query = target["expr"].removesuffix(" and on (job, instance) sash_build_info")
                labels = [self.series[name] for name in dashboards.SERIES.findall(query)]
                # With group_left the series on the left keep their labels.
                known = labels[0] if " group_left " in query else set.intersection(*labels)
                grouped = re.search(r"\bsum by \(([^)]*)\)", query)
                if grouped:
                    known = known & set(grouped.group(1).split(", "))
                for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                    self.assertIn(label, known, where)

    def test_panels_do_not_overlap_and_titles_are_used_once(self):
        for file, dashboard in self.dashboards:
            taken: set[tuple[int, int]] = set()
            for key in ("id", "title"):
                values = [panel[key] for panel in dashboard["panels"]]
                self.assertEqual(len(values), len(set(values)), f"{file}: a {key} is used twice")
            for panel in dashboard["panels"]:
                place = panel["gridPos"]
                self.assertLessEqual(place["x"] + place["w"], 24, f"{file}: {panel['title']}")
                cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                         for y in range(place["y"], place["y"] + place["h"])}
                self.assertFalse(cells & taken, f"{file}: {panel['title']}")
                taken |= cells

    def test_every_alert_has_a_panel_that_leads_to_its_runbook_entry(self):
        led = {link["url"] for _, panel in self.panels() for link in panel["links"]}
        self.assertEqual(led, {f"${{runbook}}#{alert.lower()}:~:text=%23%23%23%20{alert}"
                               for alert in dashboards.alerts()})

    def test_each_board_leads_to_the_others_and_to_the_runbook(self):
        self.assertEqual(len({dashboard["uid"] for _, dashboard in self.dashboards}),
                         len(self.dashboards))
        for file, dashboard in self.dashboards:
            boards_link, runbook_link = dashboard["links"]
            self.assertEqual((boards_link["type"], boards_link["tags"]), ("dashboards", ["sash"]))
            self.assertTrue(boards_link["includeVars"] and boards_link["keepTime"], file)
            self.assertIn("sash", dashboard["tags"], file)
            self.assertEqual(runbook_link["url"], "${runbook}")
            self.assertIn("runbook", [each["name"] for each in dashboard["templating"]["list"]])


if __name__ == "__main__":
    unittest.main(verbosity=2)

#!/usr/bin/env python3
"""Tests that the rules for Prometheus are right, that their cases notice seeded faults, and that
each alert has its entry in the runbook.

Uses `promtool` (Debian package prometheus) from the PATH.
"""
import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Iterator

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import dashboards  # noqa: E402
from dashboards import alerts, recordings  # noqa: E402

CASES = HERE / "rules_cases.yml"
RUNBOOK = dashboards.ROOT / "deploy" / "runbook.md"
PARTS = ["Meaning", "Likely causes", "Look at", "Do"]  # of an entry of the runbook
STRANGER = "up"  # the only metric in the rules that Prometheus itself makes


@functools.cache
def cases() -> dict[str, Any]:
    return yaml.safe_load(CASES.read_text(encoding="utf-8"))


def cases_of(alert: str) -> list[dict[str, Any]]:
    """The cases whose name begins with the alert's; every case belongs to exactly one alert."""
    return [case for case in cases()["tests"] if case["name"].split()[0] == alert]


def clauses(expression: str) -> list[str]:
    """An expression cut before each `and`, `or`, `unless` outside of parentheses."""
    depth, found = 0, [""]
    for word in re.findall(r"\S+\s*", expression):
        if depth == 0 and word.strip() in ("and", "or", "unless"):
            found.append("")
        found[-1] += word
        depth += word.count("(") - word.count(")")
    return found


def weakened(rule: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Faulty variants of a rule, each with the name of its fault."""
    yield "never fires", {**rule, "expr": f"({rule['expr']}) * 0 > 1"}
    yield "fires always", {**rule, "expr": "vector(1)"}
    if "for" in rule:
        yield "fires at once", {key: rule[key] for key in rule if key != "for"}
    parts = clauses(rule["expr"])
    for i in range(1, len(parts)):
        yield f"without `{parts[i].strip()}`", {**rule, "expr": "".join(parts[:i] + parts[i + 1:])}
    for found in re.finditer(r"(?:(?<=[<>] )|(?<=<= ))(?!0\b(?!\.))[\d.]+", rule["expr"]):
        for factor in (3, 1 / 3):
            other = f"{float(found[0]) * factor:g}"
            yield f"{other} for {found[0]}", {
                **rule, "expr": rule["expr"][:found.start()] + other + rule["expr"][found.end():]}


def promtool(*arguments: str) -> subprocess.CompletedProcess:
    program = shutil.which("promtool")
    if program is None:
        raise unittest.SkipTest("no promtool (Debian package prometheus)")
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)


class RulesTest(unittest.TestCase):
    def test_promtool_finds_nothing_wrong_with_the_rules(self):
        done = promtool("check", "rules", "--lint=all", "--lint-fatal", str(dashboards.RULES))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_every_case_passes(self):
        done = promtool("test", "rules", str(CASES))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_cases_notice_every_weakened_rule(self):
        wrongs: dict[str, str] = {}  # name of the file -> the fault
        with tempfile.TemporaryDirectory(prefix="sash-rules-") as name:
            folder = pathlib.Path(name)
            for alert, rule in alerts().items():
                for wrong, other in weakened(rule):
                    stem = f"{len(wrongs):03}"
                    rules = [each for each in dashboards.rules() if "record" in each] + [other]
                    (folder / f"{stem}.rules.yml").write_text(json.dumps(
                        {"groups": [{"name": "weakened", "rules": rules}]}))
                    (folder / f"{stem}.yml").write_text(json.dumps(
                        {**cases(), "rule_files": [f"{stem}.rules.yml"],
                         "tests": cases_of(alert)}))
                    wrongs[str(folder / f"{stem}.yml")] = f"{alert} {wrong}"
            done = promtool("test", "rules", *wrongs)
        # A failure for another reason than an alert would be a mistake in this test.
        verdicts = re.findall(r"^Unit Testing:  (\S+)\n  (SUCCESS|FAILED:\n.*?(?=\n\n|\nUnit))",
                              done.stdout + "\n\n", re.MULTILINE | re.DOTALL)
        self.assertEqual([file for file, _ in verdicts], list(wrongs), done.stdout)
        self.assertGreater(len(wrongs), 3 * len(alerts()))
        for file, verdict in verdicts:
            with self.subTest(wrong=wrongs[file]):
                self.assertIn("alertname", verdict, "no case fails")


class EachAlertTest(unittest.TestCase):
    def test_it_fires_resolves_and_stays_silent_in_cases_of_its_own(self):
        known = alerts()
        self.assertGreater(len(known), 14)
        for case in cases()["tests"]:
            named = {each["alertname"] for each in case["alert_rule_test"]}
            self.assertEqual(named, {case["name"].split()[0]}, "a case is about one alert")
            self.assertLessEqual(named, set(known), "there is no such alert")
        for alert in known:
            kinds = []
            for case in cases_of(alert):
                fires = [bool(each.get("exp_alerts")) for each in case["alert_rule_test"]]
                kinds.append("stays silent" if not any(fires) else "fires and resolves")
                if any(fires):
                    self.assertFalse(fires[-1], f"{case['name']}: the alert never resolves")
                self.assertIn(f" {kinds[-1]}: ", case["name"])
            self.assertEqual(set(kinds), {"stays silent", "fires and resolves"}, alert)

    def test_it_says_what_is_wrong_how_bad_it_is_and_where_to_read_on(self):
        for alert, rule in alerts().items():
            self.assertIn(rule["labels"]["severity"], ("critical", "warning"), alert)
            self.assertEqual(list(rule["annotations"]), ["summary", "description", "runbook_url"])
            self.assertIn("$labels.instance", rule["annotations"]["summary"], alert)
            self.assertEqual(rule["annotations"]["runbook_url"],
                             f"deploy/runbook.md#{alert.lower()}")

    def test_it_asks_for_metrics_and_labels_that_are_exported(self):
        exported = dashboards.exported()
        for rule in dashboards.rules():
            where = rule.get("alert") or rule["record"]
            asked = re.findall(r"\b(?:sash_|process_)\w+|\bup\b", rule["expr"])
            self.assertLessEqual(set(asked), {*exported, STRANGER}, where)
            self.assertLessEqual(set(re.findall(r"\bsash:[\w:]+", rule["expr"])),
                                 set(recordings()), where)
            for name, label in re.findall(r"(\w+)\{(\w+)\s*(?:=~|!~|!=|=)", rule["expr"]):
                self.assertIn(label, exported[name], where)
            for text in rule.get("annotations", {}).values():
                labels = set(re.findall(r"\$labels\.(\w+)", text)) - {"instance"}
                known = set().union(*(exported.get(name, set()) for name in self.metrics(rule)))
                self.assertLessEqual(labels, known, where)

    @staticmethod
    def metrics(rule: dict[str, Any]) -> set[str]:
        """The metrics in the rule, and in the recordings that it uses."""
        text = rule["expr"] + "".join(
            expression for name, expression in recordings().items() if name in rule["expr"])
        return set(re.findall(r"\b(?:sash_|process_)\w+", text))


class RunbookTest(unittest.TestCase):
    def setUp(self):
        self.text = RUNBOOK.read_text(encoding="utf-8")

    def test_it_has_one_entry_for_each_alert_in_their_order(self):
        self.assertEqual(re.findall(r"^### (\w+)$", self.text, re.MULTILINE), list(alerts()))

    def test_every_entry_has_all_its_parts(self):
        for entry in re.split(r"^### ", self.text, flags=re.MULTILINE)[1:]:
            entry = re.split(r"^## ", entry, flags=re.MULTILINE)[0]
            self.assertEqual(re.findall(r"^\*\*([\w ]+)\.\*\* \S", entry, re.MULTILINE), PARTS,
                             entry.splitlines()[0])

    def test_metrics_and_alerts_that_it_names_exist(self):
        exported = dashboards.exported()
        exported |= {name.removesuffix("_bucket"): labels for name, labels in exported.items()}
        for name in re.findall(r"`((?:sash|process)_\w+)", self.text):
            self.assertIn(name, exported)
        for name in re.findall(r"\b(Sash[A-Z]\w+)", self.text):
            self.assertIn(name, alerts())
        for name in re.findall(r"`(sash:[\w:]+)", self.text):
            self.assertIn(name, recordings())

    def test_links_lead_somewhere(self):
        anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
                   for title in re.findall(r"^#+ (.+)$", self.text, re.MULTILINE)}
        for target in re.findall(r"\]\(([^)]+)\)", self.text):
            file, _, anchor = target.partition("#")
            if file:
                self.assertTrue((RUNBOOK.parent / file).exists(), target)
            else:
                self.assertIn(anchor, anchors)


if __name__ == "__main__":
    unittest.main(verbosity=2)

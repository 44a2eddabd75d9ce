"""The package sash-spark without Spark: how it reads configurations."""
import json
import os
import pathlib
import tempfile
import unittest
from typing import Any
from unittest import mock

from engines import PACKAGE

from sash_spark.configuration import Configuration, load_configuration
from sash_spark.errors import InputError
from sash_spark.limits import BYTES_PER_VERTEX
from sash_spark.parameters import KERNELS, NOT_HERE, REQUIRED, written

SCHEMA = PACKAGE.parents[1] / "configs" / "sash.schema.json"
WINDOW = "windows: [{name: w, length: 5m, slide: 1m}]\n"


class ConfigurationTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-spark-")
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name, "sashd.yaml")

    def load(self, text: str) -> Configuration:
        self.path.write_text(text, encoding="utf-8")
        return load_configuration(self.path)

    def faults(self, text: str) -> list[str]:
        with self.assertRaises(InputError) as refused:
            self.load(text)
        return [line.removeprefix(f"{self.path}: ") for line in str(refused.exception).splitlines()]

    def test_what_concerns_windows_and_jobs_is_read_and_the_rest_is_named(self) -> None:
        found = self.load("""
source: {replay: {path: x}}
windows:
  - {name: w, length: 1h, slide: 90s, offset: 1s, duplicates: weigh, types: [b, a], live: true}
  - {name: all, length: forever, slide: 1d}
jobs:
  - {name: p, kernel: pagerank, window: w, parameters: {tolerance: 1e-9, sources: [1, yes]}, top: 3}
  - {name: q, kernel: bfs, window: all, every: 2, deadline: 5s, parameters: {roots: [~]}}
  - {name: r, kernel: external, window: w, deadline: 20s}
  - {name: s, kernel: degree, window: w, visibility: live, every: 1s}
  - {name: t, kernel: degree, window: w, visibility: published}
http: {listen: "off"}
""")
        window = found.windows["w"]
        self.assertEqual((window.length, window.slide, window.offset),
                         (3600 * 10**9, 90 * 10**9, 10**9))
        self.assertEqual((window.duplicates, window.types, window.where), ("weigh", ("a", "b"), ""))
        self.assertIsNone(found.windows["all"].length)
        job = found.jobs["p"]
        self.assertEqual((job.top, job.every), (3, 1))
        self.assertEqual(job.parameters["sources"], ("1", "yes"), "keys stay as they are written")
        self.assertEqual(written("pagerank", job.parameters), {
            "damping": 0.85, "tolerance": 1e-9, "max_iterations": 100, "sources": ("1", "yes")})
        self.assertEqual(found.jobs["q"].parameters["roots"], ("~",))
        self.assertEqual(list(found.not_here), ["r", "s"])
        self.assertEqual(found.ignored, ("source", "http", "windows[].live", "jobs[].deadline"))

    def test_every_fault_says_where_it_is_and_what_would_be_right(self) -> None:
        self.assertEqual(self.faults("""
windows: [{name: w, length: 10, slide: 10s}]
jobs:
  - {name: a, kernel: pagerank, window: w, parameters: {dampin: 0.5, tolerance: -1}}
  - {name: b, kernel: pagerak, window: w}
  - {name: c, kernel: bfs, window: v, parameters: {direction: up, separate: 3}}
  - {name: c, kernel: cdlp, window: w, parameters: {max_iterations: 0}, top: 0}
  - {name: e, kernel: pagerank, window: w, parameters: {warm_start: true, weighted: true}}
"""), [
            "windows[0].length: `10` is not a duration; give one whole number and one unit of ns, "
            "us, ms, s, m, h, d, such as 5m",
            "jobs[0].parameters.dampin: unknown key; did you mean `damping`? (known here: damping, "
            "tolerance, max_iterations, warm_start, check_every, weighted, sources, direction)",
            "jobs[0].parameters.tolerance: `-1` is out of range; give a number of at least 0",
            f"jobs[1].kernel: `pagerak` is not a known kernel; available: "
            f"{', '.join([*KERNELS, *NOT_HERE])}; did you mean `pagerank`?",
            "jobs[2].window: there is no window `v`; windows: w",
            "jobs[2].parameters.roots: is required: give a list of vertex keys, such as [alice]",
            "jobs[2].parameters.direction: must be out, in or both, not `up`",
            "jobs[2].parameters.separate: must be true or false, not `3`",
            "jobs[3].name: there is another job `c`",
            "jobs[3].parameters.max_iterations: `0` is out of range; give a number from 1 to "
            "1000000",
            "jobs[3].top: `0` is not a whole number of at least 1",
            "jobs[4].parameters.warm_start: cannot be combined with `weighted`, `sources` or "
            "`direction`; leave it out"])

    def test_files_may_include_others_and_refer_to_values_outside(self) -> None:
        self.path.with_name("more.yaml").write_text(
            "jobs: [{name: b, kernel: bfs, window: w, parameters: {roots: ['${env:SASH_ROOT}']}}]\n"
            "http: {listen: 'off'}\n")
        with mock.patch.dict(os.environ, {"SASH_ROOT": "alice"}):
            found = self.load(WINDOW + "include: [more.yaml]\n"
                              "jobs: [{name: a, kernel: wcc, window: w}]\n")
            self.assertEqual(list(found.jobs), ["a", "b"])
            self.assertEqual(found.jobs["b"].parameters["roots"], ("alice",))
            self.assertEqual(found.ignored, ("http",))
            escaped = self.load(WINDOW + "jobs: [{name: a, kernel: bfs, window: w, parameters: "
                                "{roots: ['$${env:SASH_ROOT}']}}]\n")
            self.assertEqual(escaped.jobs["a"].parameters["roots"], ("${env:SASH_ROOT}",))
        self.assertIn("${env:SASH_ROOT}: the variable is not set", self.faults(
            WINDOW + "jobs: [{name: '${env:SASH_ROOT}', kernel: wcc, window: w}]\n")[0])
        self.assertIn("includes itself", self.faults("include: [sashd.yaml]\n")[0])
        self.assertIn("is not YAML", self.faults("windows: [\n")[0])
        self.assertIn("is not a configuration", self.faults("- a\n")[0])

    def test_parameters_are_those_of_sashd(self) -> None:
        """The schema is generated from the rows of windows/jobs/kinds."""
        schema = json.loads(SCHEMA.read_text())["properties"]["jobs"]["items"]
        kernels = {}
        for each in schema["allOf"]:
            kernel = each["if"]["properties"]["kernel"]["const"]
            kernels[kernel] = each["then"]["properties"].get("parameters", {}).get("properties", {})
        self.assertEqual(list(kernels), [*KERNELS, *NOT_HERE])
        for kernel, rows in KERNELS.items():
            with self.subTest(kernel):
                self.assertEqual([row.name for row in rows], list(kernels[kernel]))
                for row in rows:
                    self.compare(row, kernels[kernel][row.name])
        self.assertEqual(set(BYTES_PER_VERTEX), set(KERNELS))

    def compare(self, row: Any, known: dict[str, Any]) -> None:
        default = row.word or (None if row.default is REQUIRED else row.default)
        self.assertEqual(known.get("default"), default, row.name)
        forms = {name: value for form in known.get("anyOf", [known]) if "$ref" not in form
                 for name, value in form.items()}
        if row.kind == "words":
            self.assertEqual(tuple(forms["enum"]), row.words)
        elif row.kind == "whole":
            self.assertEqual((forms["minimum"], forms["maximum"]), (row.least, row.most))
        elif row.kind == "real":
            self.assertEqual("exclusiveMinimum" in forms, row.least > 0)
            self.assertEqual(forms.get("minimum", 0), 0)
            self.assertEqual(forms.get("exclusiveMaximum") == 1, row.most < 1)
        else:
            self.assertEqual(forms["type"], {"keys": "array", "truth": "boolean"}[row.kind])


if __name__ == "__main__":
    unittest.main()

"""The API compared with its own OpenAPI document by the conformance tool schemathesis.

It gets the document from a running `sashd`, makes valid and invalid requests from it, and checks
every response: its status, content type and schema; and that invalid requests and other methods are
refused.
"""
import importlib.util
import json
import os
import subprocess
import sys
import unittest
import urllib.request
from typing import Any, Sequence

from sashd_process import PATIENCE_SECONDS, SHAPE, WINDOW, Sashd, live

SEED = "20260101"
EXAMPLES = "2"  # per operation, in addition to one for every boundary
# Endless responses, which the tool would wait for.
ENDLESS = ["/api/v1/events", "/api/v1/tap"]
JOB_PATHS = r"^/api/v1/jobs/\{job\}"


def job(kernel: str, name: str | None = None, **parameters: Any) -> dict[str, Any]:
    return {"name": name or kernel, "kernel": kernel, "window": "w", "parameters": parameters}


# One of each kind of response.
JOBS = [job("pagerank"), SHAPE, job("bfs", roots=["v0", "v1"], separate=True),
        job("sssp", roots=["v0"]), job("wcc"), job("new_edges")]


# Requests of valid form may still name a window that does not exist or is too old, a slide that
# does not fit, or a format that a result without a list does not have.
REFUSED_BY_MEANING = ["2xx", "304", "400", "404", "406", "409", "410", "416", "422", "503"]


class ConformanceTest(unittest.TestCase):
    def setUp(self) -> None:
        if importlib.util.find_spec("schemathesis") is None:
            raise unittest.SkipTest("no Python package schemathesis; tests/run.sh installs it")
        # With heap profiling: without it, that route returns an error.
        self.sashd = Sashd(live(jobs=JOBS, windows=[{**WINDOW, "retain": "1h", "live": True}]),
                           env={**os.environ, "MALLOC_CONF": "prof:true"})
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.generate("--rate", "2000", "--scale", "4")
        self.sashd.await_lines(2 * len(JOBS))

    def judge(self, *options: str, methods: Sequence[str] = ("GET",), **parameters: str) -> None:
        """Runs the tool, with these values in place of generated ones."""
        settings = self.sashd.folder / "schemathesis.toml"
        lines = [f"{name} = {json.dumps(value)}" for name, value in parameters.items()]
        settings.write_text("\n".join([
            "[parameters]", *lines, "[checks.positive_data_acceptance]",
            f"expected-statuses = {json.dumps(REFUSED_BY_MEANING)}"]) + "\n")
        run = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--config-file", settings, "run",
             self.sashd.url("/openapi.json"), "--checks", "all", "--max-examples", EXAMPLES,
             *(option for method in methods for option in ("--include-method", method)),
             *(option for path in ENDLESS for option in ("--exclude-path", path)), "--seed", SEED,
             "--suppress-health-check", "all", "--no-color", *options],
            cwd=self.sashd.folder, capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS)
        said = run.stdout + run.stderr
        self.assertEqual(run.returncode, 0, said)
        self.assertRegex(said, r"(?m)^ *[1-9]\d* generated, ", "no request was generated")
        self.assertEqual(self.sashd.json("/healthz"), {"status": "ok"}, self.sashd.log())

    def test_answers_about_what_there_is_are_as_documented(self):
        self.judge(window="w", job="pagerank", key="v0")

    def test_answers_about_what_there_is_not_are_as_documented(self):
        self.judge()

    def test_answers_of_every_kind_of_job_are_as_documented(self):
        for each in JOBS[1:]:
            with self.subTest(each["name"]):
                self.judge("--include-path-regex", JOB_PATHS, "--phases", "coverage",
                           job=each["name"], key="v0")

    def test_changes_are_as_documented_and_leave_a_process_that_works(self):
        """Jobs and windows are added and removed at random; a reload restores those of the file."""
        self.judge(methods=("POST", "PUT", "DELETE"), window="w", job="scratch")
        self.judge(methods=("POST", "PUT", "DELETE"))
        self.judge(methods=("POST", "DELETE"), window="w", job="pagerank")
        reload = urllib.request.Request(self.sashd.url("/api/v1/reload"), method="POST")
        with urllib.request.urlopen(reload, timeout=PATIENCE_SECONDS) as answer:
            self.assertEqual(answer.status, 200)
        self.assertEqual({each["name"] for each in self.sashd.json("/api/v1/jobs")},
                         {each["name"] for each in JOBS})
        self.sashd.await_lines(len(self.sashd.lines()) + len(JOBS))
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())


if __name__ == "__main__":
    unittest.main()

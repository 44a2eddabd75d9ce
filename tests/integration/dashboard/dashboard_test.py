#!/usr/bin/env python3
"""Every query of the dashboards returns data from a real Prometheus that scraped a real `sashd`.

SASHD and SASH_GENERATE name the programs; `prometheus` is looked for in the PATH.
"""
import json
import math
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import dashboards  # noqa: E402  (beside this file, whatever the working directory)

START_SECONDS = 60
DATA_SECONDS = 120
STOP_SECONDS = 30
SKIPPED = 77

SASHD_CONFIGURATION = """
source:
  kafka: {{brokers: embedded, topics: [interactions]}}
  format:
    json: {{source: /from, target: /to, time: /ts}}
  time: {{from: field, unit: ms, disorder: 200ms}}
windows:
  - {{name: short, length: 5s, slide: 1s}}
  - {{name: long, length: 10s, slide: 2s, duplicates: weigh, implementation: rebuild}}
jobs:
  - {{name: influencers, kernel: pagerank, window: short}}
  - {{name: reach, kernel: bfs, window: long, parameters: {{roots: [v0]}}}}
  - {{name: shape, kernel: window, window: short}}
sinks:
  - {{file: {{path: results.jsonl}}}}
http: {{listen: "127.0.0.1:{port}"}}
memory: {{limit: 8GiB}}
"""

PROMETHEUS_CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs:
  - job_name: sash
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url: str) -> Any:
    """The JSON of the answer; None while there is none."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return None


class Program:
    """A process in a folder of its own; its output is kept for messages."""

    def __init__(self, folder: pathlib.Path, name: str, *command: str) -> None:
        self.name = name
        self._log = folder / f"{name}.log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=subprocess.STDOUT)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def check(self) -> None:
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended with {self.process.returncode}:\n{self.tail()}")

    def tail(self) -> str:
        return self._log.read_text(errors="replace")[-3000:]


class Stack:
    """sashd, a live stream into it, and a Prometheus that scrapes it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._programs: list[Program] = []

    def start(self, sashd: str, generate: str, prometheus: str) -> None:
        api, web = free_port(), free_port()
        self.prometheus = f"http://127.0.0.1:{web}"
        self._write("sashd.yaml", SASHD_CONFIGURATION.format(port=api))
        self._run("sashd", sashd, "--config", "sashd.yaml")
        source = self.wait_for(f"http://127.0.0.1:{api}/api/v1/source",
                               lambda answer: answer["address"])
        self._run("sash-generate", generate, "--to", "kafka", "--brokers", source["address"],
                  "--topic", "interactions", "--rate", "2000", "--start", "now", "--graph", "rmat",
                  "--scale", "10", "--format", "json")
        self._write("prometheus.yaml", PROMETHEUS_CONFIGURATION.format(port=api))
        self._run("prometheus", prometheus, "--config.file=prometheus.yaml",
                  f"--web.listen-address=127.0.0.1:{web}", "--storage.tsdb.path=data",
                  "--log.level=warn")
        self.wait_for(f"{self.prometheus}/api/v1/status/buildinfo", lambda answer: True)

    def stop(self) -> None:
        for program in reversed(self._programs):
            program.stop()

    def wait_for(self, url: str, has_come: Callable[[Any], Any]) -> Any:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self.check()
            answer = get(url)
            if answer is not None and has_come(answer):
                return answer
            time.sleep(0.2)
        raise AssertionError(f"no answer at {url}; {self.tails()}")

    def query(self, expression: str) -> list[float]:
        """The values of an instant query."""
        answer = get(f"{self.prometheus}/api/v1/query?" +
                     urllib.parse.urlencode({"query": expression}))
        if answer is None or answer["status"] != "success":
            return []
        return [float(sample["value"][1]) for sample in answer["data"]["result"]]

    def label_values(self, metric: str, label: str) -> list[str]:
        answer = get(f"{self.prometheus}/api/v1/label/{label}/values?" +
                     urllib.parse.urlencode({"match[]": metric}))
        return answer["data"] if answer else []

    def check(self) -> None:
        for program in self._programs:
            program.check()

    def tails(self) -> str:
        return "\n".join(f"{program.name}:\n{program.tail()}" for program in self._programs)

    def _write(self, name: str, text: str) -> None:
        (self._folder / name).write_text(text)

    def _run(self, name: str, *command: str) -> None:
        self._programs.append(Program(self._folder, name, *command))


def needed_programs() -> dict[str, str]:
    """The three programs; SkipTest when one is missing."""
    found = {"sashd": os.environ.get("SASHD", ""), "sash-generate": os.environ.get("SASH_GENERATE", ""),
             "prometheus": shutil.which("prometheus") or ""}
    for name, path in found.items():
        if not path or not pathlib.Path(path).exists():
            raise unittest.SkipTest(f"no {name}")
        found[name] = str(pathlib.Path(path).resolve())
    return found


class DashboardTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        programs = needed_programs()
        folder = tempfile.TemporaryDirectory(prefix="sash-dashboard-")
        cls.addClassCleanup(folder.cleanup)
        cls.stack = Stack(pathlib.Path(folder.name))
        cls.addClassCleanup(cls.stack.stop)
        cls.stack.start(programs["sashd"], programs["sash-generate"], programs["prometheus"])

    def without_data(self, expressions: set[str]) -> dict[str, list[float]]:
        """Those that still have no finite value when the time is up, with what they had last."""
        missing: dict[str, list[float]] = {expression: [] for expression in expressions}
        deadline = time.monotonic() + DATA_SECONDS
        while missing and time.monotonic() < deadline:
            self.stack.check()
            for expression in list(missing):
                missing[expression] = self.stack.query(expression)
                if any(math.isfinite(value) for value in missing[expression]):
                    del missing[expression]
            time.sleep(0.5)
        return missing

    def test_every_query_returns_data(self):
        for path in dashboards.files():
            dashboard = dashboards.load(path)
            with self.subTest(dashboard=path.name):
                expressions = {dashboards.substitute(expression, dashboards.EVERYTHING)
                               for _, expression in dashboards.queries(dashboard)}
                self.assertEqual(self.without_data(expressions), {}, self.stack.tails())

    def test_variables_list_windows_and_jobs(self):
        expected = {"window": ["long", "short"], "job": ["influencers", "reach", "shape"]}
        for path in dashboards.files():
            variables = dashboards.variables(dashboards.load(path))
            self.assertEqual(self.without_data({metric for metric, _ in variables.values()}), {})
            for name, (metric, label) in variables.items():
                self.assertEqual(self.stack.label_values(metric, label), expected[name])

    def test_one_window_and_job_can_be_chosen(self):
        chosen = {**dashboards.EVERYTHING, "window": "short", "job": "influencers"}
        for path in dashboards.files():
            expressions = {dashboards.substitute(expression, chosen)
                           for _, expression in dashboards.queries(dashboards.load(path))
                           if "$window" in expression or "$job" in expression}
            self.assertNotEqual(expressions, set())
            self.assertEqual(self.without_data(expressions), {}, self.stack.tails())


def main() -> int:
    try:
        needed_programs()
    except unittest.SkipTest as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    return 0 if unittest.main(exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

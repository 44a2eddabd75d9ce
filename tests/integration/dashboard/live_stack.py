"""The setup on which dashboards are tested: a real Prometheus that scrapes a real `sashd` with a
live stream, and another one without its broker.
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "dashboards"))
import dashboards  # noqa: E402

START_SECONDS = 60
DATA_SECONDS = 120
STOP_SECONDS = 30

SASHD_CONFIGURATION = """
source:
  kafka: {{brokers: embedded, topics: [interactions]}}
  mappings:
    - json: {{source: /from, target: /to, time: /ts}}
  time: {{from: field, unit: ms, disorder: 200ms}}
windows:
  - {{name: short, length: 5s, slide: 1s}}
  - {{name: long, length: 10s, slide: 2s, duplicates: weigh, implementation: rebuild}}
jobs:
  - {{name: influencers, kernel: pagerank, window: short}}
  - {{name: reach, kernel: bfs, window: long, parameters: {{roots: [v0]}}}}
  - {{name: shape, kernel: window, window: short}}
  - {{name: own, kernel: external, window: short, deadline: 500ms}}  # without a worker
sinks:
  - {{file: {{path: results.jsonl}}}}
  - {{kafka: {{topic: results}}}}
  - {{terminal: {{}}}}
alerts:
  - {{name: moved, job: influencers, on: changed, at_most: 5s}}
exports:
  - frozen: {{path: frozen, windows: [short]}}
  - parquet: {{path: slices, slices: true, keep: 1h}}
http: {{listen: "127.0.0.1:{port}"}}
memory: {{limit: 8GiB}}
recovery: checkpoint
state: {{interval: 1s}}
"""

AWAY_CONFIGURATION = """
source:
  kafka: {{brokers: "127.0.0.1:{nobody}", topics: [interactions]}}
  format:
    json: {{source: /from, target: /to, time: /ts}}
  dead_letters: {{path: away-letters.jsonl}}
windows:
  - {{name: short, length: 5s, slide: 1s}}
jobs:
  - {{name: shape, kernel: window, window: short}}
sinks:
  - {{kafka: {{topic: once, transactional: true}}}}
  - {{webhook: {{name: away, url: "http://127.0.0.1:{nobody}/"}}}}
http: {{listen: "127.0.0.1:{port}"}}
"""

PROMETHEUS_CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}
rule_files: ["{rules}"]
scrape_configs:
  - job_name: sash
    static_configs: [{{targets: ["{live}", "{away}"]}}]
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url: str) -> Any:
    """The JSON of the response; None if there is none."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return None


class Program:
    """A process in its own folder; its output is kept for messages."""

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
            raise AssertionError(f"{self.name} ended with "
                                 f"{self.process.returncode}:\n{self.tail()}")

    def tail(self) -> str:
        return self._log.read_text(errors="replace")[-3000:]


class Stack:
    """sashd with a live stream, another one without a broker, a Prometheus that scrapes both."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._programs: list[Program] = []

    def start(self, sashd: str, generate: str, prometheus: str, rate: str = "2000",
              disorder: str = "1500ms") -> None:
        """Windows wait 200 ms, so with more disorder some events come late."""
        api, other, web, nobody = (free_port() for _ in range(4))
        self.prometheus = f"http://127.0.0.1:{web}"
        self.live, self.away = f"127.0.0.1:{api}", f"127.0.0.1:{other}"
        self._write("sashd.yaml", SASHD_CONFIGURATION.format(port=api))
        self._run("sashd", sashd, "--config", "sashd.yaml")
        source = self.wait_for(f"http://127.0.0.1:{api}/api/v1/source",
                               lambda answer: answer["address"])
        self._run("sash-generate", generate, "--to", "kafka", "--brokers", source["address"],
                  "--topic", "interactions", "--format", "json", "--graph", "rmat", "--scale", "10",
                  "--start", "now", "--rate", rate, "--disorder", disorder)
        self._write("away.yaml", AWAY_CONFIGURATION.format(port=other, nobody=nobody))
        self._run("away", sashd, "--config", "away.yaml")
        self._write("prometheus.yaml", PROMETHEUS_CONFIGURATION.format(
            rules=dashboards.RULES, live=self.live, away=self.away))
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

    def without_data(self, expressions: set[str]) -> dict[str, list[float]]:
        """The expressions that still have no finite value when the time is up, with their last
        values."""
        missing: dict[str, list[float]] = {expression: [] for expression in expressions}
        deadline = time.monotonic() + DATA_SECONDS
        while missing and time.monotonic() < deadline:
            self.check()
            for expression in list(missing):
                missing[expression] = self.query(expression)
                if any(math.isfinite(value) for value in missing[expression]):
                    del missing[expression]
            time.sleep(0.5)
        return missing

    def label_values(self, selector: str, label: str) -> list[str]:
        answer = get(f"{self.prometheus}/api/v1/label/{label}/values?" +
                     urllib.parse.urlencode({"match[]": selector}))
        return answer["data"] if answer else []

    def rules(self) -> list[dict[str, Any]]:
        answer = get(f"{self.prometheus}/api/v1/rules")
        return [rule for group in answer["data"]["groups"] for rule in group["rules"]]

    def alerts(self) -> dict[tuple[str, str], dict[str, Any]]:
        """(name, instance) -> the alerts that are pending or firing."""
        answer = get(f"{self.prometheus}/api/v1/alerts")
        return {(each["labels"]["alertname"], each["labels"]["instance"]): each
                for each in answer["data"]["alerts"]} if answer else {}

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
    found = {"sashd": os.environ.get("SASHD", ""),
             "sash-generate": os.environ.get("SASH_GENERATE", ""),
             "prometheus": shutil.which("prometheus") or ""}
    for name, path in found.items():
        if not path or not pathlib.Path(path).exists():
            raise unittest.SkipTest(f"no {name}")
        found[name] = str(pathlib.Path(path).resolve())
    return found


def started(test: type[unittest.TestCase]) -> Stack:
    """A stack that is stopped with the class; SkipTest when a program is missing."""
    programs = needed_programs()
    folder = tempfile.TemporaryDirectory(prefix="sash-dashboard-")
    test.addClassCleanup(folder.cleanup)
    stack = Stack(pathlib.Path(folder.name))
    test.addClassCleanup(stack.stop)
    stack.start(programs["sashd"], programs["sash-generate"], programs["prometheus"])
    return stack

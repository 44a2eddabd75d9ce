"""A real `sashd` as its operator sees it: command line, signals, logs, HTTP, /proc. Configurations
are written as JSON, which is YAML. Only the standard library is needed.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Iterable

ROOT = pathlib.Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 60  # for actions that usually take a second, on a busy machine
STOP_SECONDS = 30

JSON_FORMAT = {"json": {"source": "/from", "target": "/to", "time": "/ts"}}
CSV_FORMAT = {"csv": {"source": "source", "target": "target", "time": "time"}}
WINDOW = {"name": "w", "length": "10s", "slide": "1s"}
SHAPE = {"name": "shape", "kernel": "window", "window": "w"}
RESULTS = {"file": {"path": "results.jsonl"}}


def program(variable: str, name: str) -> str:
    """A program of the build: named by the environment, or from the release preset."""
    return os.environ.get(variable) or str(ROOT / "build/release/daemon" / name)


def replay(path: str = "events", **more: Any) -> dict[str, Any]:
    """A whole configuration; `more` replaces its sections, or the sections of source."""
    source = {"replay": {"path": path}, "format": JSON_FORMAT, "time": {"unit": "ms"}}
    return _with(source, more)


def live(**more: Any) -> dict[str, Any]:
    """A configuration with the embedded broker, and an API on a free port."""
    source = {"kafka": {"brokers": "embedded", "topics": ["edges"]}, "format": JSON_FORMAT,
              "time": {"unit": "ms", "disorder": "100ms"}}
    return _with(source, {"http": {"listen": "127.0.0.1:0"}, **more})


def _with(source: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    inner = {key: more.pop(key) for key in ("format", "time", "dead_letters") if key in more}
    return {"source": {**source, **inner}, "windows": [WINDOW], "jobs": [SHAPE],
            "sinks": [RESULTS], "http": {"listen": "off"}, **more}


def edges(rows: Iterable[tuple[str, str, int]]) -> bytes:
    """Records of JSON_FORMAT."""
    return "".join(json.dumps({"from": source, "to": target, "ts": time}) + "\n"
                   for source, target, time in rows).encode()


def await_that(what: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
    """The result of `what`, once that is true; its last result if it never was."""
    deadline = time.monotonic() + seconds
    while True:
        answer = what()
        if answer or time.monotonic() > deadline:
            return answer
        time.sleep(0.02)


class Sashd:
    """A process in its own temporary folder, which is always stopped at the end.

    `content` becomes the file "events"; `before` may add more to the folder.
    """

    def __init__(self, document: dict[str, Any] | None = None, content: bytes | None = None,
                 arguments: list[str] | None = None,
                 before: Callable[[pathlib.Path], Any] | None = None, **popen: Any) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="sash-process-")
        self.folder = pathlib.Path(self._temporary.name)
        if content is not None:
            (self.folder / "events").write_bytes(content)
        if document is not None:
            (self.folder / "sashd.yaml").write_text(json.dumps(document))
        if before is not None:
            before(self.folder)
        self._arguments = arguments or ["--config", "sashd.yaml"]
        self._popen = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **popen}
        self._generators: list[subprocess.Popen] = []

    def __enter__(self) -> "Sashd":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self._generators, self.process]:
            if process.poll() is None:
                process.kill()
            process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        if self.process.stdin:
            self.process.stdin.close()
        self._temporary.cleanup()

    def start(self) -> None:
        """Starts it, also again after it has ended; the log goes on."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([program("SASHD", "sashd"), *self._arguments],
                                            cwd=self.folder, stderr=log, **self._popen)

    def generate(self, *options: str, topic: str = "edges") -> subprocess.Popen:
        """Generates edges, with current times unless a start is given, into the embedded broker."""
        start = [] if "--start" in options else ["--start", "now"]
        command = [program("SASH_GENERATE", "generate/sash-generate"), "--to", "kafka",
                   "--brokers", self.broker(), "--topic", topic, *start, *options]
        with (self.folder / "generator").open("ab") as log:
            self._generators.append(subprocess.Popen(command, stdout=log, stderr=log))
        return self._generators[-1]

    def generate_all(self, *options: str) -> None:
        """Generates a finite number of edges; returns when they are in the broker."""
        ended = self.generate(*options).wait(PATIENCE_SECONDS)
        if ended != 0:
            raise AssertionError(self.generator_log())

    def generator_log(self) -> str:
        file = self.folder / "generator"
        return file.read_text(errors="replace") if file.exists() else ""

    def produce(self, record: bytes, topic: str = "edges") -> None:
        """Produces one record, with kcat."""
        if not shutil.which("kcat"):
            raise unittest.SkipTest("there is no kcat (package kcat)")
        subprocess.run(["kcat", "-P", "-q", "-b", self.broker(), "-t", topic, "-p", "0"],
                       input=record, check=True, timeout=PATIENCE_SECONDS)

    # How it ends

    def send(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def wait(self, seconds: float = PATIENCE_SECONDS) -> int:
        """The exit code."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"sashd has not ended within {seconds} s:\n{self.log()}") from None

    def stop(self, number: int = signal.SIGTERM, seconds: float = STOP_SECONDS) -> int:
        self.send(number)
        return self.wait(seconds)

    def output(self) -> str:
        """Standard output, once it has ended."""
        return self.process.stdout.read().decode() if self.process.stdout else ""

    # What it says and writes

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def await_log(self, pattern: str) -> re.Match:
        found = await_that(lambda: re.search(pattern, self.log())
                           or (self.process.poll() is not None and "ended"))
        found = re.search(pattern, self.log()) or found  # it may have ended just after writing it
        if not isinstance(found, re.Match):
            raise AssertionError(f"no {pattern!r} in the log:\n{self.log()}")
        return found

    def lines(self, path: str = "results.jsonl") -> list[dict[str, Any]]:
        """The whole lines of a file, as JSON."""
        file = self.folder / path
        text = file.read_text() if file.exists() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line[-1] == "\n"]

    def await_lines(self, count: int, path: str = "results.jsonl") -> list[dict[str, Any]]:
        lines = await_that(lambda: len(found := self.lines(path)) >= count and found)
        if not lines:
            raise AssertionError(f"{len(self.lines(path))} lines in {path}, awaited {count}:\n"
                                 f"{self.log()}{self.generator_log()}")
        return lines

    # What it answers

    def broker(self) -> str:
        return self.await_log(r"embedded broker listens on (\S+)")[1]

    def url(self, path: str) -> str:
        return f"http://{self.await_log(r'http listens on ([0-9.:]+)')[1]}{path}"

    def get(self, path: str) -> tuple[int, str, str]:
        """Status, content type and body."""
        try:
            with urllib.request.urlopen(self.url(path), timeout=STOP_SECONDS) as answer:
                return answer.status, answer.headers["Content-Type"], answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers["Content-Type"], error.read().decode()

    def json(self, path: str) -> Any:
        return json.loads(self.get(path)[2])

    def metric(self, name: str, **labels: str) -> float:
        """The sum over the series that have these labels; 0 if there are none."""
        total = 0.0
        for line in self.get("/metrics")[2].splitlines():
            sample = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
            if sample and sample[1] == name:
                have = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample[2] or ""))
                if labels.items() <= have.items():
                    total += float(sample[3])
        return total

    def resident_bytes(self) -> int:
        """The resident memory of the process; 0 once it has ended."""
        try:
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return 0
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) * 1024 if found else 0


def run(document: dict[str, Any] | None, content: bytes | None = None,
        **more: Any) -> "Ended":
    """Runs one `sashd` to its end."""
    with Sashd(document, content, **more) as sashd:
        code = sashd.wait(PATIENCE_SECONDS * 2)
        return Ended(code, sashd.output(), sashd.log(),
                     {file.name: file.read_bytes()
                      for file in sashd.folder.iterdir() if file.is_file()})


class Ended:
    """What remains of a process that has ended."""

    def __init__(self, code: int, output: str, log: str, files: dict[str, bytes]) -> None:
        self.code, self.output, self.log, self.files = code, output, log, files

    def lines(self, path: str = "results.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.files[path].splitlines()]

"""A random stream in a real broker, and lives of `sashd` that read it until they are killed.

What a stream must give is known three times: from the oracle, from a `sashd` that nobody killed,
and from its file to its topic.
"""
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import time
from typing import Any

import yaml

import kafka_broker
import random_stream
from oracle import configuration, records
from oracle.compare import compare, read_lines
from oracle.expectations import expectations
from oracle.slices import Slices, cut
from sashd_replay import program

PATIENCE_SECONDS = 120
NEW_LIFE = b"-- a new life\n"
NOBODY = "127.0.0.1:1"
RANKS = {"tolerance": 1e-12, "max_iterations": 500}
# What may differ between two runs on the same window.
FREE = ("seconds", "watermark", "snapshot", "iterations", "residual", "converged", "mode")
Result = dict[str, Any]
Identity = tuple[str, str]  # job, window end


class RandomTopic:
    """Records of `random_stream`, over some partitions of a topic of their own."""

    def __init__(self, broker: kafka_broker.KafkaBroker, name: str, seed: int, rows: int,
                 partitions: int, **shape: Any) -> None:
        self._broker, self.name = broker, name
        chance = random.Random(seed)
        stream = random_stream.make(random_stream.Shape(
            seed=seed, format="json", rows=rows, weights="integer", vertex_removals=0.01,
            **shape))
        self.format, self.roots = stream.format, stream.roots[:1]
        self._records: list[list[bytes]] = [[] for _ in range(partitions)]
        for line in stream.content.split(b"\n"):
            if line:
                chance.choice(self._records).append(line)
        self._produced = [0] * partitions
        broker.create_topic(name, partitions)

    def produce(self, share: float) -> None:
        """So that this share of each partition's records is in the topic."""
        for partition, lines in enumerate(self._records):
            begin, end = self._produced[partition], math.ceil(len(lines) * share)
            if begin >= end:
                continue
            subprocess.run(["kcat", "-P", "-q", "-b", self._broker.address, "-t", self.name,
                            "-p", str(partition)], input=b"\n".join(lines[begin:end]) + b"\n",
                           check=True, timeout=PATIENCE_SECONDS)
            self._produced[partition] = end

    def events(self, stream: configuration.Stream) -> list[records.Event | records.Refused]:
        return list(records.decode_json(
            ((records.Place(self.name, partition, offset), line)
             for partition, lines in enumerate(self._records)
             for offset, line in enumerate(lines)), stream))


def document(broker: kafka_broker.KafkaBroker, topic: RandomTopic, group: str, results: str,
             prefix: str = "", small: bool = False) -> dict[str, Any]:
    """Every policy of duplicates, over windows that share their slices. Paths are below out/.

    With names of jobs that begin in their own way, several followers can share a results topic.
    """
    windows = [{"name": "copies", "length": "60s", "slide": "10s", "duplicates": "keep"},
               {"name": "newest", "length": "20s", "slide": "20s", "duplicates": "drop"},
               {"name": "sums", "length": "200s", "slide": "20s", "duplicates": "weigh"}]
    jobs = [{"name": f"{window['name']}-shape", "kernel": "window", "window": window["name"]}
            for window in windows]
    if not small:
        jobs += [{"name": "ranks", "kernel": "pagerank", "window": "copies",
                  "parameters": RANKS},
                 {"name": "reach", "kernel": "bfs", "window": "sums",
                  "parameters": {"roots": topic.roots}}]
    return {
        "source": {
            "kafka": {"brokers": broker.address, "topics": [topic.name], "group": group},
            "format": topic.format,
            "time": {"from": "field", "unit": "ms", "disorder": "2s",
                     "idle_after": "7000d", "ahead_limit": "7000d"},  # no clock decides
            "dead_letters": {"path": "out/dead-letters.jsonl",
                             "limit": "4KiB" if small else "64MiB"}},
        "windows": windows,
        "jobs": [{**job, "name": prefix + job["name"], "overrun": {"queue": 3}} for job in jobs],
        "sinks": [{"file": {"path": "out/results.jsonl", "vertices": "all"}},
                  {"kafka": {"topic": results, "vertices": "all",
                             "outbox": {"path": "out/outbox", "limit": "8MiB"}}}],
        "http": {"listen": "off"}}


class Follower:
    """A folder, a group and a results topic, through all the lives of its `sashd`."""

    def __init__(self, folder: pathlib.Path, given: dict[str, Any]) -> None:
        self.folder = folder
        (folder / "out").mkdir(parents=True)
        (folder / "sashd.yaml").write_text(yaml.safe_dump(given))
        self._brokers = given["source"]["kafka"]["brokers"]
        self._topic = given["sinks"][1]["kafka"]["topic"]
        self._jobs = {job["name"] for job in given["jobs"]}
        given["sinks"][1]["kafka"]["brokers"] = NOBODY
        (folder / "away.yaml").write_text(yaml.safe_dump(given))
        self.configuration = configuration.load(str(folder / "sashd.yaml"))

    def begin(self, away: bool = False, **environment: str) -> subprocess.Popen:
        """`away`: the brokers of the results are, those of the records are not."""
        with open(self.folder / "log", "ab") as log:
            log.write(NEW_LIFE)
            log.flush()
            return subprocess.Popen(
                [program("SASHD", "sashd"), "--config", "away.yaml" if away else "sashd.yaml"],
                cwd=self.folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, preexec_fn=kafka_broker.end_with_parent)

    def written(self) -> int:
        results = self.folder / "out/results.jsonl"
        return results.read_bytes().count(b"\n") if results.exists() else 0

    def delivers(self, process: subprocess.Popen, due: int, away: bool = False) -> bool:
        """Whether it lives until it reads, everything is in the file, and the brokers have it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._reads() or self.written() < due or (
                self._waiting_bytes() > 0 and not away):
            if process.poll() is not None:
                return False
            if time.monotonic() > deadline:
                kill(process)
                raise AssertionError(f"{self.written()} results of {due}, {self._waiting_bytes()} "
                                     f"bytes wait for the brokers:\n{self.log()}")
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        return process.wait(PATIENCE_SECONDS) >= 0

    def finish(self, due: int) -> None:
        """One more life, in which nothing may go wrong."""
        process = self.begin()
        # A kill between file and outbox leaves nothing to wait for in either: what the topic lacks
        # comes with the next advances, which are those before the kill again.
        self._await_topic(process, due)
        if not self.delivers(process, due) or process.returncode != 0:
            raise AssertionError(f"it ended with {process.returncode}, {self.written()} results of "
                                 f"{due}:\n{self.log()}")

    def _await_topic(self, process: subprocess.Popen, due: int) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            results = newest(delivered(self._brokers, self._topic))
            if sum(job in self._jobs for job, _ in results) >= due:
                return
            time.sleep(0.1)

    def _reads(self) -> bool:
        """Whether the newest life has got so far; before, a signal might find it without care."""
        return b"kafka: reading" in (self.folder / "log").read_bytes().rpartition(NEW_LIFE)[2]

    def _waiting_bytes(self) -> int:
        try:
            return sum(file.stat().st_size for file in (self.folder / "out/outbox").glob("*"))
        except FileNotFoundError:
            return 1  # one goes just now

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    def lines(self) -> list[str]:
        return read_lines(str(self.folder / "out/results.jsonl"))

    def letters(self) -> list[str]:
        return read_lines(str(self.folder / "out/dead-letters.jsonl"))


def kill(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()


def newest(lines: list[str], prefix: str = "") -> dict[Identity, Result]:
    """Of each identity, among the jobs with this prefix, which is taken off."""
    results = [json.loads(line) for line in lines]
    return {(name, result["window_end"]): {**result, "job": name} for result in results
            if (name := result["job"].removeprefix(prefix)) != result["job"] or not prefix}


def delivered(brokers: str, topic: str) -> list[str]:
    """The messages of a topic; those of a job in the order in which they came."""
    read = subprocess.run(
        ["kcat", "-C", "-q", "-e", "-b", brokers, "-t", topic, "-o", "beginning",
         "-f", "%s\n"], stdout=subprocess.PIPE, check=True, timeout=PATIENCE_SECONDS).stdout
    return read.decode().split("\n")[:-1]


class Truth:
    """What the topic's records mean, by the oracle."""

    def __init__(self, topic: RandomTopic, given: configuration.Configuration) -> None:
        self._configuration = given
        self._events = topic.events(given.stream)
        slices = cut(self._events, given)
        assert slices is not None
        # A live source never ends: windows are complete up to the slowest partition's watermark.
        self._until = min(slices.newest.values()) - given.stream.disorder
        self.due = sum(each.window.end <= self._until for each in expectations(given, slices))

    def lost_letters(self, follower: Follower) -> list[records.Refused]:
        """The refused records, before what the results hold, that are no dead letters."""
        reached: dict[str, int] = {}
        for line in follower.lines():
            for spans in json.loads(line)["offsets"].values():
                for partition, (_, last) in spans.items():
                    reached[partition] = max(last, reached.get(partition, 0))
        letters = [json.loads(line) for line in follower.letters()]
        found = {(letter["partition"], letter["offset"]) for letter in letters}
        return [event for event in self._events if isinstance(event, records.Refused)
                and event.offset < reached.get(str(event.partition), 0)
                and (event.partition, event.offset) not in found]

    def differences(self, lines: list[str]) -> str:
        found, _ = compare(self._configuration, self._events, lambda _: lines,
                           lambda expected, _: expected.window.end <= self._until)
        return str(found)


def unequal(wanted: dict[Identity, Result], found: dict[Identity, Result]) -> list[str]:
    """How two sets of results differ, past what may differ between runs."""
    differences = [f"{identity}: lost" for identity in wanted.keys() - found.keys()]
    differences += [f"{identity}: surplus" for identity in found.keys() - wanted.keys()]
    differences += [f"{identity}: {members}" for identity in wanted.keys() & found.keys()
                    if (members := _unequal_members(wanted[identity], found[identity]))]
    return sorted(differences)


def _unequal_members(wanted: Result, found: Result) -> list[str]:
    return [name for name in wanted.keys() | found.keys() if name not in FREE
            and not _same(wanted.get(name), found.get(name))]


def _same(wanted: Any, found: Any) -> bool:
    """Scores to nine digits; where these are equal their order may differ."""
    if not (_has_scores(wanted) and _has_scores(found)):
        return wanted == found
    scores = {entry["vertex"]: entry["score"] for entry in wanted}
    return len(wanted) == len(found) and all(
        math.isclose(entry["score"], scores.get(entry["vertex"], math.nan), rel_tol=1e-9)
        for entry in found)


def _has_scores(value: Any) -> bool:
    return (isinstance(value, list) and bool(value) and isinstance(value[0], dict)
            and "score" in value[0])

"""A random stream in a real broker, and `sashd` processes that read it until they are killed.

The expected results: stream_truth.py. A checkpoint must be whole at any time.
"""
import csv
import ctypes
import math
import os
import pathlib
import random
import signal
import socket
import subprocess
import time
from typing import Any

import yaml

import kafka_broker
import random_stream
from oracle import alerts, configuration, records
from oracle.compare import read_lines
from sashd_replay import program
from sent_results import SentIdentity, SentResults
from stream_truth import PATIENCE_SECONDS, Due, Ends, note_ends
from written_rows import WrittenRows

NEW_LIFE = b"-- a new life\n"
NOBODY = "127.0.0.1:1"
# So that a small stream arrives in many steps: a fetch returns about one such batch per partition.
RECORDS_A_BATCH = 4
STEPS = {"max.partition.fetch.bytes": 1200, "fetch.min.bytes": 10**6, "fetch.wait.max.ms": 120}
CLONE_NEWUTS, CLONE_NEWUSER = 0x04000000, 0x10000000
RANKS = {"tolerance": 1e-12, "max_iterations": 500}
# Jobs whose lists are compared: those of integers, which are the same in every process.
ROWS_OF = "gone"
COMPARED = ("reach", "degrees", "halves", "unusual")
ALERTS = (
    alerts.Alert({"name": "came", "job": "degrees", "on": "entered", "where": "score >= 2",
                  "for": 2, "at_most": "90s"}, lambda row: row["score"] >= 2),
    alerts.Alert({"name": "busy", "job": "degrees", "on": "row", "where": "rank <= 3", "for": 3},
                 lambda row: row["rank"] <= 3),
    alerts.Alert({"name": "pair", "job": "fresh", "on": "edge", "where": 'source < target'},
                 lambda row: row["source"] < row["target"], ("top_edges", "source", "target")),
    alerts.Alert({"name": "large", "job": "sums-shape", "on": "result", "where": "pairs > 20"},
                 lambda result: result["pairs"] > 20))


Record = tuple[bytes | None, bytes]  # the key, or none; a value that is empty is none


class RandomTopic:
    """The records of `random_stream`, in some partitions of their own topic."""

    def __init__(self, broker: kafka_broker.KafkaBroker, name: str, seed: int, rows: int,
                 partitions: int, **shape: Any) -> None:
        self._broker, self.name = broker, name
        self.partitions = range(partitions)
        chance = random.Random(seed)
        stream = random_stream.make(random_stream.Shape(
            seed=seed, format="json", rows=rows, weights="integer", vertex_removals=0.01,
            **shape))
        self._form, self.roots = stream.format, stream.roots[:1]
        self._records: dict[tuple[str, int], list[Record]] = {}
        self._share_out(chance, [line for line in stream.content.split(b"\n") if line])
        self._produced = dict.fromkeys(self._records, 0)
        for topic in self.topics:
            broker.create_topic(topic, 1 + max(
                partition for name, partition in self._records if name == topic))

    @property
    def topics(self) -> list[str]:
        return sorted({name for name, _ in self._records})

    def reading(self) -> dict[str, Any]:
        """The keys of `source` that say how records are read."""
        return {"format": self._form}

    def filters(self) -> dict[str, dict[str, Any]]:
        """The filters of windows, by name."""
        return {}

    def _share_out(self, chance: random.Random, lines: list[bytes]) -> None:
        for partition in self.partitions:
            self._add(self.name, partition)
        for line in lines:
            self._add(self.name, chance.choice(self.partitions), (None, line))

    def _add(self, topic: str, partition: int, *added: Record) -> None:
        self._records.setdefault((topic, partition), []).extend(added)

    def produce(self, share: float) -> None:
        """Produces this share of each partition's records."""
        for (topic, partition), found in self._records.items():
            begin, end = self._produced[topic, partition], math.ceil(len(found) * share)
            if begin >= end:
                continue
            lines = [(key or b"") + b"\t" + value for key, value in found[begin:end]]
            subprocess.run(["kcat", "-P", "-q", "-b", self._broker.address, "-t", topic,
                            "-p", str(partition), "-X", f"batch.num.messages={RECORDS_A_BATCH}",
                            "-X", "enable.idempotence=true",  # a batch sent again stays in place
                            "-X", "max.in.flight=1",  # or the first is lost: topic_producer.h
                            "-K", "\t", "-Z"],
                           input=b"\n".join(lines) + b"\n",
                           check=True, timeout=PATIENCE_SECONDS)
            self._produced[topic, partition] = end

    def events(self, stream: configuration.Stream) -> list[records.Event | records.Refused]:
        """A record without a value is a tombstone, which is ignored."""
        return list(records.decode_json(
            ((records.Place(topic, partition, offset), value)
             for (topic, partition), found in self._records.items()
             for offset, (_, value) in enumerate(found) if value), stream))

# Log messages of a process that could not continue from the stored state.
READ_AGAIN = ("; windows are read again", "do not continue from the journal",
              "clocks and arrival decide again")


def diffs_topic(results: str) -> str:
    return results + "-diffs"


def alerts_topic(results: str) -> str:
    return results + "-alerts"


def document(broker: kafka_broker.KafkaBroker, topic: RandomTopic, group: str, results: str,
             recovery: str, prefix: str = "", small: bool = False,
             with_diffs: bool = False) -> dict[str, Any]:
    """Every policy of duplicates, with windows that share their slices. Paths are below out/.
    `recovery`: "replay" from commits alone, "journal" the same with a state folder, "checkpoint".
    With names of jobs that begin in their own way, several followers can share a results topic.
    Diffs have a topic of their own, and so have alerts, which come with them. Rows have a file, in
    small streams too.
    """
    windows = [{"name": "copies", "length": "30s" if small else "60s", "slide": "10s",
                "duplicates": "keep"},
               {"name": "newest", "length": "20s", "slide": "20s", "offset": "10s",
                "duplicates": "drop"},
               {"name": "sums", "length": "40s" if small else "200s", "slide": "20s",
                "duplicates": "weigh"}]
    for window in windows:
        window.update(topic.filters().get(window["name"], {}))
    jobs = [{"name": f"{window['name']}-shape", "kernel": "window", "window": window["name"]}
            for window in windows]
    jobs += [{"name": "gone", "kernel": "vanished_edges", "window": "newest"}]
    sinks: list[dict[str, Any]] = [
        {"file": {"path": "out/results.jsonl", "vertices": "all"}},
        {"kafka": {"topic": results, "vertices": "all",
                   "outbox": {"path": "out/outbox", "limit": "256MiB"}}}]
    if small or with_diffs:
        sinks += [{"file": {"path": "out/rows.csv", "jobs": [prefix + ROWS_OF], "content": "rows",
                            "format": "csv"}}]
    if not small:
        jobs += [{"name": "fresh", "kernel": "new_edges", "window": "copies"},
                 {"name": "ranks", "kernel": "pagerank", "window": "copies",
                  "parameters": RANKS},
                 {"name": "reach", "kernel": "bfs", "window": "sums",
                  "parameters": {"roots": topic.roots}},
                 {"name": "degrees", "kernel": "degree", "window": "newest"}]
    if with_diffs:
        jobs += [{"name": "rarely", "kernel": "new_edges", "window": "copies", "every": 3},
                 {"name": "halves", "kernel": "degree", "window": "newest", "every": 2},
                 {"name": "usual", "kernel": "degree", "window": "sums",
                  "parameters": {"direction": "in"}},
                 {"name": "unusual", "kernel": "degree", "window": "copies",
                  "parameters": {"direction": "in"}, "baseline": {"window": "sums"}}]
        diffs = {"jobs": list(COMPARED), "content": "diffs"}
        sinks += [{"file": {"path": "out/diffs.jsonl", **diffs}},
                  {"kafka": {"topic": diffs_topic(results), **diffs,
                             "outbox": {"path": "out/outbox-of-diffs", "limit": "256MiB"}}},
                  {"file": {"path": "out/alerts.jsonl", "content": "alerts", "name": "alerts"}},
                  {"kafka": {"topic": alerts_topic(results), "content": "alerts",
                             "outbox": {"path": "out/outbox-of-alerts", "limit": "256MiB"}}}]
    return {
        "source": {
            "kafka": {"brokers": broker.address, "topics": topic.topics, "group": group,
                      "decode_threads": 1 if small else 2, "options": STEPS if small else {}},
            **topic.reading(),
            "time": {"from": "field", "unit": "ms", "disorder": "2s",
                     "idle_after": "7000d", "ahead_limit": "7000d"},  # no clock decides
            "dead_letters": {"path": "out/dead-letters.jsonl",
                             "limit": "4KiB" if small else "64MiB"}},
        "windows": windows,
        "jobs": [{**job, "name": prefix + job["name"], "overrun": {"queue": 3}} for job in jobs],
        "sinks": sinks,
        **({"alerts": [alert.spec for alert in ALERTS]} if with_diffs else {}),
        "recovery": "checkpoint" if recovery == "checkpoint" else "replay",
        **({"state": {"path": "out/state", "interval": "100ms" if small else "20ms"}}
           if recovery != "replay" else {}),
        "runners": 1 if small else 2,
        "http": {"listen": "off"}}


def read_rows(path: pathlib.Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def become_host(name: str) -> None:
    """Gives this process another host name, in a namespace of its own."""
    flags = CLONE_NEWUTS if os.geteuid() == 0 else CLONE_NEWUTS | CLONE_NEWUSER
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    socket.sethostname(name)


class OutOfPatience(AssertionError):
    """The awaited condition did not become true."""


class ReachedEnds:
    """The end of the newest window of each job, from a file that grows by lines."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = path
        self._read = 0  # bytes
        self._ends: Ends = {}

    def look(self) -> Ends:
        if self._path.exists():
            with open(self._path, "rb") as file:
                file.seek(self._read)
                lines, newline, _ = file.read().rpartition(b"\n")
            self._read += len(lines + newline)
            note_ends(lines.split(b"\n") if lines else [], self._ends)
        return self._ends


class Follower:
    """A folder, a group and a results topic, through all runs of its `sashd`."""

    def __init__(self, folder: pathlib.Path, given: dict[str, Any], **environment: str) -> None:
        self.folder, self._environment = folder, environment
        self.patience = PATIENCE_SECONDS
        self._counted = 0, 0  # bytes, and the lines in them
        (folder / "out").mkdir(parents=True)
        (folder / "sashd.yaml").write_text(yaml.safe_dump(given))
        self._places = {job["name"]: (job["window"], job.get("every", 1))
                        for job in self.judged(given)["jobs"]}
        self._sent = SentResults(given, self._places)
        self._rows = WrittenRows(given)
        self._keeps_state = "state" in given
        self._keeps_checkpoints = given["recovery"] == "checkpoint"
        for sink in given["sinks"]:
            if "kafka" in sink:
                sink["kafka"]["brokers"] = NOBODY
        (folder / "away.yaml").write_text(yaml.safe_dump(given))
        self.configuration = configuration.from_document(self.judged(given))

    def judged(self, given: dict[str, Any]) -> dict[str, Any]:
        """The configuration as the oracle takes it: with kernels that it knows."""
        return given

    def begin(self, away: bool = False, host: str = "", **environment: str) -> subprocess.Popen:
        """`away`: the results' brokers are down, the records' brokers are up. `host`: the host name
        that it sees."""
        def before_it() -> None:
            kafka_broker.end_with_parent()
            if host:
                become_host(host)
        with open(self.folder / "log", "ab") as log:
            log.write(NEW_LIFE)
            log.flush()
            return subprocess.Popen(
                [program("SASHD", "sashd"), "--config", "away.yaml" if away else "sashd.yaml"],
                cwd=self.folder, env={**os.environ, **self._environment, **environment},
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                preexec_fn=before_it)

    def written(self) -> int:
        """Results in the file; each call reads only what was added since the last."""
        results = self.folder / "out/results.jsonl"
        if not results.exists():
            return 0
        with open(results, "rb") as file:
            if results.stat().st_size < self._counted[0]:
                self._counted = 0, 0
            file.seek(self._counted[0])
            more = file.read()
        self._counted = self._counted[0] + len(more), self._counted[1] + more.count(b"\n")
        return self._counted[1]

    def delivers(self, process: subprocess.Popen, due: Due, away: bool = False) -> bool:
        """Whether it lives until it reads, these and the previous windows' results are in the file,
        and the brokers and the file of rows have all that the files have. If they do not get it in
        time, it is lost: the comparison says so."""
        deadline = time.monotonic() + self.patience
        reached = self.reached_ends()
        while not self.reads() or not self._are_there(due, reached.look()) or (
                self._waiting_bytes() > 0 and not away):
            if process.poll() is not None:
                return False
            if time.monotonic() > deadline:
                kill(process)
                raise OutOfPatience(f"{self.written()} results, {self._waiting_bytes()} bytes "
                                    f"wait for the brokers:\n{self.log()}")
            time.sleep(0.01)
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline and (
                self._rows.lacking(self.lines_now("results"), self.rows_now())
                or (not away and self.not_sent(due))):
            if process.poll() is not None:
                return False
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        return process.wait(PATIENCE_SECONDS) >= 0

    def not_sent(self, due: Due) -> list[str]:
        """What the topics lack of the files (sent_results.py)."""
        return self._sent.lacking(self.lines_now, lambda ends: self._are_there(due, ends),
                                  self.failed_runs())

    def failed_runs(self) -> set[SentIdentity]:
        """Runs that have failed: a result of an earlier process may be in the file alone."""
        return set()

    def lines_now(self, file: str) -> list[str]:
        """The whole lines of a file of JSON, which may be growing."""
        path = self.folder / "out" / f"{file}.jsonl"
        if not path.exists():
            return []
        return path.read_text(errors="replace").split("\n")[:-1]

    def has_reached(self, due: Due) -> bool:
        return self._are_there(due, self.reached_ends().look())

    def reached_ends(self) -> ReachedEnds:
        return ReachedEnds(self.folder / "out/results.jsonl")

    def finish(self, due: Due) -> None:
        """One more run, in which nothing may go wrong."""
        process = self.begin()
        if not self.delivers(process, due) or process.returncode != 0:
            raise AssertionError(f"it ended with {process.returncode}, {self.written()} results:\n"
                                 f"{self.log()}")

    def _are_there(self, due: Due, reached: Ends) -> bool:
        return all(job in reached and reached[job] >= due[place]
                   for job, place in self._places.items() if place in due)

    def damage(self, lost_power: bool = False) -> str:
        """Errors in the checkpoint or the journal after a kill, or logged by a process that read
        them. The journal of windows that are read again need not survive a loss of power."""
        state = self.folder / "out/state"
        if not self._keeps_state or (lost_power and not self._keeps_checkpoints):
            return ""
        for line in (self.folder / "log").read_text(errors="replace").splitlines():
            if any(words in line for words in READ_AGAIN):
                return line
        if not (state / "manifest").exists() and not any(state.glob("rewind/rewind-*")):
            return ""
        verified = subprocess.run(
            [program("SASHD", "sashd"), "--verify", "out/state"], cwd=self.folder, text=True,
            capture_output=True, timeout=PATIENCE_SECONDS, check=False)
        return verified.stderr + verified.stdout if verified.returncode != 0 else ""

    def reads(self) -> bool:
        """Whether the newest process reads; before that, a signal could hit it before it handles
        signals."""
        return b"kafka: reading" in (self.folder / "log").read_bytes().rpartition(NEW_LIFE)[2]

    def _waiting_bytes(self) -> int:
        try:
            return sum(file.stat().st_size
                       for file in (self.folder / "out").glob("outbox*/*.jsonl"))
        except FileNotFoundError:
            return 1  # one is leaving just now

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    def said(self, text: str) -> int:
        """How often it logged this since its newest start."""
        newest = (self.folder / "log").read_bytes().rpartition(NEW_LIFE)[2]
        return newest.count(text.encode())

    def lines(self) -> list[str]:
        return read_lines(str(self.folder / "out/results.jsonl"))

    def diffs(self) -> list[str]:
        return read_lines(str(self.folder / "out/diffs.jsonl"))

    def alerts(self) -> list[str]:
        return read_lines(str(self.folder / "out/alerts.jsonl"))

    def rows(self) -> list[dict[str, str]]:
        """The rows of ROWS_OF."""
        return read_rows(self.folder / "out/rows.csv")

    def rows_now(self) -> list[dict[str, str]]:
        """The rows of ROWS_OF, while the file may be growing."""
        return self.rows()

    def letters(self) -> list[str]:
        return read_lines(str(self.folder / "out/dead-letters.jsonl"))


def kill(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()

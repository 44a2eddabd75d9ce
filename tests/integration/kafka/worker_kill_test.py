"""`sashd` with external jobs is killed at random moments and at operations on its files, and its
workers at random moments: each result is there once and is right, and one that is not there failed
with a reason that was counted.

The sinks are a file, and a topic: with transactions, which has each result once, or without, which
has each at least once. SASH_KILLS=n kills each `sashd` n times; SASH_SEED=n makes the stream, and
is printed.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time
import unittest
from typing import Any, Iterable

import kafka_broker
from asked_follower import AskedFollower
from kill_points import LIBRARY, PARTITIONS, WAYS, loses_power
from killed_stream import NEW_LIFE, RandomTopic, document, kill
from killed_workers import KilledWorkers
from oracle import times
from sashd_process import await_that
from sent_results import SentIdentity
from stream_truth import PATIENCE_SECONDS, Truth, newest, unequal

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
KILLS = int(os.environ.get("SASH_KILLS", "0"))  # 0: what each test says
WORKERS = 3
LEASE = 1  # second, of a worker
ROWS_A_LIFE = 90
LONGEST_LIFE = 2.5  # seconds; affects only what a kill hits
MOST_OPERATIONS = 40  # before a kill at an operation
BETWEEN_KILLS = 0.1, 0.6  # seconds, of workers
# The external jobs, as the oracle's kernels.
KERNELS: dict[str, dict[str, Any]] = {
    "in-degrees": {"kernel": "degree", "parameters": {"direction": "in"}},
    "parts": {"kernel": "wcc", "parameters": {}}}
FAILED = re.compile(r"job ([\w-]+): no result for window \S+ ending (\S+): (.*)")
REASONS = {"worker_died": "did not renew the lease of 1 s", "no_worker": "no worker had taken it",
           "late": "its worker had not answered", "no_snapshot": "snapshot"}
Identity = tuple[str, int]  # job, window end in nanoseconds


class WorkedFollower(AskedFollower):
    """A folder, a group and a topic of a `sashd` that has external jobs."""

    def judged(self, given: dict[str, Any]) -> dict[str, Any]:
        return {**given, "jobs": [{**job, **KERNELS.get(job["name"], {})}
                                  for job in given["jobs"]]}

    def failures(self, log: str | None = None) -> list[tuple[Identity, str]]:
        """The runs that failed, with the reason as the log states it."""
        text = log if log is not None else (self.folder / "log").read_text(errors="replace")
        return [((job, times.from_result(end)), why) for job, end, why in FAILED.findall(text)]

    def failed_runs(self) -> set[SentIdentity]:
        return {(job, end) for job, end, _ in FAILED.findall(
            (self.folder / "log").read_text(errors="replace"))}

    def counts_its_failures(self) -> bool:
        """Whether the newest process counts the failed runs that it has logged, by reason."""
        log = (self.folder / "log").read_bytes().rpartition(NEW_LIFE)[2].decode(errors="replace")
        told = collections.Counter(
            (job, reason_of(why)) for (job, _), why in self.failures(log))
        counted = collections.Counter(
            {(job, reason): int(float(count)) for job, reason, count in re.findall(
                r'^sash_job_failed_total\{job="([^"]+)".*reason="(\w+)".*\} (\S+)$',
                self.get("/metrics"), re.MULTILINE)})
        return told == +counted


def reason_of(why: str) -> str:
    found = [reason for reason, words in REASONS.items() if words in why]
    if len(found) != 1:
        raise AssertionError(f"not a reason for which a worker may fail here: {why!r}")
    return found[0]


def as_kernels(lines: Iterable[str]) -> list[str]:
    """Results of external jobs as those of the kernels that they compute."""
    shown = []
    for line in lines:
        result = json.loads(line)
        if known := KERNELS.get(result["job"]):
            result.update(known)
            if "sets" in result:
                result["components"] = result.pop("sets")
                for rows in (result["top"], result.get("members", [])):
                    for row in rows:
                        row["component"] = row.pop("set")
        shown.append(json.dumps(result))
    return shown


def identity(line: str) -> Identity:
    result = json.loads(line)
    return result["job"], times.from_result(result["window_end"])


def in_order(lines: list[str], failed: set[Identity]) -> list[str]:
    """The lines, with the results of runs that failed before a restart, and did not afterwards, at
    their places; all others stay where they are."""
    placed = [line for line in lines if identity(line) not in failed]
    for line in lines:
        job, end = identity(line)
        if (job, end) in failed:
            later = (place for place, each in enumerate(placed)
                     if identity(each)[0] == job and identity(each)[1] > end)
            placed.insert(next(later, len(placed)), line)
    return placed


class WorkerKillTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker(**{
                "transaction.abort.timed.out.transaction.cleanup.interval.ms": 200}))
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-workers-"))
        self.folder = pathlib.Path(folder)
        shared = self.enterContext(
            tempfile.TemporaryDirectory(prefix="sash-workers-", dir="/dev/shm"))
        self.shared = pathlib.Path(shared)
        print(f"SASH_SEED={SEED}", flush=True)

    def follower(self, topic: RandomTopic, name: str, recovery: str, once: bool) -> WorkedFollower:
        self.broker.create_topic(name, 1)
        given = document(self.broker, topic, name, name, recovery, small=True)
        given["source"]["kafka"]["options"] = {}
        given["jobs"] += [
            {"name": "in-degrees", "kernel": "external", "window": "copies"},
            {"name": "parts", "kernel": "external", "window": "sums",
             "parameters": {"returns": "sets"}}]
        for job in given["jobs"][-len(KERNELS):]:
            job.update(deadline="30s", overrun={"queue": 1000})
        given["exports"] = [{"frozen": {"path": str(self.shared / name), "keep": 1,
                                        "windows": ["copies", "sums"]}}]
        given["sinks"][1]["kafka"]["transactional"] = once
        return WorkedFollower(self.folder / name, given)

    def kill_along(self, recovery: str, once: bool, kills: int) -> None:
        """Kills of `sashd` and its workers in turn, then a life without them; and compares."""
        name = f"{recovery}-{'once' if once else 'at-least-once'}"
        topic = RandomTopic(self.broker, f"edges-{name}", SEED, ROWS_A_LIFE * (kills + 1),
                            PARTITIONS, broken=0.1, silences=False)
        follower = self.follower(topic, name, recovery, once)
        truth = Truth(topic.events(follower.configuration.stream), follower.configuration)
        chance = random.Random(f"{SEED} {name}")
        with KilledWorkers(follower.url, WORKERS, f"{SEED}-{name}",
                           self.folder / f"{name}-workers") as workers:
            for life in range(kills):
                # In the first life, something has to happen before the kill.
                way, point = self.point(chance, follower) if life > 0 else ("", {})
                process = follower.begin(**point)
                if life == 0:
                    workers.held.touch()
                topic.produce((life + 1) / (kills + 1))
                if life == 0:
                    self.fail_a_run(follower, workers)
                self.live(chance, workers)
                kill(process)
                self.assertEqual(follower.damage(loses_power(way)), "", follower.log())
            topic.produce(1)
            follower.finish(truth.due)
        self.compare(follower, truth, workers, once)

    @staticmethod
    def point(chance: random.Random, follower: WorkedFollower) -> tuple[str, dict[str, str]]:
        """How it is killed at one of its file operations, in half of the lives."""
        if chance.random() < 0.5:
            return "", {}
        way = chance.choice(WAYS)
        return way, {"LD_PRELOAD": LIBRARY, "SASH_KILL_UNDER": str(follower.folder / "out"),
                     "SASH_KILL_TRACE": str(follower.folder / "trace"), "SASH_KILL_HOW": way,
                     "SASH_KILL_AT": str(chance.randint(1, MOST_OPERATIONS))}

    def fail_a_run(self, follower: WorkedFollower, workers: KilledWorkers) -> None:
        """Fails a run by a kill of its worker, and looks at what `sashd` says of it. No run ends by
        itself."""
        [place, *_] = await_that(workers.at_work)
        time.sleep(1.2 * LEASE)  # it has renewed its lease, or another worker would have the work
        workers.kill(place)
        self.assertTrue(await_that(
            lambda: any(reason_of(why) == "worker_died" for _, why in follower.failures())),
            follower.log())
        workers.held.unlink()
        self.assertTrue(await_that(follower.counts_its_failures), follower.log())

    def live(self, chance: random.Random, workers: KilledWorkers) -> None:
        end = time.monotonic() + chance.uniform(0.2, LONGEST_LIFE)
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, chance.uniform(*BETWEEN_KILLS)))
            workers.kill_one()

    def compare(self, follower: WorkedFollower, truth: Truth, workers: KilledWorkers,
                once: bool) -> None:
        log = f"{follower.folder.name}\n{follower.log()}"
        failures = follower.failures()
        reasons = collections.Counter(reason_of(why) for _, why in failures)
        failed = {run for run, _ in failures}
        lines = follower.lines()
        differences = truth.differences(as_kernels(in_order(lines, failed)), failed)
        self.assertFalse(differences, f"file: {differences}\n{log}")
        messages = self.messages(follower.folder.name)
        often = collections.Counter(identity(line) for line in messages)
        if once:
            self.assertEqual([run for run, count in often.items() if count > 1], [], log)
        once_each = list({identity(line): line for line in messages}.values())
        differences = truth.differences(as_kernels(sorted(once_each, key=identity)), failed)
        self.assertFalse(differences, f"topic: {differences}\n{log}")
        self.assertEqual([each for each in unequal(newest(lines), newest(messages))
                          if not each.endswith((": lost", ": surplus"))], [], log)
        right = sum(job in KERNELS for job, _ in map(identity, lines))
        self.assertGreater(right, 0, log)
        self.assertGreater(reasons["worker_died"], 0, log)
        print(f"{follower.folder.name}: {workers.kills} kills of workers, {workers.kills_at_work} "
              f"of them at work; {right} results of theirs right and {len(lines) - right} others, "
              f"failed {dict(reasons)}, {len(failed & set(map(identity, lines)))} of these later "
              f"right, {len(messages) - len(often)} messages sent again, "
              f"{workers.said('of an earlier process')} answers too late for their process",
              flush=True)

    def messages(self, topic: str) -> list[str]:
        read = subprocess.run(
            ["kcat", "-C", "-q", "-e", "-b", self.broker.address, "-t", topic, "-o", "beginning",
             "-X", "isolation.level=read_committed", "-f", "%s\n"],
            stdout=subprocess.PIPE, check=True, timeout=PATIENCE_SECONDS).stdout
        return read.decode().split("\n")[:-1]

    def kill_all_along(self, *ways: tuple[str, bool], kills: int) -> None:
        with concurrent.futures.ThreadPoolExecutor(len(ways)) as pool:
            for each in [pool.submit(self.kill_along, *way, KILLS or kills) for way in ways]:
                each.result()


class FewKillsTest(WorkerKillTest):
    def test_each_result_of_killed_workers_is_there_once_or_has_failed(self) -> None:
        self.kill_all_along(("replay", True), ("checkpoint", False), kills=2)


class ManyKillsTest(WorkerKillTest):
    def test_each_result_of_killed_workers_is_there_once_or_has_failed(self) -> None:
        self.kill_all_along(("replay", True), ("checkpoint", True), ("journal", False),
                            ("checkpoint", False), kills=12)


if __name__ == "__main__":
    unittest.main()

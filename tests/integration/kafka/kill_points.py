"""Kills `sashd` at one of its file operations (kill_points.cc), with a small stream; and compares
the results with those of a process that was not killed. Meanwhile its files may be moved away."""
import concurrent.futures
import dataclasses
import os
import pathlib
from typing import Callable, Iterable

import kafka_broker
from killed_stream import ROWS_OF, Follower, OutOfPatience, RandomTopic, document
from rotated_follower import RotatedFollower
from sashd_replay import ROOT
from stream_truth import Identity, Result, Truth, delivered, newest, unequal, wrong_rows

LIBRARY = os.environ.get("SASH_KILL_POINTS") or str(
    ROOT / "build/release/tests/integration/libkill_points.so")
PARTITIONS = 3
ROWS = 160
AT_ONCE = 12  # processes; they mostly wait
# A seeded bug may lose the newest result, which everything waits for; such a run shows nothing.
PATIENCE_WITH_A_BUG = 15
UNFINISHED = "unfinished: "
# For each operation, so that a small run commits more than once; a checkpoint has many operations.
DISK_MS = {"replay": 25, "journal": 3, "checkpoint": 3}
WAYS = ("done", "torn", "power", "zeros")  # see kill_points.cc


def loses_power(way: str) -> bool:
    return way in ("power", "zeros")


@dataclasses.dataclass(frozen=True)
class KillPoint:
    """The `number`th operation whose line in the trace contains `what`; `away`: without the brokers
    of the results; `rotated`: while its files are moved away."""
    way: str
    number: int
    what: str = ""
    away: bool = False
    rotated: bool = False

    def __str__(self) -> str:
        away = ", brokers away" if self.away else ""
        rotated = ", files moved" if self.rotated else ""
        return f"{self.number}. {self.what} ({self.way}{away}{rotated})"


@dataclasses.dataclass
class Ended:
    """A process that was killed, and the one that continued: the point reached, and the
    differences."""
    point: KillPoint | None
    met: str  # the line in the trace; empty when it was not killed
    differences: list[str]
    log: str

    def __str__(self) -> str:
        return f"killed at {self.point}, {self.met}: {self.differences}\n{self.log}"


class SmallStream:
    """The stream, its expected results, and any number of processes that read it at the same
    time."""

    def __init__(self, broker: kafka_broker.KafkaBroker, folder: pathlib.Path, seed: int,
                 recovery: str, kind: type[RandomTopic] = RandomTopic) -> None:
        self._broker, self._folder, self._recovery = broker, folder, recovery
        # With integers, records have about the same length: see STEPS.
        self._topic = kind(broker, f"edges-{recovery}", seed, ROWS, PARTITIONS, broken=0.1,
                           silences=False, integer_keys=True)
        self._topic.produce(1)
        self._results = f"results-{recovery}"
        broker.create_topic(self._results, PARTITIONS)
        prefix = f"unkilled-{recovery}-"
        unkilled = self._follower(prefix)
        self._truth = Truth(self._topic.events(unkilled.configuration.stream),
                            unkilled.configuration)
        if not self._truth.due:
            raise AssertionError("the stream is to give results")
        if not self._lives(unkilled):
            raise AssertionError(f"it ended by itself:\n{unkilled.log()}")
        lines = unkilled.lines()
        if differences := self._truth.differences(lines):
            raise AssertionError(f"without a kill: {differences}\n{unkilled.log()}")
        self.points = self._trace(unkilled)
        self.wanted: dict[Identity, Result] = newest(lines, prefix)

    def end_all(self, lives: Iterable[tuple[str, KillPoint | None, dict[str, str]]]) -> list[Ended]:
        """Runs all lives to their end. A life has a name, where it is killed (None: nowhere), and
        the environment of both its processes."""
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            looks = list(pool.map(lambda life: self._end(*life), lives))
        messages = delivered(self._broker.address, self._results)
        return [look(messages) for look in looks]

    def _end(self, name: str, point: KillPoint | None,
             environment: dict[str, str]) -> Callable[[list[str]], Ended]:
        prefix = f"{name}-{self._recovery}-"
        kind = RotatedFollower if point is not None and point.rotated else Follower
        follower = self._follower(prefix, kind, **environment)
        ended = Ended(point, "", [], "")
        if environment and point is not None:
            follower.patience = PATIENCE_WITH_A_BUG
        try:
            if point is None:
                if not self._lives(follower):
                    raise AssertionError(f"it ended by itself:\n{follower.log()}")
            else:
                ended.met = self._kill(follower, point)
                if damage := follower.damage(loses_power(point.way)):
                    ended.differences.append(f"damage: {damage}")
                follower.finish(self._truth.due)
        except OutOfPatience as failure:
            ended.differences.append(f"{UNFINISHED}{failure}")
            return lambda _: ended  # results that are missing now are not lost yet
        except AssertionError as failure:
            ended.differences.append(str(failure))
        return lambda messages: self._compare(ended, follower, prefix, messages)

    def _compare(self, ended: Ended, follower: Follower, prefix: str,
                 messages: list[str]) -> Ended:
        ended.log = follower.log()
        try:
            lines = follower.lines()
            found = newest(lines, prefix)
        except (KeyError, TypeError, ValueError) as error:
            ended.differences.append(f"file: not a result: {error!r}")
            return ended
        ended.differences += [f"file: {each}" for each in unequal(self.wanted, found)]
        if len(found) != len(lines):
            ended.differences.append(f"file: {len(lines) - len(found)} results twice")
        ended.differences += wrong_rows(lines, prefix + ROWS_OF, follower.rows())
        ended.differences += [f"topic: {each}"
                              for each in unequal(self.wanted, newest(messages, prefix))]
        if damage := follower.damage(ended.point is not None and loses_power(ended.point.way)):
            ended.differences.append(f"damage: {damage}")
        return ended

    def _follower(self, prefix: str, kind: type[Follower] = Follower,
                  **environment: str) -> Follower:
        return kind(self._folder / prefix, document(
            self._broker, self._topic, prefix, self._results, self._recovery, prefix, small=True),
            **environment)

    def _lives(self, follower: Follower, away: bool = False, **environment: str) -> bool:
        """Whether it lives until everything is in the file and in the topic."""
        process = follower.begin(
            away, LD_PRELOAD=LIBRARY, SASH_KILL_UNDER=str(follower.folder / "out"),
            SASH_KILL_TRACE=str(follower.folder / "trace"),
            SASH_KILL_PACE=str(DISK_MS[self._recovery]), **environment)
        return follower.delivers(process, self._truth.due, away)

    def _kill(self, follower: Follower, point: KillPoint) -> str:
        """The point where it was killed; empty when it did fewer operations."""
        if self._lives(follower, point.away, SASH_KILL_AT=str(point.number),
                       SASH_KILL_WHAT=point.what, SASH_KILL_HOW=point.way):
            return ""
        done = [line for line in self._trace(follower) if point.what in line]
        if len(done) < point.number:
            raise AssertionError(f"it ended by itself, after {len(done)} operations")
        return done[point.number - 1]

    @staticmethod
    def _trace(follower: Follower) -> list[str]:
        return (follower.folder / "trace").read_text().splitlines()

"""`sashd` killed at random instants, and at everything that it does to its files: nothing is lost.

SASH_KILLS=n kills n times at random; SASH_KILL_WAYS=all tries each point in every way, instead of
in one; SASH_SEED=n makes the streams, and is printed.
"""
import collections
import concurrent.futures
import os
import pathlib
import random
import tempfile
import time
import unittest

import kafka_broker
from killed_stream import Follower, RandomTopic, Truth, delivered, document, kill, newest, unequal
from sashd_replay import ROOT

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
KILLS = int(os.environ.get("SASH_KILLS", "5"))
ALL_WAYS = os.environ.get("SASH_KILL_WAYS") == "all"
LIBRARY = os.environ.get("SASH_KILL_POINTS") or str(
    ROOT / "build/release/tests/integration/libkill_points.so")
PARTITIONS = 3
KILLS_A_STREAM = 20
ROWS_A_LIFE = 120
LONGEST_LIFE = 2.0  # seconds; nothing depends on it but what a kill meets
WAYS = ("done", "torn", "power", "zeros")
AT_ONCE = 6  # lives; they mostly wait
DISK_MS = 25  # for each write, so that a small run commits more than once


class KillTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-kill-"))
        self.folder = pathlib.Path(folder)
        print(f"SASH_SEED={SEED}")


class RandomInstantsTest(KillTest):
    def test_what_was_killed_has_what_was_not(self) -> None:
        for done in range(0, KILLS, KILLS_A_STREAM):
            self.one_stream(SEED + done, min(KILLS - done, KILLS_A_STREAM))

    def one_stream(self, seed: int, kills: int) -> None:
        chance = random.Random(seed)
        topic = RandomTopic(self.broker, f"edges-{seed}", seed, ROWS_A_LIFE * (kills + 1),
                            PARTITIONS, broken=0.1)
        names = [f"unkilled-{seed}", f"killed-{seed}"]
        for name in names:
            self.broker.create_topic(name, PARTITIONS)
        followers = [Follower(self.folder / name, document(self.broker, topic, name, name))
                     for name in names]
        for life in range(kills):
            process = followers[1].begin(away=chance.random() < 0.3)
            topic.produce((life + 1) / (kills + 1))
            until = time.monotonic() + chance.uniform(0, LONGEST_LIFE)
            enough = followers[1].written() + chance.choice([1, 2, 5, 20, 10**6])
            while time.monotonic() < until and followers[1].written() < enough:
                time.sleep(0.001)
            kill(process)
        topic.produce(1)

        truth = Truth(topic, followers[1].configuration)
        for name, follower in zip(names, followers):
            follower.finish(truth.due)
            self.assertEqual(truth.differences(follower.lines()), "", f"{name}\n{follower.log()}")
            self.assertEqual(truth.lost_letters(follower), [], name)
            messages = delivered(self.broker.address, name)
            self.assertEqual(unequal(newest(follower.lines()), newest(messages)), [], name)
        self.assertEqual(unequal(*(newest(follower.lines()) for follower in followers)), [])
        print(f"{kills} kills, {truth.due} results equal, {len(messages) - truth.due} messages "
              "sent again")


class KillPoints(KillTest):
    RESULTS = "results"

    def kill_everywhere(self, most: int) -> None:
        """At every point of a small run; at `most` of them when there are more."""
        self.topic = RandomTopic(self.broker, "edges", SEED, 90, PARTITIONS, broken=0.3,
                                 silences=False)
        self.topic.produce(1)
        self.broker.create_topic(self.RESULTS, PARTITIONS)
        unkilled = self.follower("unkilled-")
        self.truth = Truth(self.topic, unkilled.configuration)
        self.assertTrue(self.lives(unkilled))
        self.assertGreater(self.truth.due, 0)
        lines = unkilled.lines()
        self.assertEqual(self.truth.differences(lines), "", unkilled.log())
        points = self.trace(unkilled)

        tries = [(number, way) for number in range(1, len(points) + 1)
                 for way in (WAYS if ALL_WAYS else [WAYS[(number + SEED) % len(WAYS)]])]
        tries = random.Random(SEED).sample(tries, min(most, len(tries)))
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            killed = list(pool.map(lambda each: self.killed_at(*each), tries))

        wanted = newest(lines, "unkilled-")
        messages = delivered(self.broker.address, self.RESULTS)
        for follower, prefix, where in killed:
            found = newest(follower.lines(), prefix)
            why = f"killed at {where}\n{follower.log()}"
            self.assertEqual(unequal(wanted, found), [], why)
            self.assertEqual(len(found), len(follower.lines()), f"a result twice, {why}")
            self.assertEqual(unequal(wanted, newest(messages, prefix)), [], f"topic, {why}")
        # How often the disk is synced depends on the clock, so some numbers are not reached.
        met = collections.Counter(where.split()[0] for _, _, where in killed if where)
        self.assertGreater(sum(met.values()), len(tries) // 2, points)
        print(f"killed {sum(met.values())} times at {len(points)} points ({dict(met)}), "
              f"{len(wanted)} results equal")

    def follower(self, prefix: str) -> Follower:
        return Follower(self.folder / prefix, document(
            self.broker, self.topic, prefix, self.RESULTS, prefix, small=True))

    def lives(self, follower: Follower, away: bool = False, **environment: str) -> bool:
        """Whether it lives until everything is in the file and in the topic."""
        process = follower.begin(
            away, LD_PRELOAD=LIBRARY, SASH_KILL_UNDER=str(follower.folder / "out"),
            SASH_KILL_TRACE=str(follower.folder / "trace"), SASH_KILL_PACE=str(DISK_MS),
            **environment)
        return follower.delivers(process, self.truth.due, away)

    @staticmethod
    def trace(follower: Follower) -> list[str]:
        return (follower.folder / "trace").read_text().splitlines()

    def killed_at(self, number: int, way: str) -> tuple[Follower, str, str]:
        """A follower killed there and finished; its prefix, and where that was."""
        prefix = f"{way}-{number}-"
        follower = self.follower(prefix)
        away = number // len(WAYS) % 2 == 1
        lived = self.lives(follower, away, SASH_KILL_AT=str(number), SASH_KILL_HOW=way)
        point = self.trace(follower)[number - 1] if not lived else ""
        follower.finish(self.truth.due)
        return follower, prefix, point and f"{point} ({way}{', brokers away' if away else ''})"


class SomeKillPointsTest(KillPoints):
    def test_a_kill_at_a_write_sync_or_cut_changes_no_result(self) -> None:
        self.kill_everywhere(16)


class EveryKillPointTest(KillPoints):
    def test_a_kill_at_any_write_sync_or_cut_changes_no_result(self) -> None:
        self.kill_everywhere(10**6)


if __name__ == "__main__":
    unittest.main()

"""`sashd` killed at random moments, and at each of its file operations: nothing is lost.

SASH_KILLS=n kills n times at random; SASH_KILL_WAYS=all tries each point in every way, instead of
one; SASH_SEED=n makes the streams, and is printed.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import tempfile
import time
import unittest

import kafka_broker
from kill_points import PARTITIONS, WAYS, KillPoint, SmallStream, loses_power
from killed_stream import (ALERTS, ROWS_OF, Follower, RandomTopic, alerts_topic, diffs_topic,
                           document, kill)
from mapped_topics import MappedTopics
from oracle import alerts
from stream_truth import Truth, delivered, newest, unequal, wrong_rows

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
KILLS = int(os.environ.get("SASH_KILLS", "4"))
ALL_WAYS = os.environ.get("SASH_KILL_WAYS") == "all"
RECOVERIES = ("replay", "journal", "checkpoint")
KILLS_A_STREAM = 20
STREAMS_AT_ONCE = 4  # they mostly wait
ROWS_A_LIFE = 120
LONGEST_LIFE = 2.0  # seconds; affects only what a kill hits


class KillTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-kill-"))
        self.folder = pathlib.Path(folder)
        print(f"SASH_SEED={SEED}", flush=True)


class RandomInstantsTest(KillTest):
    def test_what_was_killed_has_what_was_not(self) -> None:
        with concurrent.futures.ThreadPoolExecutor(STREAMS_AT_ONCE) as pool:
            streams = [pool.submit(self.one_stream, SEED + done, min(KILLS - done, KILLS_A_STREAM))
                       for done in range(0, KILLS, KILLS_A_STREAM)]
            try:
                for stream in streams:
                    stream.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def one_stream(self, seed: int, kills: int) -> None:
        """Three processes are killed in turn: one continues from commits, one also from a journal,
        one from checkpoints."""
        chance = random.Random(seed)
        topic = MappedTopics(self.broker, f"edges-{seed}", seed, ROWS_A_LIFE * (kills + 1),
                             PARTITIONS, broken=0.1)
        unkilled = self.follower(topic, f"unkilled-{seed}", "replay")
        killed = [self.follower(topic, f"{recovery}-{seed}", recovery) for recovery in RECOVERIES]
        for life in range(kills):
            self.one_life(chance, topic, killed[life % len(killed)], (life + 1) / (kills + 1))
        topic.produce(1)

        truth = Truth(topic.events(unkilled.configuration.stream), unkilled.configuration)
        sent = 0
        for follower in (unkilled, *killed):
            follower.finish(truth.due)
            name = f"{follower.folder.name}\n{follower.log()}"
            differences = truth.differences(follower.lines())
            self.assertFalse(differences, f"{differences}\n{name}")
            self.assertEqual(truth.wrong_letters(follower.lines(), follower.letters()), [], name)
            messages = delivered(self.broker.address, follower.folder.name)
            self.assertEqual(unequal(newest(follower.lines()), newest(messages)), [], name)
            self.assertEqual(unequal(newest(unkilled.lines()), newest(follower.lines())), [], name)
            self.assertEqual(unequal(newest(unkilled.diffs()), newest(follower.diffs())), [], name)
            self.assertEqual(unequal(newest(unkilled.diffs()), newest(delivered(
                self.broker.address, diffs_topic(follower.folder.name)))), [], name)
            self.assertTrue(follower.rows(), name)
            self.assertEqual(wrong_rows(follower.lines(), ROWS_OF, follower.rows()), [], name)
            self.compare_alerts(follower, name)
            self.assertEqual(follower.damage(), "", name)
            sent += len(messages) - truth.results
        print(f"{kills} kills, {truth.results} results equal, {sent} messages sent again",
              flush=True)

    def compare_alerts(self, follower: Follower, name: str) -> None:
        """The file has each alert once, in order; the topic has each at least once."""
        written = [json.loads(line) for line in follower.alerts()]
        messages = [json.loads(line) for line in delivered(
            self.broker.address, alerts_topic(follower.folder.name))]
        for alert in ALERTS:
            due = alerts.sent(follower.lines(), alert)
            self.assertTrue(due, alert.spec)
            for found, in_order in ((written, True), (messages, False)):
                told = [(each["window_end"], each["subject"]) for each in found
                        if each["alert"] == alert.spec["name"]]
                ends = [end for end, _ in told]
                if in_order:
                    self.assertEqual(ends, sorted(ends), name)
                    self.assertEqual(sorted(told), due, f"{alert.spec}\n{name}")
                else:
                    self.assertEqual(sorted(set(told)), due, f"{alert.spec}\n{name}")

    def follower(self, topic: RandomTopic, name: str, recovery: str) -> Follower:
        self.broker.create_topic(name, PARTITIONS)
        self.broker.create_topic(diffs_topic(name), PARTITIONS)
        self.broker.create_topic(alerts_topic(name), PARTITIONS)
        return Follower(self.folder / name, document(
            self.broker, topic, name, name, recovery, with_diffs=True))

    def one_life(self, chance: random.Random, topic: RandomTopic, follower: Follower,
                 share: float) -> None:
        process = follower.begin(away=chance.random() < 0.3)
        topic.produce(share)
        until = time.monotonic() + chance.uniform(0, LONGEST_LIFE)
        enough = follower.written() + chance.choice([1, 2, 5, 20, 10**6])
        while time.monotonic() < until and follower.written() < enough:
            time.sleep(0.001)
        kill(process)
        self.assertEqual(follower.damage(), "", follower.log())


class KillPoints(KillTest):
    def kill_everywhere(self, most: int) -> None:
        """Kills at every point of small runs, for every kind of recovery; at `most` points of each,
        if there are more."""
        for recovery in RECOVERIES:
            with self.subTest(recovery):
                self.kill_along(SmallStream(self.broker, self.folder, SEED, recovery,
                                            MappedTopics), most)

    @staticmethod
    def point(way: str, number: int) -> KillPoint:
        """Half of the processes are without the brokers of the results. The files of half of those
        that do not lose power are moved away meanwhile."""
        away = number // len(WAYS) % 2 == 1
        rotated = number // len(WAYS) // 2 % 2 == 1
        return KillPoint(way, number, away=away, rotated=rotated and not loses_power(way))

    @staticmethod
    def points_before_outbox(stream: SmallStream) -> list[KillPoint]:
        """The points right after one of the newest results is in the file, but not in the
        outbox."""
        written = sum("write results" in line for line in stream.points)
        return [KillPoint("done", written - back, "write results") for back in range(3)]

    def kill_along(self, stream: SmallStream, most: int) -> None:
        tries = [self.point(way, number)
                 for number in range(1, len(stream.points) + 1)
                 for way in (WAYS if ALL_WAYS else [WAYS[(number + SEED) % len(WAYS)]])]
        tries = random.Random(SEED).sample(tries, min(most, len(tries)))
        tries += self.points_before_outbox(stream)
        lives = stream.end_all((f"{point.way}-{'file' * bool(point.what)}{point.number}", point, {})
                               for point in tries)
        for ended in lives:
            self.assertEqual(ended.differences, [], str(ended))
        # How often the disk is synced depends on the clock, so some numbers are not reached.
        met = collections.Counter(ended.met.split()[0] for ended in lives if ended.met)
        self.assertGreater(sum(met.values()), len(tries) // 2, stream.points)
        print(f"killed {sum(met.values())} times at {len(stream.points)} points ({dict(met)}), "
              f"{sum(each.point is not None and each.point.rotated for each in lives)} with files "
              f"moved, {len(stream.wanted)} results equal", flush=True)


class SomeKillPointsTest(KillPoints):
    def test_a_kill_at_a_write_sync_rename_or_cut_changes_no_result(self) -> None:
        self.kill_everywhere(8)


class EveryKillPointTest(KillPoints):
    def test_a_kill_at_any_write_sync_rename_or_cut_changes_no_result(self) -> None:
        self.kill_everywhere(10**6)


if __name__ == "__main__":
    unittest.main()

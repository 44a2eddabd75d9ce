"""`sashd` exports slices of topics and is killed at random moments: the slices hold every accepted
edge once, and nothing is committed beyond them.

SASH_KILLS=n kills n times; SASH_SEED=n makes the stream, and is printed.
"""
import os
import pathlib
import random
import tempfile
import time
import unittest
from typing import Any

import kafka_broker
import slice_files
from kill_points import PARTITIONS
from killed_stream import Follower, document, kill
from mapped_topics import MappedTopics
from stream_truth import Truth

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
KILLS = int(os.environ.get("SASH_KILLS", "9"))
RECOVERIES = ("replay", "journal", "checkpoint")
ROWS_A_LIFE = 120
LONGEST_LIFE = 2.0  # seconds; affects only what a kill hits


class SlicesKillTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-slices-"))
        self.folder = pathlib.Path(folder)
        print(f"SASH_SEED={SEED}", flush=True)

    def follower(self, topic: MappedTopics, recovery: str) -> Follower:
        name = f"{recovery}-{SEED}"
        self.broker.create_topic(name, PARTITIONS)
        given: dict[str, Any] = document(self.broker, topic, name, name, recovery)
        given["exports"] = [{"parquet": {"path": "out/slices", "slices": True, "keep": "7300d",
                                         "limit": "10GiB"}}]
        return Follower(self.folder / name, given)

    def test_the_union_of_slices_is_the_accepted_edges(self) -> None:
        chance = random.Random(SEED)
        topic = MappedTopics(self.broker, f"edges-{SEED}", SEED, ROWS_A_LIFE * (KILLS + 1),
                             PARTITIONS, broken=0.1)
        followers = [self.follower(topic, recovery) for recovery in RECOVERIES]
        for life in range(KILLS):
            self.one_life(chance, topic, followers[life % len(followers)], (life + 1) / (KILLS + 1))
        topic.produce(1)
        settings = followers[0].configuration
        records = topic.events(settings.stream)
        truth = Truth(records, settings)
        rows = 0
        for follower in followers:
            name = f"{follower.folder.name}\n{follower.log()}"
            follower.finish(truth.due)
            self.assertFalse(truth.differences(follower.lines()), name)
            comparison = slice_files.Comparison(records, settings)
            files = slice_files.read(follower.folder / "out/slices")
            self.assertEqual(comparison.part(files)[:5], [], name)
            newest = max(truth.due.values())
            self.assertGreaterEqual(files[-1].end, newest - max(
                window.slide for window in settings.windows), "slices end too early")
            rows += comparison.rows
        print(f"{KILLS} kills, {rows} rows of slices equal", flush=True)

    def one_life(self, chance: random.Random, topic: MappedTopics, follower: Follower,
                 share: float) -> None:
        process = follower.begin()
        topic.produce(share)
        until = time.monotonic() + chance.uniform(0, LONGEST_LIFE)
        enough = follower.written() + chance.choice([1, 2, 5, 20, 10**6])
        while time.monotonic() < until and follower.written() < enough:
            time.sleep(0.001)
        kill(process)
        self.assertEqual(follower.damage(), "", follower.log())
        slice_files.read(follower.folder / "out/slices")  # all are whole


if __name__ == "__main__":
    unittest.main()

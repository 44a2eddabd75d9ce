"""A single `sashd` behind a bad network, or with a bad clock. It is not killed: it has to live, to
rejoin its group, and to produce the oracle's results.

SASH_SEED=n makes the stream and the faults, and is printed; SASH_FAULTS=n is the number of faults;
SASH_FAULT=HALF_OPEN, or another name in hostile_proxy.py, uses only that one.
"""
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import time
import unittest

import kafka_broker
from asked_follower import AskedFollower
from hostile_proxy import Fault, HostileProxy
from killed_stream import RandomTopic, document, kill
from sashd_process import await_that
from sashd_replay import ROOT
from stream_truth import PATIENCE_SECONDS, Truth, delivered, newest, unequal

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
FAULTS = int(os.environ.get("SASH_FAULTS", "10"))
CLOCK = os.environ.get("SASH_WRONG_CLOCK") or str(
    ROOT / "build/release/tests/integration/libwrong_clock.so")
ONLY = os.environ.get("SASH_FAULT")  # the name of the only fault to use
PARTITIONS = 3
ROWS = 900
SESSION_MS = 6000  # the least that a broker accepts by default
# Longer than a session, so that the group drops the member, and shorter than the time to notice.
FAULT_SECONDS = (1.0, 4.0, 9.0, 14.0)
# Makes librdkafka notice within the test what it would notice after a minute.
IMPATIENT = {"session.timeout.ms": SESSION_MS, "heartbeat.interval.ms": 1000,
             "socket.timeout.ms": 5000, "reconnect.backoff.max.ms": 500}
DAY = 24 * 3600


class NemesisTest(unittest.TestCase):
    """The common part of both: the stream, the single process, and its expected log."""

    def begin(self, broker: kafka_broker.KafkaBroker, recovery: str, address: str,
              **environment: str) -> None:
        self.broker, self.chance = broker, random.Random(SEED)
        self.folder = pathlib.Path(self.enterContext(
            tempfile.TemporaryDirectory(prefix="sash-nemesis-")))
        print(f"SASH_SEED={SEED}", flush=True)
        self.topic = RandomTopic(broker, f"edges-{recovery}", SEED, ROWS, PARTITIONS, broken=0.1)
        self.results = f"results-{recovery}"
        broker.create_topic(self.results, PARTITIONS)
        given = document(broker, self.topic, f"lone-{recovery}", self.results, recovery)
        given["source"]["kafka"] |= {"brokers": address, "options": dict(IMPATIENT)}
        given["sinks"][1]["kafka"] |= {"brokers": address,
                                       "options": {"socket.timeout.ms": 5000,
                                                   "reconnect.backoff.max.ms": 500}}
        self.follower = AskedFollower(self.folder / "lone", given)
        self.process = self.follower.begin(**environment)
        self.addCleanup(lambda: kill(self.process))
        self.topic.produce(0.1)
        self.await_it(lambda: self.follower.written() > 0)

    def await_it(self, what) -> None:
        def is_so() -> bool:
            self.assert_alive()
            return bool(what())
        self.assertTrue(await_that(is_so, PATIENCE_SECONDS), self.follower.log())

    def assert_alive(self) -> None:
        self.assertIsNone(self.process.poll(), self.follower.log())

    def assert_true_results(self) -> None:
        """It lives, is ready, and has written all due results."""
        self.topic.produce(1)
        truth = Truth(self.topic.events(self.follower.configuration.stream),
                      self.follower.configuration)
        self.await_it(lambda: self.follower.has_reached(truth.due))
        self.await_it(self.follower.is_ready)
        self.assertTrue(self.follower.delivers(self.process, truth.due), self.follower.log())
        self.assertEqual(self.process.returncode, 0, self.follower.log())
        lines = self.follower.lines()
        self.assertEqual(truth.differences(lines), "", self.follower.log())
        self.assertEqual(truth.wrong_letters(lines, self.follower.letters()), [])
        sent = newest(delivered(self.broker.address, self.results))
        self.assertEqual(unequal(newest(lines), sent), [], self.follower.log())
        self.assertEqual(self.follower.damage(), "")


class NetworkNemesisTest(NemesisTest):
    def test_a_lone_process_outlives_the_worst_network(self) -> None:
        for recovery in ("replay", "checkpoint"):
            with self.subTest(recovery):
                self.outlive(recovery)

    def outlive(self, recovery: str) -> None:
        with HostileProxy(SEED) as proxy:
            try:
                broker = self.enterContext(kafka_broker.KafkaBroker(proxied=proxy.port))
            except kafka_broker.Unavailable as reason:
                self.skipTest(str(reason))
            proxy.listen_for(broker.proxied_port)
            self.begin(broker, recovery, f"127.0.0.1:{proxy.port}")
            faults = [fault for fault in Fault if fault is not Fault.NONE]
            order = [faults[i % len(faults)] for i in range(FAULTS)]
            if ONLY:
                order = [Fault[ONLY]] * FAULTS
            self.chance.shuffle(order)
            for number, fault in enumerate(order, 1):
                proxy.set(fault)
                self.topic.produce(0.1 + 0.8 * number / len(order))
                time.sleep(self.chance.choice(FAULT_SECONDS))
                self.assert_alive()
                if self.chance.random() < 0.5:
                    continue  # the next one follows at once
                proxy.set(Fault.NONE)
                time.sleep(self.chance.uniform(0, 4))
                self.assert_alive()
            proxy.set(Fault.NONE)
            self.assert_true_results()
            self.assertEqual(self.follower.said("taken it over"), 0, self.follower.log())
            for fault in order:
                self.assertGreater(proxy.met[fault], 0, f"{fault} was never applied")
            print(f"{recovery}: {len(order)} faults, memberships lost: "
                  f"{self.follower.said('the brokers have given this member up')}", flush=True)


class ClockNemesisTest(NemesisTest):
    def test_a_lone_process_outlives_a_clock_that_jumps(self) -> None:
        for recovery in ("replay", "journal", "checkpoint"):
            with self.subTest(recovery):
                self.outlive(recovery)

    def outlive(self, recovery: str) -> None:
        try:
            broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        offset = pathlib.Path(
            self.enterContext(tempfile.NamedTemporaryFile(prefix="sash-clock-")).name)
        environment = {"LD_PRELOAD": CLOCK, "SASH_CLOCK_OFFSET": str(offset)}
        self.set_clock(offset, -400 * DAY)
        told = subprocess.run(["date", "+%s"], env={**os.environ, **environment}, check=True,
                              stdout=subprocess.PIPE).stdout
        self.assertAlmostEqual(int(told), time.time() - 400 * DAY, delta=60)
        self.set_clock(offset, 0)
        self.begin(broker, recovery, broker.address, **environment)
        for number in range(1, FAULTS + 1):
            # To another day and back, by hours, and by the amounts of usual clock corrections.
            self.set_clock(offset, self.chance.choice(
                (0, 0.5, -0.5, 30, -30, 3600, -3600, DAY, -DAY, 400 * DAY, -400 * DAY)))
            self.topic.produce(0.1 + 0.8 * number / FAULTS)
            time.sleep(self.chance.uniform(0.2, 2))
            self.assert_alive()
            if self.chance.random() < 0.25:
                kill(self.process)  # the next process starts with another clock
                self.set_clock(offset, self.chance.choice((0, 7200, -7200)))
                self.process = self.follower.begin(**environment)
                self.await_it(lambda: self.follower.said("kafka: reading"))
        self.assert_true_results()

    @staticmethod
    def set_clock(file: pathlib.Path, seconds: float) -> None:
        with open(file, "r+b") as opened:
            opened.write(struct.pack("=q", int(seconds * 10**9)))


if __name__ == "__main__":
    unittest.main()

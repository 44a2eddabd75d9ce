"""Three real brokers that keep each record three times. One is killed in the middle and restarted
later; then the coordinator of our transactions is killed for good. Partitions without a leader show
as a state until another broker leads them, every result equals the oracle's, and with transactions
each result occurs once."""
import pathlib
import tempfile
import unittest
from typing import Any, Callable

import kafka_broker
from asked_follower import AskedFollower
from killed_stream import RandomTopic, document, kill
from sashd_process import await_that
from stream_truth import PATIENCE_SECONDS, Truth, delivered, newest, unequal

PARTITIONS = 3
ROWS = 900
SEED = 11
TRANSACTIONS = "__transaction_state"  # a topic with one partition here, whose leader coordinates
# Until the others lead a dead broker's partitions, counted from its last heartbeat: long enough for
# the client's statistics to show the loss, and longer than a broker of a busy machine is silent.
TAKES_MS = 20_000
HEARTBEAT_MS = 500


class ClusterTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.cluster = self.enterContext(kafka_broker.KafkaCluster(
                3, **{"broker.session.timeout.ms": TAKES_MS,
                      "broker.heartbeat.interval.ms": HEARTBEAT_MS}))
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        self.folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory(prefix="sash-cluster-")))

    def test_a_broker_that_is_killed_and_comes_back_changes_no_result(self) -> None:
        topic = RandomTopic(self.cluster, "edges", SEED, ROWS, PARTITIONS, broken=0.1)
        self.cluster.create_topic("results", PARTITIONS)
        self.cluster.create_topic("exact", PARTITIONS)
        given = document(self.cluster, topic, "one", "results", "checkpoint")
        given["sinks"].append({"kafka": {**given["sinks"][1]["kafka"], "topic": "exact",
                                         "transactional": True,
                                         "outbox": {"path": "out/outbox-exact"}}})
        self.follower = AskedFollower(self.folder / "one", given)
        process = self.follower.begin()
        self.addCleanup(kill, process)
        topic.produce(0.3)
        self.await_it(lambda: self.follower.written() > 10)
        self.await_it(self.follower.is_ready)
        self.await_it(lambda: self.cluster.in_sync("edges"))  # so that no other node is to lead

        dead = self.cluster.leaders("edges")[0]
        led = [partition for partition, leader in self.cluster.leaders("edges").items()
               if leader == dead]
        self.cluster.nodes[dead].kill()
        self.await_it(lambda: f"the brokers of {len(led)} of {PARTITIONS} partitions cannot be "
                              "reached" in self.follower.reasons())
        for partition in led:
            self.assertIn(f"edges [{partition}]", self.follower.reasons())
        self.assertEqual(self.follower.metric("sash_source_ready"), 0)
        topic.produce(0.6)  # also to its partitions, once others lead them
        self.await_it(self.follower.is_ready)
        self.assertNotIn(dead, self.cluster.leaders("edges").values())
        before = self.follower.written()
        topic.produce(0.8)
        self.await_it(lambda: self.follower.written() > before)

        # It is restarted, and the coordinator of transactions is killed for good.
        self.cluster.restart_node(dead)
        for each in ("edges", "exact", TRANSACTIONS):
            self.await_it(lambda each=each: self.cluster.in_sync(each))
        coordinator = self.cluster.leaders(TRANSACTIONS)[0]
        self.cluster.nodes[coordinator].kill()
        before = self.committed()
        topic.produce(1)
        truth = Truth(topic.events(self.follower.configuration.stream), self.follower.configuration)
        self.await_it(lambda: self.follower.has_reached(truth.due))
        self.await_it(self.follower.is_ready)
        self.await_it(lambda: self.committed() > before)
        self.assertNotEqual(self.cluster.leaders(TRANSACTIONS)[0], coordinator)
        # Whether the membership outlives its coordinator depends on how soon there is a new one.
        for kind in ("lost_records", "stalls"):
            self.assertEqual(
                self.follower.metric("sash_source_incidents_total", f'kind="{kind}"'), 0, kind)
        self.assertTrue(self.follower.delivers(process, truth.due), self.follower.log())
        self.assertEqual(process.returncode, 0, self.follower.log())
        self.assertEqual(truth.differences(self.follower.lines()), "", self.follower.log())
        messages = delivered(self.cluster.address, "results")
        self.assertEqual(unequal(newest(self.follower.lines()), newest(messages)), [])
        messages = delivered(self.cluster.address, "exact")
        self.assertEqual(len(messages), len(newest(messages)), "each result is delivered once")
        self.assertEqual(unequal(newest(self.follower.lines()), newest(messages)), [])

    def committed(self) -> float:
        return self.follower.metric("sash_sink_transactions_total", 'sink="kafka:exact"')

    def await_it(self, what: Callable[[], Any]) -> None:
        self.assertTrue(await_that(what, PATIENCE_SECONDS),
                        f"{self.follower.reasons()}\n{self.follower.log()}")


if __name__ == "__main__":
    unittest.main()

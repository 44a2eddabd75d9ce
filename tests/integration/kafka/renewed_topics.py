"""Tests of `sashd` with topics that are deleted and created again, with other records.

broker_life_test.py runs them.
"""
import signal
import subprocess
from typing import TYPE_CHECKING

from broker_case import START_MS, instant
from producers import Transactions
from sashd_process import Sashd, await_that, edges

if TYPE_CHECKING:
    from broker_life_test import BrokerLifeTest


class RenewedTopics:
    """Tests for a BrokerCase."""

    def test_a_topic_that_is_made_anew_while_it_is_read_is_read_from_its_beginning(
            self: "BrokerLifeTest") -> None:
        self.broker.create_topic("passing", 2)
        for partition in (0, 1):
            self.produce("passing", 0, 20, partition)
        with Sashd(self.document("passing")) as sashd:
            sashd.await_lines(19)
            self.broker.topics("--delete", "--topic", "passing")
            self.await_reason(sashd, "passing")
            self.assertNotIn("no broker", " ".join(self.reasons(sashd)))
            self.broker.create_topic("passing", 1)
            sashd.await_log("the topic was created again")
            sashd.await_log(r"passing \[1\]: the topic has 1 partitions now, this one is gone")
            self.await_ready(sashd)
            self.produce("passing", 30, 10)
            last = self.await_end(sashd, 39)
            self.assertEqual((last["edges"], last["offsets"]["passing"]["0"]), (9, [0, 8]))
            self.assertTrue(last["gap"])
            self.assertEqual(self.incidents(sashd, "partitions_renewed"), 1)

    def test_a_topic_that_is_made_anew_while_the_process_is_stopped_is_read_from_its_beginning(
            self: "BrokerLifeTest") -> None:
        # The new topic has grown past the read offset, so nothing reports that it is another one.
        # At the offset of the last record, partition 0 now has the marker of a transaction.
        self.broker.create_topic("frozen", 2)
        for partition in (0, 1):
            self.produce("frozen", 0, 20, partition)
        document = self.document("frozen")
        # Windows wait for what a new partition has, although it brings nothing at first.
        document["source"]["time"]["idle_after"] = "1ms"
        document["windows"] = [{**document["windows"][0], "length": "5s"}]
        with Sashd(document) as sashd:
            sashd.await_lines(19)
            sashd.send(signal.SIGSTOP)
            self.recreate("frozen", 2)
            with Transactions(self.broker.address, "frozen") as producer:
                for second in range(100, 140):
                    producer.transaction(edges([("a", "b", START_MS + second * 1000)]), commit=True)
            self.produce("frozen", 100, 40, partition=1)
            sashd.send(signal.SIGCONT)
            last = self.await_end(sashd, 139)
            self.assertEqual(last["offsets"]["frozen"], {"0": [68, 76], "1": [34, 38]})
            self.assert_read_once(sashd, 100, 139, length=5, partitions=2)
            self.assertEqual(sashd.log().count("the topic was created again"), 2)
            self.assertEqual(self.incidents(sashd, "partitions_renewed"), 2)

    def test_a_topic_that_is_made_anew_before_the_start_is_read_from_its_beginning(
            self: "BrokerLifeTest") -> None:
        for recovery in ("replay", "checkpoint"):
            with self.subTest(recovery):
                topic = f"recreated-{recovery}"
                self.broker.create_topic(topic, 1)
                self.produce(topic, 0, 20)
                document = {**self.document(topic), "recovery": recovery}
                document["windows"] = [{**document["windows"][0], "length": "5s"}]
                if recovery == "checkpoint":
                    document["state"] = {"path": "state"}
                with Sashd(document) as sashd:
                    sashd.await_lines(19)
                    self.assertEqual(sashd.stop(), 0)
                    self.recreate(topic, 1)
                    self.produce(topic, 100, 40)
                    sashd.start()
                    self.await_end(sashd, 139)
                    # Kafka deletes a topic's commits with it, so there is no trace of the old one.
                    is_known = recovery == "checkpoint"
                    self.assert_read_once(sashd, 100, 139, length=5, gap=is_known)
                    self.assertEqual(sashd.stop(), 0)
                    # After a restart it is recognized again.
                    self.produce(topic, 140, 10)
                    sashd.start()
                    last = self.await_end(sashd, 149)
                    self.assertEqual(last["offsets"][topic]["0"], [44, 48])
                    self.assert_read_once(sashd, 100, 149, length=5, gap=is_known)
                    self.assertEqual(sashd.stop(), 0)
                    self.assertEqual(sashd.log().count("the topic was created again"),
                                     int(is_known))

    def test_a_last_record_that_is_gone_is_said_and_proves_nothing(self: "BrokerLifeTest") -> None:
        self.broker.create_topic("quiet", 1)
        self.produce("quiet", 0, 20)
        self.broker.create_topic("compacted", 1, "--config", "cleanup.policy=compact")
        with Transactions(self.broker.address, "compacted") as producer:
            producer.transaction(edges(("a", "b", START_MS + i * 1000) for i in range(20)), True)
        document = self.document("quiet")
        document["source"]["kafka"]["topics"] = ["compacted", "quiet"]
        # Commits are deleted with the topic.
        document.update(recovery="checkpoint", state={"path": "state"})
        with Sashd(document) as sashd:
            sashd.await_lines(19)
            self.assertEqual(sashd.stop(), 0)
            self.broker.delete_records("quiet", 0, before=20)
            self.recreate("compacted", 1, "--config", "cleanup.policy=compact")
            with Transactions(self.broker.address, "compacted") as producer:
                # There is a marker at the offset of the last record. This looks the same as a
                # record that was compacted away, so the process goes on.
                producer.transaction(edges(("a", "b", START_MS + i * 1000) for i in range(19)),
                                     True)
                producer.transaction(edges(("a", "b", START_MS + i * 1000) for i in range(20, 32)),
                                     True)
            self.produce("quiet", 20, 12)
            sashd.start()
            self.assertFalse(self.await_end(sashd, 30)["gap"])
            self.assertNotIn("kafka.partition.renewed", sashd.log())
            self.assertRegex(sashd.log(),
                             r"compacted \[0\]: .* not known whether "
                             r".* compaction has removed the record")
            self.assertRegex(sashd.log(),
                             r"quiet \[0\]: .* not known whether .* is no longer retained")

    def recreate(self: "BrokerLifeTest", topic: str, partitions: int, *arguments: str) -> None:
        self.broker.topics("--delete", "--topic", topic)
        # The topic cannot be created until the old one is gone.
        self.assertTrue(await_that(lambda: self.is_made(topic, partitions, *arguments)))

    def is_made(self: "BrokerLifeTest", topic: str, partitions: int, *arguments: str) -> bool:
        try:
            self.broker.create_topic(topic, partitions, *arguments)
        except subprocess.CalledProcessError:
            return False
        return True

    def assert_read_once(self: "BrokerLifeTest", sashd: Sashd, first: int, end: int, length: int,
                         partitions: int = 1, gap: bool = True) -> None:
        """The windows of one edge a second in each partition, from `first` on."""
        ends = {instant(second): second for second in range(first + 1, end + 1)}
        results = [line for line in sashd.lines() if line["window_end"] in ends]
        self.assertEqual(len(results), len(ends))
        for line in results:
            second = ends[line["window_end"]]
            self.assertEqual(line["edges"], partitions * min(length, second - first), line)
            self.assertEqual(line["gap"], gap and second - length < first, line)

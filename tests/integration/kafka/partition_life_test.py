"""Partitions of a real broker that are silent or ahead of the others, or whose producers have wrong
clocks or abort transactions: each with its state, its metric, and its effect on windows."""
import json
import signal
import time
from typing import Any

from producers import Transactions
from broker_case import START_MS, BrokerCase
from sashd_process import Sashd, await_that, edges

HOUR = 3600
IDLE_AFTER = "8s"  # longer than producing to one partition after the other takes


class PartitionLifeTest(BrokerCase):
    def why(self, sashd: Sashd) -> dict[str, Any]:
        """What the window waits for."""
        return sashd.json("/api/v1/windows/w/why")

    def await_state(self, sashd: Sashd, partition: int, state: str) -> None:
        self.assertTrue(
            await_that(lambda: any(each["partition"] == partition and each["state"] == state
                                   for each in self.why(sashd)["partitions"])),
            f"{self.why(sashd)}\n{sashd.log()}")

    def paused(self, sashd: Sashd, topic: str, partition: int) -> float:
        return sashd.metric("sash_source_paused", topic=topic, partition=str(partition))

    def test_a_partition_that_is_idle_holds_nobody_up(self) -> None:
        self.broker.create_topic("idle", 2)
        self.produce("idle", 0, 20)
        document = self.document("idle")
        document["source"]["time"]["idle_after"] = "7000d"
        with Sashd(document) as sashd:
            self.await_state(sashd, 1, "no_event")
            self.assertTrue(await_that(lambda: sashd.metric("sash_source_records_total") == 20))
            self.assertEqual(sashd.lines(), [], "windows wait for partition 1")
        document["source"]["time"]["idle_after"] = IDLE_AFTER
        with Sashd(document) as sashd:
            self.await_state(sashd, 1, "idle")
            self.produce("idle", 20, 1)  # if all were idle, the watermark would stop
            lines = sashd.await_lines(20)
            self.assertFalse(any(line["gap"] for line in lines))
            self.await_ready(sashd)
            # It comes back, and is read; its events for windows that have passed are late.
            self.produce("idle", 5, 1, partition=1)
            self.produce("idle", 21, 5, partition=1)
            self.produce("idle", 21, 5)
            self.assertEqual(sashd.await_lines(25)[-1]["edges"], 10 + 4)
            self.assertEqual(sashd.metric("sash_engine_late_total"), 1)

    def test_one_that_runs_ahead_is_paused_and_nothing_of_its_backlog_is_lost(self) -> None:
        self.broker.create_topic("drift", 2)
        seconds = 3000
        self.produce("drift", 0, seconds, partition=0, batch=50)
        self.produce("drift", 0, 30, partition=1)
        document = self.document("drift")
        document["source"]["time"] |= {"max_drift": "20s", "idle_after": "7000d"}
        # So that librdkafka has not fetched everything before it is told to pause.
        document["source"]["kafka"]["options"] = {"max.partition.fetch.bytes": 4000}
        document["sinks"] = [{"file": {"path": "results.jsonl"}}]
        with Sashd(document) as sashd:
            sashd.await_lines(28)
            self.assertTrue(await_that(lambda: self.paused(sashd, "drift", 0) == 1), sashd.log())
            self.await_state(sashd, 0, "paused")
            self.assertEqual(self.paused(sashd, "drift", 1), 0,
                             "the slowest partition is not paused")
            self.assertGreater(self.incidents(sashd, "pauses"), 0)
            lag = lambda: sashd.metric("sash_source_lag_records", topic="drift", partition="0")
            self.assertTrue(await_that(lambda: lag() > seconds / 2),
                            "the backlog stays in the topic")
            self.await_ready(sashd)
            self.produce("drift", 30, seconds - 30, partition=1)
            lines = sashd.await_lines(seconds - 1)
            self.assertEqual([line["edges"] for line in lines[9:]], [20] * (seconds - 10))
            self.assertEqual(self.incidents(sashd, "stalls"), 0)
            self.assertTrue(await_that(lambda: self.paused(sashd, "drift", 0) == 0))

    def test_what_was_read_far_ahead_before_a_kill_is_read_so_far_again(self) -> None:
        # Repeated rounds wait for all records that they had, even if this process, which reads in
        # other steps or (as here) with another limit, would have paused the partition earlier.
        self.broker.create_topic("again", 2)
        document = self.document("again")
        document["source"]["time"] |= {"max_drift": "7000d", "idle_after": "7000d"}
        document |= {"recovery": "checkpoint", "state": {"interval": "1h"}}
        document["windows"].append({"name": "numbers", "by": "events", "length": 100, "slide": 100})
        document["jobs"].append({"name": "numbers", "kernel": "window", "window": "numbers",
                                 "overrun": {"queue": 100}})
        numbers = lambda: [line["accepted"] for line in sashd.lines() if line["job"] == "numbers"]
        with Sashd(document) as sashd:
            self.assertTrue(await_that((sashd.folder / "state" / "manifest").exists), sashd.log())
            self.produce("again", 0, 1, partition=1)
            self.produce("again", 0, 999, partition=0, batch=10)
            self.assertTrue(await_that(lambda: len(numbers()) == 10), sashd.log())
            self.assertLess(sashd.stop(signal.SIGKILL), 0)
            document["source"]["time"]["max_drift"] = "20s"
            document["source"]["kafka"]["options"] = {"max.partition.fetch.bytes": 600}
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            sashd.start()
            sashd.await_log("rounds of the journal are repeated")
            self.produce("again", 1, 101, partition=1)  # still far behind
            self.assertTrue(await_that(lambda: len(numbers()) == 11), sashd.log())
            self.assertEqual(numbers(), list(range(100, 1200, 100)))
            self.assertNotIn("are gone", sashd.log())
            self.await_ready(sashd)

    def test_what_comes_to_a_silent_one_while_nobody_reads_is_read_afterwards(self) -> None:
        # Also if reading began at the end: the end at the first start, not at each start.
        self.broker.create_topic("silent", 2)
        self.produce("silent", 0, 5, partition=1)
        document = self.document("silent")
        document["source"]["kafka"]["start"] = "latest"
        document["source"]["time"]["idle_after"] = "1s"
        document |= {"recovery": "checkpoint", "state": {"interval": "50ms"}}
        with Sashd(document) as sashd:
            sashd.await_log(r"silent \[1\]: reading starts at offset 5, records before it are not")
            before = sashd.metric("sash_checkpoint_writes_total")
            self.produce("silent", 10, 20)
            sashd.await_lines(18)
            self.assertTrue(await_that(
                lambda: sashd.metric("sash_checkpoint_writes_total") > before), sashd.log())
            self.assertLess(sashd.stop(signal.SIGKILL), 0)
            self.produce("silent", 30, 20, partition=1)
            sashd.start()
            sashd.await_log(r"silent \[1\]: reading starts at offset 5, where it stopped")
            # Now the other partition is silent.
            lines = sashd.await_lines(39)
            self.assertEqual([line["edges"] for line in lines[9:]], [10] * 30)
            self.assertEqual(sashd.metric("sash_source_records_total"), 20)
            self.assertEqual(sashd.metric("sash_engine_late_total"), 0)

    def test_retention_that_passes_one_that_is_held_back_is_a_gap(self) -> None:
        self.broker.create_topic("passed", 2)
        self.produce("passed", 0, 600, partition=0, batch=50)
        self.produce("passed", 0, 30, partition=1)
        document = self.document("passed")
        document["source"]["time"] |= {"max_drift": "20s", "idle_after": "7000d"}
        document["source"]["kafka"]["options"] = {"max.partition.fetch.bytes": 4000}
        with Sashd(document) as sashd:
            sashd.await_lines(28)
            self.await_state(sashd, 0, "paused")
            self.broker.delete_records("passed", 0, before=400)
            self.produce("passed", 30, 570, partition=1)
            lost = int(sashd.await_log(r"no longer retained: (\d+) records")[1])
            lines = sashd.await_lines(599)
            self.assertEqual([line["edges"] for line in lines[409:]], [20] * 190)
            # Windows published before the loss was known are complete; after that, all that begin
            # before the first retained record may lack records.
            gaps = [line["gap"] for line in lines]
            known = gaps.index(True)
            self.assertGreaterEqual(known, 28)
            self.assertEqual(gaps[known:], [True] * (409 - known) + [False] * 190)
            self.assertGreater(lost, 100)  # how far it had read depends on the batches
            self.assertEqual(self.incidents(sashd, "lost_records"), lost)
            self.assertEqual(self.incidents(sashd, "stalls"), 0)
            self.await_ready(sashd)

    def test_a_clock_that_is_an_hour_ahead_sends_to_dead_letters_and_holds_nothing(self) -> None:
        self.broker.create_topic("ahead", 2)
        document = self.document("ahead")
        # The right clock is at most five minutes ahead of the other partition, the wrong one an
        # hour.
        document["source"]["time"] |= {"idle_after": "7000d", "max_drift": "10m",
                                       "ahead_limit": "30m"}
        begin = int(time.time()) - START_MS // 1000 - 600
        with Sashd(document) as sashd:
            self.produce("ahead", begin, 300, partition=1)
            self.produce("ahead", begin + HOUR, 10, partition=0)
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_source_refused_total", reason="ahead") == 10), sashd.log())
            # The wrong partition has no accepted event yet, so windows wait for it.
            self.await_state(sashd, 0, "no_event")
            self.assertEqual([each["partition"] for each in self.why(sashd)["partitions"]
                              if each["holds"]], [0])
            self.assertEqual(sashd.lines(), [])
            self.produce("ahead", begin, 100, partition=0)  # its clock is correct again
            self.produce("ahead", begin + HOUR + 100, 1, partition=0)  # and wrong once more
            self.produce("ahead", begin + 100, 200, partition=0)
            lines = sashd.await_lines(299)
            self.assertEqual([line["edges"] for line in lines[9:]], [20] * 290)
            self.assertEqual(sum(line["refused"] for line in lines[9::10]), 11)
            letters = [(letter["partition"], letter["offset"], letter["reason"])
                       for letter in sashd.await_lines(11, "dead-letters.jsonl")]
            self.assertEqual(letters, [(0, offset, "ahead") for offset in [*range(10), 110]])
            self.assertEqual(self.incidents(sashd, "pauses"), 0)
            self.await_ready(sashd)

    def test_a_clock_that_is_an_hour_behind_holds_windows_until_it_is_right(self) -> None:
        self.broker.create_topic("behind", 2)
        self.produce("behind", HOUR, 100, partition=0, batch=5)
        self.produce("behind", 0, 100, partition=1)
        # A fetch returns few records of the right partition: it is seen to be ahead long before its
        # end, and a partition at its end is not paused.
        document = self.document("behind", **{"max.partition.fetch.bytes": 600})
        document["source"]["time"] |= {"idle_after": "7000d", "max_drift": "1m"}
        with Sashd(document) as sashd:
            # The wrong partition's windows exist, the right one waits for it, and both show.
            sashd.await_lines(99)
            self.assertTrue(await_that(lambda: self.paused(sashd, "behind", 0) == 1), sashd.log())
            why = self.why(sashd)
            holding = [each["partition"] for each in why["partitions"] if each["holds"]]
            self.assertEqual(holding, [1], why)
            self.produce("behind", HOUR, 100, partition=1)
            # One silence, then both together.
            last = sashd.await_lines(99 + 10 + 99)[-1]
            self.assertEqual(last["edges"], 20)
            self.assertEqual(sashd.metric("sash_engine_late_total"), 0)
            self.assertFalse(last["gap"])

    def test_what_a_transaction_aborts_is_not_read_and_one_that_is_open_holds_the_rest(
            self) -> None:
        self.broker.create_topic("transactions", 1)
        with Transactions(self.broker.address, "transactions") as producer:
            committed = lambda first, count: edges(
                ("a", "b", START_MS + second * 1000) for second in range(first, first + count))
            aborted = lambda first, count: edges(
                ("a", "wrong", START_MS + second * 1000) for second in range(first, first + count))
            producer.transaction(committed(0, 10), commit=True)
            producer.transaction(aborted(10, 10), commit=False)
            producer.transaction(committed(10, 10), commit=True)
            with Sashd(self.document("transactions")) as sashd:
                self.assertEqual(sashd.await_lines(19)[-1]["edges"], 10)
                self.assertEqual(sashd.metric("sash_source_records_total"), 20)
                self.await_ready(sashd)
                self.assertTrue(await_that(lambda: sashd.metric("sash_source_lag_records") == 0),
                                "control records do not count as lag")
                producer.begin(aborted(20, 5))
                self.produce("transactions", 20, 20)  # hidden until the transaction has ended
                producer.end(commit=False)
                lines = sashd.await_lines(39)
                self.assertEqual(lines[-1]["edges"], 10)
                self.assertEqual(lines[-1]["vertices"], 2, "aborted records are not read")
                self.assertEqual(self.incidents(sashd, "stalls"), 0)
                self.assertEqual(sashd.stop(), 0)
                # A process that starts between two transactions.
                producer.transaction(aborted(40, 10), commit=False)
                producer.transaction(committed(40, 10), commit=True)
                sashd.start()
                self.assertEqual(sashd.await_lines(49)[-1]["edges"], 10)


if __name__ == "__main__":
    import unittest
    unittest.main()

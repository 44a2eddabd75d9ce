"""Changes of topics while `sashd` reads them from a real broker: each shows as a state."""
import json
import os
import signal
import time
import unittest
from typing import Any

from broker_case import BrokerCase, instant
from probing import Probing
from renewed_topics import RenewedTopics
from sashd_process import Sashd, await_that
from silent_streams import SilentStreams


def _content(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in ("seconds", "watermark")}


class BrokerLifeTest(RenewedTopics, SilentStreams, Probing, BrokerCase):
    def test_a_topic_that_is_not_there_is_awaited(self) -> None:
        with Sashd(self.document("missing")) as sashd:
            self.await_reason(sashd, "kafka: topic missing")
            self.broker.create_topic("missing", 1)
            self.produce("missing", 0, 10)
            self.assertFalse(sashd.await_lines(9)[0]["gap"])
            self.await_ready(sashd)

    def test_partitions_that_are_added_join_and_are_read_from_their_beginning(self) -> None:
        self.broker.create_topic("growing", 1)
        self.produce("growing", 0, 20)
        document = {**self.document("growing"), "recovery": "checkpoint",
                    "state": {"path": "state", "interval": "600s"}}
        document["windows"] = [{**document["windows"][0], "length": "5s"}]
        with Sashd(document) as sashd:
            sashd.await_lines(19)
            self.broker.topics("--alter", "--topic", "growing", "--partitions", "2")
            added = time.monotonic()
            # Two seconds of panes that have closed, and then like the other one.
            self.produce("growing", 15, 25, partition=1)
            sashd.await_log(r"growing \[1\]: added to its topic, read from its beginning, offset 0")
            self.assertLess(time.monotonic() - added, 10)
            self.produce("growing", 20, 20)
            last = self.await_end(sashd, 39)
            self.assertEqual(last["edges"], 10)
            self.assertEqual(last["offsets"]["growing"], {"0": [34, 38], "1": [19, 23]})
            self.assertEqual(sum(line["gap"] for line in sashd.lines()), 0)
            self.assertEqual(self.incidents(sashd, "partitions_added"), 1)
            self.assertEqual(self.reasons(sashd), [])
            before = [_content(line) for line in sashd.lines()]
            # There is no checkpoint after it joined: the journal records when it did.
            sashd.send(signal.SIGKILL)
            sashd.wait()
            self.produce("growing", 40, 10)
            self.produce("growing", 40, 10, partition=1)
            sashd.start()
            last = self.await_end(sashd, 49)
            self.assertEqual((last["edges"], last["gap"]), (10, False))
            self.assertEqual([_content(line) for line in sashd.lines()][:len(before)], before)
            edges_by_end = {line["window_end"]: line["edges"] for line in sashd.lines()}
            self.assertEqual(len(edges_by_end), len(sashd.lines()), "each window has one line")
            self.assertEqual({edges_by_end[instant(second)] for second in range(24, 50)}, {10})
            self.assertNotIn("the records differ from those in the journal", sashd.log())

    def test_a_broker_that_is_frozen_delays_neither_an_answer_nor_the_end(self) -> None:
        self.broker.create_topic("stands", 1)
        self.produce("stands", 0, 20)
        document = self.document("stands")
        document["source"]["kafka"]["stall_after"] = "500ms"  # then it asks for the bounds
        broker = self.broker.nodes[1].pid
        with Sashd(document) as sashd:
            sashd.await_lines(19)
            os.kill(broker, signal.SIGSTOP)
            try:
                time.sleep(4)
                for path in ("/healthz", "/readyz", "/api/v1/source"):
                    began = time.monotonic()
                    sashd.get(path)
                    self.assertLess(time.monotonic() - began, 1, path)
                began = time.monotonic()
                self.assertEqual(sashd.stop(), 0, sashd.log())
                self.assertLess(time.monotonic() - began, 15, sashd.log())
            finally:
                os.kill(broker, signal.SIGCONT)

    def test_a_record_beyond_the_limits_goes_alone_to_dead_letters(self) -> None:
        self.broker.topics("--create", "--topic", "large", "--partitions", "1",
                           "--config", "max.message.bytes=4000000")
        self.produce("large", 0, 5)
        self.produce("large", 5, 1, source="x" * 3_000_000)
        self.produce("large", 6, 10)
        with Sashd(self.document("large")) as sashd:
            last = sashd.await_lines(14)[-1]
            self.assertFalse(last["gap"])
            [letter] = sashd.lines("dead-letters.jsonl")
            self.assertEqual((letter["offset"], letter["reason"]), (5, "too_large"))

    def test_a_commit_that_retention_has_passed_is_a_gap_that_is_counted(self) -> None:
        self.broker.create_topic("retained", 1)
        self.produce("retained", 0, 20)
        with Sashd(self.document("retained")) as sashd:
            sashd.await_lines(19)
            self.assertEqual(sashd.stop(), 0)
            self.produce("retained", 20, 20)
            self.broker.delete_records("retained", 0, before=30)
            sashd.start()
            self.await_ready(sashd)
            sashd.await_log(r"the committed offset \d+ is no longer retained: \d+ records")
            self.assertTrue(await_that(lambda: self.incidents(sashd, "lost_records") > 0))
            after = [line for line in sashd.await_lines(25) if line["gap"]]
            self.assertTrue(after, "windows that lack records say so")

    def test_a_batch_that_cannot_be_read_is_a_state_until_it_is_gone(self) -> None:
        self.broker.create_topic("broken", 1)
        self.produce("broken", 0, 20)
        self.produce("broken", 20, 10, codec="gzip")
        self.produce("broken", 30, 10)
        self.broker.spoil_batch("broken", 0, 20)
        # First with checksums switched off, then with the default.
        document = self.document("broken", **{"check.crcs": "false"})
        with Sashd(document) as sashd:
            self.assertFalse(sashd.await_lines(19)[-1]["gap"])
            self.await_reason(sashd, "[0]: the batch at offset 20 cannot be read (Decompression")
            self.assertEqual(sashd.metric("sash_source_ready"), 0)
            # librdkafka asks for the batch twice a second; the batch is logged and counted once.
            time.sleep(2)
            self.assertEqual(self.incidents(sashd, "unreadable_batches"), 1)
            self.assertEqual(sashd.log().count("the batch at offset 20 cannot be read"), 1)
            self.assertEqual(sashd.stop(), 0)
            document["source"]["kafka"]["options"] = {}
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            sashd.start()
            sashd.await_log(r"the batch at offset 20 cannot be read \(.* failed CRC32C check")
            self.broker.delete_records("broken", 0, before=30)
            self.await_ready(sashd)
            after = sashd.await_lines(29 + 10)
            self.assertEqual(after[-1]["edges"], 9)
            self.assertTrue(after[-1]["gap"])
            self.assertEqual(self.incidents(sashd, "lost_records"), 10)

    def test_a_partition_that_brings_nothing_is_a_state_until_it_does(self) -> None:
        # Without checksums librdkafka does not report records that it cannot parse, and asks for
        # them for ever.
        self.broker.create_topic("stalled", 2)
        self.produce("stalled", 0, 10)
        self.produce("stalled", 10, 10)
        self.produce("stalled", 20, 10)
        self.broker.spoil_batch("stalled", 0, 10)
        document = self.document("stalled", **{"check.crcs": "false"})
        document["source"]["kafka"]["stall_after"] = "2s"
        document["source"]["time"]["idle_after"] = "7000d"
        with Sashd(document) as sashd:
            self.produce("stalled", 0, 30, partition=1)
            sashd.await_lines(9)
            self.await_reason(sashd, "stalled [0]: stalled at offset 10 of 30")
            self.assertTrue(await_that(lambda: self.incidents(sashd, "stalls") > 0))
            self.assertEqual(len(sashd.lines()), 9, "the windows wait for the stalled partition")
            self.assertEqual(sashd.metric("sash_source_records_total"), 40)
            self.broker.delete_records("stalled", 0, before=20)
            self.await_ready(sashd)
            self.assertTrue(sashd.await_lines(29)[-1]["gap"])
            self.assertEqual(self.incidents(sashd, "lost_records"), 10)

    def test_permission_that_is_lost_and_given_back_is_a_state(self) -> None:
        # Once a topic has a rule, everything that no rule allows is denied.
        self.broker.create_topic("guarded", 1)
        self.produce("guarded", 0, 10)
        with Sashd(self.document("guarded")) as sashd:
            sashd.await_lines(9)
            everything = ("--allow-principal", "User:ANONYMOUS", "--operation", "All")
            self.broker.acls("--add", *everything, "--topic", "guarded")
            denied = ("--deny-principal", "User:ANONYMOUS", "--operation", "Read",
                      "--topic", "guarded", "--force")
            self.broker.acls("--add", *denied)
            self.produce("guarded", 10, 5)
            self.await_reason(sashd, "guarded")
            self.broker.acls("--remove", *denied)
            self.produce("guarded", 15, 5)
            sashd.await_lines(19)
            self.await_ready(sashd)


if __name__ == "__main__":
    unittest.main()

"""Changes of topics while `sashd` reads them from a real broker: each shows as a state."""
import datetime
import json
import os
import signal
import subprocess
import time
import unittest
from typing import Any

import yaml

from producers import Transactions
from broker_case import START_MS, BrokerCase
from sashd_process import Sashd, await_that, edges, run


def _instant(second: int) -> str:
    """As results print it."""
    at = datetime.datetime.fromtimestamp(START_MS / 1000 + second, datetime.timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _content(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in ("seconds", "watermark")}


class BrokerLifeTest(BrokerCase):
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
            self.assertEqual({edges_by_end[_instant(second)] for second in range(24, 50)}, {10})
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

    def test_a_topic_that_is_made_anew_while_it_is_read_is_read_from_its_beginning(self) -> None:
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
            self) -> None:
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

    def test_a_topic_that_is_made_anew_before_the_start_is_read_from_its_beginning(self) -> None:
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

    def test_a_last_record_that_is_gone_is_said_and_proves_nothing(self) -> None:
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

    def test_a_stream_that_falls_silent_is_kept_whole_and_shown_as_read(self) -> None:
        self.broker.create_topic("silent", 1)
        self.produce("silent", 0, 60)
        document = {**self.document("silent"), "recovery": "checkpoint",
                    "state": {"path": "state", "interval": "300ms"}}
        # A partition that becomes idle changes the state once more.
        document["source"]["time"]["idle_after"] = "7000d"
        with Sashd(document) as sashd:
            sashd.await_lines(59)
            # The oldest slice of the newest window, [49 s, 59 s), begins with record 49.
            self.await_commits("group-silent", {0: (49, 11)}, sashd)
            self.await_commits("group-silent.read", {0: (60, 0)}, sashd)
            kept = self.settled_files_of(sashd)
            checkpoints = sashd.metric("sash_checkpoint_writes_total")
            time.sleep(2)
            self.assertEqual(self.files_of(sashd), kept, "no file changes without records")
            self.assertEqual(sashd.metric("sash_checkpoint_writes_total"), checkpoints)
            self.assertLess(sashd.metric("sash_checkpoint_age_seconds"), 1,
                            "the checkpoint has every record")
            sashd.stop(signal.SIGKILL)
            sashd.start()
            sashd.await_log("(?s)go on from the checkpoint.* 0 rounds of the journal are "
                            "repeated")
            self.await_ready(sashd)
            self.assertEqual(sashd.metric("sash_source_records_total"), 0,
                             "no record is read again")
            self.produce("silent", 60, 5)
            self.assertEqual(sashd.await_lines(64)[-1]["edges"], 10)
            self.assertEqual(sashd.stop(), 0)
            self.assertEqual(self.broker.describe_group("group-silent.read"), {0: (65, 0)},
                             "the last position is committed at the stop")

    def test_commits_catch_up_with_a_silent_stream_that_is_read_again(self) -> None:
        self.broker.create_topic("silent-again", 1)
        self.produce("silent-again", 0, 60)
        with Sashd(self.document("silent-again")) as sashd:
            sashd.await_lines(59)
            self.await_commits("group-silent-again", {0: (49, 11)}, sashd)

    def test_a_group_of_read_positions_that_is_forbidden_is_said_once_and_no_more(self) -> None:
        denied = ("--deny-principal", "User:ANONYMOUS", "--operation", "All",
                  "--group", "group-unseen.read", "--force")
        self.broker.acls("--add", *denied)
        self.broker.create_topic("unseen", 1)
        self.produce("unseen", 0, 20)
        with Sashd(self.document("unseen")) as sashd:
            sashd.await_log(r"warning kafka\.read_positions\.failed .*group-unseen\.read: "
                            r".*uthorization")
            self.await_ready(sashd)
            self.await_commits("group-unseen", {0: (9, 11)}, sashd)
            self.produce("unseen", 20, 20)
            sashd.await_lines(39)
            self.assertEqual(self.incidents(sashd, "commit_failures"), 0)
            self.await_commits("group-unseen", {0: (29, 11)}, sashd)
            self.assertEqual(sashd.log().count("kafka.read_positions.failed"), 1, sashd.log())
            self.assertEqual(sashd.stop(), 0)

    def await_commits(self, group: str, wanted: dict[int, tuple[int, int]], sashd: Sashd) -> None:
        """Offset and lag of each partition, as Kafka's own tool shows them."""
        found: dict[int, tuple[int, int]] = {}

        def are_there() -> bool:
            nonlocal found
            found = self.broker.describe_group(group)
            return found == wanted
        self.assertTrue(await_that(are_there), f"{group}: {found}\n{sashd.log()}")

    @staticmethod
    def files_of(sashd: Sashd) -> dict[str, tuple[int, int]]:
        """For the files of the state: sizes, and modification times."""
        found = [(path, path.stat()) for path in (sashd.folder / "state").rglob("*")]
        return {path.name: (status.st_size, status.st_mtime_ns) for path, status in found}

    def settled_files_of(self, sashd: Sashd) -> dict[str, tuple[int, int]]:
        """The files when the last checkpoint before the silence has been written."""
        found = {}

        def stay() -> bool:
            before = self.files_of(sashd)
            time.sleep(1)
            found.clear()
            found.update(before)
            return self.files_of(sashd) == before
        self.assertTrue(await_that(stay), "the files go on changing without records")
        return found

    def test_a_configuration_is_inferred_from_the_newest_records_of_a_topic(self) -> None:
        self.broker.create_topic("unknown", 2)
        for partition in (0, 1):
            subprocess.run(
                ["kcat", "-P", "-q", "-b", self.broker.address, "-t", "unknown", "-p",
                 str(partition)], check=True, timeout=60,
                input=edges((f"a{i % 7}", f"a{i % 5}", START_MS + i * 1000)
                            for i in range(30 * partition, 30 * partition + 30)))
        ended = run(None, arguments=["--infer", "--topic", "unknown", "--brokers",
                                     self.broker.address])
        self.assertEqual((ended.code, ended.log), (0, ""), ended.output)
        proposed = yaml.safe_load(ended.output)["source"]
        self.assertEqual(proposed["kafka"],
                         {"brokers": self.broker.address, "topics": ["unknown"]})
        self.assertEqual(proposed["format"]["json"],
                         {"source": "/from", "target": "/to", "time": "/ts"})
        self.assertEqual(self.broker.describe_group("sash"), {}, "it commits nothing")

    def test_a_probe_says_what_a_run_would_find_and_changes_nothing(self) -> None:
        self.broker.create_topic("probed", 2)
        self.produce("probed", 0, 5, partition=0)
        self.produce("probed", 5, 4, partition=1, source="newest")
        document = self.document("probed")
        code, lines = self.probe(document)
        self.assertEqual(code, 0, lines)
        self.assertIn(f"source.kafka.brokers: {self.broker.address} answers; the brokers of the "
                      f"cluster advertise {self.broker.address}", lines["ok"])
        self.assertIn("source.kafka.topics[0] probed: 2 partitions with 9 offsets: [0] 0..5, [1] "
                      "0..4",
                      lines["ok"])
        self.assertIn("source.kafka.topics[0] probed: the newest record, probed [1] offset "
                      "3: \"newest\" -> \"b\", weight 1, event time 2026-01-01T00:00:08.000Z, add",
                      lines["ok"])
        self.assertIn("source.kafka.group group-probed: may be read; nothing is committed yet",
                      lines["ok"], "the probe commits nothing")
        rate = [line for line in lines["ok"] if line.startswith("windows[0] w: at ")]
        self.assertRegex(rate[0],
                         r"at 0\.15 events/s \(of the (last minute|minute to .*)\) it holds "
                                  r"about 1\.5 edges: about 0\.0 MiB")
        again = self.probe(document)[1]
        self.assertEqual(*[[line for line in each["ok"] if "source.kafka" in line]
                           for each in (lines, again)], "nothing has changed by probing")

        kcat = ["kcat", "-P", "-q", "-b", self.broker.address, "-t", "probed", "-p", "0"]
        subprocess.run(kcat, input=b"no JSON", check=True, timeout=60)
        password = "a-password-that-is-nowhere-to-be-seen"
        document["sinks"] += [{"kafka": {"topic": "no-results"}},
                              {"file": {"path": "none/results"}},
                              {"kafka": {"topic": "t", "brokers": "127.0.0.1:1",
                                         "outbox": {"path": "o"},
                                         "options": {"sasl.username": "u",
                                                     "sasl.password": password}}}]
        code, lines = self.probe(document)
        self.assertEqual(code, 1, lines)
        for line in ("source.kafka.topics[0] probed: the newest record, probed [0] offset 5, does "
                     "not decode: invalid_syntax: ",
                     "sinks[1].kafka.topic no-results: there is no topic no-results; create it",
                     "sinks[2].file.path: `none/results` cannot be made: there is no folder `none`",
                     "sinks[3].kafka.brokers: 127.0.0.1:1 does not answer: "):
            self.assertTrue(any(line in error for error in lines["error"]), f"{line}\n{lines}")
        self.assertEqual(len(lines["error"]), 5, lines)  # the fifth: that topic is not tried
        self.assertNotIn(password, str(lines))

        denied = ("--operation", "Read", "--topic", "probed")
        self.broker.acls("--add", "--allow-principal", "User:somebody-else", *denied)
        code, lines = self.probe(self.document("probed"))
        self.assertEqual(code, 1, lines)
        self.assertIn("authorization failed", str(lines["error"]))
        self.assertIn("have the broker's administrator grant it", str(lines["error"]))

    def recreate(self, topic: str, partitions: int, *arguments: str) -> None:
        self.broker.topics("--delete", "--topic", topic)
        # The topic cannot be created until the old one is gone.
        self.assertTrue(await_that(lambda: self.is_made(topic, partitions, *arguments)))

    def is_made(self, topic: str, partitions: int, *arguments: str) -> bool:
        try:
            self.broker.create_topic(topic, partitions, *arguments)
        except subprocess.CalledProcessError:
            return False
        return True

    def await_end(self, sashd: Sashd, second: int) -> dict[str, Any]:
        """The window that ends at that second."""
        end = _instant(second)
        self.assertTrue(await_that(lambda: any(line["window_end"] == end
                                               for line in sashd.lines())),
                        f"no window ends at {end}\n{sashd.log()}")
        return next(line for line in sashd.lines() if line["window_end"] == end)

    def assert_read_once(self, sashd: Sashd, first: int, end: int, length: int,
                         partitions: int = 1, gap: bool = True) -> None:
        """The windows of one edge a second in each partition, from `first` on."""
        ends = {_instant(second): second for second in range(first + 1, end + 1)}
        results = [line for line in sashd.lines() if line["window_end"] in ends]
        self.assertEqual(len(results), len(ends))
        for line in results:
            second = ends[line["window_end"]]
            self.assertEqual(line["edges"], partitions * min(length, second - first), line)
            self.assertEqual(line["gap"], gap and second - length < first, line)

    def probe(self, document: dict[str, Any]) -> tuple[int, dict[str, list[str]]]:
        """The exit code, and the findings by grade."""
        ended = run(document, arguments=["--probe", "--config", "sashd.yaml"])
        self.assertEqual(ended.log, "")
        self.assertEqual(set(ended.files), {"sashd.yaml", "log"}, "the probe writes no file")
        found: dict[str, list[str]] = {"ok": [], "warning": [], "error": []}
        for line in ended.output.splitlines():
            grade, _, rest = line.partition(" ")
            found[grade].append(rest.strip())
        return ended.code, found


if __name__ == "__main__":
    unittest.main()

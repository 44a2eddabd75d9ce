"""Topics that a pattern finds: they join, leave, and survive a restart, on a real broker."""
import json
import signal
import subprocess
import time
import unittest
from typing import Any

from broker_case import START_MS, BrokerCase
from oracle import configuration, records
from oracle.compare import compare
from sashd_process import Sashd, await_that, edges, run


class TopicPatternTest(BrokerCase):
    def setUp(self) -> None:
        self.produced: dict[str, list[bytes]] = {}  # the records of each topic

    def pattern_document(self, pattern: str, group: str) -> dict[str, Any]:
        """A configuration in which no clock decides."""
        document = self.document(group)
        document["source"]["kafka"]["topics"] = {"pattern": pattern}
        document["source"]["time"]["idle_after"] = "7000d"
        document.update(recovery="checkpoint", state={"path": "state", "interval": "300ms"})
        return document

    def send(self, first_second: int, seconds: int, *topics: str) -> None:
        """One edge a second, from a vertex of the topic's name."""
        for topic in topics:
            rows = edges((topic, "b", START_MS + second * 1000)
                         for second in range(first_second, first_second + seconds))
            self.produced.setdefault(topic, []).extend(rows.splitlines())
            subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", topic, "-p", "0"],
                           check=True, timeout=60, input=rows)

    def await_topics(self, sashd: Sashd, *topics: str) -> None:
        self.assertTrue(await_that(lambda: sashd.json("/api/v1/source")["topics"] == list(topics)),
                        sashd.log())

    def differences(self, sashd: Sashd, until: int, *topics: str) -> str:
        """The differences from the oracle's results, as if all topics had been there from the
        start: none of their records is late."""
        given = configuration.load(str(sashd.folder / "sashd.yaml"))
        placed = [(records.Place(topic, 0, offset), record) for topic in topics
                  for offset, record in enumerate(self.produced[topic])]
        lines = (sashd.folder / "results.jsonl").read_text().splitlines()
        end = (START_MS + until * 1000) * 1_000_000
        found, compared = compare(given, list(records.decode_json(placed, given.stream)),
                                  lambda _: lines, lambda each, _: each.window.end <= end)
        self.assertEqual(compared, until)
        return str(found)

    def test_topics_join_and_leave_and_the_stream_goes_on_after_a_restart(self) -> None:
        for topic in ("pay-results", "other"):
            self.broker.create_topic(topic, 1)
        document = self.pattern_document("^pay-", "pattern")
        form = document["source"].pop("format")
        document["source"]["mappings"] = [{"topics": {"pattern": "^pay-[ab]$"}, **form},
                                          {"topics": {"pattern": "-[cd]$"}, **form}]
        document["sinks"].append({"kafka": {"topic": "pay-results"}})
        with Sashd(document) as sashd:
            self.await_reason(sashd, "kafka: no topic matches the pattern `^pay-`")
            for topic in ("pay-a", "pay-b"):
                self.broker.create_topic(topic, 1)
            self.await_topics(sashd, "pay-a", "pay-b")
            self.send(0, 20, "pay-a", "pay-b", "other")
            sashd.await_lines(19)
            self.broker.create_topic("pay-c", 1)
            created = time.monotonic()
            sashd.await_log(r"pay-c \[0\]: its topic is new, read from its beginning, offset 0")
            self.assertLess(time.monotonic() - created, 10)
            self.send(20, 10, "pay-c", "pay-a", "pay-b")
            sashd.await_lines(29)
            self.assert_covered(document, "pay-c")

            sashd.send(signal.SIGKILL)
            sashd.wait()
            self.send(30, 10, "pay-b", "pay-a", "pay-c")
            sashd.start()
            sashd.await_lines(39)
            self.assertEqual(self.incidents(sashd, "partitions_added"), 0, "it was known")

            self.broker.topics("--delete", "--topic", "pay-b")
            sashd.await_log("topic pay-b was deleted: its partitions leave")
            # Its edges stay.
            self.send(40, 3, "pay-a", "pay-c")
            sashd.await_lines(42)
            self.await_ready(sashd)
            source = sashd.json("/api/v1/source")
            self.assertEqual((source["topics"], source["topic_pattern"]),
                             (["pay-a", "pay-c"], "^pay-"))
            self.assertNotIn("pay-b", sashd.get("/metrics")[2])
            self.assertEqual(sashd.stop(), 0, sashd.log())

            # A topic that is created while no process runs joins too.
            self.broker.create_topic("pay-d", 1)
            self.send(43, 17, "pay-d", "pay-a", "pay-c")
            sashd.start()
            sashd.await_lines(59)
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertEqual(
                self.differences(sashd, 59, "pay-a", "pay-b", "pay-c", "pay-d"), "", sashd.log())
            self.assertFalse(any(line["gap"] for line in sashd.lines()))
            self.assertNotIn("the records differ from those in the journal", sashd.log())

    def assert_covered(self, document: dict[str, Any], topic: str) -> None:
        """Processes with the same pattern, or with a topic that joined it, stand by."""
        for topics in ({"pattern": "^pay-"}, [topic]):
            rival = json.loads(json.dumps(document))
            rival["source"]["kafka"]["topics"] = topics
            rival["http"]["listen"] = "127.0.0.1:0"
            rival["sinks"].pop()
            rival["source"]["mappings"].pop(0)  # it does not take the topic
            with self.subTest(topics), Sashd(rival) as other:
                self.await_reason(other, "reads for the group, this one stands by")

    def test_a_stream_whose_topics_are_all_gone_waits_for_others(self) -> None:
        self.broker.create_topic("gone-a", 1)
        self.send(0, 10, "gone-a")
        document = self.pattern_document("^gone-", "gone")
        with Sashd(document) as sashd:
            sashd.await_lines(9)
            self.broker.topics("--delete", "--topic", "gone-a")
            self.await_reason(sashd, "no topic matches the pattern `^gone-` any more")
            self.assertTrue(await_that(lambda: len(self.reasons(sashd)) == 1), self.reasons(sashd))
            self.broker.create_topic("gone-b", 1)
            self.await_topics(sashd, "gone-b")
            self.send(10, 10, "gone-b")
            sashd.await_lines(19)
            self.await_ready(sashd)
            self.assertEqual(self.differences(sashd, 19, "gone-a", "gone-b"), "", sashd.log())

    def test_a_probe_shows_what_the_pattern_matches(self) -> None:
        document = self.pattern_document("^probe-", "probing")
        ended = run(document, arguments=["--probe", "--config", "sashd.yaml"])
        self.assertEqual(ended.code, 0, ended.output)
        self.assertIn("`^probe-` matches no topic", ended.output)
        self.broker.create_topic("probe-a", 1)
        self.send(0, 5, "probe-a")
        ended = run(document, arguments=["--probe", "--config", "sashd.yaml"])
        self.assertEqual(ended.code, 0, ended.output)
        self.assertIn("source.kafka.topics.pattern: `^probe-` matches 1 topic\n", ended.output)
        self.assertIn('source.kafka.topics probe-a: the newest record, probe-a [0] offset 4: '
                      '"probe-a" -> "b"', ended.output)


if __name__ == "__main__":
    unittest.main()

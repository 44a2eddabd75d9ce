"""Dead letters through a real broker: byte for byte, with headers, across failures of broker and
daemon."""
import json
import pathlib
import re
import signal
import subprocess
import sys
import unittest
from typing import Any, NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import kafka_broker
from sashd_process import JSON_FORMAT, SHAPE, Sashd, WINDOW, await_that, edges, live, program

REFUSED = "refused"
START_MS = 1_767_225_600_000
BINARY = b"\x00not JSON\t\xff\n"
HEADERS = ("sash.topic", "sash.partition", "sash.offset", "sash.timestamp", "sash.reason",
           "sash.stage", "sash.error")


class Letter(NamedTuple):
    key: bytes | None
    value: bytes | None
    headers: dict[str, str]


def letters(address: str, topic: str = REFUSED, partition: int | None = None) -> list[Letter]:
    """All messages of the topic; kcat prints the lengths (-1: none), so any bytes can be read."""
    where = [] if partition is None else ["-p", str(partition)]
    rest = subprocess.run(
        ["kcat", "-C", "-q", "-e", "-b", address, "-t", topic, *where, "-o", "beginning",
         "-f", "%K %S %k%s%h\x01"], stdout=subprocess.PIPE, check=True, timeout=60).stdout
    found = []
    while rest:
        sizes, rest = re.match(rb"(-?\d+) (-?\d+) ", rest), rest
        assert sizes, rest[:200]
        rest = rest[sizes.end():]
        parts = []
        for size in (int(sizes[1]), int(sizes[2])):
            parts.append(rest[:size] if size >= 0 else None)
            rest = rest[max(size, 0):]
        head, _, rest = rest.partition(b"\x01")
        text = head.decode()
        ends = [text.find(name + "=") for name in HEADERS] + [len(text) + 1]
        headers = {name: text[begin + len(name) + 1:end - 1]
                   for name, begin, end in zip(HEADERS, ends, ends[1:]) if begin >= 0}
        found.append(Letter(parts[0], parts[1], headers))
    return found


class DeadLettersTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        self.broker.create_topic(REFUSED, 2)

    def document(self, **letters_more: Any) -> dict[str, Any]:
        """Edges in the broker inside sashd, letters in the real broker, which can be stopped
        alone."""
        return live(format={**JSON_FORMAT, "tombstone": "dead_letter"},
                    time={"unit": "ms", "disorder": "100ms", "idle_after": "1s"},
                    jobs=[{**SHAPE, "overrun": {"queue": 20}}],
                    dead_letters={"path": "letters.jsonl", "topic": REFUSED,
                                  "brokers": self.broker.address, **letters_more})

    def delivered(self, sashd: Sashd) -> float:
        return sashd.metric("sash_sink_delivered_total", sink=f"dead_letters:{REFUSED}")

    def produce_file(self, sashd: Sashd, value: bytes, *options: str) -> None:
        """Produces one message, whatever its bytes."""
        (sashd.folder / "value").write_bytes(value)
        subprocess.run(["kcat", "-P", "-q", "-b", sashd.broker(), "-t", "edges", "-p", "0",
                        *options, str(sashd.folder / "value")], check=True, timeout=60)

    def test_each_refused_record_is_there_as_it_came_and_says_where_it_was(self) -> None:
        with Sashd(self.document()) as sashd:
            sashd.produce(edges([("a", "b", START_MS), ("b", "c", START_MS + 60_000)]))
            self.produce_file(sashd, BINARY, "-k", "kéy")
            subprocess.run(["kcat", "-P", "-q", "-b", sashd.broker(), "-t", "edges", "-p", "0",
                            "-K", "|", "-Z"], input=b"gone|\n", check=True, timeout=60)
            self.produce_file(sashd, edges([("late", "x", START_MS)])[:-1], "-k", "of-late")
            self.assertTrue(await_that(lambda: self.delivered(sashd) == 3), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())
            in_file = sashd.lines("letters.jsonl")
        found = sorted(letters(self.broker.address), key=lambda each: each.headers["sash.offset"])
        self.assertEqual([each.key for each in found], ["kéy".encode(), b"gone", b"of-late"])
        self.assertEqual([each.value for each in found],
                         [BINARY, None, edges([("late", "x", START_MS)])[:-1]])
        for letter, line in zip(found, in_file, strict=True):
            self.assertEqual(letter.headers, {
                "sash.topic": "edges", "sash.partition": "0", "sash.offset": str(line["offset"]),
                "sash.timestamp": line["timestamp"], "sash.reason": line["reason"],
                "sash.stage": line["stage"], "sash.error": line["detail"]})
        self.assertEqual([line["reason"] for line in in_file],
                         ["invalid_utf8", "tombstone", "late"])
        self.assertEqual([line["offset"] for line in in_file], [2, 3, 4])

    def test_letters_wait_on_disk_while_the_broker_is_away_and_the_next_process_sends_them(
            self) -> None:
        with Sashd(self.document()) as sashd:
            self.broker.kill()
            sashd.produce(b"".join(b"broken %d\n" % number for number in range(20)))
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_sink_waiting_results", sink=f"dead_letters:{REFUSED}") == 20), sashd.log())
            reasons = await_that(lambda: [reason for reason in sashd.json("/readyz")["reasons"]
                                          if "dead letters to refused" in reason])
            self.assertIn("no broker can be reached", reasons[0])
            # The stream goes on, and commits pass letters that are on disk.
            sashd.produce(edges((f"v{i}", "w", START_MS + i * 1000) for i in range(15)))
            sashd.await_lines(5)
            sashd.stop(signal.SIGKILL)
            self.broker.restart()
            sashd.start()
            self.assertTrue(await_that(lambda: len(letters(self.broker.address)) >= 20),
                            sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())
        self.assertEqual({letter.value for letter in letters(self.broker.address)},
                         {b"broken %d" % number for number in range(20)})


class ReplayDeadLettersTest(unittest.TestCase):
    """The mapping names a field that the producer does not write; then it is fixed."""

    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        self.broker.create_topic("edges", 2)
        self.broker.create_topic("again", 2)
        self.broker.create_topic(REFUSED, 2)

    def document(self, target: str) -> dict[str, Any]:
        return {"source": {
            "kafka": {"brokers": self.broker.address, "topics": ["edges"], "start": "earliest"},
            "format": {"json": {"source": "/from", "target": target, "time": "/ts"}},
            "time": {"unit": "ms", "disorder": "60s"},
            "dead_letters": {"path": "letters.jsonl", "topic": REFUSED}},
            "windows": [WINDOW], "jobs": [SHAPE], "http": {"listen": "127.0.0.1:0"},
            "sinks": [{"file": {"path": "results.jsonl"}}], "shutdown_deadline": "5s"}

    def records(self, topic: str) -> list[tuple[int, Letter]]:
        return [(partition, letter) for partition in (0, 1)
                for letter in letters(self.broker.address, topic, partition)]

    def refuse_all(self, sashd: Sashd) -> None:
        """40 edges to two partitions, with keys, and one record that no mapping can decode."""
        for partition in (0, 1):
            lines = edges((f"v{i}", "w", START_MS + i * 1000) for i in range(20)).splitlines()
            content = b"".join(b"k%d|%s\n" % (i, line) for i, line in enumerate(lines))
            subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", "edges", "-p",
                            str(partition), "-K", "|"], input=content, check=True, timeout=60)
        (sashd.folder / "value").write_bytes(BINARY)
        subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", "edges", "-p", "0",
                        str(sashd.folder / "value")], check=True, timeout=60)
        delivered = lambda: sashd.metric("sash_sink_delivered_total", sink="dead_letters:refused")
        self.assertTrue(await_that(lambda: delivered() == 41), sashd.log())
        self.assertEqual(sashd.stop(), 0, sashd.log())

    def command(self, sashd: Sashd, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [program("SASHD", "sashd"), "--config", "sashd.yaml", *arguments], cwd=sashd.folder,
            capture_output=True, text=True, timeout=120, check=False)

    def test_what_can_be_decoded_by_now_goes_back_to_its_place_once(self) -> None:
        with Sashd(self.document("/too")) as sashd:
            self.refuse_all(sashd)
            before = self.records("edges")
            dry = self.command(sashd, "--replay-dead-letters", "letters.jsonl", "--dry-run")
            self.assertEqual(dry.returncode, 0, dry.stderr)
            self.assertRegex(
                dry.stdout, r"\A0 of 41 records would be sent\n"
                            r"  1 are still refused: invalid_utf8\n    such as edges/0/20: .*\n"
                            r"  40 are still refused: missing_field\n"
                            r"    such as edges/\d/\d+: .*\n\Z")

            (sashd.folder / "sashd.yaml").write_text(json.dumps(self.document("/to")))
            dry = self.command(sashd, "--replay-dead-letters", "letters.jsonl", "--dry-run")
            self.assertRegex(dry.stdout,
                             r"\A40 of 41 records would be sent\n  1 are still refused")
            self.assertEqual(self.records("edges"), before)

            sent = self.command(sashd, "--replay-dead-letters", "letters.jsonl")
            self.assertEqual(sent.returncode, 0, sent.stderr)
            self.assertRegex(sent.stdout, r"\A40 of 41 records sent\n")
            good = [each for each in before if each[1].value != BINARY]
            self.assertEqual(sorted(self.records("edges"), key=repr),
                             sorted([*before, *good], key=repr))

            again = self.command(sashd, "--replay-dead-letters", "letters.jsonl")
            self.assertRegex(again.stdout,
                             r"\A0 of 41 records sent\n(.*\n)*  40 were sent before\n")

            # What a fixed daemon reads: the original records, and those that were sent again.
            (sashd.folder / "log").unlink()  # it names the port of the previous process
            sashd.start()
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_engine_events_accepted_total", operation="add") == 80), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_key_and_headers_of_a_record_come_back_with_it(self) -> None:
        document = self.document("$header.too")
        document["source"]["format"]["json"]["source"] = "$key"
        with Sashd(document) as sashd:
            for number in range(3):
                subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", "edges", "-p",
                                "0", "-k", f"k{number}", "-H", f"to=w{number}", "-H", "empty="],
                               input=b'{"ts":%d}\n' % (START_MS + number), check=True, timeout=60)
            delivered = lambda: sashd.metric("sash_sink_delivered_total",
                                             sink="dead_letters:refused")
            self.assertTrue(await_that(lambda: delivered() == 3), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())
            in_file = sashd.lines("letters.jsonl")
            self.assertEqual([(line["key"], line["headers"]) for line in in_file],
                             [(f"k{number}", [{"name": "to", "value": f"w{number}"},
                                              {"name": "empty", "value": ""}])
                              for number in range(3)])
            document["source"]["format"]["json"]["target"] = "$header.to"
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            for arguments in (["letters.jsonl"], ["topic", "--into", "again"]):
                sent = self.command(sashd, "--replay-dead-letters", *arguments)
                self.assertEqual(sent.returncode, 0, sent.stderr)
                self.assertRegex(sent.stdout, r"\A3 of 3 records sent\n")
            document["source"]["kafka"]["topics"] = ["edges", "again"]
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            (sashd.folder / "log").unlink()
            sashd.start()
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_engine_events_accepted_total", operation="add") == 9), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_only_the_refused_edges_of_a_record_come_back(self) -> None:
        items = [{"to": "b"}, {"to": "c", "w": "x"}, {"to": "d"}, {"to": "e", "w": "y"}]
        self.two_of_four_come_back(
            {"each": "/items", "source": "$record/from", "target": "/to", "time": "$record/ts"},
            json.dumps({"from": "a", "ts": START_MS, "items": items}))

    def test_only_the_refused_lines_of_a_record_come_back(self) -> None:
        items = [{"to": "b"}, {"to": "c", "w": "x"}, {"to": "d"}, {"to": "e", "w": "y"}]
        self.two_of_four_come_back(
            {"lines": True, "source": "/from", "target": "/to", "time": "/ts"},
            "\n".join(json.dumps({"from": "a", "ts": START_MS, **item}) for item in items))

    def two_of_four_come_back(self, mapping: dict[str, Any], record: str) -> None:
        """The record gives four edges; those of its elements 1 and 3 have no valid weight."""
        document = self.document("/to")
        document["source"]["format"]["json"] = {**mapping, "weight": "/w"}
        accepted = lambda: sashd.metric("sash_engine_events_accepted_total", operation="add")
        with Sashd(document) as sashd:
            subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", "edges", "-p",
                            "0", "-D", "="], input=record.encode(), check=True, timeout=60)
            self.assertTrue(await_that(lambda: accepted() == 2), sashd.log())
            delivered = lambda: sashd.metric("sash_sink_delivered_total",
                                             sink="dead_letters:refused")
            self.assertTrue(await_that(lambda: delivered() == 1), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())
            line, = sashd.lines("letters.jsonl")
            self.assertEqual([(place["element"], place["edge"], place["reason"])
                              for place in line["places"]],
                             [(1, 0, "invalid_weight"), (3, 0, "invalid_weight")])

            weight = {"from": "/w", "invalid": "one"}
            document["source"]["format"]["json"] = {**mapping, "weight": weight}
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            sent = self.command(sashd, "--replay-dead-letters", "letters.jsonl")
            self.assertEqual(sent.returncode, 0, sent.stderr)
            self.assertRegex(sent.stdout, r"\A1 of 1 records sent\n")
            again = self.command(sashd, "--replay-dead-letters", "letters.jsonl")
            self.assertRegex(again.stdout,
                             r"\A0 of 1 records sent\n(.*\n)*  1 were sent before\n")
            headers = subprocess.run(
                ["kcat", "-C", "-q", "-e", "-b", self.broker.address, "-t", "edges", "-o",
                 "beginning", "-f", "%h\n"], stdout=subprocess.PIPE, check=True, timeout=60).stdout
            self.assertEqual(headers.decode().split(), ["sash.places=1/0,3/0"])
            sent = self.command(sashd, "--replay-dead-letters", "topic", "--into", "again")
            self.assertRegex(sent.stdout, r"\A1 of 1 records sent\n")

            # The record gives four edges now, and each of those that were sent gives two.
            document["source"]["kafka"]["topics"] = ["edges", "again"]
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            (sashd.folder / "log").unlink()
            sashd.start()
            self.assertTrue(await_that(lambda: accepted() == 8), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_edges_that_were_late_come_back_where_they_count(self) -> None:
        """One edge of the second record is late."""
        document = self.document("/to")
        document["source"]["format"]["json"] = {
            "each": "/items", "source": "$record/from", "target": "/to", "time": "/ts"}
        document["source"]["time"]["disorder"] = "1s"
        late = START_MS + 60_000
        records = [json.dumps({"from": "a", "items": [{"to": to, "ts": ts} for to, ts in items]})
                   for items in ((("b", START_MS), ("c", late)), (("d", late), ("e", START_MS)))]
        accepted = lambda: sashd.metric("sash_engine_events_accepted_total", operation="add")
        with Sashd(document) as sashd:
            subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", "edges", "-p",
                            "0"], input="\n".join(records).encode(), check=True, timeout=60)
            self.assertTrue(await_that(lambda: accepted() == 3), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())
            letter, = sashd.lines("letters.jsonl")
            self.assertEqual(letter["reason"], "late")
            self.assertEqual([(place["element"], place["edge"]) for place in letter["places"]],
                             [(1, 0)])

            replay = ["--replay-dead-letters", "letters.jsonl"]
            for more, sent in (([], 0), (["--into", "again"], 1)):
                dry = self.command(sashd, *replay, *more, "--dry-run")
                self.assertRegex(dry.stdout, rf"\A{sent} of 1 records would be sent\n"
                                             + ("  1 were late, and would be again" * (1 - sent)))
            document["source"]["time"]["late"] = "next_slice"
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            for sent in (1, 0):
                done = self.command(sashd, *replay)
                self.assertRegex(done.stdout, rf"\A{sent} of 1 records sent\n", done.stderr)
            (sashd.folder / "log").unlink()
            sashd.start()
            self.assertTrue(await_that(lambda: accepted() == 5), sashd.log())  # 4, and 1 again
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_the_letters_of_the_topic_go_into_another_one_too(self) -> None:
        with Sashd(self.document("/too")) as sashd:
            self.refuse_all(sashd)
            (sashd.folder / "sashd.yaml").write_text(json.dumps(self.document("/to")))
            for arguments, code, message in (
                    (["topic", "--into", "nowhere"], 1, "topic nowhere: "),
                    (["topic", "--into", REFUSED], 78, "that is the topic of the dead letters"),
                    (["none.jsonl"], 1, "none.jsonl: No such file")):
                done = self.command(sashd, "--replay-dead-letters", *arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(message, done.stderr)

            sent = self.command(sashd, "--replay-dead-letters", "topic", "--into", "again")
            self.assertEqual(sent.returncode, 0, sent.stderr)
            self.assertRegex(sent.stdout, r"\A40 of 41 records sent\n")
            good = [letter for _, letter in self.records("edges") if letter.value != BINARY]
            self.assertEqual(sorted((letter for _, letter in self.records("again")), key=repr),
                             sorted(good, key=repr))


if __name__ == "__main__":
    unittest.main()

"""Dead letters through a real broker: byte for byte, with headers, past broker and daemon dying."""
import pathlib
import re
import signal
import subprocess
import sys
import unittest
from typing import Any, NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import kafka_broker
from sashd_process import JSON_FORMAT, SHAPE, Sashd, await_that, edges, live

REFUSED = "refused"
START_MS = 1_767_225_600_000
BINARY = b"\x00not JSON\t\xff\n"
HEADERS = ("sash.topic", "sash.partition", "sash.offset", "sash.timestamp", "sash.reason",
           "sash.stage", "sash.error")


class Letter(NamedTuple):
    key: bytes | None
    value: bytes | None
    headers: dict[str, str]


def letters(address: str, topic: str = REFUSED) -> list[Letter]:
    """All messages of the topic; kcat says the lengths (-1: none), so any bytes can be read."""
    rest = subprocess.run(
        ["kcat", "-C", "-q", "-e", "-b", address, "-t", topic, "-o", "beginning",
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
        """Edges of the broker inside sashd, letters to the real one, which may go away alone."""
        return live(format={**JSON_FORMAT, "tombstone": "dead_letter"},
                    time={"unit": "ms", "disorder": "100ms", "idle_after": "1s"},
                    jobs=[{**SHAPE, "overrun": {"queue": 20}}],
                    dead_letters={"path": "letters.jsonl", "topic": REFUSED,
                                  "brokers": self.broker.address, **letters_more})

    def delivered(self, sashd: Sashd) -> float:
        return sashd.metric("sash_sink_delivered_total", sink=f"dead_letters:{REFUSED}")

    def produce_file(self, sashd: Sashd, value: bytes, *options: str) -> None:
        """One message, whatever the bytes."""
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
            # The stream goes on, and what it commits is past letters that are on disk.
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


if __name__ == "__main__":
    unittest.main()

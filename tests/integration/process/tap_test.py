"""`sashctl tap`, and its route: decoded edges of a live stream, compared with the produced records;
reading never waits for a tap."""
import contextlib
import json
import re
import select
import socket
import subprocess
import time
import unittest
import urllib.parse
from typing import Any, Iterator

from sashd_process import PATIENCE_SECONDS, SHAPE, Sashd, await_that, live, program

OK, REFUSED, USAGE, UNREACHABLE = 0, 1, 2, 3
RATE = 20_000  # records a second
HELLO = "hello"  # a vertex of records that only show that a reader is connected


class TapTest(unittest.TestCase):
    def setUp(self) -> None:
        operations = {"json": {"source": "/from", "target": "/to", "time": "/ts",
                               "operation": "/op", "weight": "/weight"}}
        self.sashd = Sashd(live(jobs=[SHAPE], format=operations, time={
            "unit": "ms", "disorder": "100ms", "idle_after": "200ms"}))
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.broker()

    @contextlib.contextmanager
    def tapping(self, *words: str) -> Iterator[subprocess.Popen]:
        with subprocess.Popen([program("SASHCTL", "control/sashctl"), "tap", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={"SASHCTL_URL": self.sashd.url("")}) as process:
            try:
                yield process
            finally:
                process.kill()

    def tap(self, *words: str) -> list[dict[str, Any]]:
        with self.tapping("--json", *words) as process:
            out, err = process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual((process.returncode, err), (OK, ""))
        return [json.loads(line) for line in out.splitlines()]

    def accepted(self) -> int:
        return self.sashd.json("/api/v1/stream")["accepted"]

    def test_of_a_fast_stream_every_edge_is_shown_or_counted(self):
        self.sashd.generate("--rate", str(RATE), "--scale", "8", "--partitions-count", "1")
        self.sashd.await_lines(2)
        edges = self.tap("--count", "300", "--rate", "200")
        self.assertEqual(len(edges), 300)
        for before, edge in zip(edges, edges[1:]):
            self.assertEqual(edge["offset"] - before["offset"] - 1, edge["skipped"])
        self.assertGreater(sum(edge["skipped"] for edge in edges), 300)
        self.assertEqual({(edge["topic"], edge["partition"], edge["operation"], edge["weight"])
                          for edge in edges}, {("edges", 0, "add", 1)})

    def test_edges_are_those_of_the_records(self):
        with self.tapping("--json") as process:
            edges = [json.loads(line) for line in self.shown(process, [
                {"from": "a", "to": "b", "weight": 2.5, "ts": 1_767_225_600_250},
                {"from": "\x1b[2J", "to": "\x9b北京", "op": "remove", "ts": 1_767_225_601_000},
                {"from": "a", "op": "remove_vertex", "ts": 1_767_225_602_000},
                {"from": "old", "to": "late", "ts": 1_000}])]
        first = edges[0]["offset"]
        self.assertEqual([(edge["source"], edge["target"], edge["weight"], edge["operation"],
                           edge["time"], edge["offset"] - first) for edge in edges], [
            ("a", "b", 2.5, "add", "2026-01-01T00:00:00.250Z", 0),
            ("\x1b[2J", "\x9b北京", None, "remove", "2026-01-01T00:00:01.000Z", 1),
            ("a", None, None, "remove_vertex", "2026-01-01T00:00:02.000Z", 2),
            ("old", "late", 1, "add", "1970-01-01T00:00:01.000Z", 3)])
        self.assertTrue(await_that(lambda: self.sashd.json("/api/v1/stream")["late"] == 1),
                        "the engine counts the late edge")

    def await_hello(self, process: subprocess.Popen) -> None:
        """Waits until it shows records that are produced now."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not select.select([process.stdout], [], [], 0.2)[0]:
            self.assertLess(time.monotonic(), deadline, "sashctl tap shows nothing")
            self.sashd.produce(json.dumps({"from": HELLO, "to": HELLO,
                                           "ts": 1_767_225_600_000}).encode())

    def shown(self, process: subprocess.Popen, records: list[dict[str, Any]]) -> list[str]:
        """The lines for these records."""
        self.await_hello(process)
        for record in records:
            self.sashd.produce(json.dumps(record).encode())
        lines: list[str] = []
        while len(lines) < len(records):
            line = process.stdout.readline()
            self.assertNotEqual(line, "", "sashctl tap has ended")
            if HELLO not in line:
                lines.append(line)
        return lines

    def reader(self, query: str = "", room: int = 1 << 16) -> socket.socket:
        address = urllib.parse.urlsplit(self.sashd.url("/"))
        reader = socket.socket()
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        reader.settimeout(PATIENCE_SECONDS)
        reader.connect((address.hostname, address.port))
        reader.sendall(f"GET /api/v1/tap{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return reader

    def test_lines_for_people_hold_no_control_character(self):
        with self.tapping() as process:
            lines = self.shown(process, [
                {"from": "\x1b[2J", "to": "b", "weight": 7, "ts": 1_767_225_600_000},
                {"from": "a", "to": "b", "op": "remove", "ts": 1_767_225_601_000}])
        self.assertRegex(lines[0],
                         r"^2026-01-01 00:00:00Z  \\u001b\[2J → b  weight 7  edges/0 at \d+\n$")
        self.assertRegex(lines[1], r"^2026-01-01 00:00:01Z  remove a → b  edges/0 at \d+\n$")

    def test_one_vertex_can_be_followed(self):
        self.sashd.generate("--rate", str(RATE), "--scale", "4", "--partitions-count", "1")
        edges = self.tap("--key", "v3", "--count", "200", "--rate", "1000")
        self.assertEqual([edge for edge in edges if "v3" not in (edge["source"], edge["target"])],
                         [])
        self.assertEqual(len({edge["source"] == "v3" for edge in edges}), 2,
                         "edges from v3 and to v3")

    def test_a_reader_that_takes_nothing_holds_up_nobody(self):
        self.sashd.generate("--rate", str(RATE), "--scale", "8", "--partitions-count", "1")
        self.sashd.await_lines(1)
        with self.reader("?rate=1000", room=4096) as slow:
            with self.tapping("--json") as quick:
                before = self.accepted()
                shown = [json.loads(quick.stdout.readline()) for _ in range(500)]
                self.assertGreater(self.accepted() - before, RATE)
            for edge, following in zip(shown, shown[1:]):
                self.assertEqual(following["offset"] - edge["offset"] - 1, following["skipped"])
            text = b""
            while text.count(b"event: edge") < 1500:  # more than sockets and ring hold
                piece = slow.recv(1 << 16)
                if not piece:  # it was cut off, since it read nothing
                    break
                text += piece
            self.assertIn(b"event: edge", text)
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())

    def test_it_ends_when_it_is_to_and_says_when_it_cannot_go_on(self):
        self.assertEqual(self.tap("--for", "1"), [], "no edge was sent")
        for words, code, said in ((["--rate", "1001"], REFUSED, "rate"),
                                  (["--rate", "x"], USAGE, "not a number"),
                                  (["--count", "-1"], USAGE, "")):
            with self.tapping(*words) as process:
                _, err = process.communicate(timeout=PATIENCE_SECONDS)
                self.assertEqual(process.returncode, code, err)
                self.assertIn(said, err)
        with self.tapping() as process:
            self.await_hello(process)
            self.assertEqual(self.sashd.stop(), 0, self.sashd.log())
            _, err = process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual(process.returncode, UNREACHABLE, err)
            self.assertTrue(re.match("sashctl: the stream of events has ended", err), err)


if __name__ == "__main__":
    unittest.main()

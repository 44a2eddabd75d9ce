"""The events of a live stream, as readers with real sockets receive them."""
import http.client
import json
import pathlib
import socket
import time
import unittest
import urllib.parse
from typing import Any, Iterator

from sashd_process import PATIENCE_SECONDS, SHAPE, Sashd, await_that, live

RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 300, "keep_results": 1000,
         "overrun": {"queue": 8}}
QUICK = {"name": "w", "length": "1s", "slide": "10ms"}


class Reader:
    """Follows the events; `last` is the id to resume after."""

    def __init__(self, sashd: Sashd, last: str | None = None, query: str = "") -> None:
        url = urllib.parse.urlsplit(sashd.url("/api/v1/events" + query))
        self._connection = http.client.HTTPConnection(url.netloc, timeout=PATIENCE_SECONDS)
        self._connection.request("GET", f"{url.path}?{url.query}",
                                 headers={"Last-Event-ID": last} if last else {})
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200, self._answer.read()
        self.last = ""
        self._fields()  # the greeting, with the id to resume after

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _fields(self) -> dict[str, str]:
        """The fields up to an empty line; none at the end."""
        fields: dict[str, str] = {}
        while line := self._answer.readline().decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            fields[name] = value
        self.last = fields.get("id", self.last)
        return fields

    def events(self) -> Iterator[tuple[str, Any]]:
        """Kind and data of each event, until the end."""
        while fields := self._fields():
            if "data" in fields:
                yield fields["event"], json.loads(fields["data"])

    def take(self, kind: str, count: int) -> list[Any]:
        """The data of the next `count` events of a kind."""
        taken: list[Any] = []
        for found, data in self.events():
            if found == kind:
                taken.append(data)
            if len(taken) == count:
                return taken
        raise AssertionError(f"the stream ended after {len(taken)} events {kind}")


def is_established(server: int, client: int) -> bool:
    """Whether the server's end of a connection between two local ports is still open."""
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, state = line.split()[:4]
        ports = int(local.split(":")[1], 16), int(remote.split(":")[1], 16)
        if ports == (server, client):
            return state == "01"
    return False


class EventsTest(unittest.TestCase):
    def test_advances_and_results_are_those_of_the_sinks(self):
        with Sashd(live(jobs=[SHAPE, RANKS])) as sashd, Reader(sashd) as reader:
            sashd.generate("--rate", "2000", "--scale", "6")
            kinds: list[str] = []
            results = []
            for kind, data in reader.events():
                kinds.append(kind)
                if kind == "advance":
                    self.assertEqual(data["name"], "w")
                    self.assertGreaterEqual(data["snapshot"], 1)
                if kind == "result":
                    results.append(data)
                if len(results) == 8:
                    break
            self.assertLess(kinds.index("advance"), kinds.index("result"))
            self.assertEqual(results, sashd.await_lines(8)[:8], "the stream is equal to the file")

    def test_who_comes_back_goes_on_where_it_was(self):
        with Sashd(live(jobs=[RANKS], windows=[QUICK])) as sashd:
            sashd.generate("--rate", "2000", "--scale", "6")
            ends: list[str] = []
            last = None
            for _ in range(5):
                with Reader(sashd, last) as reader:
                    ends += [result["window_end"] for result in reader.take("result", 30)]
                    last = reader.last
            lines = [line["window_end"] for line in sashd.await_lines(150)]
            begin = lines.index(ends[0])
            self.assertTrue(await_that(lambda: len(sashd.lines()) >= begin + 150))
            lines = [line["window_end"] for line in sashd.lines()]
            self.assertEqual(ends, lines[begin:begin + 150], "each result comes once")
            with Reader(sashd, query="?after=start") as reader:
                self.assertEqual(next(reader.events())[0], "ready", "ready is the first event")
            with Reader(sashd, "another-17") as reader:
                self.assertEqual(next(reader.events()), ("missed", {"events": None}))

    def test_the_end_of_the_process_is_told_and_ends_the_stream(self):
        with Sashd(live()) as sashd, Reader(sashd, query="?after=start") as reader:
            while [state["ready"] for state in reader.take("ready", 1)] != [True]:
                pass
            sashd.send()
            told = [data for kind, data in reader.events() if kind == "ready"]
            self.assertEqual(sashd.wait(), 0, sashd.log())
            self.assertIn("the process is stopping", told[-1]["reasons"])

    def test_a_slow_reader_is_cut_off_and_holds_up_nobody(self):
        with Sashd(live(jobs=[RANKS], windows=[QUICK], sinks=[])) as sashd:
            address = urllib.parse.urlsplit(sashd.url("/"))
            with socket.socket() as slow, Reader(sashd) as quick:
                slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                slow.connect((address.hostname, address.port))
                slow.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                ports = address.port, slow.getsockname()[1]
                self.assertTrue(is_established(*ports))
                # A result of many KiB each hundredth of a second.
                sashd.generate("--rate", "2000", "--scale", "10")
                deadline = time.monotonic() + PATIENCE_SECONDS
                snapshots = []
                while is_established(*ports):
                    self.assertLess(time.monotonic(), deadline, "the slow reader is still there")
                    snapshots += [result["snapshot"] for result in quick.take("result", 50)]
                    self.assertEqual(sashd.json("/healthz"), {"status": "ok"})
                snapshots += [result["snapshot"] for result in quick.take("result", 50)]
                self.assertEqual(snapshots, list(range(1, len(snapshots) + 1)))
                slow.settimeout(PATIENCE_SECONDS)
                while slow.recv(1 << 16):  # the data that the kernel still had, then the end
                    pass
            self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main()

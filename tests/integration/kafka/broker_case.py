"""The common part of tests of a `sashd` that reads a stream of one edge a second from a real
broker."""
import datetime
import pathlib
import subprocess
import sys
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import kafka_broker
from sashd_process import JSON_FORMAT, RESULTS, SHAPE, Sashd, WINDOW, await_that, edges

START_MS = 1_767_225_600_000


def instant(second: int) -> str:
    """A second of the stream as results print it."""
    at = datetime.datetime.fromtimestamp(START_MS / 1000 + second, datetime.timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


class BrokerCase(unittest.TestCase):
    """One broker for all tests of the class."""

    @classmethod
    def setUpClass(cls) -> None:
        try:
            cls.broker = cls.enterClassContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            raise unittest.SkipTest(str(reason)) from None

    def document(self, topic: str, **options: Any) -> dict[str, Any]:
        return {
            "source": {"kafka": {"brokers": self.broker.address, "topics": [topic],
                                 "group": f"group-{topic}", "options": options},
                       "format": JSON_FORMAT, "time": {"unit": "ms", "disorder": "0s"}},
            "windows": [WINDOW], "jobs": [{**SHAPE, "overrun": {"queue": 100}}],
            "sinks": [RESULTS], "http": {"listen": f"127.0.0.1:{kafka_broker.free_ports(1)[0]}"}}

    def produce(self, topic: str, first_second: int, seconds: int, partition: int = 0,
                source: str | list[str] = "a", batch: int = 10_000, codec: str = "none") -> None:
        """Produces one edge a second of event time from each source; a fetch returns whole batches
        of records."""
        sources = [source] if isinstance(source, str) else source
        subprocess.run(
            ["kcat", "-P", "-q", "-b", self.broker.address, "-t", topic, "-p", str(partition),
             "-z", codec, "-X", "message.max.bytes=4000000", "-X", f"batch.num.messages={batch}",
             "-X", "linger.ms=200"],  # a few records form one batch, even on a slow machine
            check=True, timeout=60, input=edges((each, "b", START_MS + i * 1000)
                        for i in range(first_second, first_second + seconds) for each in sources))

    def await_end(self, sashd: Sashd, second: int) -> dict[str, Any]:
        """The window that ends at that second."""
        end = instant(second)
        self.assertTrue(await_that(lambda: any(line["window_end"] == end
                                               for line in sashd.lines())),
                        f"no window ends at {end}\n{sashd.log()}")
        return next(line for line in sashd.lines() if line["window_end"] == end)

    def await_reason(self, sashd: Sashd, text: str) -> None:
        self.assertTrue(await_that(lambda: text in " ".join(self.reasons(sashd))),
                        f"no {text!r} in {self.reasons(sashd)}\n{sashd.log()}")

    def await_ready(self, sashd: Sashd) -> None:
        def is_ready() -> bool:
            try:
                return sashd.json("/readyz")["ready"]
            except OSError:
                return False  # the restarted process does not listen yet
        self.assertTrue(await_that(is_ready), sashd.log())

    @staticmethod
    def reasons(sashd: Sashd) -> list[str]:
        return sashd.json("/readyz")["reasons"]

    def incidents(self, sashd: Sashd, kind: str) -> float:
        return sashd.metric("sash_source_incidents_total", kind=kind)

"""Results in a real broker that goes away and comes back, across a stop and a SIGKILL of `sashd`.

The topic, read as its keys say (the newest message of a key), must equal what the file sink wrote.
"""
import json
import shutil
import signal
import subprocess
import sys
import pathlib
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import kafka_broker
from refusing_proxy import RefusingProxy
from sashd_process import (JSON_FORMAT, SHAPE, Sashd, WINDOW, await_that, edges, live, replay,
                           run)
from sashd_process import RESULTS as RESULTS_FILE

RESULTS = "results"
START_MS = 1_767_225_600_000
# Exact, unlike scores: a rebuilt window may list vertices in another internal order.
BUSIEST = {"name": "busiest", "kernel": "degree", "window": "w", "overrun": {"queue": 100},
           "top": 5}


def document(brokers: str) -> dict[str, Any]:
    return {
        "source": {"kafka": {"brokers": brokers, "topics": ["edges"], "group": "sink-test"},
                   "format": JSON_FORMAT, "time": {"unit": "ms", "disorder": "0s"}},
        "windows": [WINDOW], "jobs": [{**SHAPE, "overrun": {"queue": 100}}, BUSIEST],
        "sinks": [{"file": {"path": "results.jsonl"}}, {"kafka": {"topic": RESULTS}}],
        "http": {"listen": "127.0.0.1:0"}, "shutdown_deadline": "5s"}


def some_edges(first_second: int, seconds: int) -> bytes:
    """Ten edges a second of event time."""
    return edges((f"v{i % 7}", f"v{i * i % 11}", START_MS + i * 100)
                 for i in range(first_second * 10, (first_second + seconds) * 10))


def identity(result: dict[str, Any]) -> str:
    """The key, in the documented form."""
    members = {name: result[name] for name in ("job", "window", "window_end")}
    return json.dumps(members, separators=(",", ":"))


class ResultsOfABroker(unittest.TestCase):
    """A broker with a topic of edges and one of results."""

    def begin(self, partitions: int, **broker: Any) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker(**broker))
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        self.broker.create_topic("edges", 1)
        self.broker.create_topic(RESULTS, partitions)

    def produce(self, records: bytes) -> None:
        subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", "edges", "-p", "0"],
                       input=records, check=True, timeout=60)

    def delivered(self) -> list[tuple[int, str, dict[str, Any]]]:
        """Partition, key and result of each message, ordered by partition."""
        read = subprocess.run(
            ["kcat", "-C", "-q", "-e", "-b", self.broker.address, "-t", RESULTS,
             "-o", "beginning", "-f", "%p\t%k\t%s\n"],
            stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode()
        rows = [line.split("\t", 2) for line in read.splitlines()]
        return [(int(partition), key, json.loads(value)) for partition, key, value in rows]


class KafkaSinkTest(ResultsOfABroker):
    def setUp(self) -> None:
        self.begin(3)

    def reasons(self, sashd: Sashd) -> list[str]:
        return [reason for reason in sashd.json("/readyz")["reasons"] if "kafka sink" in reason]

    def test_the_topic_holds_what_the_file_holds_though_broker_and_daemon_die(self) -> None:
        self.produce(some_edges(0, 21))
        with Sashd(document(self.broker.address)) as sashd:
            sashd.await_lines(2 * 20)
            self.assertTrue(await_that(lambda: sashd.metric("sash_sink_waiting_results") == 0))

            # The broker goes away while results are due: they wait, and are durable.
            self.produce(some_edges(21, 20))
            sashd.await_lines(2 * 25)
            self.broker.kill()
            self.assertTrue(await_that(lambda: self.reasons(sashd)), sashd.log())
            self.assertIn("no broker can be reached", self.reasons(sashd)[0])
            self.assertEqual(sashd.metric("sash_sink_ready"), 0)
            self.assertNotIn("not durable", sashd.log())

            # So does the daemon, twice; the next process sends the waiting results.
            self.assertEqual(sashd.stop(), 0, sashd.log())
            sashd.start()
            sashd.await_log(r"kafka sink results: (no broker can be reached|\d+ results wait)")
            sashd.stop(signal.SIGKILL)
            self.broker.restart()
            sashd.start()
            self.produce(some_edges(41, 20))
            results = sashd.await_lines(2 * 60)
            drained = await_that(lambda: len({key for _, key, _ in self.delivered()}) >= 2 * 60)
            self.assertTrue(drained, f"{len(self.delivered())} delivered\n{sashd.log()}")
            self.assertEqual(sashd.stop(), 0, sashd.log())

        messages = self.delivered()
        newest = {key: value for _, key, value in messages}
        self.assertEqual(set(newest), {identity(result) for result in results})
        for result in results:
            self.assertEqual(self.same(newest[identity(result)]), self.same(result))
        for job in ("shape", "busiest"):
            partitions = {at for at, _, value in messages if value["job"] == job}
            self.assertEqual(len(partitions), 1, "a job's results are in one partition")
        print(f"{len(results)} results equal, {len(messages) - len(newest)} sent more than once")

    @staticmethod
    def same(result: dict[str, Any]) -> dict[str, Any]:
        """A result without the members that may differ between two runs on the same window."""
        free = ("seconds", "watermark", "snapshot")
        return {name: value for name, value in result.items() if name not in free}


class RefusedBatchTest(ResultsOfABroker):
    def test_a_result_that_a_broker_refuses_before_it_takes_later_ones_is_sent_again(self) -> None:
        [port] = kafka_broker.free_ports(1)
        proxy = self.enterContext(RefusingProxy(port))
        self.begin(1, proxied=port)
        proxy.listen_for(self.broker.proxied_port)
        self.produce(some_edges(0, 6))
        given = document(self.broker.address)
        given["sinks"][1]["kafka"].update(jobs=["shape"], brokers=f"127.0.0.1:{port}",
                                          options={"batch.num.messages": 1, "linger.ms": 0})
        with Sashd(given) as sashd:
            results = [each for each in sashd.await_lines(2 * 5) if each["job"] == "shape"]
            self.assertTrue(await_that(lambda: len(self.delivered()) >= len(results)),
                            f"{[key for _, key, _ in self.delivered()]}\n{sashd.log()}")
            self.assertGreater(sashd.metric("sash_sink_retries_total"), 0)
            self.assertEqual(sashd.stop(), 0, sashd.log())
        sent = [key for _, key, _ in self.delivered()]
        self.assertEqual(set(sent), {identity(result) for result in results})
        self.assertTrue(proxy.has_refused)
        self.assertNotEqual(sent[0], identity(results[0]), "the broker took later ones before it")


class WithoutABrokerOfItsOwnTest(unittest.TestCase):
    def test_the_embedded_broker_takes_results_too(self) -> None:
        if not shutil.which("kcat"):
            self.skipTest("there is no kcat (package kcat)")
        sinks = [RESULTS_FILE, {"kafka": {"topic": RESULTS, "jobs": ["shape"]}}]
        jobs = [{**SHAPE, "overrun": {"queue": 100}}]
        with Sashd(live(sinks=sinks, jobs=jobs)) as sashd:
            sashd.generate_all("--edges", "2000", "--rate", "0", "--event-rate", "100",
                               "--start", "2026-01-01T00:00:00Z")
            written = sashd.await_lines(10)
            read = subprocess.run(
                ["kcat", "-C", "-q", "-b", sashd.broker(), "-t", RESULTS, "-o", "beginning",
                 "-c", "10"], stdout=subprocess.PIPE, check=True, timeout=60).stdout
        self.assertEqual([json.loads(line) for line in read.splitlines()], written[:10])

    def test_a_replay_that_cannot_deliver_fails_and_says_so(self) -> None:
        [port] = kafka_broker.free_ports(1)
        sink = {"kafka": {"topic": RESULTS, "brokers": f"127.0.0.1:{port}"}}
        ended = run(replay(sinks=[sink], shutdown_deadline="1s"), some_edges(0, 3))
        self.assertEqual(ended.code, 1)
        self.assertRegex(ended.log,
                         r"kafka sink results: 3 results are not delivered; they wait in "
                                    r"outbox-results, which the next replay empties")

    def test_a_wrong_option_is_found_before_the_start(self) -> None:
        sink = {"kafka": {"topic": RESULTS, "options": {"linger.ms": "long"}}}
        ended = run(live(sinks=[sink]))
        self.assertEqual(ended.code, 78)
        self.assertIn("sinks[0].kafka.options.linger.ms: ", ended.log)


if __name__ == "__main__":
    unittest.main()

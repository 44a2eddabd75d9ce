"""`sashd --check` and a start agree about a configuration, unless something outside decides."""
import concurrent.futures
import json
import os
import random
import signal
import socket
import subprocess
import tempfile
import unittest
from typing import Any

from sashd_process import PATIENCE_SECONDS, program

SCRIPTS = int(os.environ.get("SASH_SCRIPTS", "40"))
FIRST_SEED = int(os.environ.get("SASH_FIRST_SEED", "1"))
REFUSED = 78

# The values from which a configuration is drawn: right and wrong ones, all of which users may
# write.
CHOICES: dict[str, list[Any]] = {
    "format": [
        {"json": {"source": "/s", "target": "/t"}}, {"json": {"source": "/s", "target": "/s"}},
        {"json": {"source": "", "target": "/t/0", "time": "/at"}},
        {"json": {"source": "/a~2", "target": "/t"}},
        {"csv": {"source": 1, "target": 2}}, {"csv": {"source": 1, "target": 2, "time": 3}},
        {"csv": {"source": "s", "target": "t"}}, {"csv": {"source": "s", "target": 2}},
        {"csv": {"source": "s", "target": "s", "delimiter": ";"}},
        {"csv": {"source": 1, "target": 2, "delimiter": "tab"}, "keys": "integer"},
        {"csv": {"source": 1, "target": 2, "operation": 3}, "tombstone": "remove"},
    ],
    "time": [None, {}, {"from": "field"}, {"from": "kafka"}, {"from": "clock"},
             {"unit": "rfc3339"}, {"late": "next_slice", "disorder": "1h"}],
    "windows": [
        [{"length": "10s", "slide": "1s"}], [{"length": "7300d", "slide": "1ns"}],
        [{"length": "7300d", "slide": "7300d"}], [{"length": "1h", "slide": "100us"}],
        [{"length": "1h", "slide": "1s"}, {"length": "1000000007ns", "slide": "1000000007ns"}],
        [{"length": "forever", "slide": "1m"}], [{"length": "7300d", "slide": "1s"}],
        [{"by": "events", "length": 100, "slide": 10}],
        [{"by": "events", "length": 100000000, "slide": 1}],
        [{"by": "processing_time", "length": "24h", "slide": "1m", "implementation": "rebuild"}],
        [{"length": "30d", "slide": "1s"}],
        [{"length": "7d", "slide": "7d", "offset": "4d"}, {"length": "1d", "slide": "1h"}],
        [{"length": "30d", "slide": "1h", "offset": "1ms"}],
        [{"length": "10s", "slide": "1s", "offset": "1s"}],
        [{"by": "events", "length": 100, "slide": 10, "offset": "1s"}],
        [{"length": "10s", "slide": "1s", "where": "$partition == 0"}],
        [{"length": "10s", "slide": "1s", "where": "$partition == 0 &&"}],
        [{"by": "events", "length": 100, "slide": 10, "where": "$partition == 0"}],
    ],
    "http": [{"listen": "127.0.0.1:0"}, "off", {"listen": "[::1]:0"}, {"listen": "LocalHost:0"},
             {"listen": "example.com:0"}, {"listen": "0.0.0.0:0"}, {"listen": "127.1:0"},
             {"listen": "127.0.0.1:0", "metrics_listen": "0.0.0.0:0"},
             {"listen": "127.0.0.1:0", "metrics_listen": "somewhere:0"},
             {"listen": "127.0.0.1:23456", "metrics_listen": "127.0.0.1:23456"},
             {"listen": "127.0.0.1:0", "metrics_listen": "[::1%lo]:0"}],
    "memory": [None, {"limit": "none"}, {"limit": "256MiB"}, {"limit": "1GiB"}, {"limit": "1MiB"}],
    "options": [{}, {"fetch.max.bytes": 1000}, {"session.timeout.ms": 400000},
                {"client.id": "edges"}, {"group.id": "x"}, {"security.protocol": "carrier-pigeon"},
                {"message.max.bytes": 2000000}, {"receive.message.max.bytes": 1000},
                {"max.poll.interval.ms": 5000}, {"no.such": 1}],
    "sinks": [[], [{"terminal": {}}], [{"file": {"path": "r.jsonl"}}], [{"file": {"path": "r/"}}],
              [{"file": {"path": "r.jsonl"}}, {"file": {"path": "./r.jsonl"}}],
              [{"kafka": {"topic": "results"}}], [{"kafka": {"topic": "edges"}}],
              [{"kafka": {"topic": "results", "options": {"acks": 0}}}],
              [{"kafka": {"topic": "results", "options": {"linger.ms": -5}}}],
              [{"kafka": {"topic": "results", "brokers": "127.0.0.1:1", "transactional": True}}]],
    "recovery": [None, "replay", "checkpoint"],
}


def draw(seed: int) -> dict[str, Any]:
    """A configuration whose parts are mostly right: with a wrong one in each, none would start."""
    choose = random.Random(seed)
    right = {"format": 0 if seed % 2 else 5, "windows": 0, "http": 0, "options": 0, "sinks": 2}
    odd = set(choose.sample(sorted(CHOICES), 2))
    drawn = {name: choose.choice(values) if name in odd else values[right.get(name, 0)]
             for name, values in CHOICES.items()}
    if choose.random() < 0.6:
        brokers = choose.choice(["embedded", "127.0.0.1:1"])
        source = {"kafka": {"brokers": brokers, "topics": ["edges"], "options": drawn["options"]}}
    else:
        # Otherwise a replay whose only row is refused ends with 1, if it ends before it is ready.
        source = {"replay": {"path": "events", "refuse_at_most": "100%"}}
    source["format"] = drawn["format"]
    if drawn["time"] is not None:
        source["time"] = drawn["time"]
    windows = [{"name": f"w{i}", **window} for i, window in enumerate(drawn["windows"])]
    document = {"source": source, "windows": windows, "sinks": drawn["sinks"],
                "jobs": [{"name": "shape", "kernel": "window", "window": "w0"}],
                "http": drawn["http"], "log": {"level": "error"}}
    for name in ("memory", "recovery"):
        if drawn[name] is not None:
            document[name] = drawn[name]
    return document


def check(folder: str) -> tuple[int, str]:
    done = subprocess.run([program("SASHD", "sashd"), "--check", "c.yaml"], cwd=folder,
                          capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    return done.returncode, done.stderr


def start(folder: str) -> tuple[int, str]:
    """The exit code of a start: 0 also when it was ready and then stopped."""
    address = os.path.join(folder, "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, \
            open(os.path.join(folder, "log"), "w+") as log:
        ready.bind(address)
        ready.settimeout(0.05)
        process = subprocess.Popen([program("SASHD", "sashd"), "--config", "c.yaml"], cwd=folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                                   env={**os.environ, "NOTIFY_SOCKET": address})
        try:
            while process.poll() is None:
                try:
                    if b"READY=1" in ready.recv(4096):
                        process.send_signal(signal.SIGTERM)
                        break
                except TimeoutError:
                    continue
            code = process.wait(PATIENCE_SECONDS)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        log.seek(0)
        return code, log.read()


def judge(document: dict[str, Any]) -> tuple[tuple[int, str], tuple[int, str]]:
    """The outcomes of the check and of the start."""
    with tempfile.TemporaryDirectory(prefix="sash-agreement-") as folder:
        csv = document["source"]["format"].get("csv", {})
        delimiter = csv.get("delimiter", ",")
        header = f"s{delimiter}t" if csv else ""
        with open(os.path.join(folder, "events"), "w") as events:
            events.write(header + "\n")
        with open(os.path.join(folder, "c.yaml"), "w") as file:
            json.dump(document, file)
        return check(folder), start(folder)


class AgreementTest(unittest.TestCase):
    def test_a_configuration_that_the_check_passes_starts_and_no_other(self):
        documents = {seed: draw(seed) for seed in range(FIRST_SEED, FIRST_SEED + SCRIPTS)}
        with concurrent.futures.ThreadPoolExecutor(4) as several:  # they mostly wait
            verdicts = dict(zip(documents, several.map(judge, documents.values())))
        for seed, ((checked, said), (started, log)) in verdicts.items():
            with self.subTest(seed=seed, document=documents[seed]):
                self.assertIn(checked, (0, REFUSED), said)
                self.assertEqual(started, checked, f"--check said:\n{said}\nthe start:\n{log}")
        refused = sum(checked[0] == REFUSED for checked, _ in verdicts.values())
        self.assertGreater(refused, SCRIPTS // 8, "too few of them are wrong")
        self.assertLess(refused, SCRIPTS - SCRIPTS // 8, "too few of them are right")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""What reading between advances costs, and how soon it shows an event.

  fresh   from a record's way to a real broker until `view=live` shows its edge, beside a stream
  ingest  edges a second of a file that is read as fast as possible: without live windows, with a
          live window that nobody reads, and with one that is read 100 times a second
  beside  from an advance to the result of a short job: alone, and beside a long job with one runner
          and with two
  retain  memory of a process that keeps as much history as its window is long, against one without

The programs are those of the release preset, or named by SASHD and SASH_GENERATE. Ratios are
of one run: programs are measured in turns.
"""
import argparse
import contextlib
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from typing import Any, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration/process"))
sys.path.insert(0, str(ROOT / "tests/integration/kafka"))
from kafka_broker import KafkaBroker  # noqa: E402
from producers import Producer  # noqa: E402
from sashd_process import Sashd, await_that, live, program, replay  # noqa: E402

FRESH_WINDOW = {"name": "w", "length": "1h", "slide": "10s", "live": True}
PARTITIONS = 4
READS_A_SECOND = 100
READY = "/api/v1/windows/w"


class Connection:
    """One kept connection, with little work for a request: it is on the same cores."""

    def __init__(self, sashd: Sashd) -> None:
        address = urllib.parse.urlsplit(sashd.url(""))
        self._socket = socket.create_connection((address.hostname, address.port), timeout=60)
        self._end = f" HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode()

    def get(self, path: str) -> tuple[int, bytes]:
        """Status and body; the answer must have its length in its head."""
        self._socket.sendall(b"GET " + path.encode() + self._end)
        answer = b""
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self._receive()
        length = int(answer[:end].lower().split(b"content-length:")[1].split(b"\r")[0])
        while len(answer) < end + 4 + length:
            answer += self._receive()
        return int(answer[9:12]), answer[end + 4:]

    def _receive(self) -> bytes:
        received = self._socket.recv(1 << 16)
        if not received:
            raise ConnectionError("the connection is closed")
        return received


def metric(connection: Connection, name: str) -> float:
    """The sum over the labels that `name`, a pattern, matches."""
    text = connection.get("/metrics")[1].decode()
    return sum(float(value) for value in re.findall(rf"^{name} (\S+)$", text, re.MULTILINE))


def tell(name: str, values: list[float], unit: str) -> None:
    ordered = sorted(values)
    print(f"{name:<52} {len(ordered):>5} times  median {statistics.median(ordered):8.2f} {unit}  "
          f"p99 {ordered[int(len(ordered) * 0.99)]:8.2f} {unit}  most {ordered[-1]:8.2f} {unit}")


def fresh(given: argparse.Namespace) -> None:
    document = live(windows=[FRESH_WINDOW], time={"unit": "ms", "disorder": "2s"})
    with contextlib.ExitStack() as context:
        broker = context.enter_context(KafkaBroker())
        broker.create_topic("edges", PARTITIONS)
        document["source"]["kafka"]["brokers"] = broker.address
        sashd = context.enter_context(Sashd(document))
        stream = subprocess.Popen(
            [program("SASH_GENERATE", "generate/sash-generate"), "--to", "kafka", "--brokers",
             broker.address, "--topic", "edges", "--start", "now", "--edges", "100000000",
             "--rate", str(given.rate), "--scale", "16"], stdout=subprocess.DEVNULL)
        context.callback(stream.kill)
        connection = Connection(sashd)
        await_that(lambda: connection.get(READY + "?view=live")[0] == 200)
        producer = context.enter_context(Producer(broker.address, "edges"))
        times = []
        for turn in range(given.probes):
            time.sleep(0.02)
            path = f"/api/v1/windows/w/vertices/probe{turn}?view=live"
            begin = time.perf_counter()
            producer.send(f'{{"from":"probe{turn}","to":"v1",'
                          f'"ts":{time.time_ns() // 1_000_000}}}'.encode())
            while connection.get(path)[0] != 200:
                if time.perf_counter() - begin > 30:
                    raise SystemExit(f"an event is not seen:\n{sashd.log()}")
            times.append((time.perf_counter() - begin) * 1000)
        tell(f"fresh, beside {given.rate} records/s", times, "ms")


def edges_file(folder: pathlib.Path, edges: int, rate: int = 1_000_000) -> pathlib.Path:
    path = folder / "edges.csv"
    with path.open("wb") as file:
        subprocess.run([program("SASH_GENERATE", "generate/sash-generate"), "--edges", str(edges),
                        "--scale", "18", "--rate", "0", "--event-rate", str(rate), "--start",
                        "2026-01-01T00:00:00Z", "--format", "csv"], check=True, stdout=file)
    return path


class Reader(threading.Thread):
    """Reads a vertex of the live window at a fixed rate, as long as the process runs."""

    def __init__(self, sashd: Sashd) -> None:
        super().__init__(daemon=True)
        self._sashd, self.seen, self.asked = sashd, 0, 0

    def run(self) -> None:
        try:
            connection = Connection(self._sashd)
            due = time.perf_counter()
            while True:
                status, _ = connection.get(f"/api/v1/windows/w/vertices/v{self.asked % 500}"
                                           "?view=live&limit=100")
                self.asked += 1
                self.seen += status == 200
                due += 1 / READS_A_SECOND
                time.sleep(max(0.0, due - time.perf_counter()))
        except OSError:
            return


def replayed(path: pathlib.Path, windows: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    document = replay(str(path), windows=windows, jobs=[], sinks=[],
                      format={"csv": {"source": "source", "target": "target", "time": "time"}},
                      time={"unit": "ms"}, **more)
    document["http"] = {"listen": "127.0.0.1:0"}
    return document


def ingest(given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="sash-live-") as folder:
        path = edges_file(pathlib.Path(folder), given.edges)
        plain = {"name": "w", "length": "2s", "slide": "200ms"}
        programs = {"not live": (plain, False), "live": ({**plain, "live": True}, False),
                    f"live, read {READS_A_SECOND} times a second": ({**plain, "live": True}, True)}
        rates: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(given.repetitions):
            for name, (window, is_read) in programs.items():
                begin = time.perf_counter()
                with Sashd(replayed(path, [window])) as sashd:
                    reader = Reader(sashd)
                    if is_read:
                        reader.start()
                    if sashd.wait(600) != 0:
                        raise SystemExit(sashd.log())
                    rates[name].append(given.edges / (time.perf_counter() - begin))
                if is_read:
                    reader.join(5)
                    print(f"  {reader.asked} reads, {reader.seen} of a vertex that was there")
        usual = rates["not live"]
        for name, values in rates.items():
            ratios = sorted(value / base for value, base in zip(values, usual))
            print(f"ingest, {name:<36} {statistics.median(values) / 1e6:6.2f} M edges/s  "
                  f"{statistics.median(ratios):.3f} times ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def answered(sashd: Sashd, seconds: float) -> Iterator[float]:
    """The milliseconds from an advance to the short job's result, on average over each second."""
    connection = Connection(sashd)
    runs = r'sash_job_seconds_count\{job="short"[^}]*\}'
    times = (r'sash_job_phase_seconds_total\{job="short"[^}]*phase="waiting"\}',
             r'sash_job_seconds_sum\{job="short"[^}]*\}')

    def look() -> tuple[float, float]:
        return metric(connection, runs), sum(metric(connection, name) for name in times)

    before = look()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(1)
        now = look()
        if now[0] > before[0]:
            yield (now[1] - before[1]) / (now[0] - before[0]) * 1000
        before = now


def beside(given: argparse.Namespace) -> None:
    windows = [{"name": "small", "length": "2s", "slide": "100ms"},
               {"name": "large", "length": "1m", "slide": "300ms"}]
    short = {"name": "short", "kernel": "degree", "window": "small", "top": 10, "threads": 1}
    long = {"name": "long", "kernel": "cdlp", "window": "large", "top": 10, "threads": 1,
            "parameters": {"max_iterations": 30}}
    for name, runners, jobs in (("alone", 1, [short]), ("one runner", 1, [short, long]),
                                ("two runners", 2, [short, long])):
        document = live(windows=windows, jobs=jobs, sinks=[], runners=runners,
                        time={"unit": "ms", "disorder": "50ms"})
        with Sashd(document) as sashd:
            sashd.generate("--edges", "100000000", "--rate", "20000", "--scale", "14")
            time.sleep(given.seconds)
            times = list(answered(sashd, given.seconds))
            connection = Connection(sashd)
            runs = metric(connection, r'sash_job_seconds_count\{job="long"[^}]*\}')
            lasts = metric(connection, r'sash_job_seconds_sum\{job="long"[^}]*\}') / max(runs, 1)
            tell(f"beside, {name} (the long job takes {lasts * 1000:.0f} ms)", times, "ms")


def retain(given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="sash-live-") as folder:
        path = edges_file(pathlib.Path(folder), given.edges)
        seconds = given.edges // 1_000_000
        window = {"name": "w", "length": f"{seconds // 2}s", "slide": f"{seconds * 10}ms"}
        programs = {"without": window, "retain = length": {**window, "retain": window["length"]}}
        bytes_of = {}
        for name, each in programs.items():
            document = replayed(path, [each])
            document["source"]["replay"]["at_end"] = "stay"
            with Sashd(document) as sashd:
                connection = Connection(sashd)
                accepted = r"sash_engine_events_accepted_total(?:\{[^}]*\})?"
                if not await_that(lambda: metric(connection, accepted) >= given.edges, 600):
                    raise SystemExit(sashd.log())
                time.sleep(2)
                bytes_of[name] = metric(connection, "sash_memory_allocated_bytes")
            print(f"retain, {name:<20} {bytes_of[name] / 2**20:8.0f} MiB allocated")
        print(f"retain / without: {bytes_of['retain = length'] / bytes_of['without']:.2f}")


MEASURES = {"fresh": fresh, "ingest": ingest, "beside": beside, "retain": retain}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measures", nargs="*", choices=[[], *MEASURES], default=[])
    parser.add_argument("--probes", type=int, default=300, help="records of `fresh`")
    parser.add_argument("--rate", type=int, default=5_000, help="records/s beside them")
    parser.add_argument("--edges", type=int, default=8_000_000, help="of `ingest` and `retain`")
    parser.add_argument("--repetitions", type=int, default=5, help="of `ingest`")
    parser.add_argument("--seconds", type=float, default=20, help="of `beside`, each")
    given = parser.parse_args()
    for name in given.measures or MEASURES:
        MEASURES[name](given)


if __name__ == "__main__":
    main()

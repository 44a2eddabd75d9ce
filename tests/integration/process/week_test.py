"""A week of event time in minutes: memory does not grow, and no window drifts from the oracle.

SASH_WEEK_EDGES is the number of events a day; SASH_SEED selects another stream.
"""
import dataclasses
import os
import statistics
import subprocess
import time
import unittest
from typing import Any, Iterator

from oracle import configuration, records
from oracle.compare import compare, read_lines
from sashd_process import Sashd, replay
from week_stream import DAY_HOURS, WeekStream

DAYS = 7
EDGES_A_DAY = int(os.environ.get("SASH_WEEK_EDGES", "100000"))
SEED = int(os.environ.get("SASH_SEED", "1"))
SAMPLED_HOURS = 4
STALLED_SECONDS = 120  # without any progress
MIB = 2**20

# Compares the last two days with the two before. Earlier the process has not reached its peak: the
# windows fill for a day, and the number of keys that wait for a pin of the slowest window varies by
# a factor of two over days, with the first peak on the fourth.
WARM_UP_DAYS = 3
COMPARED_DAYS = 2
GROWTH = 1.10
SLACK_BYTES = 4 * MIB


def document() -> dict[str, Any]:
    def window(name: str, length: str, slide: str, duplicates: str, implementation: str):
        return {"name": name, "length": length, "slide": slide, "duplicates": duplicates,
                "implementation": implementation}

    def job(kernel: str, window: str, every: int, **more: Any) -> dict[str, Any]:
        return {"name": f"{window}-{kernel}", "kernel": kernel, "window": window, "every": every,
                "keep_results": 5, "top": 20, **more}

    ranks = {"parameters": {"tolerance": 1e-12, "max_iterations": 500}}
    reach = {"parameters": {"roots": ["account-0", "hub-3", "nobody"], "direction": "both"}}
    # The values of `every` share no factor with a day, so windows of all hours are compared.
    jobs = [job("pagerank", "minute", 211, **ranks), job("window", "minute", 137),
            job("pagerank", "hour", 13, **ranks), job("bfs", "hour", 17, **reach),
            job("window", "hour", 61),
            job("pagerank", "day", 19, **ranks), job("bfs", "day", 23, **reach),
            job("window", "day", 53),
            job("window", "hour-of-copies", 67), job("window", "hour-of-newest", 59)]
    compared = [each["name"] for each in jobs]
    pulse = {"name": "pulse", "kernel": "pagerank", "window": "minute", "keep_results": 5}
    return replay(
        "-",
        format={"json": {"source": "/from", "target": "/to", "time": "/ts", "weight": "/amount",
                         "operation": "/op"}},
        time={"unit": "ms", "disorder": "2s", "late": "drop"},
        windows=[window("minute", "1m", "10s", "weigh", "multiversioned"),
                 window("hour", "1h", "5m", "weigh", "multiversioned"),
                 window("day", "24h", "1h", "weigh", "multiversioned"),
                 window("hour-of-copies", "1h", "5m", "keep", "multiversioned"),
                 window("hour-of-newest", "1h", "15m", "drop", "rebuild")],
        jobs=[*jobs, pulse],
        sinks=[{"file": {"path": "all.jsonl", "vertices": "all", "jobs": compared}}],
        http={"listen": "127.0.0.1:0"})


@dataclasses.dataclass
class Sample:
    day: int
    resident: int
    keys: int


def stream() -> Iterator[list[bytes]]:
    return WeekStream(SEED, DAYS, EDGES_A_DAY).hours()


class WeekTest(unittest.TestCase):
    def test_a_week_neither_grows_nor_drifts(self):
        with Sashd(document(), stdin=subprocess.PIPE) as sashd:
            began = time.monotonic()
            samples = self.feed(sashd)
            sashd.process.stdin.close()
            self.assertEqual(sashd.wait(STALLED_SECONDS), 0, sashd.log())
            took = time.monotonic() - began
            print(f"{DAYS} days of {EDGES_A_DAY} events in {took:.0f} s")
            with self.subTest("memory does not grow"):
                self.check_memory(samples)
            with self.subTest("no window drifts"):
                self.check_results(sashd)

    def feed(self, sashd: Sashd) -> list[Sample]:
        """Writes the week; measures the process whenever it has caught up."""
        samples = []
        written = 0
        for hour, lines in enumerate(stream()):
            if lines:
                sashd.process.stdin.write(b"\n".join(lines) + b"\n")
                sashd.process.stdin.flush()
            written += len(lines)
            if hour % SAMPLED_HOURS == SAMPLED_HOURS - 1:
                self.await_caught_up(sashd, written)
                samples.append(Sample(hour // DAY_HOURS, sashd.resident_bytes(),
                                      int(sashd.metric("sash_dictionary_vertices"))))
        return samples

    def await_caught_up(self, sashd: Sashd, written: int) -> None:
        moved = time.monotonic()
        before = None
        while True:
            now = [sashd.metric(name) for name in (
                "sash_source_records_total", "sash_window_advances_total", "sash_buffer_bytes",
                "sash_job_waiting", "sash_job_running")]
            if now[0] == written and not any(now[2:]) and now == before:
                return
            if now != before:
                moved = time.monotonic()
            self.assertLess(time.monotonic() - moved, STALLED_SECONDS,
                            f"{now} after {written} records:\n{sashd.log()}")
            before = now
            time.sleep(0.02)

    def check_results(self, sashd: Sashd) -> None:
        whole = configuration.from_document(document())
        given = dataclasses.replace(
            whole, jobs=tuple(job for job in whole.jobs if job.name in whole.sinks[0].jobs))
        lines = (line for hour in stream() for line in hour)
        events = records.decode_json(
            ((records.Place("replay", 0, offset), line) for offset, line in enumerate(lines)),
            given.stream)
        differences, compared = compare(
            given, events, lambda path: read_lines(str(sashd.folder / path)))
        self.assertEqual(str(differences), "")
        self.assertGreater(compared, DAYS * 100)
        print(f"{compared} results equal")

    def check_memory(self, samples: list[Sample]) -> None:
        first = [each.resident for each in samples
                 if WARM_UP_DAYS <= each.day < WARM_UP_DAYS + COMPARED_DAYS]
        last = [each.resident for each in samples if each.day >= DAYS - COMPARED_DAYS]
        bound = statistics.median(first) * GROWTH + SLACK_BYTES
        said = ", ".join(f"{each.resident / MIB:.0f} ({each.keys})" for each in samples)
        print(f"resident MiB (keys known), every {SAMPLED_HOURS} hours: {said}")
        self.assertLessEqual(
            statistics.median(last), bound,
            f"{statistics.median(first) / MIB:.0f} MiB in the middle became "
            f"{statistics.median(last) / MIB:.0f}; resident MiB (keys known): {said}")


if __name__ == "__main__":
    unittest.main()

"""Memory: the accounts against the allocator, and a limit that is met.

A replay is held by an input that does not end, so that its process can be asked.
"""
import itertools
import json
import pathlib
import random
import re
import resource
import subprocess
import threading
import time
import unittest
import urllib.parse
from typing import Any, Iterator

from sashd_process import CSV_FORMAT, SHAPE, Sashd, await_that, live, replay

MEBIBYTE = 1 << 20
LEAST_LIMIT = 64  # MiB
SLACK = 1.1  # what is on its way when memory is full, and what closing a slice takes
ROWS_A_SECOND = 20_000  # of event time
RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w",
         "parameters": {"max_iterations": 3}, "every": 20}
DEGREES = {"name": "degrees", "kernel": "degree", "window": "w", "every": 20}


def rows(count: int, vertices: int = 50_000) -> Iterator[bytes]:
    """CSV in blocks."""
    chance = random.Random(1)
    yield b"source,target,time\n"
    for begin in range(0, count, 20_000):
        yield "".join(f"v{chance.randrange(vertices)},v{chance.randrange(vertices)},"
                      f"{1767225600000 + i * 1000 // ROWS_A_SECOND}\n"
                      for i in range(begin, min(begin + 20_000, count))).encode()


def varied_rows(count: int, hub: bool = False, removals: bool = True, weighted: bool = False,
                vertices: int = 50_000, rate: int = ROWS_A_SECOND) -> Iterator[bytes]:
    """Of these a fifth repeat an edge, and one in fifty removes one; with a hub, half are its own."""
    chance = random.Random(2)
    recent = [("v0", "v1")]
    yield b"source,target,weight,operation,time\n"
    for begin in range(0, count, 20_000):
        lines = []
        for i in range(begin, min(begin + 20_000, count)):
            draw = chance.random()
            if draw < 0.22:
                source, target = recent[chance.randrange(len(recent))]
            elif hub and draw < 0.6:
                source, target = "hub", f"v{chance.randrange(vertices)}"
            else:
                source, target = f"v{chance.randrange(vertices)}", f"v{chance.randrange(vertices)}"
                recent.append((source, target))
            operation = "remove" if removals and draw < 0.02 else "add"
            weight = chance.randrange(2, 100) if weighted else 1
            lines.append(f"{source},{target},{weight},{operation},"
                         f"{1767225600000 + i * 1000 // rate}\n")
        yield "".join(lines).encode()


def document(length: str, implementation: str = "multiversioned", **more: Any) -> dict[str, Any]:
    window = {"name": "w", "length": length, "slide": "1s", "implementation": implementation}
    return replay(**{"format": CSV_FORMAT, "time": {"unit": "ms", "disorder": "0s"},
                     "windows": [window], "jobs": [RANKS], **more})


class HeldReplay(Sashd):
    """Reads `count` rows from a standard input that stays open."""

    def __init__(self, count: int, config: dict[str, Any],
                 content: Iterator[bytes] | None = None, **options: Any) -> None:
        config["source"]["replay"]["path"] = "-"
        config["http"] = {"listen": "127.0.0.1:0"}
        super().__init__(config, stdin=subprocess.PIPE, **options)
        self._count = count
        self._content = rows(count) if content is None else content

    def __enter__(self) -> "HeldReplay":
        super().__enter__()
        self._feeder = threading.Thread(target=self._feed)
        self._feeder.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self._feeder.join()
        super().__exit__()

    def _feed(self) -> None:
        try:
            for block in self._content:
                self.process.stdin.write(block)
                self.process.stdin.flush()
        except OSError:  # it has ended
            pass

    def is_calm(self) -> bool:
        return (self.metric("sash_engine_events_accepted_total") == self._count
                and self.metric("sash_buffer_bytes") == 0
                and self.metric("sash_job_running") + self.metric("sash_job_waiting") == 0)

    def parts(self) -> dict[str, float]:
        return {part: float(value) for part, value in re.findall(
            r'^sash_memory_bytes\{part="(\w+)"\} (\S+)$', self.get("/metrics")[2], re.MULTILINE)}


class PeakUse:
    """The most memory of a process's own, while it runs."""

    def __init__(self, sashd: Sashd) -> None:
        self._status = pathlib.Path(f"/proc/{sashd.process.pid}/status")
        self.bytes = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "PeakUse":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.005):
            try:
                found = re.search(r"RssAnon:\s+(\d+) kB", self._status.read_text())
            except (FileNotFoundError, ProcessLookupError):
                return
            self.bytes = max(self.bytes, int(found[1]) * 1024 if found else 0)


class AccountTest(unittest.TestCase):
    def test_the_parts_add_up_to_what_the_allocator_reports(self):
        for implementation, large in (("multiversioned", "lists"), ("rebuild", "events")):
            with self.subTest(implementation), \
                    HeldReplay(1_500_000, document("2m", implementation)) as sashd:
                self.assertTrue(await_that(sashd.is_calm), sashd.log())
                self.assertEqual(sashd.metric("sash_window_edges"), 1_480_000)
                parts = sashd.parts()
                allocated = sashd.metric("sash_memory_allocated_bytes")
                total = sum(parts.values())
                self.assertGreater(allocated, 30 * MEBIBYTE)
                self.assertGreater(parts[large], 8 * MEBIBYTE, parts)
                self.assertAlmostEqual(total / allocated, 1, delta=0.1, msg=parts)
                print(f"{implementation}: {total / allocated:.3f} of {allocated / MEBIBYTE:.1f} MiB")
                self.assertGreaterEqual(sashd.metric("sash_memory_used_bytes"), allocated * 0.9)

    def expect_accounted(self, sashd: HeldReplay, name: str) -> dict[str, float]:
        self.assertTrue(await_that(sashd.is_calm), sashd.log())
        parts = sashd.parts()
        allocated = sashd.metric("sash_memory_allocated_bytes")
        total = sum(parts.values())
        print(f"{name}: {total / allocated:.3f} of {allocated / MEBIBYTE:.1f} MiB")
        self.assertGreater(allocated, 20 * MEBIBYTE)
        self.assertAlmostEqual(total / allocated, 1, delta=0.1, msg=f"{name}: {parts}")
        return parts

    def refuses(self, config: dict[str, Any]) -> bool:
        """Whether the configuration does not let this store have this policy."""
        with Sashd(config) as sashd:
            return sashd.wait() == 78 and "cannot do" in sashd.log()

    def test_policies_removals_weights_and_hubs_are_accounted_for(self):
        count = 1_000_000
        for implementation in ("multiversioned", "rebuild"):
            for duplicates in ("keep", "drop", "weigh"):
                for weighted, hub in ((False, False), (True, False), (True, True)):
                    name = f"{implementation} {duplicates} weighted={weighted} hub={hub}"
                    with self.subTest(name):
                        config = self.varied(implementation, duplicates, operation="operation")
                        removals = not self.refuses(config)
                        if not removals:
                            config = self.varied(implementation, duplicates)
                            if self.refuses(config):
                                self.skipTest(f"refused by the configuration: {name}")
                        content = varied_rows(count, hub, removals, weighted,
                                              vertices=200_000 if hub else 50_000)
                        with HeldReplay(count, config, content) as sashd:
                            self.expect_accounted(sashd, f"{name} removals={removals}")

    def varied(self, implementation: str, duplicates: str, **columns: str) -> dict[str, Any]:
        csv = {**CSV_FORMAT["csv"], "weight": "weight", **columns}
        config = document("1m", implementation, format={"csv": csv})
        config["windows"][0]["duplicates"] = duplicates
        return config

    def test_windows_that_share_a_store_are_accounted_for_once(self):
        count, rate = 1_200_000, 100
        csv = {**CSV_FORMAT["csv"], "weight": "weight"}
        windows = [{"name": name, "length": length, "slide": "1m", "implementation": "multiversioned"}
                   for name, length in (("w", "1m"), ("hour", "1h"), ("day", "24h"))]
        jobs = [{**RANKS, "name": f"ranks_{window['name']}", "window": window["name"]}
                for window in windows]
        config = document("1m", format={"csv": csv}, windows=windows, jobs=jobs)
        content = varied_rows(count, removals=False, rate=rate)
        with HeldReplay(count, config, content) as sashd:
            parts = self.expect_accounted(sashd, "three windows")
            self.assertGreater(parts["views"], 0)

    def test_without_a_limit_there_is_none_to_see(self):
        with HeldReplay(1, document("1m", memory={"limit": "none"})) as sashd:
            self.assertNotIn("\nsash_memory_limit_bytes ", sashd.get("/metrics")[2])
            self.assertEqual(sashd.metric("sash_memory_state"), 0)


class LimitedReplayTest(unittest.TestCase):
    # Of edges among many vertices 1.3 million fit into 64 MiB. Among few, 1.2 to 2.0 million are
    # slowed down at 65 MiB and yet fit.
    TOO_MANY = 3_000_000
    MANY_VERTICES = 300_000
    ENOUGH = 2_000_000
    ENOUGH_LENGTH = "80s"  # 1.6 million edges: at the end slices leave as well

    def test_one_that_cannot_fit_ends_with_an_error_and_never_far_above_the_limit(self):
        for implementation in ("multiversioned", "rebuild"):
            config = document("10m", implementation, memory={"limit": f"{LEAST_LIMIT}MiB"}, jobs=[])
            content = rows(self.TOO_MANY, self.MANY_VERTICES)
            with self.subTest(implementation), \
                    HeldReplay(self.TOO_MANY, config, content) as sashd, PeakUse(sashd) as peak:
                self.assertEqual(sashd.wait(), 1)
                print(f"{implementation}: {peak.bytes / MEBIBYTE:.1f} MiB of {LEAST_LIMIT}")
                self.assertLess(peak.bytes, LEAST_LIMIT * MEBIBYTE * SLACK)
                self.assertGreater(peak.bytes, LEAST_LIMIT * MEBIBYTE * 0.75)
                self.assertRegex(
                    sashd.log(),
                    r"error +memory\.stuck +memory: the replay cannot go on: "
                    r"[0-9.]+ MiB of 64\.0 MiB "
                    r"\(memory\.limit\) are used or reserved, .* window w [0-9.]+ MiB \(\d+ edges in \d+ slices\), "
                    r"slices that have not closed .*Raise memory\.limit")
                # Advances take memory for a moment, so near the limit the state may come and go.
                self.assertIn(sashd.log().count("nothing more is read until"), range(1, 6))

    def test_with_just_enough_the_results_are_those_without_a_limit(self):
        content = b"".join(rows(self.ENOUGH))

        def results(limit: str) -> tuple[list[dict[str, Any]], int, str]:
            config = document(self.ENOUGH_LENGTH, memory={"limit": limit}, jobs=[DEGREES])
            with Sashd(config, content) as sashd, \
                    PeakUse(sashd) as peak:
                self.assertEqual(sashd.wait(), 0, sashd.log())
                lines = sashd.lines()
                for line in lines:
                    del line["seconds"]
                return lines, peak.bytes, sashd.log()

        free, most, _ = results("none")
        limit = LEAST_LIMIT + 1
        self.assertGreater(most, limit * MEBIBYTE, "the limit would not be met")
        limited, peak, log = results(f"{limit}MiB")
        print(f"{peak / MEBIBYTE:.1f} MiB of {limit}, {most / MEBIBYTE:.1f} without a limit")
        self.assertIn("reading is slowed down", log)
        self.assertEqual(limited, free)
        self.assertLess(peak, limit * MEBIBYTE * SLACK)

    def test_a_resource_limit_is_met_without_a_configuration(self):
        def less() -> None:
            resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))

        with Sashd(document("1m"), b"".join(rows(1)), preexec_fn=less) as sashd:
            self.assertEqual(sashd.wait(), 0)
            self.assertRegex(sashd.log(), r"memory: the limit is 819\.2 MiB \(80 % of RLIMIT_DATA\)")

    def test_what_is_mapped_meets_a_resource_limit_before_it_ends_the_process(self):
        for name in ("RLIMIT_DATA", "RLIMIT_AS"):
            def less() -> None:
                resource.setrlimit(getattr(resource, name), (288 * MEBIBYTE, 288 * MEBIBYTE))

            config = document("10m", jobs=[RANKS])
            content = rows(2 * self.TOO_MANY, self.MANY_VERTICES)
            with self.subTest(name), \
                    HeldReplay(2 * self.TOO_MANY, config, content, preexec_fn=less) as sashd:
                self.assertEqual(sashd.wait(), 1, sashd.log())
                self.assertRegex(sashd.log(), r"error +memory\.stuck +memory: the replay cannot go "
                                          "on: [0-9.]+ MiB "
                                              rf"of 230\.4 MiB \(80 % of {name}\)")

    def test_a_run_of_a_job_does_not_take_more_than_the_limit_leaves(self):
        limit = 96
        config = document("10m", memory={"limit": f"{limit}MiB"},
                          jobs=[{**RANKS, "parameters": {"max_iterations": 20}, "every": 7}])
        content = rows(self.TOO_MANY, 10 * self.MANY_VERTICES)
        with HeldReplay(self.TOO_MANY, config, content) as sashd, PeakUse(sashd) as peak:
            self.assertEqual(sashd.wait(), 1, sashd.log())
            print(f"with runs: {peak.bytes / MEBIBYTE:.1f} MiB of {limit}")
            self.assertLess(peak.bytes, limit * MEBIBYTE * SLACK)
            self.assertTrue(sashd.lines(), sashd.log())

    def test_a_limit_beyond_the_surroundings_is_replaced_with_a_warning(self):
        def less() -> None:
            resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))

        with Sashd(document("1m", memory={"limit": "2GiB"}), b"".join(rows(1)),
                   preexec_fn=less) as sashd:
            self.assertEqual(sashd.wait(), 0)
            self.assertRegex(sashd.log(), r"warning memory\.limit_doubtful  "
                                          r"memory\.limit is 2\.00 GiB, but RLIMIT_DATA ends "
                                          r"the process beyond 1\.00 GiB: the limit is 819\.2 MiB")


class LimitedLiveTest(unittest.TestCase):
    # The embedded broker is in the process: it takes 20 MiB, and as much again for each of its answers
    # once much waits to be read, whatever was asked for. It keeps five seconds of what is generated.
    LIMIT = 128  # MiB
    BROKER = 50

    def config(self, **window: Any) -> dict[str, Any]:
        """Windows that share no store, so that memory fills sooner than the broker forgets."""
        stores = itertools.product(("multiversioned", "rebuild"), ("keep", "drop", "weigh"))
        return live(windows=[{"name": name, "slide": "1s", "implementation": implementation,
                              "duplicates": duplicates, **window}
                             for name, (implementation, duplicates) in zip("wabcde", stores)],
                    jobs=[SHAPE, {**RANKS, "every": 1}], memory={"limit": f"{self.LIMIT}MiB"})

    def fill(self, sashd: Sashd, rate: int) -> list[str]:
        """Reasons of /readyz, once memory is full."""
        sashd.generate("--rate", str(rate), "--scale", "20", "--duplicates", "0")

        def full() -> list[str]:
            status, _, body = sashd.get("/readyz")
            reasons = [reason for reason in json.loads(body)["reasons"]
                       if reason.startswith("memory: ")]
            return reasons if status == 503 else []

        reasons = await_that(full)
        self.assertTrue(reasons, sashd.log() + sashd.generator_log())
        return reasons

    def reads_nothing(self, sashd: Sashd) -> bool:
        """For three seconds, in which tens of thousands of records come."""
        records = sashd.metric("sash_source_records_total")
        time.sleep(3)
        return (sashd.metric("sash_source_records_total") == records
                and sashd.metric("sash_memory_state") == 2)

    def test_at_the_limit_it_lives_answers_and_says_why_it_reads_nothing(self):
        with Sashd(self.config(length="1h")) as sashd, PeakUse(sashd) as peak:
            reasons = self.fill(sashd, rate=20_000)  # so that little waits in the broker
            self.assertRegex(reasons[0], r"^memory: [0-9.]+ MiB of 128\.0 MiB \(memory\.limit\) are used or "
                                         r"reserved, so nothing more is read; raise memory\.limit")
            self.assertTrue(await_that(lambda: self.reads_nothing(sashd)), sashd.log())
            self.assertEqual(sashd.metric("sash_source_paused"), 4)
            self.assertEqual(sashd.get("/readyz")[0], 503)
            top = sashd.json("/api/v1/jobs/ranks/results/latest?top=1")["top"][0]["vertex"]
            key = urllib.parse.quote(top, safe="")
            for path in ("/healthz", "/api/v1/windows/w", "/api/v1/jobs/shape/results/latest",
                         f"/api/v1/windows/w/vertices/{key}", f"/api/v1/jobs/ranks/vertices/{key}"):
                self.assertEqual(sashd.get(path)[0], 200, path)
            self.assertEqual(sashd.metric("sash_memory_state"), 2)
            self.assertIsNone(sashd.process.poll())
            self.assertLess(peak.bytes, (self.LIMIT * SLACK + self.BROKER) * MEBIBYTE)
            self.assertEqual(sashd.stop(), 0, sashd.log())
            print(f"live: {peak.bytes / MEBIBYTE:.1f} MiB of {self.LIMIT}")
            self.assertIn(sashd.log().count("nothing more is read until"), range(1, 6), sashd.log())

    def test_it_goes_on_by_itself_when_the_window_shrinks(self):
        with Sashd(self.config(by="processing_time", length="20s")) as sashd:
            self.fill(sashd, rate=40_000)
            # Until then it goes on only with what an advance took for a moment.
            self.assertTrue(await_that(lambda: self.reads_nothing(sashd)), sashd.log())
            records = sashd.metric("sash_source_records_total")
            self.assertTrue(await_that(
                lambda: sashd.metric("sash_source_records_total") > records), sashd.log())
            self.assertTrue(await_that(lambda: sashd.get("/readyz")[0] == 200), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main()

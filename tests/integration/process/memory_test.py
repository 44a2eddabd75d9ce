"""Memory: the limit is respected."""
import itertools
import json
import resource
import time
import unittest
import urllib.parse
from typing import Any

from held_replay import MEBIBYTE, RANKS, HeldReplay, PeakUse, document, rows
from sashd_process import SHAPE, Sashd, await_that, live

LEAST_LIMIT = 64  # MiB
SLACK = 1.1  # data on its way when memory is full, and the memory to close a slice
DEGREES = {"name": "degrees", "kernel": "degree", "window": "w", "every": 20}


class LimitedReplayTest(unittest.TestCase):
    # With many vertices 1.3 million edges fit into 64 MiB. With few, 1.2 to 2.0 million edges are
    # slowed down at 65 MiB and still fit.
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
                    r"\(memory\.limit\) are used or reserved, .* window w [0-9.]+ MiB \(\d+ edges "
                    r"in \d+ slices\), slices that have not closed .*Raise memory\.limit")
                # Advances take temporary memory, so near the limit the state may change repeatedly.
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
        self.assertGreater(most, limit * MEBIBYTE, "the run would not reach the limit")
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
            self.assertRegex(sashd.log(),
                             r"memory: the limit is 819\.2 MiB \(80 % of RLIMIT_DATA\)")

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
    # The embedded broker is in the process: it takes 20 MiB, and as much again for each of its
    # responses once many records wait, whatever was requested. It keeps five seconds of the
    # generated records.
    LIMIT = 128  # MiB
    BROKER = 50

    def config(self, **window: Any) -> dict[str, Any]:
        """Windows that share no store, so that memory fills before the broker drops records."""
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
        """For three seconds, in which tens of thousands of records arrive."""
        records = sashd.metric("sash_source_records_total")
        time.sleep(3)
        return (sashd.metric("sash_source_records_total") == records
                and sashd.metric("sash_memory_state") == 2)

    def test_at_the_limit_it_lives_answers_and_says_why_it_reads_nothing(self):
        with Sashd(self.config(length="1h")) as sashd, PeakUse(sashd) as peak:
            reasons = self.fill(sashd, rate=20_000)  # so that few records wait in the broker
            self.assertRegex(reasons[0],
                             r"^memory: [0-9.]+ MiB of 128\.0 MiB \(memory\.limit\) are used or "
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
            # Until then it goes on only with the temporary memory of an advance.
            self.assertTrue(await_that(lambda: self.reads_nothing(sashd)), sashd.log())
            records = sashd.metric("sash_source_records_total")
            self.assertTrue(await_that(
                lambda: sashd.metric("sash_source_records_total") > records), sashd.log())
            self.assertTrue(await_that(lambda: sashd.get("/readyz")[0] == 200), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main()

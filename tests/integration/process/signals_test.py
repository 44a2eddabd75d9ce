"""Signals and deadlines: however busy it is, `sashd` stops in time and logs how."""
import fcntl
import os
import signal
import struct
import subprocess
import termios
import time
import unittest
from typing import Any

from sashd_process import RESULTS, SHAPE, Sashd, await_that, edges, live, replay

LEAVES = 2000
# On a star with edges in both directions the ranks oscillate, by a ten millionth less each time: a
# million iterations do not end that.
LONG = {"name": "ranks", "kernel": "pagerank", "window": "w",
        "parameters": {"damping": 0.9999999, "tolerance": 0, "max_iterations": 1000000}}


def star(time_ms: int) -> bytes:
    return edges([("hub", f"v{leaf}", time_ms) for leaf in range(LEAVES)] +
                 [(f"v{leaf}", "hub", time_ms) for leaf in range(LEAVES)])

PIPE = {"file": {"path": "/dev/stdout"}}


def long_runs(**more: Any) -> dict[str, Any]:
    """A replay of standard input, for star() and more; every run on a star lasts for ever."""
    more = {"jobs": [LONG], "http": {"listen": "127.0.0.1:0"}, **more}
    return replay("-", time={"unit": "ms", "disorder": "0s"}, **more)


class SignalsTest(unittest.TestCase):
    def test_a_live_stream_stops_on_sigterm_and_sigint_with_whole_results(self):
        for number, name in ((signal.SIGTERM, "SIGTERM"), (signal.SIGINT, "SIGINT")):
            with self.subTest(name), Sashd(live(shutdown_deadline="5s")) as sashd:
                sashd.generate("--rate", "5000")
                sashd.await_lines(2)
                begun = time.monotonic()
                self.assertEqual(sashd.stop(number), 0, sashd.log())
                self.assertLess(time.monotonic() - begun, 5)
                self.assertRegex(sashd.log(),
                                 rf"{name}: stopping, within 5 s\n(.*\n)*.* stopped\n\Z")
                self.assertTrue((sashd.folder / "results.jsonl").read_bytes().endswith(b"}\n"))

    def test_sighup_without_a_change_does_no_harm(self):
        with Sashd(live()) as sashd:
            sashd.await_log("reading 4 partitions")
            for count in (1, 2):
                sashd.send(signal.SIGHUP)
                self.assertTrue(await_that(
                    lambda: sashd.log().count("reload: nothing has changed") == count))
            self.assertEqual(sashd.json("/healthz"), {"status": "ok"})
            self.assertEqual(sashd.stop(), 0)

    def test_a_stop_before_the_first_record_is_a_stop(self):
        with Sashd(live()) as sashd:
            sashd.await_log("sashd .* starts")
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_long_run_is_cancelled_when_the_deadline_is_near(self):
        with Sashd(long_runs(shutdown_deadline="3s"), stdin=subprocess.PIPE) as sashd:
            self.start_long_run(sashd)
            begun = time.monotonic()
            sashd.send()
            status, _, body = await_that(
                lambda: (answer := sashd.get("/readyz"))[0] == 503 and answer)
            self.assertIn("the process is stopping", body)
            self.assertEqual(status, 503)
            self.assertEqual(sashd.get("/healthz")[0], 200, "a process that stops is healthy")
            self.assertEqual(sashd.wait(), 0, sashd.log())
            self.assertLess(time.monotonic() - begun, 3.5)
            self.assertIn("cut short", sashd.log())
            self.assertEqual(sashd.lines(), [], "no result of a run that was cancelled")

    def test_another_signal_does_not_wait_for_the_deadline(self):
        with Sashd(long_runs(shutdown_deadline="1h"), stdin=subprocess.PIPE) as sashd:
            self.start_long_run(sashd)
            sashd.send()
            sashd.await_log("stopping, within 3600 s")
            begun = time.monotonic()
            self.assertEqual(sashd.stop(signal.SIGINT), 0, sashd.log())
            self.assertLess(time.monotonic() - begun, 5)

    def test_a_signal_ends_the_last_runs_of_a_replay(self):
        with Sashd(long_runs(), stdin=subprocess.PIPE) as sashd:
            sashd.process.stdin.write(star(500))
            sashd.process.stdin.close()
            sashd.await_log("end of the source: 4000 records")
            self.assertTrue(await_that(lambda: sashd.json("/api/v1/jobs")[0]["running"]))
            begun = time.monotonic()
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertLess(time.monotonic() - begun, 5)
            self.assertIn("cut short: the results do not cover all that was read", sashd.log())

    def test_a_backlog_of_advances_does_not_hold_the_stop(self):
        """Records that were read but not applied may cause minutes of advances."""
        windows = [{"name": "w", "length": "100s", "slide": "1ms", "implementation": "rebuild"}]
        rows = edges((f"v{i % 300}", f"v{i * 7 % 301}", 1000 + i) for i in range(200_000))
        with Sashd(replay(windows=windows, jobs=[], shutdown_deadline="2s"), rows) as sashd:
            sashd.await_log("starts")
            self.assertTrue(await_that(lambda: sashd.resident_bytes() > 40 << 20), sashd.log())
            begun = time.monotonic()
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertLess(time.monotonic() - begun, 3.5)

    def test_a_terminal_that_takes_nothing_cannot_hold_the_process(self):
        windows = [{"name": "w", "length": "20ms", "slide": "1ms"}]
        rows = edges((f"v{i % 30}", f"v{i * 7 % 31}", 1000 + i) for i in range(20_000))
        document = replay(windows=windows, sinks=[{"terminal": {}}], shutdown_deadline="2s")
        with Sashd(document, rows) as sashd:  # its standard output is not read
            sashd.await_log("starts")
            self.await_full_pipe(sashd)
            begun = time.monotonic()
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertLess(time.monotonic() - begun, 4)
            self.assertNotIn("ended by force", sashd.log())

    def test_a_pipe_of_results_that_nobody_reads_is_left_at_the_deadline(self):
        windows = [{"name": "w", "length": "20ms", "slide": "1ms"}]
        rows = edges((f"v{i % 30}", f"v{i * 7 % 31}", 1000 + i) for i in range(20_000))
        document = replay(windows=windows, sinks=[PIPE], shutdown_deadline="2s")
        with Sashd(document, rows) as sashd:  # its standard output is not read
            sashd.await_log("starts")
            self.await_full_pipe(sashd)
            begun = time.monotonic()
            self.assertEqual(sashd.stop(), 1, sashd.log())
            self.assertLess(time.monotonic() - begun, 4)
            self.assertIn("ended by force", sashd.log())

    def test_a_third_signal_ends_it_at_once(self):
        windows = [{"name": "w", "length": "20ms", "slide": "1ms"}]
        rows = edges((f"v{i % 30}", f"v{i * 7 % 31}", 1000 + i) for i in range(20_000))
        document = replay(windows=windows, sinks=[PIPE], shutdown_deadline="1h")
        with Sashd(document, rows) as sashd:
            sashd.await_log("starts")
            self.await_full_pipe(sashd)
            sashd.send()
            sashd.await_log("stopping")
            begun = time.monotonic()
            while sashd.process.poll() is None and time.monotonic() - begun < 30:
                sashd.send()
                time.sleep(0.2)
            self.assertEqual(sashd.wait(), 1)
            self.assertLess(time.monotonic() - begun, 3)
            self.assertIn("ended by force, on another signal", sashd.log())

    def start_long_run(self, sashd: Sashd) -> None:
        sashd.process.stdin.write(star(500) + edges([("a", "b", 1500)]))
        sashd.process.stdin.flush()
        self.assertTrue(await_that(
            lambda: sashd.json("/api/v1/jobs")[0]["iteration"] > 100), sashd.log())

    def await_full_pipe(self, sashd: Sashd) -> None:
        """Waits until its standard output is full, and everything waits for a reader."""
        def waiting() -> int:
            answer = fcntl.ioctl(sashd.process.stdout, termios.FIONREAD, b"    ")
            return struct.unpack("i", answer)[0]

        def full() -> bool:
            before = waiting()
            time.sleep(0.3)
            return before > 32768 and waiting() == before

        self.assertTrue(await_that(full), sashd.log())


class JobDeadlineTest(unittest.TestCase):
    def test_a_run_past_its_deadline_is_cancelled_and_the_process_says_so(self):
        document = long_runs(jobs=[{**LONG, "deadline": "300ms"}, SHAPE],
                             sinks=[RESULTS, {"terminal": {}}])
        reader, writer = os.pipe()
        with (open(reader, "rb") as out,
              Sashd(document, stdin=subprocess.PIPE, stdout=writer) as sashd):
            os.close(writer)
            sashd.process.stdin.write(star(500) + edges([("a", "b", 1500)]))
            sashd.process.stdin.flush()
            sashd.await_log(r"warning job\.cancelled  job ranks: cancelled at its deadline on "
                            r"window w ending "
                            r"1970-01-01T00:00:01\.000Z\n")
            self.assertEqual(sashd.json("/api/v1/jobs/ranks")["cancelled"], 1)
            self.assertEqual(sashd.json("/api/v1/jobs/ranks")["runs"], 0)
            self.assertEqual(sashd.metric("sash_job_cancelled_total", job="ranks"), 1)
            self.assertEqual([line["job"] for line in sashd.await_lines(1)], ["shape"],
                             "the other jobs go on")
            self.assertIn("cancelled: ranks", out.readline().decode())
            self.assertEqual(sashd.stop(), 0)


if __name__ == "__main__":
    unittest.main()

"""A live stream through the embedded broker: results within seconds, the API, jobs that are too
slow.

`start: committed` after a restart cannot be tested here: the embedded broker ends with the process.
The test with a real broker does it.
"""
import gzip
import json
import socket
import time
import unittest
import urllib.parse
import urllib.request
from typing import Any

from sashd_process import RESULTS, SHAPE, Sashd, await_that, edges, live, replay

RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w"}
REACH = {"name": "reach", "kernel": "bfs", "window": "w", "parameters": {"roots": ["v0"]}}
PREFIX = "/?&#%+;"  # of keys
ODD_KEYS = ["ä €/\"\\", "../..", "a b\n", "%2F", "\u2028", "key=1&key=2", "😀"]


class EmbeddedBrokerTest(unittest.TestCase):
    def test_results_of_a_generated_stream_flow_within_seconds(self):
        with Sashd(live(jobs=[SHAPE, RANKS, REACH], sinks=[RESULTS, {"terminal": {}}])) as sashd:
            begun = time.monotonic()
            sashd.generate("--rate", "2000", "--scale", "8")
            sashd.await_lines(6)
            self.assertLess(time.monotonic() - begun, 20)
            self.assertEqual(sashd.stop(), 0, sashd.log())
            results = sashd.lines()
            self.assertEqual({result["job"] for result in results}, {"shape", "ranks", "reach"})
            self.assertTrue(all(result["edges"] > 0 and not result["gap"] for result in results))
            self.assertLessEqual(set(results[-1]["offsets"]), {"edges"})
            self.assertRegex(sashd.output().splitlines()[0],
                             r"^w 20.* edges, .* · shape .* · ranks .* · reach .* reached")

    def test_records_ahead_of_the_clock_wait_for_it_and_none_is_lost(self):
        time_policy = {"unit": "ms", "disorder": "100ms", "ahead_limit": "1s"}
        with Sashd(live(time=time_policy)) as sashd:
            sashd.await_log("reading 4 partitions")
            sashd.generate("--rate", "200", "--scale", "4", "--edges", "400", "--start",
                           str(int(time.time() * 1000) + 6000))
            self.assertTrue(await_that(lambda: sashd.get("/readyz")[0] == 503), sashd.log())
            self.assertIn("is the clock behind?", sashd.json("/readyz")["reasons"][0])
            why = sashd.json("/api/v1/windows/w/why")
            self.assertEqual(why["reason"], "ahead", why)
            self.assertIn("ahead of this machine's clock", why["summary"])
            held = [partition["held_ahead"]
                    for partition in sashd.json("/api/v1/source")["partitions"]]
            self.assertGreater(sum(held), 0)
            self.assertEqual(sashd.metric("sash_engine_events_accepted_total"), 0)
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_engine_events_accepted_total") == 400), sashd.log())
            self.assertEqual(sashd.metric("sash_source_refused_total"), 0)
            self.assertEqual(sashd.metric("sash_engine_late_total"), 0)
            self.assertEqual(sashd.get("/readyz")[0], 200)
            self.assertRegex(sashd.log(), r"error +kafka\.ahead\.held ")
            self.assertRegex(sashd.log(), r"info +kafka\.ahead\.released ")

    def test_the_log_is_one_helpful_line_for_each_event(self):
        for format in ("text", "json"):
            with self.subTest(format), Sashd(live(log={"format": format})) as sashd:
                sashd.await_log("reading 4 partitions")
                self.assertEqual(sashd.stop(), 0)
                lines = sashd.log().splitlines()
                if format == "json":
                    parsed = [json.loads(line) for line in lines]
                    for line in parsed:
                        self.assertGreaterEqual(set(line), {"time", "level", "event", "message"})
                    starts = [line for line in parsed if line["event"] == "kafka.partition.starts"]
                    self.assertEqual(sorted((line["topic"], line["partition"], line["offset"])
                                            for line in starts),
                                     [("edges", number, 0) for number in range(4)])
                    said = [(line["event"], line["message"]) for line in parsed]
                else:
                    for line in lines:
                        self.assertRegex(line, r"^\d{4}-\d\d-\d\dT[\d:.]+Z "
                                               r"(info   |warning|error  ) [a-z_.]+  \S")
                    said = [tuple(line[33:].split("  ", 1)) for line in lines]
                self.assertEqual(said[0][0], "process.starts")
                self.assertRegex(said[0][1], r"^sashd \d\S* starts$")
                self.assertRegex(said[1][1], r"^embedded broker listens on \S+$")
                self.assertEqual(said[-1], ("process.stopped", "stopped"))
                self.assertEqual(len(said), len(set(said)), "no line is repeated")

    def test_errors_at_start_follow_the_format_of_the_log(self):
        document = replay("none", log={"format": "json"})
        with Sashd(document) as sashd:
            self.assertNotEqual(sashd.wait(), 0)
            last = json.loads(sashd.log().splitlines()[-1])
            self.assertEqual((last["level"], last["event"]), ("error", "process.start_failed"))
            self.assertIn("source: none: cannot be opened", last["message"])


class RoutesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sashd = Sashd(live(jobs=[SHAPE, RANKS, REACH]))
        cls.sashd.start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.sashd.generate("--rate", "2000", "--scale", "4", "--key-prefix", PREFIX)
        cls.sashd.await_lines(9)

    def answer(self, path: str, status: int = 200) -> Any:
        got, kind, body = self.sashd.get(path)
        self.assertEqual((got, kind), (status, "application/json"), f"{path}: {body[:300]}")
        return json.loads(body)

    def test_every_route_answers_json(self):
        self.assertEqual(self.answer("/healthz"), {"status": "ok"})
        ready = self.answer("/readyz")
        self.assertEqual((ready["ready"], ready["reasons"]), (True, []))
        self.assertIn("the broker is inside this process", ready["notes"][0])
        self.assertRegex(self.sashd.log(),
                         r"warning? +kafka\.embedded\.alone +source\.kafka\.brokers is ")
        self.assertRegex(self.answer("/api/v1/version")["version"], r"^\d")
        source = self.answer("/api/v1/source")
        self.assertEqual((source["kind"], source["topics"], len(source["partitions"])),
                         ("kafka", ["edges"], 4))
        windows = self.answer("/api/v1/windows")
        self.assertEqual([window["name"] for window in windows], ["w"])
        self.assertGreater(self.answer("/api/v1/windows/w")["edges"], 0)
        jobs = self.answer("/api/v1/jobs")
        self.assertEqual([job["name"] for job in jobs], ["shape", "ranks", "reach"])
        self.assertTrue(all(job["runs"] > 0 and job["last_seconds"] >= 0 for job in jobs))
        for job in jobs:
            self.assertGreaterEqual(min(job["last_phases"].values()), 0, job)
            self.assertGreaterEqual(job["last_latency_seconds"] + 1e-6,
                                    sum(job["last_phases"].values()), job)
        latest = self.answer("/api/v1/jobs/ranks/results/latest?top=3")
        self.assertEqual([row["rank"] for row in latest["top"]], [1, 2, 3])
        results = self.answer("/api/v1/jobs/shape/results?limit=2")
        self.assertEqual(len(results), 2)
        self.assertGreater(results[0]["window_end"], results[1]["window_end"], "newest first")

    def test_what_is_not_there_is_said_in_json(self):
        for path, status in (("/nope", 404), ("/api/v1/windows/nope", 404),
                             ("/api/v1/jobs/nope/results/latest", 404),
                             ("/api/v1/windows/w/vertices/nobody", 404),
                             ("/api/v1/windows/w/vertices", 400),
                             ("/api/v1/jobs/ranks/results/latest?top=many", 400),
                             ("/api/v1/jobs/ranks/results?limit=-1", 400),
                             ("/api/v1/jobs/ranks/vertices/%zz", 400)):
            error = self.answer(path, status)["error"]
            self.assertEqual(set(error), {"code", "message"}, path)
            self.assertTrue(error["message"])

    def test_keys_of_any_characters_are_found_percent_encoded_or_as_a_parameter(self):
        key = self.answer("/api/v1/jobs/ranks/results/latest?top=1")["top"][0]["vertex"]
        self.assertTrue(key.startswith(PREFIX), key)
        encoded = urllib.parse.quote(key, safe="")
        for path in (f"vertices/{encoded}", f"vertices?key={encoded}"):
            vertex = self.answer(f"/api/v1/windows/w/{path}")
            self.assertEqual(vertex["vertex"], key)
            self.assertEqual(len(vertex["out"]), min(vertex["out_degree"], 100))
            self.assertTrue(all(other["vertex"].startswith(PREFIX) for other in vertex["out"]))
            ranked = self.answer(f"/api/v1/jobs/ranks/{path}")
            self.assertEqual(ranked["vertex"], key)
            self.assertGreater(ranked["score"], 0)

    def test_keys_beyond_ascii_are_found(self):
        now = time.time_ns() // 10**6
        self.sashd.produce(edges((key, "target", now) for key in ODD_KEYS))
        for key in ODD_KEYS:
            encoded = urllib.parse.quote(key, safe="")
            for path in (f"vertices/{encoded}", f"vertices?key={encoded}"):
                path = f"/api/v1/windows/w/{path}"
                await_that(lambda: self.sashd.get(path)[0] == 200)
                self.assertEqual(self.answer(path)["vertex"], key)

    def test_large_answers_are_compressed_for_who_takes_it(self):
        for path, start in (("/metrics", b"# HELP"), ("/openapi.json", b"{")):
            request = urllib.request.Request(self.sashd.url(path),
                                             headers={"Accept-Encoding": "br, gzip"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                self.assertEqual(answer.headers["Content-Encoding"], "gzip")
                zipped = answer.read()
            plain = gzip.decompress(zipped)
            self.assertTrue(plain.startswith(start), plain[:100])
            self.assertLess(len(zipped) * 3, len(plain))
            self.assertTrue(self.sashd.get(path)[2].encode().startswith(start))

    def test_metrics_count_what_happens(self):
        status, kind, text = self.sashd.get("/metrics")
        self.assertEqual(status, 200)
        self.assertIn("text/plain", kind)
        self.assertTrue(text.endswith("\n"))
        records = self.sashd.metric("sash_source_records_total")
        self.assertGreater(records, 0)
        self.assertTrue(await_that(
            lambda: self.sashd.metric("sash_source_records_total") > records))
        self.assertEqual(self.sashd.metric("sash_source_ready"), 1)
        self.assertGreater(self.sashd.metric("sash_job_runs_total", job="ranks"), 0)


class ListenTest(unittest.TestCase):
    def test_a_taken_port_is_an_error_that_names_it(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = "127.0.0.1:{}".format(taken.getsockname()[1])
            with Sashd(live(http={"listen": address})) as sashd:
                self.assertEqual(sashd.wait(), 1)
                last = sashd.log().splitlines()[-1]
                self.assertRegex(last,
                                 rf"error +process\.start_failed +listen on http://{address}: "
                                       r"the port is in use; "
                                       r".*http\.listen")

    def test_port_0_is_a_free_one_that_the_log_names(self):
        with Sashd(live()) as first, Sashd(live()) as second:
            self.assertNotEqual(first.url("/"), second.url("/"))
            self.assertEqual(first.get("/healthz")[0], second.get("/healthz")[0])

    def test_off_listens_to_nobody(self):
        with Sashd(live(http={"listen": "off"})) as sashd:
            sashd.await_log("reading 4 partitions")
            self.assertNotIn("http listens", sashd.log())
            self.assertEqual(sashd.stop(), 0)


class SharedStoreTest(unittest.TestCase):
    def test_what_windows_share_counts_in_the_bytes_of_each(self):
        def window(name: str, length: str, **more: Any) -> dict[str, Any]:
            return {"name": name, "length": length, "slide": "1s", **more}

        document = live(jobs=[], sinks=[], windows=[
            window("long", "20s"), window("short", "1s"), window("alone", "1s", duplicates="drop")])
        with Sashd(document) as sashd:
            sashd.generate_all("--edges", "40000", "--rate", "0", "--event-rate", "2000",
                               "--start", "2026-01-01T00:00:00Z", "--scale", "10")
            self.assertTrue(await_that(
                lambda: sashd.metric("sash_window_slices", window="long") >= 15), sashd.log())
            windows = {each["name"]: each for each in sashd.json("/api/v1/windows")}
            self.assertLess(windows["short"]["edges"] * 10, windows["long"]["edges"])
            self.assertGreater(windows["short"]["bytes"] * 2, windows["long"]["bytes"])
            self.assertLess(windows["alone"]["bytes"] * 2, windows["long"]["bytes"])
            self.assertEqual(sashd.stop(), 0, sashd.log())


class ImplementationsTest(unittest.TestCase):
    def test_vertices_of_every_policy_answer_the_same_in_both(self):
        policies, kinds = ["keep", "drop", "weigh"], ["multiversioned", "rebuild"]
        names = {policy: [f"{policy}-{kind}" for kind in kinds] for policy in policies}
        ranks = [{**RANKS, "name": name, "window": name, "overrun": {"queue": 4}, "top": 40}
                 for pair in names.values() for name in pair]
        document = live(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts",
                             "weight": "/amount", "operation": "/op"}},
            jobs=ranks, windows=[
                {"name": name, "length": "5s", "slide": "1s", "duplicates": policy,
                 "implementation": kind}
                for policy in policies for kind, name in zip(kinds, names[policy])])
        with Sashd(document) as sashd:
            sashd.generate_all("--edges", "20000", "--rate", "0", "--event-rate", "2000",
                               "--start", "2026-01-01T00:00:00Z", "--scale", "8",
                               "--duplicates", "0.3", "--removals", "0.1", "--weights", "integer")
            self.assertTrue(await_that(lambda: {
                sashd.json(f"/api/v1/windows/{rank['name']}")["window_end"]
                for rank in ranks} == {"2026-01-01T00:00:09.000Z"}), sashd.log())
            for one, other in names.values():
                with self.subTest(one):
                    self.assertTrue(await_that(lambda: all(
                        sashd.json(f"/api/v1/jobs/{name}/results/latest")["window_end"]
                        == "2026-01-01T00:00:09.000Z" for name in (one, other))))
                    top = sashd.json(f"/api/v1/jobs/{one}/results/latest")["top"]
                    self.assertEqual(len(top), 40)
                    for entry in top:
                        path = f"vertices/{entry['vertex']}?limit=10000"
                        vertex = sashd.json(f"/api/v1/windows/{one}/{path}")
                        self.assertEqual(vertex, sashd.json(f"/api/v1/windows/{other}/{path}"))
                        self.assertEqual(vertex["in_degree"], len(vertex["in"]))
            self.assertEqual(sashd.stop(), 0, sashd.log())


class OverrunTest(unittest.TestCase):
    """Windows that come faster than the job runs: two seconds of event time, with 100 windows each,
    are available at once."""

    def run_job(self, overrun: Any) -> tuple[Sashd, dict[str, Any]]:
        slow = {**RANKS, "overrun": overrun, "threads": 1,
                "parameters": {"tolerance": 0, "damping": 0.99, "max_iterations": 200}}
        document = live(
            jobs=[slow], sinks=[RESULTS, {"terminal": {}}],
            windows=[{"name": "w", "length": "1s", "slide": "10ms"}],
            time={"unit": "ms", "disorder": "100ms", "idle_after": "1h"})  # silence moves nothing
        sashd = Sashd(document)
        sashd.start()
        self.addCleanup(sashd.__exit__)
        sashd.generate_all("--edges", "20000", "--rate", "0", "--event-rate", "10000",
                           "--start", "2026-01-01T00:00:00Z", "--scale", "10")
        # Events count as accepted once the advances that they caused have been passed to the job.
        self.assertTrue(await_that(
            lambda: sashd.metric("sash_engine_events_accepted_total") == 20000
            and not sashd.metric("sash_job_waiting") and not sashd.metric("sash_job_running")),
            sashd.log())
        return sashd, sashd.json("/api/v1/jobs")[0]

    def ends(self, sashd: Sashd) -> list[str]:
        return [result["window_end"] for result in sashd.lines()]

    def test_skip_counts_and_names_what_it_skips_and_the_newest_window_wins(self):
        sashd, job = self.run_job("skip")
        advances = int(sashd.metric("sash_window_advances_total", window="w"))
        self.assertGreater(job["skipped"], 0)
        self.assertEqual(job["runs"] + job["skipped"], advances)
        self.assertEqual(sashd.metric("sash_job_skipped_total", job="ranks"), job["skipped"])
        newest = sashd.json("/api/v1/windows/w")["window_end"]
        self.assertLess(job["last_skipped"], newest)
        self.assertRegex(sashd.log(), r"warning job\.skipped  job ranks: does not keep up "
                                      r"\(overrun: skip\): skipped 1 window, the newest w ending "
                                      r"2026-")
        self.assertEqual(sashd.log().count("does not keep up"), 1, "one line for all skipped runs")
        self.assertEqual(sashd.stop(), 0)
        ends = self.ends(sashd)
        self.assertEqual(len(ends), job["runs"])
        self.assertEqual(ends, sorted(set(ends)))
        self.assertEqual(ends[-1], newest, "the newest window was not skipped")
        said = sashd.output().splitlines()
        self.assertEqual(len(said), advances, "a line for each advance, skipped ones too")
        self.assertEqual(sum("skipped: ranks" in line for line in said), job["skipped"])

    def test_queue_skips_nothing(self):
        sashd, job = self.run_job({"queue": 3})
        advances = int(sashd.metric("sash_window_advances_total", window="w"))
        self.assertEqual((job["runs"], job["skipped"]), (advances, 0))
        self.assertGreater(advances, 150)
        self.assertEqual(sashd.stop(), 0)
        ends = self.ends(sashd)
        self.assertEqual(len(set(ends)), advances)
        self.assertNotIn("does not keep up", sashd.log())


if __name__ == "__main__":
    unittest.main()

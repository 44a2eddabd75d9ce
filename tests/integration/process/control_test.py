"""Jobs and windows added, changed and removed over HTTP while a stream runs."""
import datetime
import http.client
import json
import random
import subprocess
import unittest
import urllib.parse
from typing import Any

from sashd_process import PATIENCE_SECONDS, SHAPE, Sashd, await_that, edges, live

RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 3}
SLOW = {"name": "slow", "length": "20s", "slide": "2s", "duplicates": "weigh"}


def span_of(answer: Any) -> float:
    """The length in seconds of the window of a result, or of a window's newest advance."""
    start, end = (datetime.datetime.fromisoformat(answer[key])
                  for key in ("window_start", "window_end"))
    return (end - start).total_seconds()


class ControlCase(unittest.TestCase):
    sashd: Sashd

    def ask(self, method: str, path: str, body: Any = None,
            **headers: str) -> tuple[int, dict[str, str], Any]:
        """Status, headers and JSON of the response."""
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.sashd.url("")).netloc,
                                                timeout=PATIENCE_SECONDS)
        text = json.dumps(body) if body is not None else None
        if text:
            headers.setdefault("Content-Type", "application/json")
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, dict(answer.headers), json.loads(content) if content else None

    def await_result(self, path: str) -> Any:
        found = await_that(lambda: (answer := self.ask("GET", path))[0] == 200 and answer[2])
        self.assertTrue(found, f"no result at {path}\n{self.sashd.log()}")
        return found


class ControlTest(ControlCase):
    def setUp(self) -> None:
        self.sashd = Sashd(live())
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.generate("--rate", "2000", "--scale", "6")
        self.sashd.await_lines(1)

    def series(self, job: str) -> bool:
        return f'exported_job="{job}"' in self.sashd.get("/metrics")[2] or \
            f'job="{job}"' in self.sashd.get("/metrics")[2]

    def test_a_job_lives_from_its_addition_to_its_removal(self):
        status, headers, job = self.ask("POST", "/api/v1/jobs", RANKS)
        self.assertEqual((status, headers["Location"]), (201, "/api/v1/jobs/ranks"), job)
        self.assertEqual((job["kernel"], job["runs"], job["paused"]), ("pagerank", 0, False))
        result = self.await_result("/api/v1/jobs/ranks/results/latest")
        self.assertEqual((result["job"], len(result["top"])), ("ranks", 3))
        self.assertTrue(await_that(lambda: any(line["job"] == "ranks"
                                               for line in self.sashd.lines())),
                        "the result reaches the sink")
        self.assertTrue(self.series("ranks"))

        status, _, job = self.ask("PUT", "/api/v1/jobs/ranks",
                                  {**RANKS, "top": 5, "parameters": {"damping": 0.5}})
        self.assertEqual((status, job["runs"] > 0), (200, True), job)
        changed = await_that(lambda: (r := self.ask("GET", "/api/v1/jobs/ranks/results/latest")[2])
                             ["parameters"]["damping"] == 0.5 and r)
        self.assertEqual(len(changed["top"]), 5)

        self.assertEqual(self.ask("DELETE", "/api/v1/jobs/ranks")[0], 204)
        for path in ("", "/results/latest", "/results", f"/results/{result['snapshot']}"):
            self.assertEqual(self.ask("GET", "/api/v1/jobs/ranks" + path)[0], 404, path)
        self.assertFalse(self.series("ranks"))
        self.assertEqual(self.ask("DELETE", "/api/v1/jobs/ranks")[0], 404)
        self.assertEqual([job["name"] for job in self.sashd.json("/api/v1/jobs")], ["shape"])
        for said in ("added", "changed", "removed"):
            self.sashd.await_log(rf"info +api\.changed +api: job ranks {said} by 127\.0\.0\.1")
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())

    def test_a_paused_job_rests_until_it_is_triggered_or_resumed(self):
        status, _, job = self.ask("POST", "/api/v1/jobs/shape/pause")
        self.assertEqual((status, job["paused"]), (200, True))
        self.assertEqual(self.sashd.metric("sash_job_paused"), 1)
        window = self.sashd.json("/api/v1/windows/w")["snapshot"]
        # Pending runs have ended when the window has moved twice without a run.
        def rested() -> bool:
            before = self.sashd.json("/api/v1/jobs/shape")["runs"]
            snapshot = self.sashd.json("/api/v1/windows/w")["snapshot"]
            await_that(lambda: self.sashd.json("/api/v1/windows/w")["snapshot"] >= snapshot + 2)
            return self.sashd.json("/api/v1/jobs/shape")["runs"] == before
        self.assertTrue(await_that(rested), self.sashd.log())
        runs = self.sashd.json("/api/v1/jobs/shape")["runs"]
        lines = len(self.sashd.lines())

        status, headers, triggered = self.ask("POST", "/api/v1/jobs/shape/trigger")
        self.assertEqual(status, 202, triggered)
        self.assertGreater(triggered["snapshot"], window)
        self.assertEqual(headers["Location"], triggered["result"])
        result = self.await_result(triggered["result"])
        self.assertEqual((result["job"], result["snapshot"]), ("shape", triggered["snapshot"]))
        self.assertTrue(await_that(
            lambda: self.sashd.json("/api/v1/jobs/shape")["runs"] == runs + 1))
        self.assertEqual(len(self.sashd.lines()), lines, "sinks take only scheduled results")

        self.assertFalse(self.ask("POST", "/api/v1/jobs/shape/resume")[2]["paused"])
        self.sashd.await_lines(lines + 2)
        self.assertEqual(self.sashd.json("/api/v1/jobs/shape")["skipped"], 0)
        self.assertEqual(self.sashd.metric("sash_job_paused"), 0)

    def test_a_window_comes_with_its_job_and_goes_after_it(self):
        status, headers, window = self.ask("POST", "/api/v1/windows", SLOW)
        self.assertEqual((status, headers["Location"]), (201, "/api/v1/windows/slow"), window)
        self.assertEqual(window["snapshot"], None)
        self.assertEqual(self.ask("POST", "/api/v1/windows", SLOW)[0], 409)
        self.assertEqual(self.ask("POST", "/api/v1/jobs", {**RANKS, "window": "slow"})[0], 201)
        result = self.await_result("/api/v1/jobs/ranks/results/latest")
        self.assertEqual(result["window"], "slow")
        status, _, refusal = self.ask("DELETE", "/api/v1/windows/slow")
        self.assertEqual(status, 409)
        self.assertIn("remove these jobs first: ranks", refusal["error"]["message"])
        self.assertEqual(self.ask("DELETE", "/api/v1/jobs/ranks")[0], 204)
        self.assertEqual(self.ask("DELETE", "/api/v1/windows/slow")[0], 204)
        self.assertEqual(self.ask("DELETE", "/api/v1/windows/slow")[0], 404)
        self.assertEqual(self.ask("DELETE", "/api/v1/windows/w")[0], 409, "a job runs on it")
        self.assertNotIn('window="slow"', self.sashd.get("/metrics")[2])

    def test_what_is_wrong_is_refused_and_changes_nothing(self):
        before = [job["name"] for job in self.sashd.json("/api/v1/jobs")]
        status, _, refusal = self.ask("POST", "/api/v1/jobs",
                                      {**RANKS, "window": "v", "parameters": {"dampin": 1}})
        self.assertEqual(status, 422)
        self.assertEqual({each["key"] for each in refusal["error"]["keys"]},
                         {"window", "parameters.dampin"})
        self.assertIn("damping", refusal["error"]["message"], "a suggestion")
        self.assertEqual(self.ask("POST", "/api/v1/jobs", SHAPE)[0], 409)
        self.assertEqual(self.ask("POST", "/api/v1/jobs", RANKS,
                                  **{"Content-Type": "text/plain"})[0],
                         415)
        self.assertEqual(self.ask("POST", "/api/v1/jobs", {"name": "x" * 100_000})[0], 413)
        self.assertEqual(self.ask("POST", "/api/v1/jobs", [])[0], 400)
        self.assertEqual(self.ask("POST", "/api/v1/jobs/nobody/trigger")[0], 404)
        status, headers, _ = self.ask("PATCH", "/api/v1/jobs/shape")
        self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD, PUT, DELETE"))
        status, _, refusal = self.ask("POST", "/api/v1/windows",
                                      {"name": "odd", "length": "3s", "slide": "1500ms"})
        self.assertEqual(status, 409)
        self.assertIn("must be a multiple of 1s", refusal["error"]["message"])
        status, _, refusal = self.ask("POST", "/api/v1/windows", {
            "name": "odd", "length": "4s", "slide": "2s", "offset": "500ms"})
        self.assertEqual(status, 409)
        self.assertIn("offset (500ms) must be a multiple of 1s", refusal["error"]["message"])
        for length, slide, key, why in (("7300d", "1ns", "slide", "at least 1ms"),
                                        ("7300d", "1h", "length", "more than memory holds"),
                                        ("7300d", "1s", "length", "more than memory holds")):
            status, _, refusal = self.ask("POST", "/api/v1/windows",
                                          {"name": "vast", "length": length, "slide": slide})
            self.assertEqual((status, [each["key"] for each in refusal["error"]["keys"]]),
                             (422, [key]))
            self.assertIn(why, refusal["error"]["message"])
        self.assertEqual([job["name"] for job in self.sashd.json("/api/v1/jobs")], before)
        self.assertEqual(self.sashd.json("/healthz"), {"status": "ok"})

    def test_a_reload_goes_back_to_the_file_and_says_what_that_changes(self):
        self.assertEqual(self.ask("POST", "/api/v1/jobs", RANKS)[0], 201)
        self.assertEqual(self.ask("DELETE", "/api/v1/jobs/shape")[0], 204)
        before = self.sashd.json("/api/v1/windows/w")["snapshot"]
        wanted = live(windows=[{"name": "w", "length": "8s", "slide": "2s", "duplicates": "drop"},
                               SLOW],
                      jobs=[SHAPE, {"name": "groups", "kernel": "wcc", "window": "slow"}])
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(wanted))
        status, _, answer = self.ask("POST", "/api/v1/reload")
        self.assertEqual(status, 200, answer)
        self.assertEqual([change["key"] for change in answer["changed"]],
                         ["jobs[groups]", "jobs[ranks]", "jobs[shape]", "windows[slow]",
                          "windows[w].duplicates", "windows[w].length", "windows[w].slide"])
        self.assertEqual(answer["needs_restart"], [])
        self.assertTrue(await_that(lambda: span_of(self.sashd.json("/api/v1/windows/w")) == 8))
        self.assertGreater(self.sashd.json("/api/v1/windows/w")["snapshot"], before)
        self.assertEqual({job["name"] for job in self.sashd.json("/api/v1/jobs")},
                         {"shape", "groups"})
        self.assertEqual(self.await_result("/api/v1/jobs/groups/results/latest")["window"], "slow")

        wanted["jobs"][0] = {**SHAPE, "tops": 1}
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(wanted))
        status, _, refusal = self.ask("POST", "/api/v1/reload")
        self.assertEqual(status, 422, refusal)
        self.assertEqual([each["key"] for each in refusal["error"]["keys"]], ["jobs[0].tops"])
        odd = live(windows=[{"name": "w", "length": "10s", "slide": "1s"},
                            {"name": "odd", "length": "3s", "slide": "1500ms"}])
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(odd))
        status, _, refusal = self.ask("POST", "/api/v1/reload")
        self.assertEqual(status, 422, refusal)
        self.assertIn("must be a multiple of 1s", json.dumps(refusal))
        self.assertEqual({job["name"] for job in self.sashd.json("/api/v1/jobs")},
                         {"shape", "groups"}, "a refused reload changes nothing")
        finer = live(windows=[{"name": "w", "length": "10s", "slide": "500ms"}])
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(finer))
        status, _, answer = self.ask("POST", "/api/v1/reload")
        self.assertEqual(status, 200, answer)
        self.assertEqual([change["key"] for change in answer["needs_restart"]],
                         ["windows[w].duplicates", "windows[w].length", "windows[w].slide"])
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(live()))
        self.assertEqual(self.ask("POST", "/api/v1/reload")[0], 200)
        self.assertEqual([window["name"] for window in self.sashd.json("/api/v1/windows")], ["w"])
        self.assertTrue(await_that(lambda: span_of(self.sashd.json("/api/v1/windows/w")) == 10))

    def test_a_window_that_changes_keeps_its_jobs_and_its_numbers(self):
        results = self.sashd.json("/api/v1/jobs/shape/results?limit=1")
        status, _, window = self.ask("PUT", "/api/v1/windows/w", {"length": "4s", "slide": "2s"})
        self.assertEqual(status, 200, window)
        self.assertGreaterEqual(window["snapshot"], results[0]["snapshot"])

        def shorter() -> Any:
            newest = self.sashd.json("/api/v1/jobs/shape/results/latest")
            return newest if span_of(newest) == 4 else None
        result = await_that(shorter)
        self.assertTrue(result, self.sashd.log())
        self.assertGreater(result["snapshot"], results[0]["snapshot"])
        self.assertFalse(result["gap"], "a shorter window has no gap")
        snapshots = [line["snapshot"] for line in self.sashd.lines()]
        self.assertEqual(snapshots, sorted(set(snapshots)))
        ends = [line["window_end"] for line in self.sashd.lines()]
        self.assertEqual(ends, sorted(set(ends)))

        status, headers, window = self.ask("PUT", "/api/v1/windows/slow", {**SLOW, "slide": "1s"})
        self.assertEqual((status, headers["Location"]), (201, "/api/v1/windows/slow"))
        for wrong, code, word in (({"length": "3s", "slide": "2s"}, 422, "multiple of slide"),
                                  ({"length": "3s"}, 422, "slide"),
                                  ({"length": "4s", "slide": "2s", "offset": "2s"}, 422,
                                   "not less than slide"),
                                  ({**SLOW, "name": "fast"}, 422, "must be `slow`"),
                                  ({"length": "3s", "slide": "1500ms"}, 409, "multiple of 1s"),
                                  ({"length": 30, "slide": 10, "by": "events"}, 409, "`by`")):
            with self.subTest(word):
                status, _, refusal = self.ask("PUT", "/api/v1/windows/slow", wrong)
                self.assertEqual(status, code, refusal)
                self.assertIn(word, json.dumps(refusal))

    def test_a_window_with_an_offset_joins_and_is_moved(self):
        moved = {"name": "moved", "length": "4s", "slide": "2s", "offset": "1s"}
        self.assertEqual(self.ask("POST", "/api/v1/windows", moved)[0], 201)

        def offset() -> float | None:
            end = self.sashd.json("/api/v1/windows/moved").get("window_end")
            return end and datetime.datetime.fromisoformat(end).timestamp() % 2
        self.assertTrue(await_that(lambda: offset() == 1))
        slices = self.sashd.json("/api/v1/windows/moved/slices")
        self.assertEqual((slices["slide"], slices["offset"], slices["slice"]), (2, 1, 1))
        del moved["offset"]
        self.assertEqual(self.ask("PUT", "/api/v1/windows/moved", moved)[0], 200)
        self.assertTrue(await_that(lambda: offset() == 0))
        self.assertEqual(self.ask("DELETE", "/api/v1/windows/moved")[0], 204)

    def test_checkpoints_go_on_while_windows_come_and_go(self):
        self.sashd.__exit__()
        self.sashd = Sashd(live(recovery="checkpoint", state={"interval": "100ms"}))
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.generate("--rate", "2000", "--scale", "6")

        def await_checkpoints() -> None:
            written = self.sashd.metric("sash_checkpoint_writes_total")
            self.assertTrue(await_that(
                lambda: self.sashd.metric("sash_checkpoint_writes_total") >= written + 2),
                self.sashd.log())
        await_checkpoints()
        self.assertEqual(self.ask("POST", "/api/v1/windows", SLOW)[0], 201)
        self.assertEqual(self.ask("POST", "/api/v1/jobs", {**RANKS, "window": "slow"})[0], 201)
        self.await_result("/api/v1/jobs/ranks/results/latest")
        await_checkpoints()
        self.assertEqual(self.ask("DELETE", "/api/v1/jobs/ranks")[0], 204)
        self.assertEqual(self.ask("DELETE", "/api/v1/windows/slow")[0], 204)
        await_checkpoints()
        self.assertEqual(self.sashd.metric("sash_checkpoint_failures_total"), 0)
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())
        verified = subprocess.run([self.sashd.process.args[0], "--verify", "state"],
                                  cwd=self.sashd.folder, capture_output=True, text=True,
                                  check=False)
        self.assertEqual((verified.returncode, verified.stderr), (0, ""), verified.stdout)

    def test_every_change_is_an_event(self):
        self.ask("POST", "/api/v1/jobs", RANKS)
        self.ask("POST", "/api/v1/jobs/ranks/pause")
        self.ask("POST", "/api/v1/windows", SLOW)
        self.ask("PUT", "/api/v1/windows/slow", {**SLOW, "length": "forever"})
        self.ask("DELETE", "/api/v1/jobs/ranks")
        self.ask("POST", "/api/v1/reload")
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.sashd.url("")).netloc,
                                                timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        connection.request("GET", "/api/v1/events?after=start")
        answer = connection.getresponse()
        told: list[tuple[str, Any]] = []
        kind = ""
        while not told or told[-1][0] != "reload":
            line = answer.readline().decode().strip()
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: ") and kind in ("job", "window", "reload"):
                told.append((kind, json.loads(line[6:])))
        self.assertEqual(told, [("job", {"job": "ranks", "change": "added"}),
                                ("job", {"job": "ranks", "change": "paused"}),
                                ("window", {"window": "slow", "change": "added"}),
                                ("window", {"window": "slow", "change": "changed"}),
                                ("job", {"job": "ranks", "change": "removed"}),
                                ("reload", {"success": True, "changed": 1, "needs_restart": 0})])


class HeldEngineTest(ControlCase):
    """A job whose run does not end, and that must not be skipped, blocks the engine."""

    def setUp(self) -> None:
        # Ranks of the star oscillate for ever; the other edges make that slow.
        begin = 1767225600000
        chance = random.Random(1)
        graph = [("a", "b"), ("a", "c"), ("b", "a"), ("c", "a"),
                 *((str(chance.randrange(5000)), str(chance.randrange(5000)))
                   for _ in range(80_000))]
        rows = [(source, target, begin + 500) for source, target in graph]
        rows += [("a", "b", begin + 1000 * second + 500) for second in range(1, 9)]
        stuck = {"name": "stuck", "kernel": "pagerank", "window": "w", "overrun": {"queue": 1},
                 "parameters": {"tolerance": 0, "damping": 0.999999999, "max_iterations": 1000000}}
        document = live(windows=[{"name": "w", "length": "10s", "slide": "1s"}, SLOW],
                        jobs=[SHAPE, stuck],
                        time={"unit": "ms", "disorder": "0s", "idle_after": "50ms"})
        self.sashd = Sashd(document)
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.await_log("reading 4 partitions")
        self.sashd.produce(edges(rows))
        self.assertTrue(await_that(lambda: self.sashd.metric("sash_job_running", job="stuck")
                                   and self.sashd.metric("sash_job_waiting", job="stuck")),
                        self.sashd.log())

    def test_nobody_waits_for_it_for_ever_and_no_job_loses_its_window(self):
        added = {"w", "slow"}
        while (held := self.ask("POST", "/api/v1/windows",
                                {**SLOW, "name": f"extra{len(added)}"}))[0] == 201:
            added.add(held[2]["name"])
        self.assertEqual(held[0], 503, self.sashd.log())
        self.assertIn("nothing has changed", held[2]["error"]["message"])
        self.assertEqual(self.ask("PUT", "/api/v1/windows/slow", {**SLOW, "length": "4s"})[0], 503)
        self.assertEqual(self.ask("DELETE", "/api/v1/windows/slow")[0], 503)
        self.assertEqual(self.ask("GET", "/api/v1/windows/slow")[0], 200)
        without = json.loads((self.sashd.folder / "sashd.yaml").read_text())
        without["windows"].pop()
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(without))
        self.assertEqual(self.ask("POST", "/api/v1/reload")[0], 200)
        self.assertIn("already being removed",
                      self.ask("DELETE", "/api/v1/windows/slow")[2]["error"]["message"])
        on_slow = {**RANKS, "window": "slow"}
        self.assertEqual(self.ask("POST", "/api/v1/jobs", on_slow)[0], 422,
                         "the window is being removed")
        self.assertEqual(self.ask("POST", "/api/v1/jobs/shape/pause")[0], 200)
        self.assertEqual(self.ask("DELETE", "/api/v1/jobs/stuck")[0], 204)
        self.assertTrue(await_that(lambda: self.ask("GET", "/api/v1/windows/slow")[0] == 404),
                        self.sashd.log())
        self.assertEqual(self.ask("POST", "/api/v1/windows", SLOW)[0], 201)
        self.assertEqual(self.ask("POST", "/api/v1/jobs", on_slow)[0], 201)
        self.assertEqual({window["name"] for window in self.sashd.json("/api/v1/windows")},
                         {"w", "slow"}, f"the reload removed {added}, and no late command ran")
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())


if __name__ == "__main__":
    unittest.main()

"""Live jobs: results of a window before it is published, for the API, for events, and for sinks
that ask for them."""
import http.client
import json
import unittest
import urllib.parse
from typing import Any

from events_test import Reader
from sashd_process import PATIENCE_SECONDS, RESULTS, SHAPE, Sashd, await_that, live

# Nothing closes during the test: the slide is long.
WINDOW = {"name": "w", "length": "1h", "slide": "1h", "live": True}
QUICK = {"name": "q", "length": "1s", "slide": "100ms", "live": True}
JOBS = [{"name": "now", "kernel": "degree", "window": "w", "visibility": "live", "every": "100ms",
         "top": 1000},
        {"name": "ranks", "kernel": "pagerank", "window": "q", "visibility": "live",
         "every": "50ms", "keep_vectors": 3},
        {**SHAPE, "window": "q"}]
SINKS = [RESULTS, {"file": {"path": "partial.jsonl", "jobs": ["ranks", "shape"], "partial": True}}]
EDGES = 500


class LiveJobsTest(unittest.TestCase):
    def setUp(self):
        self.sashd = self.enterContext(Sashd(live(windows=[WINDOW, QUICK], jobs=JOBS,
                                                    sinks=SINKS)))

    def post(self, path: str, body: Any = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(
            urllib.parse.urlsplit(self.sashd.url("")).netloc, timeout=PATIENCE_SECONDS)
        connection.request("POST", path, None if body is None else json.dumps(body),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def whole(self) -> dict[str, Any] | None:
        """The newest result of `now`, once it is of all edges."""
        status, _, body = self.sashd.get("/api/v1/jobs/now/results/latest?top=1000")
        result = json.loads(body) if status == 200 else {"cut": {}}
        return result if sum(result["cut"].get("edges", {}).values()) == EDGES else None

    def test_results_come_before_the_window_is_published(self):
        self.sashd.generate("--rate", "2000", "--scale", "6", "--edges", str(EDGES))
        result = await_that(self.whole)
        self.assertIsNotNone(result, self.sashd.log())
        self.assertEqual((result["final"], result["snapshot"], result["offsets"]), (False, 0, {}))
        # The hour may end while the test runs; then the window has the newest events alone.
        window = self.sashd.json("/api/v1/windows/w?view=live")
        self.assertEqual((result["edges"], result["vertices"], result["window_end"]),
                         (window["edges"], window["vertices"], window["window_end"]))
        self.assertGreater(len(result["top"]), 20)
        for row in result["top"]:
            vertex = self.sashd.json(
                f"/api/v1/windows/w/vertices/{row['vertex']}?view=live&limit=0")
            self.assertEqual(row["score"], vertex["out_degree"] + vertex["in_degree"], row)
        why = self.sashd.json("/api/v1/windows/w/why")["jobs"]
        self.assertEqual([job["state"] for job in why], ["live"])
        status, asked = self.post("/api/v1/jobs/now/trigger")
        self.assertEqual((status, asked["snapshot"]), (202, 0))

    def test_published_results_and_other_sinks_know_nothing_of_them(self):
        self.sashd.generate("--rate", "2000", "--scale", "6")
        with Reader(self.sashd) as reader:
            seen: dict[str, list[dict[str, Any]]] = {"ranks": [], "shape": []}
            for kind, data in reader.events():
                if kind == "result" and data["job"] in seen:
                    seen[data["job"]].append(data)
                if all(len(each) >= 10 for each in seen.values()):
                    break
        self.assertTrue(all(not each["final"] and each["cut"] for each in seen["ranks"]))
        self.assertTrue(all(each["final"] and "cut" not in each for each in seen["shape"]))
        cuts = [sum(each["cut"]["edges"].values()) for each in seen["ranks"]]
        self.assertEqual(cuts, sorted(set(cuts)), "each run is on a later cut")
        self.assertEqual({line["job"] for line in self.sashd.await_lines(10)}, {"shape"})
        partial = self.sashd.await_lines(len(seen["ranks"]), "partial.jsonl")
        self.assertEqual({(line["job"], line["final"], "cut" in line) for line in partial},
                         {("ranks", False, True), ("shape", True, False)})
        written = {json.dumps(line["cut"]) for line in partial if not line["final"]}
        self.assertLessEqual({json.dumps(each["cut"]) for each in seen["ranks"][:5]}, written)
        vertex = seen["ranks"][-1]["top"][0]["vertex"]
        past = self.sashd.json(f"/api/v1/jobs/ranks/history?key={vertex}")["results"]
        self.assertGreater(len(past), 1)

    def test_a_job_joins_pauses_and_leaves(self):
        self.sashd.generate("--rate", "2000", "--scale", "6")
        status, refusal = self.post("/api/v1/jobs", {
            "name": "no", "kernel": "new_edges", "window": "w", "visibility": "live"})
        self.assertEqual(status, 422 if status == 422 else 400, refusal)
        self.assertIn("compares published windows", json.dumps(refusal))
        status, _ = self.post("/api/v1/jobs", {
            "name": "more", "kernel": "wcc", "window": "q", "visibility": "live", "every": "50ms"})
        self.assertEqual(status, 201)
        runs = "/api/v1/jobs/more"
        self.assertTrue(await_that(lambda: self.sashd.json(runs)["runs"] > 2), self.sashd.log())
        self.assertEqual(self.post(runs + "/pause")[0], 200)
        await_that(lambda: not self.sashd.json(runs)["running"])
        before = self.sashd.json(runs)["runs"]
        newest = self.sashd.json("/api/v1/jobs/ranks")["runs"]
        await_that(lambda: self.sashd.json("/api/v1/jobs/ranks")["runs"] > newest + 5)
        self.assertLessEqual(self.sashd.json(runs)["runs"], before + 1)  # one was on its way
        self.assertEqual(self.sashd.get("/api/v1/jobs/more/results/latest")[0], 200)


if __name__ == "__main__":
    unittest.main()

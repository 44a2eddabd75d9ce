"""External jobs: workers of the package `sash`, and workers that go wrong, at a real sashd."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Callable

import numpy
import scipy.sparse.csgraph

from sashd_process import ROOT, Sashd, await_that, edges, live, replay

sys.path[:0] = [str(ROOT / "connectors" / "python")]
import sash  # noqa: E402

PAGERANK = {"damping": 0.85, "tolerance": 1e-12, "max_iterations": 200}


def external(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "kernel": "external", "window": "w", "deadline": "60s", "top": 1000,
            **more}


def in_degree(snapshot: sash.Snapshot) -> numpy.ndarray:
    return snapshot.in_.degrees()


def pagerank(snapshot: sash.Snapshot) -> numpy.ndarray:
    """By power iteration over the mapped arrays; each parallel edge counts."""
    count = snapshot.vertex_count
    out = snapshot.out.degrees()
    targets = numpy.repeat(numpy.arange(count), snapshot.in_.degrees())
    ranks = numpy.full(count, 1 / count)
    for _ in range(200):
        passed = numpy.where(out > 0, ranks / numpy.maximum(out, 1), 0)
        arrived = numpy.bincount(targets, passed[snapshot.in_.indices], count)
        spread = ranks[out == 0].sum() / count
        ranks = 0.15 / count + 0.85 * (arrived + spread)
    return ranks


def components(snapshot: sash.Snapshot) -> dict[Any, str]:
    """By key, named by texts."""
    _, labels = scipy.sparse.csgraph.connected_components(snapshot.to_scipy(merged=True),
                                                          directed=False)
    return {snapshot.keys[v]: f"component {label}" for v, label in enumerate(labels)}


class Worker:
    """Serves functions in a thread, as a process of its own would."""

    def __init__(self, sashd: Sashd, functions: dict[str, Callable[[sash.Snapshot], Any]],
                 token: str | None = None) -> None:
        self.client = sash.connect(sashd.url(""), token=token)
        for name, function in functions.items():
            self.client.job(name)(function)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        self.client.serve(self._stop, wait=1)

    def __enter__(self) -> "Worker":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


class Case(unittest.TestCase):
    def setUp(self) -> None:
        shared = tempfile.TemporaryDirectory(prefix="sash-external-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        self.path = pathlib.Path(shared.name, "snapshots")

    def exports(self) -> list[dict[str, Any]]:
        return [{"frozen": {"path": str(self.path), "windows": ["w"], "keep": 1}}]


class EqualResultsTest(Case):
    """A worker computes what a kernel computes, on every window of a replay."""

    def compare(self, integer_keys: bool) -> None:
        chance = random.Random(7)

        def key() -> Any:
            number = int(chance.random() ** 2 * 60)
            return number if integer_keys else f"vértex {number}"
        records = b"".join(
            json.dumps({"from": key(), "to": key(), "ts": time}).encode() + b"\n"
            for time in sorted(chance.randrange(30_000) for _ in range(2_000)))
        document = replay(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts"},
                    "keys": "integer" if integer_keys else "string"},
            http={"listen": "127.0.0.1:0"}, exports=self.exports(),
            jobs=[{"name": "degree", "kernel": "degree", "window": "w", "top": 1000,
                   "parameters": {"direction": "in"}},
                  {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 1000,
                   "parameters": PAGERANK},
                  {"name": "wcc", "kernel": "wcc", "window": "w", "top": 1000},
                  external("my-degree"), external("my-ranks"),
                  external("my-sets", parameters={"returns": "sets"})])
        functions = {"my-degree": in_degree, "my-ranks": pagerank, "my-sets": components}
        with Sashd(document, records) as sashd, Worker(sashd, functions):
            self.assertEqual(sashd.wait(), 0, sashd.log())
            results: dict[tuple[str, str], dict[str, Any]] = {
                (line["job"], line["window_end"]): line for line in sashd.lines()}
        ends = {end for _, end in results}
        self.assertGreater(len(ends), 20)
        self.assertEqual(len(results), 6 * len(ends), "each job has a result of each window")
        for end in ends:
            self.assertEqual(results["my-degree", end]["top"], results["degree", end]["top"])
            mine, own = (results[job, end]["top"] for job in ("my-ranks", "ranks"))
            scores = {row["vertex"]: row["score"] for row in own}
            self.assertEqual(len(mine), len(own))
            for row in mine:
                self.assertAlmostEqual(row["score"], scores[row["vertex"]], delta=1e-9)
            mine, own = results["my-sets", end], results["wcc", end]
            self.assertEqual(mine["sets"], own["components"])
            self.assertEqual([{"component": row["set"], "rank": row["rank"], "size": row["size"]}
                              for row in mine["top"]], own["top"])
            for member in ("window_start", "snapshot", "edges", "vertices", "offsets", "gap"):
                self.assertEqual(results["my-ranks", end][member], results["ranks", end][member])
            self.assertGreater(results["my-ranks", end]["seconds"], 0)

    def test_with_texts_as_keys(self):
        self.compare(False)

    def test_with_integers_as_keys(self):
        self.compare(True)


class WorkersThatGoWrongTest(Case):
    """A live stream, and workers that die, fail or answer wrongly."""

    def document(self, **job: Any) -> dict[str, Any]:
        return live(windows=[{"name": "w", "length": "2s", "slide": "500ms"}],
                    jobs=[external("mine", **{"deadline": "3s", **job}),
                          {"name": "shape", "kernel": "window", "window": "w"}],
                    exports=self.exports())

    def await_failure(self, sashd: Sashd, reason: str) -> dict[str, Any]:
        self.assertTrue(await_that(
            lambda: sashd.metric("sash_job_failed_total", job="mine", reason=reason) > 0),
            sashd.log())
        return sashd.json("/api/v1/jobs/mine")

    def take(self, sashd: Sashd, lease: int | None = None) -> dict[str, Any]:
        client = sash.connect(sashd.url(""))
        while True:
            work = client._api.get("/api/v1/jobs/mine/work", {"wait": 20, "lease": lease})
            if work is not None:
                return work

    def test_failures_are_counted_by_reason_and_other_jobs_go_on(self):
        with Sashd(self.document()) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            job = self.await_failure(sashd, "no_worker")
            self.assertIn("no worker had taken it at the deadline (3 s)", job["last_failure"])
            self.assertGreater(sashd.json("/api/v1/jobs/shape")["runs"], 0)
            sashd.await_log(r"job\.failed .*job mine: no result for window w ending .*no worker")
            work = self.take(sashd)
            self.assertIn("had not answered", self.await_failure(sashd, "late")["last_failure"])
            with self.assertRaises(sash.ApiError) as late:
                sash.connect(sashd.url(""))._api.post(
                    f"/api/v1/jobs/mine/work/{work['run']}", {"scores": []})
            self.assertEqual(late.exception.status, 409)
            self.assertIn("had not answered at the deadline", late.exception.message)
            for values, why in ((lambda s: numpy.full(s.vertex_count, numpy.nan), "NaN"),
                                (lambda s: numpy.zeros(s.vertex_count - 1), "give one for each"),
                                (lambda s: {"nobody": 1.0}, "key 'nobody' is not in the window")):
                with Worker(sashd, {"mine": values}):
                    self.assertTrue(await_that(
                        lambda why=why: why in (sashd.json("/api/v1/jobs/mine")["last_failure"])),
                        sashd.log())
            with Worker(sashd, {"mine": lambda snapshot: snapshot.no_such_member}):
                job = self.await_failure(sashd, "worker_failed")
                self.assertIn("AttributeError", job["last_failure"])
            runs = sashd.json("/api/v1/jobs/mine")["runs"]
            with Worker(sashd, {"mine": in_degree}):
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] > runs), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_worker_that_cannot_open_the_folder_downloads_its_snapshots(self):
        def degree(snapshot: sash.Snapshot) -> numpy.ndarray:
            downloaded.append(not snapshot.path.is_relative_to(self.path))
            return in_degree(snapshot)
        downloaded: list[bool] = []
        with Sashd(self.document(deadline="30s")) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            sashd.await_lines(1)
            self.path.rename(self.path.with_name("elsewhere"))
            with Worker(sashd, {"mine": degree}):
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] >= 2), sashd.log())
            self.assertTrue(all(downloaded))
            self.assertEqual(sashd.metric("sash_export_leases"), 0)

    def test_a_worker_that_is_killed_fails_its_run_and_another_one_goes_on(self):
        script = (f"import sys, time\nsys.path[:0] = [{str(ROOT / 'connectors' / 'python')!r}]\n"
                  "import sash, sash.worker\nsash.worker.LEASE = 1\n"
                  "client = sash.connect(sys.argv[1])\n"
                  "@client.job('mine')\ndef mine(snapshot):\n"
                  "    print('works', flush=True)\n    time.sleep(3600)\n"
                  "client.serve()\n")
        with Sashd(self.document(deadline="30s")) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            process = subprocess.Popen([sys.executable, "-c", script, sashd.url("")],
                                       stdout=subprocess.PIPE, text=True)
            self.addCleanup(process.communicate)
            self.addCleanup(process.kill)
            self.assertEqual(process.stdout.readline(), "works\n")
            time.sleep(1.2)  # the lease has been renewed, or it would have ended
            self.assertEqual(sashd.metric("sash_job_failed_total"), 0)
            os.kill(process.pid, signal.SIGKILL)
            job = self.await_failure(sashd, "worker_died")
            self.assertIn("did not renew the lease of 1 s", job["last_failure"])
            with Worker(sashd, {"mine": in_degree}), Worker(sashd, {"mine": in_degree}):
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] >= 3), sashd.log())

    def test_a_restart_hands_the_work_out_again_and_refuses_the_old_run(self):
        records = edges((f"a{i % 9}", f"b{i % 7}", i * 10) for i in range(1_000))
        document = replay(http={"listen": "127.0.0.1:0"}, exports=self.exports(),
                          windows=[{"name": "w", "length": "10s", "slide": "10s"}],
                          jobs=[external("mine")])
        with Sashd(document, records) as sashd:
            old = self.take(sashd)
            sashd.send(signal.SIGKILL)
            sashd.wait()
            (sashd.folder / "log").write_text("")
            sashd.start()
            new = self.take(sashd)
            self.assertEqual(new["window_end"], old["window_end"])
            self.assertNotEqual(new["run"], old["run"])
            api = sash.connect(sashd.url(""))._api
            with self.assertRaises(sash.ApiError) as refused:
                api.post(f"/api/v1/jobs/mine/work/{old['run']}", {"scores": [0] * old["vertices"]})
            self.assertEqual((refused.exception.status, refused.exception.code), (409, "conflict"))
            self.assertIn("is of an earlier process", refused.exception.message)
            api.post(f"/api/v1/jobs/mine/work/{new['run']}", {"scores": [1] * new["vertices"]})
            self.assertEqual(sashd.wait(), 0, sashd.log())
            [result] = sashd.lines()
            self.assertEqual(len(result["top"]), 16)


if __name__ == "__main__":
    unittest.main()

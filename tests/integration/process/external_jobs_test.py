"""External jobs: workers of the package `sash`, and workers that go wrong, at a real sashd."""
import datetime
import decimal
import json
import os
import pathlib
import random
import shutil
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

from http_proxy import HTML, HttpProxy
from sashd_process import ROOT, Sashd, await_that, edges, live, replay

sys.path[:0] = [str(ROOT / "connectors" / "python")]
import sash  # noqa: E402

PAGERANK = {"damping": 0.85, "tolerance": 1e-12, "max_iterations": 200}


def external(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "kernel": "external", "window": "w", "deadline": "60s", "top": 1000,
            **more}


def milliseconds(time: str) -> int:
    return round(datetime.datetime.fromisoformat(time).timestamp() * 1000)


def in_degree(snapshot: sash.Snapshot) -> numpy.ndarray:
    return snapshot.in_.degrees()


def pagerank(snapshot: sash.Snapshot) -> numpy.ndarray:
    """The ranks by power iteration over the mapped arrays; each parallel edge counts."""
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
    """The component of each vertex by key, as a text."""
    _, labels = scipy.sparse.csgraph.connected_components(snapshot.to_scipy(merged=True),
                                                          directed=False)
    return {snapshot.keys[v]: f"component {label}" for v, label in enumerate(labels)}


def shared_targets(snapshot: sash.Snapshot) -> sash.Rows:
    """How many targets two sources have in common, by ids."""
    matrix = scipy.sparse.csr_array(snapshot.to_scipy(merged=True) != 0, dtype=numpy.int64)
    common = scipy.sparse.triu(matrix @ matrix.T, 1).tocoo()
    return sash.Rows(common.row, common.col, common.data)


def shared_by_key(snapshot: sash.Snapshot) -> dict[tuple[Any, Any], float]:
    rows = shared_targets(snapshot)
    return {(snapshot.keys[int(a)], snapshot.keys[int(b)]): score
            for a, b, score in zip(rows.sources, rows.targets, rows.scores)}


def edges_of(snapshot: sash.Snapshot) -> sash.Rows:
    """The pairs that have an edge, without scores."""
    pairs = snapshot.to_scipy(merged=True).tocoo()
    return sash.Rows(pairs.row, pairs.col)


class Unwritable(Exception):
    """An error that has no text, and which JSON cannot express."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class Worker:
    """Serves functions in a thread, as a process of its own would."""

    def __init__(self, sashd: Sashd | HttpProxy,
                 functions: dict[str, Callable[[sash.Snapshot], Any]],
                 token: str | None = None) -> None:
        url = sashd.url if isinstance(sashd, HttpProxy) else sashd.url("")
        self.client = sash.connect(url, token=token)
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
                  external("my-degree"), external("below-zero"), external("my-ranks"),
                  external("my-sets", parameters={"returns": "sets"})])
        functions = {"my-degree": in_degree, "my-ranks": pagerank, "my-sets": components,
                     "below-zero": lambda snapshot: -1.0 * in_degree(snapshot)}
        with Sashd(document, records) as sashd, Worker(sashd, functions):
            self.assertEqual(sashd.wait(), 0, sashd.log())
            results: dict[tuple[str, str], dict[str, Any]] = {
                (line["job"], line["window_end"]): line for line in sashd.lines()}
        ends = {end for _, end in results}
        self.assertGreater(len(ends), 20)
        self.assertEqual(len(results), 7 * len(ends), "each job has a result of each window")
        for end in ends:
            degrees = results["degree", end]["top"]
            self.assertEqual(results["my-degree", end]["top"], degrees)
            self.assertEqual([(row["vertex"], -row["score"])
                              for row in results["below-zero", end]["top"]],
                             [(row["vertex"], row["score"])
                              for row in sorted(degrees, key=lambda row: row["score"])])
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


class RowsTest(Case):
    """Rows of a worker equal what the records of each window say, and go where results go."""

    TOP = 7

    def expected(self, records: list[tuple[Any, Any, int]], begin: int, end: int) -> list[Any]:
        targets: dict[Any, set[Any]] = {}
        for source, target, time in records:
            if begin <= time < end:
                targets.setdefault(source, set()).add(target)
        pairs = [(-len(targets[a] & targets[b]), a, b) for a in targets for b in targets
                 if a < b and targets[a] & targets[b]]
        return sorted(pairs)

    def compare(self, integer_keys: bool) -> None:
        chance = random.Random(11)

        def key() -> Any:
            number = int(chance.random() ** 2 * 30)
            return number if integer_keys else f"vértex {number:02}"
        records = [(key(), key(), time)
                   for time in sorted(chance.randrange(20_000) for _ in range(400))]
        body = b"".join(json.dumps({"from": a, "to": b, "ts": time}).encode() + b"\n"
                        for a, b, time in records)
        rows = {"parameters": {"returns": "rows"}, "top": self.TOP}
        document = replay(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts"},
                    "keys": "integer" if integer_keys else "string"},
            http={"listen": "127.0.0.1:0"}, exports=self.exports(),
            windows=[{"name": "w", "length": "5s", "slide": "1s"}],
            jobs=[external("by-id", **rows), external("by-key", **rows),
                  external("pairs", parameters={"returns": "rows"}),
                  {"name": "shape", "kernel": "window", "window": "w"}],
            alerts=[{"name": "close", "job": "by-id", "on": "edge", "where": "score >= 3",
                     "text": "{source} and {target} share {score}"}],
            sinks=[{"file": {"path": "results.jsonl"}},
                   {"file": {"path": "alerts.jsonl", "content": "alerts", "name": "pager"}}])
        functions = {"by-id": shared_targets, "by-key": shared_by_key, "pairs": edges_of}
        with Sashd(document, body) as sashd, Worker(sashd, functions):
            self.assertEqual(sashd.wait(), 0, sashd.log())
            results = {(line["job"], line["window_end"]): line
                       for line in sashd.lines("results.jsonl")}
            told = sashd.lines("alerts.jsonl")
        ends = sorted({end for _, end in results})
        self.assertGreater(len(ends), 15)
        close = set()
        for end in ends:
            start, until = (milliseconds(results["shape", end][name])
                            for name in ("window_start", "window_end"))
            rows = self.expected(records, start, until)
            for job in ("by-id", "by-key"):
                result = results[job, end]
                self.assertEqual(result["pairs"], len(rows))
                self.assertEqual([(-row["score"], row["source"], row["target"])
                                  for row in result["top_edges"]], rows[:self.TOP])
            close |= {(end, a, b) for minus, a, b in rows[:self.TOP] if minus <= -3}
            inside = sorted({(a, b) for a, b, time in records if start <= time < until})
            listed = results["pairs", end]["top_edges"]
            self.assertEqual([(row["source"], row["target"]) for row in listed], inside)
            self.assertEqual({row["score"] for row in listed} - {None}, set())
            self.assertEqual(results["pairs", end]["pairs"], results["shape", end]["pairs"])
        self.assertEqual({(alert["window_end"], *json.loads(alert["subject"])) for alert in told}
                         - close, set())
        self.assertTrue(told)

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

    def test_answers_that_json_cannot_express_fail_only_their_run(self):
        def every(value: Any) -> Callable[[sash.Snapshot], Any]:
            return lambda s: [value] * s.vertex_count
        days = numpy.datetime64("2026-01-31")
        wrong = ((every(decimal.Decimal("0.5")), "type decimal.Decimal"),
                 (lambda s: {key: decimal.Decimal(1) for key in s.keys}, "type decimal.Decimal"),
                 (lambda s: numpy.array(every(decimal.Decimal(1))(s)), "type decimal.Decimal"),
                 (lambda s: numpy.full(s.vertex_count, days), "type datetime.date"),
                 (every(days), "type datetime.date"),
                 (every({1}), "type set"),
                 (every(b"a"), "type bytes"),
                 (every(numpy.complex64(1)), "type complex"),
                 (every(numpy.longdouble(1)), "type numpy.longdouble"),
                 (lambda s: set(s.keys), "the answer is of the type set, which has no value for"),
                 (lambda s: "a" * s.vertex_count, "the answer is of the type str"),
                 (every(numpy.nan), "NaN"),
                 (lambda s: None, "TypeError"),
                 (every(Unwritable()), "type __main__.Unwritable"))
        with Sashd(self.document(deadline="30s")) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            answers = []
            with Worker(sashd, {"mine": lambda snapshot: answers[-1](snapshot)}):
                for answer, why in wrong:
                    answers.append(answer)
                    why = why.replace("__main__", __name__)
                    self.assertTrue(await_that(
                        lambda why=why: why in (sashd.json("/api/v1/jobs/mine")["last_failure"]
                                                or "")), why + sashd.log())
                self.assertEqual(sashd.json("/api/v1/jobs/mine")["runs"], 0)
                answers.append(lambda s: numpy.array([numpy.int64(1)] * s.vertex_count, object))
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] > 0), sashd.log())

    def test_work_that_is_not_understood_does_not_end_the_worker(self):
        def answer(method: str, path: str) -> Any:
            if method == "GET" and "/work?" in path and works:
                return 200, {}, json.dumps(works.pop()).encode()
            return None
        works: list[Any] = [[], "run", {}, {"run": "unknown"}, {"run": 1, "window": "w"}]
        with Sashd(self.document(deadline="30s")) as sashd, \
                HttpProxy(sashd.url(""), answer) as proxy:
            sashd.generate("--rate", "200", "--scale", "5")
            with Worker(proxy, {"mine": in_degree}):
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] > 0), sashd.log())
            self.assertEqual(works, [])

    def test_an_error_without_a_text_does_not_end_the_worker(self):
        def fail(snapshot: sash.Snapshot) -> Any:
            runs.append(snapshot.number)
            if len(runs) == 1:
                raise Unwritable()
            return in_degree(snapshot)
        runs: list[int] = []
        with Sashd(self.document(deadline="30s")) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            with Worker(sashd, {"mine": fail}):
                job = self.await_failure(sashd, "worker_failed")
                self.assertIn("Unwritable: it has no text", job["last_failure"])
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] > 0), sashd.log())

    def test_wrong_rows_fail_their_run_with_the_reason(self):
        def rows(sources: Any, targets: Any, scores: Any = None) -> Callable[..., Any]:
            return lambda snapshot: sash.Rows(sources, targets, scores)
        many = numpy.zeros(1_000_001, int)
        wrong = ((lambda s: sash.Rows([s.vertex_count], [0]), "row 0 names the id"),
                 (rows([0], [-1]), "the target of row 0 is not an id: -1"),
                 (rows([0], [0], [numpy.nan]), "NaN"),
                 (rows([0], [0], [numpy.inf]), "infinite"),
                 (rows([0, 0], [0, 0]), "row 1 has a pair that an earlier row has"),
                 (rows(many, many), "it has 1000001 rows; 1000000 is the most"),
                 (rows([0, 1], [0]), "there are 2 sources, but 1 targets"),
                 (rows([[0]], [[0]]), "sources has 2 dimensions"),
                 (rows(["a"], ["b"]), "must be whole numbers"),
                 (lambda s: {("nobody", s.keys[0]): 1}, "row 0: key 'nobody' is not in the window"),
                 (lambda s: {(s.keys[0], s.keys[1]): "1"}, "the score of row 0 is not a number"),
                 (lambda s: s.in_.degrees(), "is a sash.Rows, or a mapping"))
        document = self.document(deadline="30s", parameters={"returns": "rows"})
        with Sashd(document) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            for answer, why in wrong:
                with Worker(sashd, {"mine": answer}):
                    self.assertTrue(await_that(
                        lambda why=why: why in (sashd.json("/api/v1/jobs/mine")["last_failure"]
                                                or "")), why + sashd.log())
            self.assertEqual(sashd.json("/api/v1/jobs/mine")["runs"], 0)
            with Worker(sashd, {"mine": edges_of}):
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] > 0), sashd.log())
            result = sash.connect(sashd.url("")).jobs["mine"].latest(top=3)
            self.assertEqual(result.pairs, result.about["top_edges"])
            self.assertEqual(list(result.to_pandas().columns), ["source", "target", "score"])
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

    def test_a_worker_waits_while_a_proxy_answers_for_the_daemon(self):
        answers = [HTML, (502, {}, b"<h1>Bad gateway</h1>"), (504, {}, b""), (200, {}, b"\xff")]
        renewals = [HTML, (502, {}, b"")]
        reports = [HTML, (502, {}, b"")]

        def answer(method: str, path: str) -> Any:
            if method == "GET" and "/work?" in path and answers:
                return answers.pop()
            if method == "POST" and "/work/" in path and not path.endswith("/renew") and reports:
                return reports.pop()
            return renewals.pop() if path.endswith("/renew") and renewals else None

        def degree(snapshot: sash.Snapshot) -> numpy.ndarray:
            numbers.append(snapshot.number)
            return in_degree(snapshot)

        numbers: list[int] = []
        with Sashd(self.document(deadline="30s")) as sashd, \
                HttpProxy(sashd.url(""), answer) as proxy:
            sashd.generate("--rate", "200", "--scale", "5")
            with Worker(proxy, {"mine": degree}):
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] >= 2), sashd.log())
            self.assertEqual((answers, renewals, reports), ([], [], []))
            self.assertEqual(len(set(numbers)), len(numbers), "a snapshot was computed twice")
            self.assertEqual(sashd.metric("sash_job_failed_total", job="mine"), 0)

    def test_a_worker_does_not_compute_a_snapshot_of_another_daemon(self):
        def degree(snapshot: sash.Snapshot) -> numpy.ndarray:
            numbers.append(snapshot.number)
            downloaded.append(not snapshot.path.is_relative_to(self.path))
            return in_degree(snapshot)
        numbers: list[int] = []
        downloaded: list[bool] = []
        with Sashd(self.document(deadline="30s")) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            self.assertTrue(await_that(lambda: sashd.metric("sash_export_written_total") > 0))
            elsewhere = self.path.rename(self.path.with_name("elsewhere"))
            other = next(iter(elsewhere.glob("w/*/snapshot.json"))).parent
            for number in range(1, 200):
                shutil.copytree(other, self.path / "w" / str(number), copy_function=os.link)
            with Worker(sashd, {"mine": degree}):
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/mine")["runs"] >= 2), sashd.log())
            self.assertTrue(all(downloaded[1:]), (numbers, downloaded))
            self.assertEqual(len(set(numbers)), len(numbers))
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

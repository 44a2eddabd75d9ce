"""Plug-ins and vertex programs at a real sashd: they equal kernels on every window of a replay;
what is wrong with one is said with file and line; one that goes wrong fails its runs, and other
jobs go on."""
import contextlib
import functools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from typing import Any

from sashd_process import PATIENCE_SECONDS, ROOT, Sashd, await_that, live, program, replay

EXAMPLES = pathlib.Path(program("SASHD", "sashd")).parent / "plugins" / "examples"
FIXTURES = ROOT / "tests" / "daemon" / "plugins" / "fixtures"


@functools.cache
def fixtures() -> pathlib.Path:
    """A folder with the fixtures that go wrong as their parameters say: `hostile`, compiled as C99,
    and `vertex_faults`. They are compiled once for all tests."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sash-fixtures-"))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    shared = ["-Wall", "-Wpedantic", "-Werror", "-O1", "-shared", "-fPIC",
              f"-I{ROOT}/windows/jobs/plugin"]
    subprocess.run(["cc", "-std=c99", *shared, "-o", folder / "hostile.so",
                    FIXTURES / "hostile.c"], check=True)
    subprocess.run(["c++", "-std=c++20", "-Wextra", *shared, "-o", folder / "vertex_faults.so",
                    FIXTURES / "vertex_faults.cc"], check=True)
    return folder


def with_plugins(folder: pathlib.Path) -> None:
    """The examples and the fixtures."""
    plugins = folder / "plugins"
    plugins.mkdir(mode=0o755)
    for file in [*EXAMPLES.glob("*.so"), *fixtures().glob("*.so")]:
        shutil.copy(file, plugins / file.name)
        os.chmod(plugins / file.name, 0o755)


def plugin(name: str, file: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "kernel": "plugin", "plugin": f"plugins/{file}.so", "window": "w",
            "top": 1000, **more}


APART = "weigh"  # the policy with which plug-ins are isolated too: each run starts a process


def without_run(result: dict[str, Any]) -> dict[str, Any]:
    """What a result says about the graph."""
    return {name: value for name, value in result.items() if name not in ("job", "seconds")}


class ReplayTest(unittest.TestCase):
    def compare(self, duplicates: str) -> None:
        chance = random.Random(duplicates)

        def record(time: int) -> dict[str, Any]:
            ends = {end: f"vértex {int(chance.random() ** 2 * 60)}" for end in ("from", "to")}
            return {**ends, "ts": time, "op": "remove" if chance.random() < 0.1 else "add"}
        records = b"".join(json.dumps(record(time)).encode() + b"\n"
                           for time in sorted(chance.randrange(30_000) for _ in range(3_000)))
        apart: list[dict[str, Any]] = []
        if duplicates == APART:
            apart = [plugin("mine_apart", "reciprocity", isolate=True),
                     plugin("colours_apart", "colouring", isolate=True)]
        document = replay(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts",
                             "operation": "/op"}},
            windows=[{"name": "w", "length": "10s", "slide": "1s", "duplicates": duplicates}],
            plugins=["plugins"],
            jobs=[{"name": "own", "kernel": "reciprocity", "window": "w", "top": 1000},
                  plugin("mine", "reciprocity"), plugin("colours", "colouring"),
                  plugin("again", "colouring", threads=1), *apart])
        with Sashd(document, records, before=with_plugins) as sashd:
            self.assertEqual(sashd.wait(), 0, sashd.log())
            results = {(line["job"], line["window_end"]): line for line in sashd.lines()}
        ends = {end for _, end in results}
        self.assertGreater(len(ends), 20)
        self.assertEqual(len(results), (4 + len(apart)) * len(ends),
                         "each job has a result of each window")
        for end in ends:
            for job in apart:
                here = job["name"].removesuffix("_apart")
                self.assertEqual(without_run(results[here, end]),
                                 without_run(results[job["name"], end]))
            own, mine = results["own", end], results["mine", end]
            for member in ("top", "reciprocity", "edges", "vertices", "offsets", "snapshot"):
                self.assertEqual(mine[member], own[member], (end, member))
            self.assertEqual(mine["parameters"], {"plugin": "reciprocity 1.0"})
            colours, again = results["colours", end], results["again", end]
            self.assertEqual(colours["top"], again["top"], "whatever the number of threads")
            self.assertEqual(colours["colours"], colours["sets"])
            self.assertEqual(sum(row["size"] for row in colours["top"]), own["vertices"])
            self.assertEqual(colours["parameters"], {"plugin": "colouring 1.0", "palette": 0})

    def test_equal_results_with_every_policy_and_removals(self):
        for duplicates in ("keep", "drop", "weigh"):
            with self.subTest(duplicates):
                self.compare(duplicates)


class VertexProgramsTest(unittest.TestCase):
    """The vertex programs of the examples equal kernels, with removals, weights and types."""
    ROOT = "vértex 3"

    def compare(self, duplicates: str) -> None:
        chance = random.Random(duplicates)

        def record(time: int) -> dict[str, Any]:
            ends = {end: f"vértex {int(chance.random() ** 2 * 60)}" for end in ("from", "to")}
            return {**ends, "ts": time, "op": "remove" if chance.random() < 0.1 else "add",
                    "kind": chance.choice(["wire", "card"]), "sum": chance.randrange(1, 9)}
        records = b"".join(json.dumps(record(time)).encode() + b"\n"
                           for time in sorted(chance.randrange(30_000) for _ in range(900)))
        exact = {"tolerance": 1e-13, "max_iterations": 1000}
        root = {"parameters": {"root": self.ROOT}}
        apart: list[dict[str, Any]] = []
        if duplicates == APART:
            apart = [plugin("near_apart", "vertex_sssp", isolate=True, **root),
                     plugin("ranked_apart", "vertex_pagerank", isolate=True, parameters=exact),
                     plugin("wave_apart", "vertex_flood_echo", isolate=True, **root)]
        document = replay(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts",
                             "operation": "/op", "type": "/kind", "weight": "/sum"}},
            windows=[{"name": "w", "length": "5s", "slide": "1s", "duplicates": duplicates}],
            plugins=["plugins"],
            jobs=[{"name": "ranks", "kernel": "pagerank", "window": "w", "top": 1000,
                   "parameters": exact},
                  plugin("ranked", "vertex_pagerank", parameters=exact),
                  {"name": "paths", "kernel": "sssp", "window": "w", "top": 1000,
                   "parameters": {"roots": [self.ROOT]}},
                  plugin("near", "vertex_sssp", **root),
                  plugin("greedy", "colouring"), plugin("colours", "vertex_colouring"),
                  {"name": "parts", "kernel": "wcc", "window": "w", "top": 1000},
                  plugin("wave", "vertex_flood_echo", **root),
                  plugin("again", "vertex_flood_echo", threads=1, **root), *apart])
        with Sashd(document, records, before=with_plugins) as sashd:
            self.assertEqual(sashd.wait(), 0, sashd.log())
            results = {(line["job"], line["window_end"]): line for line in sashd.lines()}
        ends = {end for _, end in results}
        self.assertGreater(len(ends), 20)
        self.assertEqual(len(results), (9 + len(apart)) * len(ends),
                         "each job has a result of each window")
        for end in ends:
            ranks, ranked = ({row["vertex"]: row["score"] for row in results[job, end]["top"]}
                             for job in ("ranks", "ranked"))
            self.assertEqual(ranks.keys(), ranked.keys())
            for vertex, rank in ranks.items():
                self.assertAlmostEqual(ranked[vertex], rank, delta=1e-9, msg=(end, vertex))
            for job in apart:
                here = job["name"].removesuffix("_apart")
                if here != "ranked":
                    self.assertEqual(without_run(results[here, end]),
                                     without_run(results[job["name"], end]))
                    continue
                for row in results[job["name"], end]["top"]:  # sums in another order
                    self.assertAlmostEqual(row["score"], ranked[row["vertex"]], delta=1e-12)
            paths = {row["vertex"]: row["distance"] for row in results["paths", end]["top"]}
            near = {row["vertex"]: row["score"] for row in results["near", end]["top"]}
            self.assertEqual(near, paths, end)
            self.assertEqual(results["colours", end]["top"], results["greedy", end]["top"], end)
            wave, again = results["wave", end], results["again", end]
            self.assertEqual(wave["top"], again["top"], "whatever the number of threads")
            self.assertEqual(wave["heard"], len(wave["top"]))
            self.assertIn(wave["heard"], [0, *(row["size"] for row in
                                                 results["parts", end]["top"])])

    def test_equal_results_with_every_policy_removals_and_types(self):
        for duplicates in ("keep", "drop", "weigh"):
            with self.subTest(duplicates):
                self.compare(duplicates)


class VertexProgramFaultsTest(unittest.TestCase):
    """A window of several blocks of vertices, and the fixture that goes wrong as it is told."""
    SIZE = 4_000

    def run_jobs(self, jobs: list[dict[str, Any]]) -> tuple[dict[str, dict[str, Any]], str]:
        """The first result of each job, and the log."""
        chance = random.Random(3)
        records = b"".join(json.dumps({"from": f"k{chance.randrange(self.SIZE)}",
                                       "to": f"k{chance.randrange(self.SIZE)}",
                                       "ts": time}).encode() + b"\n" for time in range(10_000))
        with Sashd(replay(plugins=["plugins"], jobs=jobs), records,
                   before=with_plugins) as sashd:
            self.assertEqual(sashd.wait(), 0, sashd.log())
            return {line["job"]: line for line in sashd.lines()}, sashd.log()

    def test_the_number_of_threads_changes_no_answer(self):
        names = ("vertex_faults", "vertex_pagerank", "vertex_colouring")
        results, _ = self.run_jobs([plugin(f"{name}{threads}", name, threads=threads,
                                           **{"top": 2 * self.SIZE})
                                    for name in names for threads in (1, 2, 5)])
        for name in names:
            self.assertTrue(results[f"{name}1"]["top"])
            for threads in (2, 5):
                self.assertEqual(results[f"{name}{threads}"]["top"], results[f"{name}1"]["top"])

    def test_what_goes_wrong_fails_the_run_with_the_reason(self):
        reasons = {
            "never_halts": "it has not ended after 50 supersteps (kMostSupersteps)",
            "nan": " is NaN",
            "throws": "vertex_faults 1.0: place 3",  # the first in the order of the keys
            "fails": "vertex_faults 1.0: place 3",
            "far": "it sends to a place that no vertex has",
            "floods": "a vertex sends more letters in a superstep than it has neighbours, and one",
            "constructor": "it was told to fail before it began"}
        results, log = self.run_jobs([plugin(fault, "vertex_faults", parameters={"fault": fault})
                                      for fault in reasons])
        self.assertEqual(results, {})
        for fault, why in reasons.items():
            self.assertRegex(log, rf"job\.failed .*job {fault}: no result .*{re.escape(why)}\n")


class CheckTest(unittest.TestCase):
    def setUp(self) -> None:
        self.sashd = Sashd({}, before=with_plugins)  # for its folder
        self.addCleanup(self.sashd._temporary.cleanup)

    def errors(self, job: str, plugins: str = "[plugins]", more: str = "") -> str:
        (self.sashd.folder / "events").touch()
        (self.sashd.folder / "sashd.yaml").write_text(
            "source: {replay: {path: events}, format: {json: {source: /from, target: /to}}}\n"
            "windows: [{name: w, length: 10s, slide: 1s, by: processing_time}]\n"
            f"plugins: {plugins}\njobs:\n  - name: mine\n    kernel: plugin\n    window: w\n{job}"
            f"{more}", encoding="utf-8")
        done = subprocess.run([program("SASHD", "sashd"), "--check", "sashd.yaml"],
                              cwd=self.sashd.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        return done.stdout if done.returncode else ""

    def test_each_error_has_file_line_and_name(self):
        hostile = "    plugin: plugins/hostile.so\n"
        self.assertEqual(self.errors(hostile), "")
        self.assertIn("sashd.yaml:9: jobs[0].parameters.rate: must be a number of at least 0 and "
                      "below 1, not `2`", self.errors(hostile + "    parameters: {rate: 2}\n"))
        self.assertIn("sashd.yaml:10: jobs[0].parameters.rat: is not a parameter of the plug-in; "
                      "did you mean `rate`?",
                      self.errors(hostile + "    parameters:\n      rat: 0.1\n"))
        self.assertIn("sashd.yaml:8: jobs[0].plugin: is `plugins/hostile.so`, but no plug-in may "
                      "be loaded: add its folder", self.errors(hostile, "[]"))
        self.assertIn("sashd.yaml:8: jobs[0].plugin: `/etc/passwd` is not below a path of "
                      "`plugins`", self.errors("    plugin: /etc/passwd\n"))
        os.chmod(self.sashd.folder / "plugins" / "hostile.so", 0o777)
        self.assertIn("can be written to by others (mode 0777); chmod go-w it",
                      self.errors(hostile))
        alert = "alerts:\n  - {name: a, job: mine, on: result, where: 'colours > 3'}\n"
        self.assertEqual(self.errors("    plugin: plugins/colouring.so\n", more=alert), "")
        self.assertIn("alerts[0].where: ", self.errors("    plugin: plugins/reciprocity.so\n",
                                                       more=alert))


class PluginsThatGoWrongTest(unittest.TestCase):
    def document(self, **parameters: Any) -> dict[str, Any]:
        return live(windows=[{"name": "w", "length": "2s", "slide": "500ms"}],
                    plugins=["plugins"], shutdown_deadline="2s",
                    jobs=[plugin("mine", "hostile", deadline="500ms", parameters=parameters),
                          {"name": "shape", "kernel": "window", "window": "w"}])

    def await_failure(self, sashd: Sashd, reason: str, why: str) -> dict[str, Any]:
        self.assertTrue(await_that(
            lambda: sashd.metric("sash_job_failed_total", job="mine", reason=reason) > 0),
            sashd.log())
        job = sashd.json("/api/v1/jobs/mine")
        self.assertIn(why, job["last_failure"])
        return job

    def test_wrong_answers_and_failures_fail_the_run_with_their_reason(self):
        for fault, reason, why in (
                ("nan", "wrong_answer", "is NaN"),
                ("few", "wrong_answer", "it gives 1 values, but there are "),
                ("garbage", "wrong_answer", "it gives 18446744073709551615 values"),
                ("fails", "plugin_failed", "plug-in hostile 1.0: it was told to fail")):
            document = self.document(fault=fault)
            with self.subTest(fault), Sashd(document, before=with_plugins) as sashd:
                sashd.generate("--rate", "200", "--scale", "5")
                self.await_failure(sashd, reason, why)
                sashd.await_log(r"job\.failed .*job mine: no result for window w ending ")
                self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_slow_plugin_is_cancelled_at_its_deadline(self):
        with Sashd(self.document(fault="slow"), before=with_plugins) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            self.assertTrue(await_that(
                lambda: sashd.metric("sash_job_cancelled_total", job="mine") > 0), sashd.log())
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_an_endless_plugin_pauses_its_job_and_other_jobs_go_on(self):
        with Sashd(self.document(fault="endless"), before=with_plugins) as sashd:
            sashd.generate("--rate", "200", "--scale", "5")
            sashd.await_log(r"job\.failed .*plug-in hostile 1\.0: it went on for 5 s after it was")
            # The advance that waited meanwhile fails at once.
            job = self.await_failure(sashd, "plugin_lost", "plug-in hostile 1.0: ")
            self.assertTrue(job["paused"])
            runs = sashd.json("/api/v1/jobs/shape")["runs"]
            self.assertTrue(await_that(
                lambda: sashd.json("/api/v1/jobs/shape")["runs"] > runs + 3), sashd.log())
            begun = time.monotonic()
            self.assertNotEqual(sashd.stop(), 0, "it is ended by force")
            self.assertLess(time.monotonic() - begun, 30)


def processes_of(sashd: int) -> list[int]:
    """The processes of plug-ins that this sashd has started."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cmdline").read_bytes().endswith(f"--plugin-child\0{sashd}\0".encode()):
                found.append(int(process.name))
    return found


class IsolatedPluginsTest(unittest.TestCase):
    """With `isolate: true`, whatever a plug-in does to its process, only its run fails."""

    def document(self, fault: str, deadline: str = "500ms") -> dict[str, Any]:
        return live(windows=[{"name": "w", "length": "2s", "slide": "500ms"}],
                    plugins=["plugins"], shutdown_deadline="5s",
                    jobs=[plugin("mine", "hostile", isolate=True, deadline=deadline,
                                 parameters={"fault": fault}),
                          {"name": "shape", "kernel": "window", "window": "w"}])

    def await_others(self, sashd: Sashd) -> None:
        runs = sashd.json("/api/v1/jobs/shape")["runs"]
        self.assertTrue(await_that(
            lambda: sashd.json("/api/v1/jobs/shape")["runs"] > runs + 2), sashd.log())

    def stop(self, sashd: Sashd) -> None:
        process = sashd.process.pid
        self.assertEqual(sashd.stop(), 0, sashd.log())
        self.assertEqual(processes_of(process), [])

    def test_a_process_that_ends_or_writes_garbage_fails_its_run_alone(self):
        for fault, reason, why in (
                ("abort", "plugin_died", "its process was ended by signal 6 (Aborted)"),
                ("segfault", "plugin_died", "signal 11 (Segmentation fault)"),
                ("exits", "plugin_died", "its process ended with exit code 0 before it had"),
                ("closes", "plugin_died", "it closed the descriptor of its answer and went on"),
                ("writes", "wrong_answer", "its process wrote bytes that are not an answer"),
                ("nan", "wrong_answer", "is NaN")):
            with self.subTest(fault), Sashd(self.document(fault), before=with_plugins) as sashd:
                sashd.generate("--rate", "200", "--scale", "5")
                self.assertTrue(await_that(
                    lambda: sashd.metric("sash_job_failed_total", job="mine", reason=reason) > 1),
                    sashd.log())
                job = sashd.json("/api/v1/jobs/mine")
                self.assertIn(why, job["last_failure"])
                self.assertFalse(job["paused"])
                self.await_others(sashd)
                self.stop(sashd)

    def test_an_endless_plugin_is_ended_at_its_deadline(self):
        for fault in ("endless", "forks"):
            with self.subTest(fault), Sashd(self.document(fault), before=with_plugins) as sashd:
                sashd.generate("--rate", "200", "--scale", "5")
                self.assertTrue(await_that(
                    lambda: sashd.metric("sash_job_cancelled_total", job="mine") > 1), sashd.log())
                self.assertFalse(sashd.json("/api/v1/jobs/mine")["paused"])
                self.await_others(sashd)
                self.stop(sashd)

    def test_a_constructor_without_end_keeps_only_its_own_request(self):
        job = json.dumps(plugin("endless", "endless", isolate=True)).encode()
        answers: list[int] = []
        with Sashd(self.document("none"), before=with_plugins) as sashd:
            folder = sashd.folder / "plugins"
            subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "endless.so", "-x", "c", "-"],
                           input=b"__attribute__((constructor)) static void stay(void)"
                                 b"{ for (;;) __asm__ volatile(\"\"); }", check=True)
            os.chmod(folder / "endless.so", 0o755)
            process = sashd.process.pid

            def ask(method: str, path: str, body: bytes) -> int:
                request = urllib.request.Request(
                    sashd.url(path), body, {"Content-Type": "application/json"}, method=method)
                try:
                    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                        return answer.status
                except urllib.error.HTTPError as error:
                    with error:
                        return error.code
                except OSError:
                    return 0  # the end of the process was faster than the answer
            sashd.await_log("http listens on")
            adding = threading.Thread(
                target=lambda: answers.append(ask("POST", "/api/v1/jobs", job)))
            adding.start()
            self.assertTrue(await_that(lambda: processes_of(process) != []), sashd.log())
            self.assertEqual(ask("POST", "/api/v1/jobs/shape/pause", b""), 200)
            self.assertEqual(answers, [], "its constructor has not ended, and 10 s are not over")
            self.stop(sashd)
            adding.join()
            self.assertIn(answers, ([503], [0]))

    def test_no_process_outlives_sashd(self):
        for sign in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(sign), Sashd(self.document("endless", "none"),
                                           before=with_plugins) as sashd:
                process = sashd.process.pid
                sashd.generate("--rate", "200", "--scale", "5")
                self.assertTrue(await_that(lambda: processes_of(process) != []), sashd.log())
                sashd.process.send_signal(sign)
                self.assertEqual(sashd.wait(), -9 if sign == signal.SIGKILL else 0, sashd.log())
                self.assertTrue(await_that(lambda: processes_of(process) == []))


if __name__ == "__main__":
    unittest.main(verbosity=2)

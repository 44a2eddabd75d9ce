"""`sashctl` with a live `sashd`, as people and scripts use it: every command, as a table and as
JSON, and every kind of failure."""
import contextlib
import http.server
import json
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import unittest
from typing import Iterator

import protected
from protected import ADMIN, READ
from sashctl_case import OK, RANKS, REFUSED, UNREACHABLE, USAGE, SashctlCase, Screen, sashctl
from sashd_process import PATIENCE_SECONDS, SHAPE, Sashd, await_that, live, program


class StillTest(SashctlCase):
    """A stream that has stopped, so that responses can be compared."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.sashd = Sashd(live(jobs=[SHAPE, RANKS], time={
            "unit": "ms", "disorder": "100ms", "idle_after": "200ms"}))
        cls.sashd.start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.sashd.generate_all("--edges", "4000", "--event-rate", "1000", "--scale", "6", "--seed",
                               "3", "--start", "2026-01-01T00:00:00Z")
        # A key that would clear the screen, a wide one, and records that close their slice.
        for source, target, at in (("\x1b[2J\x9b31m", "北京", 4_100), ("v1", "v2", 5_100)):
            cls.sashd.produce(json.dumps({"from": source, "to": target,
                                          "ts": 1_767_225_600_000 + at}).encode())
        for job in ("shape", "ranks"):
            path = f"/api/v1/jobs/{job}/results/latest"
            last = "2026-01-01T00:00:05.000Z"
            if not await_that(lambda: cls.sashd.json(path).get("window_end") == last):
                raise AssertionError(cls.sashd.log())

    def test_json_is_that_of_the_api_byte_for_byte(self):
        for words, path in ((["windows"], "windows"), (["windows", "show", "w"], "windows/w"),
                            (["results", "ranks"], "jobs/ranks/results/latest"),
                            (["results", "ranks", "--top", "2"], "jobs/ranks/results/latest?top=2"),
                            (["results", "ranks", "--limit", "2"], "jobs/ranks/results?limit=2"),
                            (["results", "ranks", "--before", "3", "--limit", "1"],
                             "jobs/ranks/results?before=3&limit=1"),
                            (["results", "ranks", "--snapshot", "1"], "jobs/ranks/results/1"),
                            (["diffs", "ranks"], "jobs/ranks/diffs/latest"),
                            (["diffs", "ranks", "--snapshot", "1"], "jobs/ranks/diffs/1"),
                            (["diffs", "ranks", "--limit", "2", "--before", "4"],
                             "jobs/ranks/diffs?limit=2&before=4"),
                            (["vertex", "ranks", "v1"], "jobs/ranks/vertices/v1"),
                            (["path", "w", "v1", "v2"], "windows/w/paths?from=v1&to=v2"),
                            (["path", "w", "北京", "v2", "--by", "weight", "--direction", "both",
                              "--most", "9", "--edges-most", "70"], "windows/w/paths?to=v2&"
                             "from=%E5%8C%97%E4%BA%AC&by=weight&direction=both&most=9&edges_most=70"),
                            (["jobs", "show", "ranks"], "jobs/ranks"), (["jobs"], "jobs"),
                            (["top", "ranks"], "jobs/ranks/results?limit=2")):
            with self.subTest(words):
                self.assertEqual(self.ask("--json", *words), self.sashd.get("/api/v1/" + path)[2])

    def test_status_puts_the_answers_together(self):
        status = json.loads(self.ask("status", "--json"))
        self.assertEqual(list(status),
                         ["version", "readiness", "stream", "source", "windows", "jobs"])
        for name in ("version", "windows", "jobs"):
            self.assertEqual(status[name], self.sashd.json("/api/v1/" + name))
        text = self.ask("status")
        self.assertRegex(text, rf"^sashd {status['version']['version']} at http://\S+ is ready\n")
        self.assertIn("4002 records read", text)
        self.assertRegex(text, r"(?m)^w +2026-01-01 00:00:\d\dZ ")
        self.assertRegex(text, r"(?m)^ranks +pagerank +w +idle ")

    def test_tables_say_what_the_api_says(self):
        window = self.sashd.json("/api/v1/windows/w")
        header, row = self.ask("windows").splitlines()
        self.assertEqual(header.split()[:5], ["WINDOW", "END", "SNAPSHOT", "EDGES", "VERTICES"])
        self.assertEqual(row.split()[3:6], [str(window[each])
                                            for each in ("snapshot", "edges", "vertices")])
        self.assertRegex(self.ask("windows", "show", "w"), rf"(?m)^edges +{window['edges']}$")
        self.assertEqual(self.ask("windows", "--names"), "w\n")
        self.assertEqual(self.ask("jobs", "--names"), "shape\nranks\n")
        runs = self.sashd.json("/api/v1/jobs/ranks")["runs"]
        self.assertRegex(self.ask("jobs"), rf"(?m)^ranks +pagerank +w +idle +{runs} ")
        shown = self.ask("jobs", "show", "ranks")
        self.assertRegex(shown, rf"(?m)^runs +{runs}$")
        self.assertRegex(shown,
                         r"(?m)^last phases\nPHASE +TIME +SHARE\nwaiting .* %\npreparing .* %\n")
        self.assertRegex(self.ask("windows", "show", "w"), r"(?m)^publishing +\S+ \S+ +\d+ %$")
        result = self.sashd.json("/api/v1/jobs/ranks/results/latest")
        shown = self.ask("results", "ranks")
        self.assertTrue(shown.startswith("ranks: pagerank on w, "), shown)
        self.assertEqual([line.split()[0] for line in shown.splitlines()[-5:]],
                         [row["vertex"] for row in result["top"]])
        lines = self.ask("results", "ranks", "--limit", "2").splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:]],
                         [str(each["snapshot"])
                          for each in self.sashd.json("/api/v1/jobs/ranks/results?limit=2")])
        vertex = result["top"][0]
        self.assertRegex(self.ask("vertex", "ranks", vertex["vertex"]),
                         rf"^vertex +{vertex['vertex']}\nscore +{vertex['score']:.4g}\nrank +1\n")

    def test_top_says_how_the_list_moved(self):
        now, before = self.sashd.json("/api/v1/jobs/ranks/results?limit=2")
        places = {row["vertex"]: row["rank"] for row in before["top"]}
        wanted = []
        for row in now["top"]:
            gained = places.get(row["vertex"], 0) - row["rank"]
            moved = "new" if row["vertex"] not in places else \
                f"{'▲' if gained > 0 else '▼'}{abs(gained)}" if gained else ""
            wanted.append([str(row["rank"]), moved, row["vertex"]])
        text = self.ask("top", "ranks")
        self.assertEqual(self.ask("top", "ranks", "--once"), text)
        shown = [re.match(r" *(\d+)  (\S*) +(v\d+) ", line) for line in text.splitlines()]
        self.assertEqual([list(each.groups()) for each in shown if each], wanted, text)
        self.assertEqual(len([line for line in self.ask("top", "ranks", "--rows", "2").splitlines()
                              if re.match(r" *\d+ ", line)]), 3, "a line of figures and two rows")
        self.assertIn("pairs ", self.ask("top", "shape"))

    def test_paths_are_as_short_as_those_of_networkx(self):
        try:
            import networkx  # pylint: disable=import-outside-toplevel
        except ModuleNotFoundError as error:
            raise unittest.SkipTest(f"no Python package {error.name}; "
                                    "tests/run.sh installs it") from error
        graph = networkx.MultiDiGraph()
        keys = [f"v{i}" for i in range(64)]
        for key in keys:
            status, _, body = self.sashd.get(f"/api/v1/windows/w/vertices?key={key}&limit=10000")
            if status == 200:
                graph.add_edges_from((key, other["vertex"]) for other in json.loads(body)["out"])
        ends = [key for key in keys if key in graph]
        self.assertGreater(len(ends), 20)
        lengths = dict(networkx.all_pairs_shortest_path_length(graph, cutoff=6))
        for source in ends[::7]:
            for target in ends[::3]:
                path = self.sashd.json(f"/api/v1/windows/w/paths?from={source}&to={target}")
                self.assertEqual(path["length"], lengths[source].get(target), path)
                self.assertEqual(path["paths"], len(list(networkx.all_shortest_paths(
                    networkx.DiGraph(graph), source, target))) if path["found"] else 0)
                self.assertTrue(all(graph.has_edge(step["source"], step["target"])
                                    for step in path["steps"]))
        text = self.ask("path", "w", "v1", "v2")
        self.assertRegex(text, r"^w, until 2026-01-01 00:00:05Z, snapshot \d+: "
                               r"\d edges?, weight \d")
        self.assertRegex(text, r"(?m)^v1 → .*v2$")
        self.assertIn("no path of at most 1 edge from v1 to 北京",
                      self.ask("path", "w", "v1", "北京", "--most", "1"))
        self.assertIn("by: must be one of hops, weight",
                      self.ask("path", "w", "v1", "v2", "--by", "cost", code=REFUSED))

    def test_why_begins_with_the_reason(self):
        why = self.sashd.get("/api/v1/windows/w/why")
        if why[0] != 200:
            raise unittest.SkipTest("this sashd has no /api/v1/windows/{window}/why")
        self.assertTrue(self.ask("why", "w").startswith(json.loads(why[2])["summary"] + "\n\n"))
        self.assertEqual(list(json.loads(self.ask("why", "w", "--json"))), list(json.loads(why[2])))
        self.assertIn("there are: w", self.ask("why", "v", code=REFUSED))

    def test_no_control_character_reaches_a_terminal(self):
        key = "\x1b[2J\x9b31m"
        listed = ["results", "ranks", "--top", "100"]
        top = json.loads(self.ask(*listed, "--json"))["top"]
        self.assertIn(key, [row["vertex"] for row in top])
        self.assertIn("vertex  \\u001b[2J\\u009b31m\n", self.ask("vertex", "ranks", key))
        text = self.ask(*listed)
        lines = {line.split()[0]: line for line in text.splitlines() if line}
        self.assertIn("\\u001b[2J\\u009b31m", lines)
        wide = lines["北京"]
        self.assertEqual(len(wide) + 2, len(lines["VERTEX"]), "columns align")
        for words in ([*listed, "--json"], listed, ["vertex", "ranks", key], ["jobs", "show", key]):
            screen = self.screen(*words)
            screen.end()
            shown = screen.text.replace("\r\n", "\n")
            self.assertNotRegex(shown, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", words)

    def test_refusals_are_those_of_the_api(self):
        nobody = "no job 'nobody'; there are: shape, ranks"
        for words, said in ((["jobs", "show", "nobody"], nobody), (["top", "nobody"], nobody),
                            (["jobs", "pause", "a/b"], "no job 'a/b'; there are: shape, ranks"),
                            (["windows", "show", "v"], "no window 'v'; there are: w"),
                            (["vertex", "ranks", "nobody"], 'vertex "nobody" is not in the window'),
                            (["results", "ranks", "--snapshot", "77"],
                             "has no result of snapshot 77"),
                            (["results", "ranks", "--limit", "5000"], "limit")):
            with self.subTest(words):
                self.assertRegex(self.ask(*words, code=REFUSED), f"^sashctl: .*{re.escape(said)}")
        done = sashctl("jobs", "show", "nobody", "--json", url=self.sashd.url(""))
        self.assertEqual(done.stdout.decode(), self.sashd.get("/api/v1/jobs/nobody")[2])
        self.assertEqual(done.returncode, REFUSED)

    def test_usage_is_2_and_what_cannot_be_reached_is_3(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = pathlib.Path(folder) / "empty"
            empty.write_text("\n")
            for words in ([], ["job"], ["results", "ranks", "--snapshot", "1", "--limit", "2"],
                          ["diffs", "ranks", "--snapshot", "1", "--limit", "2"],
                          ["jobs", "add", "/no/such/file"], ["--url", "ftp://a", "jobs"],
                          ["--token-file", str(empty), "jobs"], ["--ca-file", "/no", "jobs"],
                          ["--token-file", "/no", "jobs"], ["--token-file", folder, "jobs"]):
                with self.subTest(words):
                    self.assertIn("sashctl: ", self.ask(*words, code=USAGE))
            self.assertIn("No such file", self.ask("--token-file", "/no", "jobs", code=USAGE))
        with socket.socket() as taken:  # bound, but not listening
            taken.bind(("127.0.0.1", 0))
            url = "http://127.0.0.1:%d" % taken.getsockname()[1]
            for words in (["status"], ["jobs", "pause", "ranks"], ["top", "ranks"]):
                done = sashctl(*words, "--url", url)
                self.assertEqual((done.returncode, done.stdout), (UNREACHABLE, b""))
                self.assertTrue(done.stderr.decode().startswith(
                    f"sashctl: cannot connect to {url}: Connection refused"), done.stderr)
            with Screen("top", "ranks", "--url", url) as screen:
                self.assertEqual(screen.end(), UNREACHABLE)
                self.assertIn("Connection refused", screen.text)
        with other_server() as url:
            done = sashctl("jobs", url=url)
            self.assertEqual(done.returncode, UNREACHABLE, done)
            self.assertIn("did not respond like sashd", done.stderr.decode())
            for words in (["jobs", "--json"], ["windows", "show", "w", "--json"],
                          ["jobs", "remove", "x"], ["jobs", "remove", "x", "--json"],
                          ["leases", "revoke", "x"]):
                done = sashctl(*words, url=url)
                self.assertEqual((done.returncode, done.stdout), (UNREACHABLE, b""), words)
                self.assertIn("did not respond like sashd", done.stderr.decode())
            for words in (["jobs", "pause", "x"], ["jobs", "pause", "x", "--json"]):
                done = sashctl(*words, url=url)
                self.assertEqual((done.returncode, done.stdout), (REFUSED, b""))
                self.assertIn("status 501", done.stderr.decode())
            done = sashctl("jobs", "show", "moved", url=url)
            self.assertEqual((done.returncode, done.stdout), (REFUSED, b""))
            self.assertIn("status 302: it redirects to http://elsewhere.example/x, which is not "
                          "followed", done.stderr.decode())

    def test_output_that_nobody_takes_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([program("SASHCTL", "control/sashctl"), "jobs"], stdout=full,
                                  stderr=subprocess.PIPE, env={"SASHCTL_URL": self.sashd.url("")},
                                  check=False, timeout=PATIENCE_SECONDS)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("standard output: No space left", done.stderr.decode())


@contextlib.contextmanager
def other_server() -> Iterator[str]:
    """HTTP, but not sashd."""
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802
            moved = self.path.endswith("/moved")
            self.send_response(302 if moved else 200)
            if moved:
                self.send_header("Location", "http://elsewhere.example/x")
            self.send_header("Content-Length", "6")
            self.end_headers()
            self.wfile.write(b"<html>")

        do_DELETE = do_GET

        def log_message(self, *_: object) -> None:
            pass
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class ManyTest(SashctlCase):
    def test_lists_of_several_pages_are_one(self):
        names = [f"job-{number}" for number in range(1001)]
        self.sashd = Sashd(live(jobs=[{**SHAPE, "name": name} for name in names]))
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.assertEqual(len(self.sashd.json("/api/v1/jobs")), 1000)
        self.assertEqual(self.ask("jobs", "--names").split(), names)
        self.assertEqual([job["name"] for job in json.loads(self.ask("jobs", "--json"))], names)


class ExposedTest(SashctlCase):
    def test_tls_and_tokens(self):
        def put(folder: pathlib.Path) -> None:
            protected.put(folder)
            (folder / "token").write_text(ADMIN + "\n")
        with Sashd(live(http={"listen": "127.0.0.1:0", **protected.HTTP}), before=put,
                   env=protected.ENVIRONMENT) as sashd:
            port = sashd.await_log(r"https listens on \S+:(\d+)")[1]
            url, trust = f"https://127.0.0.1:{port}", str(sashd.folder / "tls/certificate.pem")

            def said(*words: str, **environment: str) -> tuple[int, str]:
                done = sashctl(*words, url=url, **environment)
                return done.returncode, (done.stdout + done.stderr).decode()
            token = str(sashd.folder / "token")
            self.assertEqual(said("jobs", "--names", "--ca-file", trust, SASHCTL_TOKEN=READ),
                             (OK, "shape\n"))
            self.assertEqual(said("jobs", "pause", "shape", "--token-file", token,
                                  SASHCTL_CA_FILE=trust, SASHCTL_TOKEN="of no use"),
                             (OK, "job shape is paused\n"))
            code, text = said("jobs", "resume", "shape", "--ca-file", trust, SASHCTL_TOKEN=READ)
            self.assertEqual(code, REFUSED, text)
            code, text = said("jobs", "--ca-file", trust, SASHCTL_TOKEN="x" * 20)
            self.assertEqual(code, REFUSED, text)
            self.assertNotIn("x" * 20, text)
            code, text = said("jobs", "--ca-file", trust)
            self.assertEqual(code, REFUSED)
            self.assertIn("--token-file", text)
            code, text = said("jobs", SASHCTL_TOKEN=READ)
            self.assertEqual(code, UNREACHABLE)
            self.assertIn("--ca-file", text)
            code, text = said("jobs", "--url", f"http://127.0.0.1:{port}", SASHCTL_TOKEN=READ)
            self.assertEqual(code, UNREACHABLE)
            self.assertIn("is it https://?", text)
            code, text = said("jobs", "--url", f"http://127.0.0.1.example:{port}",
                              SASHCTL_TOKEN=READ)
            self.assertEqual(code, USAGE)
            self.assertIn("could read the token", text)
            with Screen("top", "shape", "--ca-file", trust, SASHCTL_URL=url,
                        SASHCTL_TOKEN=READ) as screen:
                screen.await_drawing("no result yet")
                screen.type("q")
                self.assertEqual(screen.end(), OK)


if __name__ == "__main__":
    unittest.main()

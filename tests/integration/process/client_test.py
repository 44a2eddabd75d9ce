"""The Python package `sash` as a client of a running sashd."""
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest
import unittest.mock
from typing import Any

from http_proxy import HTML, HttpProxy
from sashd_process import ROOT, Sashd, await_that, edges, live, replay

sys.path[:0] = [str(ROOT / "connectors" / "python")]
import sash  # noqa: E402
import sash.events  # noqa: E402

# Stays at its end, so that a client can ask.
RECORDS = edges([("a", "b", 1_000), ("a", "c", 2_000), ("b", "c", 3_000), ("b", "c", 11_000),
                 ("ü/?", "c", 12_000)])
WINDOW = {"name": "w", "length": "10s", "slide": "10s"}
DEGREE = {"name": "degree", "kernel": "degree", "window": "w", "parameters": {"direction": "in"}}


class FiniteCase(unittest.TestCase):
    def start(self, **more: Any) -> Sashd:
        shared = tempfile.TemporaryDirectory(prefix="sash-client-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        document = replay(windows=[WINDOW, {**WINDOW, "name": "other"}], jobs=[DEGREE],
                          http={"listen": "127.0.0.1:0"},
                          exports=[{"frozen": {"path": f"{shared.name}/s", "windows": ["w"]}}],
                          **more)
        document["source"]["replay"]["at_end"] = "stay"
        sashd = Sashd(document, RECORDS)
        sashd.__enter__()
        self.addCleanup(sashd.__exit__)
        sashd.await_lines(2)
        return sashd


class ClientTest(FiniteCase):
    def test_results_diffs_and_vertices_are_objects(self):
        sashd = self.start()
        client = sash.connect(sashd.url(""))
        self.assertEqual(list(client.jobs), ["degree"])
        self.assertNotIn("mine", client.jobs)
        job = client.jobs["degree"]
        result = job.latest()
        self.assertEqual((result.job, result.window, result.snapshot), ("degree", "w", 2))
        self.assertEqual(result.window_end, "1970-01-01T00:00:20.000Z")
        self.assertEqual(result.scores(), {"c": 2, "b": 0, "ü/?": 0})
        self.assertEqual(repr(result), "<sash.Result degree of w 2, to 1970-01-01T00:00:20.000Z: "
                                       "3 rows>")
        self.assertEqual([each.snapshot for each in job.results()], [2, 1])
        self.assertEqual(job.result(1, top=1).top, [{"vertex": "c", "rank": 1, "score": 2}])
        diff = job.diff()
        self.assertEqual([row["vertex"] for row in diff.entered], ["ü/?"])
        self.assertEqual([row["vertex"] for row in diff.left], ["a"])
        for compared in (job.diff(since=1), job.diff(snapshot=2), job.diff(snapshot=2, since=1)):
            self.assertEqual(compared.about, diff.about)
        self.assertEqual(job.vertex("c"), {"vertex": "c", "score": 2, "rank": 1})
        self.assertEqual([(row["snapshot"], row["score"], row["known"])
                          for row in job.history("ü/?")], [(2, 0, True), (1, None, False)])
        page = job.latest(top=1, offset=1)
        self.assertEqual([row["rank"] for row in page.top], [2])
        self.assertEqual(page.about["rows"], 3)
        for size in (1, 2, 3, 4):
            self.assertEqual([row["vertex"] for row in client.window("w").keys(page=size)],
                             ["b", "c", "ü/?"])
        self.assertEqual(list(client.window("w").keys("ü")),
                         [{"vertex": "ü/?", "out_degree": 1, "in_degree": 0}])
        vertex = client.window("w").vertex("ü/?")
        self.assertEqual((vertex.key, vertex.out_degree, vertex.in_degree), ("ü/?", 1, 0))
        self.assertEqual([edge["vertex"] for edge in vertex.out], ["c"])
        self.assertEqual(job.status()["runs"], 2)
        try:
            import pandas  # noqa: F401
        except ImportError:
            return
        self.assertEqual(result.to_pandas()["score"].tolist(), [2, 0, 0])
        self.assertEqual(set(diff.to_pandas()["change"]), {"entered", "left", "changed"})
        self.assertEqual(vertex.to_pandas()["direction"].tolist(), ["out"])

    def test_a_window_opens_its_newest_snapshot(self):
        sashd = self.start()
        client = sash.connect(sashd.url(""))
        self.assertEqual(list(client.windows), ["w", "other"])
        self.assertTrue(await_that(lambda: sashd.metric("sash_export_written_total") == 2))
        with client.windows["w"].snapshot() as snapshot:
            self.assertEqual(snapshot.number, 2)
            self.assertEqual(list(snapshot.keys), ["b", "c", "ü/?"])
        with self.assertRaises(sash.SnapshotError) as none:
            client.window("other").snapshot()
        self.assertIn("window 'other' has no frozen snapshots; add it to exports",
                      str(none.exception))
        with self.assertRaises(KeyError):
            client.windows["none"]

    def test_jobs_are_managed(self):
        sashd = self.start()
        client = sash.connect(sashd.url(""))
        job = client.jobs.add({"name": "groups", "kernel": "wcc", "window": "w"})
        self.assertEqual(job.trigger(), 2)
        self.assertTrue(await_that(lambda: job.status()["runs"] == 1))
        self.assertEqual(job.latest().about["components"], 1)
        for page in (1, 2, 3, 4):
            self.assertEqual([each["vertex"] for each in job.members("c", page=page)],
                             ["b", "c", "ü/?"])
        job.pause()
        self.assertTrue(job.status()["paused"])
        job.resume()
        job.remove()
        self.assertNotIn("groups", client.jobs)

    def test_alerts_are_managed(self):
        sashd = self.start()
        client = sash.connect(sashd.url(""))
        self.assertEqual(list(client.alerts), [])
        alert = client.alerts.add({"name": "high", "job": "degree", "on": "row"})
        self.assertEqual(alert.status()["state"], "waiting")
        self.assertEqual(alert.test()["row"], {"vertex": "c", "rank": 1, "score": 2})
        alert.pause()
        self.assertEqual(client.alerts["high"].status()["state"], "paused")
        alert.resume()
        alert.change({"job": "degree", "on": "row", "where": "rank == 3"})
        self.assertEqual(alert.test()["row"]["rank"], 3)
        with self.assertRaises(sash.ApiError) as wrong:
            alert.change({"job": "degree", "on": "row", "where": "size == 3"})
        self.assertEqual(wrong.exception.keys[0]["key"], "where")
        alert.remove()
        self.assertNotIn("high", client.alerts)

    def test_errors_are_those_of_the_api(self):
        sashd = self.start()
        client = sash.connect(sashd.url(""))
        with self.assertRaises(sash.ApiError) as wrong:
            client.jobs.add({"name": "x", "kernel": "pagernk", "window": "w"})
        self.assertEqual((wrong.exception.status, wrong.exception.code), (422, "wrong_keys"))
        self.assertEqual(wrong.exception.keys[0]["key"], "kernel")
        self.assertIn("did you mean `pagerank`?", str(wrong.exception))
        for settings, why in (({}, "is required with `kernel: external`: give the time that"),
                              ({"deadline": "5s", "window": "other"},
                               "is `other`, which has no frozen snapshots")):
            with self.assertRaises(sash.ApiError) as refused:
                client.jobs.add({"name": "x", "kernel": "external", "window": "w", **settings})
            self.assertIn(why, str(refused.exception))
        with self.assertRaises(sash.ApiError) as missing:
            client.window("none").status()
        self.assertEqual(missing.exception.status, 404)
        self.assertIn("no window 'none'", str(missing.exception))
        client.job("degree")(lambda snapshot: [])
        with self.assertRaises(sash.ApiError) as no_work:
            client.serve()
        self.assertIn("its kernel is degree, not external", str(no_work.exception))
        with self.assertRaises(ValueError):
            sash.connect(sashd.url("")).serve()
        sashd.stop()
        with self.assertRaises(sash.ConnectionFailed):
            client.window("w").status()

    def test_a_token_is_sent(self):
        tokens = {"read": "0123456789abcdef", "admin": "fedcba9876543210"}
        sashd = self.start()
        with Sashd(replay(http={"listen": "127.0.0.1:0", "tokens": tokens})
                   | {"source": {**replay()["source"],
                                 "replay": {"path": "events", "at_end": "stay"}}},
                   RECORDS) as guarded:
            guarded.await_lines(2)
            with self.assertRaises(sash.ApiError) as none:
                sash.connect(guarded.url("")).window("w").status()
            self.assertEqual(none.exception.status, 401)
            reader = sash.connect(guarded.url(""), token=tokens["read"])
            self.assertEqual(list(reader.jobs), ["shape"])
            with self.assertRaises(sash.ApiError) as forbidden:
                reader.jobs["shape"].pause()
            self.assertEqual(forbidden.exception.status, 403)
            sash.connect(guarded.url(""), token=tokens["admin"]).jobs["shape"].pause()
        self.assertEqual(list(sash.connect(sashd.url("")).jobs), ["degree"])


class WrongAnswersTest(unittest.TestCase):
    def answers(self, answer: tuple[int, dict[str, str], bytes]) -> sash.Client:
        proxy = HttpProxy("", lambda method, path: answer)
        self.addCleanup(proxy.__exit__)
        return sash.connect(proxy.__enter__().url)

    def test_an_answer_that_is_not_json_is_an_error_with_its_beginning(self):
        client = self.answers(HTML)
        for ask in (client.window("w").status, lambda: list(client.jobs),
                    client.window("w").snapshot):
            with self.assertRaisesRegex(
                    sash.ConnectionFailed, r"^http://127\.0\.0\.1:\d+/api/v1/\w+(/w)? did not "
                    r"respond like sashd \(invalid JSON\): '<html>\\n<body>Please log in"):
                ask()
        with self.assertRaisesRegex(sash.ConnectionFailed, r"'x{200}' \.\.\.$"):
            self.answers((200, {}, b"x" * 1_000)).window("w").status()
        with self.assertRaisesRegex(sash.ConnectionFailed, "did not respond like sashd"):
            self.answers((200, {}, b"\xff\xfe")).window("w").status()

    def test_a_refusal_that_is_not_json_has_its_beginning(self):
        with self.assertRaises(sash.ApiError) as refused:
            self.answers((502, {}, b"<h1>Bad gateway</h1>")).window("w").status()
        self.assertEqual((refused.exception.status, refused.exception.code), (502, "unknown"))
        self.assertRegex(str(refused.exception), r"^http://.*/api/v1/windows/w: the answer has the "
                                                 r"status 502: '<h1>Bad gateway</h1>'$")
        with self.assertRaises(sash.ApiError) as cut_off:
            self.answers((500, {"Content-Length": "9"}, b"{")).window("w").status()
        self.assertEqual(cut_off.exception.status, 500)

    def test_a_redirection_is_not_followed_so_that_no_other_server_gets_the_token(self):
        other = HttpProxy("", lambda method, path: (200, {}, b"[]"))
        self.addCleanup(other.__exit__)
        other.__enter__()
        for target in (other.url + "/api/v1/windows/w", other.url, "file:///etc/passwd",
                       "/elsewhere"):
            for status in (301, 302, 303, 307, 308):
                client = sash.connect(self.answers((status, {"Location": target}, b""))._api.url,
                                      token="0123456789abcdef")
                for ask in (client.window("w").status, client.window("w").remove,
                            lambda: client.jobs.add({}),
                            lambda: next(client.events(patience=0)),
                            lambda: client.window("w").snapshot(lease=True)):
                    with self.assertRaises(sash.ApiError) as refused:
                        ask()
                    self.assertEqual((refused.exception.status, refused.exception.code),
                                     (status, "redirected"))
                    self.assertIn(f"redirects to '{target}', which is not followed",
                                  str(refused.exception))
        self.assertEqual(other.seen, [])

    def test_a_proxy_of_the_environment_gets_no_request_to_this_host(self):
        with HttpProxy("", lambda method, path: (200, {}, b"[]")) as proxy, \
                unittest.mock.patch.dict(os.environ, http_proxy=proxy.url, no_proxy=""):
            daemon = HttpProxy("", lambda method, path: (200, {}, b'[{"name": "w"}]'))
            self.addCleanup(daemon.__exit__)
            daemon.__enter__()
            for host in ("127.0.0.1", "localhost"):
                url = daemon.url.replace("127.0.0.1", host)
                self.assertEqual(list(sash.connect(url, token="0123456789abcdef").jobs), ["w"])
            self.assertEqual(proxy.seen, [])
            self.assertEqual(list(sash.connect("http://daemon.example").jobs), [])
            self.assertTrue(proxy.seen)

    def test_a_token_goes_to_another_host_only_with_tls(self):
        for url in ("HTTP://sash.example:9640", "http://127.0.0.1.example", "http://10.0.0.1"):
            with self.assertRaisesRegex(ValueError, f"{url} could read the token: use https"):
                sash.connect(url, token="0123456789abcdef")
        sash.connect("https://sash.example:9640", token="0123456789abcdef")
        sash.connect("http://[::1]:9640", token="0123456789abcdef")

    def test_events_of_what_is_not_a_daemon_are_a_failure(self):
        with self.assertRaisesRegex(sash.ConnectionFailed, "did not respond like sashd: the answer "
                                                           "is text/html, not text/event-stream"):
            next(self.answers(HTML).events(patience=0))
        with self.assertRaisesRegex(sash.ConnectionFailed, "an event is not JSON: '<html>'"):
            next(self.answers((200, {}, b"data: <html>\n\n")).events(patience=0))


class FollowTest(unittest.TestCase):
    def test_advances_of_a_window_come_in_order(self):
        windows = [{"name": name, "length": "1s", "slide": "200ms"} for name in ("w", "v")]
        with Sashd(live(windows=windows)) as sashd:
            sashd.generate("--rate", "100", "--scale", "5")
            client = sash.connect(sashd.url(""))
            seen = []
            for event in client.follow("w", after="start", patience=10):
                self.assertEqual((event.kind, event.data["name"]), ("advance", "w"))
                seen.append(event)
                if len(seen) == 4:
                    break
            numbers = [event.data["snapshot"] for event in seen]
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 4)))
            again = next(client.follow("w", after=seen[1].id, patience=10))
            self.assertEqual(again, seen[2])
        with self.assertRaises(sash.ConnectionFailed):
            next(client.follow("w", patience=0.5))

    def test_a_lost_connection_goes_on_after_the_last_event(self):
        asked = []

        class Broken(http.server.BaseHTTPRequestHandler):
            """Sends two events, ends, and continues after the id that it is asked for."""

            def do_GET(self):
                asked.append(self.path)
                first = 2 * (len(asked) - 1)
                if len(asked) == 2:
                    self.send_response(503)
                    self.end_headers()
                    return
                self.send_response(200)
                self.end_headers()
                for number in (first, first + 1):
                    self.wfile.write(f"event: advance\nid: e-{number}\ndata: "
                                     f"{json.dumps({'name': 'w', 'n': number})}\n\n: keep\n\n"
                                     .encode())

            def log_message(self, *_: Any) -> None:
                pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Broken)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        events = sash.connect(f"http://127.0.0.1:{server.server_port}").follow("w", patience=10)
        self.assertEqual([next(events).data["n"] for _ in range(4)], [0, 1, 4, 5])
        self.assertEqual(asked, ["/api/v1/events"] + ["/api/v1/events?after=e-1"] * 2)

    def test_lines_are_parsed_as_the_standard_says(self):
        lines = b": hi\nretry: 5\nevent: a\nid: 1\ndata: {\"x\":\ndata: 1}\n\ndata: 2\n\n\n"
        self.assertEqual(list(sash.events.parse(lines.splitlines(True))),
                         [("a", "1", {"x": 1}), ("message", "1", 2)])


class SourcesTest(unittest.TestCase):
    def test_only_numpy_and_the_standard_library_are_needed(self):
        allowed = {"numpy", "sash", "__future__", *sys.stdlib_module_names}
        for file in pathlib.Path(ROOT, "connectors", "python", "sash").glob("*.py"):
            for line in file.read_text().splitlines():
                words = line.split()
                if line.startswith(("import ", "from ")):
                    self.assertIn(words[1].split(".")[0], allowed, f"{file.name}: {line}")


if __name__ == "__main__":
    unittest.main()

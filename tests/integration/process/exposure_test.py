"""HTTP beyond this machine: no access without TLS and tokens, the rights of each token, and metrics
on a separate port; a real `sashd`, requested by curl with certificates of openssl."""
import http.client
import json
import os
import pathlib
import shutil
import socket
import ssl
import statistics
import subprocess
import tempfile
import threading
import time
import unittest
from typing import Any

from protected import ADMIN, ENVIRONMENT, HTTP as PROTECTED, READ, certificate
from sashd_process import PATIENCE_SECONDS, Sashd, await_that, live


class ExposedCase(unittest.TestCase):
    """The common part of the tests below: a certificate, and tools for requests."""

    @classmethod
    def setUpClass(cls) -> None:
        for tool in ("openssl", "curl"):
            if shutil.which(tool) is None:
                raise unittest.SkipTest(f"there is no {tool}")
        cls.temporary = tempfile.TemporaryDirectory(prefix="sash-tls-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.tls = pathlib.Path(cls.temporary.name) / "tls"
        certificate(cls.tls)

    def put(self, folder: pathlib.Path) -> None:
        shutil.copytree(self.tls, folder / "tls")
        (folder / "read.token").write_text(READ + "\n")

    def sashd(self, **options: Any) -> Sashd:
        return Sashd(live(http=options), before=self.put,
                     env=ENVIRONMENT)

    def address(self, sashd: Sashd, what: str) -> str:
        port = sashd.await_log(rf"{what} listens on \S+:(\d+)")[1]
        return f"localhost:{port}"

    def curl(self, url: str, *options: str) -> tuple[int, str]:
        """Status (0: no response) and body, through 127.0.0.1."""
        done = subprocess.run(
            ["curl", "-sS", "-4", "--max-time", str(PATIENCE_SECONDS), "--cacert",
             self.tls / "certificate.pem", "-w", "\n%{http_code}", *options, url],
            capture_output=True, text=True, check=False)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body


class ExposureTest(ExposedCase):
    def refused(self, **http: Any) -> str:
        """The errors of a configuration that does not start, which must be the same from
        --check."""
        with self.sashd(**http) as sashd:
            self.assertEqual(sashd.wait(), 78, sashd.log())
            checked = subprocess.run([sashd.process.args[0], "--check", "sashd.yaml"],
                                     cwd=sashd.folder, env={"ADMIN_TOKEN": ADMIN},
                                     capture_output=True, text=True, check=False)
            self.assertEqual((checked.returncode, checked.stderr), (78, sashd.log()))
            return sashd.log()

    def test_it_does_not_start_exposed_without_tls_and_tokens(self):
        for more, lacking in (({}, "http.tls and http.tokens"),
                              ({"tls": PROTECTED["tls"]}, "http.tokens"),
                              ({"tokens": PROTECTED["tokens"]}, "http.tls")):
            said = self.refused(listen="0.0.0.0:0", **more)
            self.assertRegex(said,
                             r"sashd\.yaml:1: http\.listen: `0\.0\.0\.0:0` can be reached from "
                             rf"other machines; give {lacking}, or a loopback address")

    def test_it_does_not_start_with_a_certificate_that_cannot_be_used(self):
        def refused(**tls: str) -> str:
            return self.refused(listen="127.0.0.1:0",
                                **{**PROTECTED, "tls": {**PROTECTED["tls"], **tls}})
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other"
            certificate(other)
            subprocess.run(["openssl", "pkcs8", "-topk8", "-passout", "pass:x", "-in",
                            other / "key.pem", "-out", other / "locked.pem"], check=True)
            for said, tls in (
                    ("key: `nowhere.pem` cannot be read: No such file", {"key": "nowhere.pem"}),
                    ("key: `tls` cannot be read: it is a folder", {"key": "tls"}),
                    ("key: `/dev/zero` cannot be read: it is a device", {"key": "/dev/zero"}),
                    ("key: `read.token` holds no PEM private key: ", {"key": "read.token"}),
                    ("key: `tls/certificate.pem` holds no PEM private key: ",
                     {"key": "tls/certificate.pem"}),
                    ("certificate: `read.token` holds no PEM certificate: ",
                     {"certificate": "read.token"}),
                    ("certificate: `tls/key.pem` holds no PEM certificate: ",
                     {"certificate": "tls/key.pem"}),
                    (f"key: `{other}/locked.pem` holds a key that is encrypted; ",
                     {"key": f"{other}/locked.pem"}),
                    (f"key: `{other}/key.pem` is not the key of the certificate in "
                     "`tls/certificate.pem`\n", {"key": f"{other}/key.pem"})):
                with self.subTest(said):
                    self.assertTrue(refused(**tls).startswith(f"sashd.yaml:1: http.tls.{said}"))
            both = refused(certificate="no.pem", key="none.pem").splitlines()
            self.assertEqual(len(both), 2, both)

    def test_without_a_token_every_route_refuses_and_each_token_is_for_what_it_says(self):
        with self.sashd(listen="0.0.0.0:0", **PROTECTED) as sashd:
            api = "https://" + self.address(sashd, "https")
            document = json.loads(self.curl(api + "/openapi.json", "-H",
                                            f"Authorization: Bearer {READ}")[1])
            routes = [(method.upper(), path.replace("{", "").replace("}", ""))
                      for path, methods in document["paths"].items() for method in methods]
            self.assertGreater(len(routes), 20)
            for method, path in [*routes, ("GET", "/"), ("GET", "/nothing"), ("OPTIONS", "/")]:
                with self.subTest(method=method, path=path):
                    self.assertEqual(self.curl(api + path, "-X", method)[0], 401)
            wrong = self.curl(api + "/healthz", "-D", "-", "-H",
                              "Authorization: Bearer " + "x" * 30)
            self.assertEqual(wrong[0], 401)
            self.assertRegex(wrong[1], '(?i)www-authenticate: Bearer realm="sash"')
            read = ["-H", f"Authorization: Bearer {READ}"]
            admin = ["-H", f"Authorization: Bearer {ADMIN}"]
            self.assertEqual(self.curl(api + "/metrics", *read)[0], 200)
            self.assertEqual(self.curl(api + "/api/v1/jobs", "-u", f"me:{READ}")[0], 200)
            pause = api + "/api/v1/jobs/shape/pause"
            self.assertEqual(self.curl(pause, "-X", "POST", *read)[0], 403)
            self.assertEqual(self.curl(pause, "-X", "POST", *admin,
                                       "-H", "Origin: https://evil.example")[0], 403)
            self.assertFalse(json.loads(self.curl(api + "/api/v1/jobs/shape", *read)[1])["paused"])
            self.assertEqual(self.curl(pause, "-X", "POST", *admin)[0], 200)
            self.assertEqual(self.curl(api + "/api/v1/debug/threads", *read)[0], 403)
            self.assertEqual(self.curl(api + "/api/v1/debug/threads", *admin)[0], 200)
            self.assertEqual(sashd.stop(), 0, sashd.log())
            for secret in (READ, ADMIN):
                self.assertNotIn(secret, sashd.log())

    def test_threads_heap_and_allocator_are_told_from_inside(self):
        with Sashd(live(), env={**os.environ, "MALLOC_CONF": "prof:true"}) as sashd:
            def names() -> dict[int, str]:
                return {thread["id"]: thread["name"]
                        for thread in sashd.json("/api/v1/debug/threads")["threads"]}

            self.assertEqual(names()[sashd.process.pid], "sashd")
            # A thread names itself, so it may have another name just after the start.
            wanted = {"engine", "http", "kafka source"}
            self.assertTrue(await_that(lambda: wanted <= set(names().values())), names())
            status, kind, profile = sashd.get("/api/v1/debug/heap")
            self.assertEqual((status, kind), (200, "text/plain; charset=utf-8"))
            self.assertTrue(profile.startswith("heap_v2/"), profile[:100])
            self.assertIn("\nMAPPED_LIBRARIES:\n", profile, "the profile is complete")
            self.assertIn("jemalloc statistics", sashd.get("/api/v1/debug/allocator")[2])
            self.assertEqual(sashd.stop(), 0, sashd.log())
        with Sashd(live()) as sashd:
            status, _, why = sashd.get("/api/v1/debug/heap")
            self.assertEqual(status, 501)
            self.assertIn("MALLOC_CONF=prof:true", why)

    def test_only_tls_of_today_is_spoken(self):
        with self.sashd(listen="127.0.0.1:0", **PROTECTED) as sashd:
            address = self.address(sashd, "https")
            read = ["-H", f"Authorization: Bearer {READ}"]
            for version, expected in (("1.3", 200), ("1.2", 200), ("1.1", 0)):
                status, _ = self.curl(f"https://{address}/healthz", f"--tlsv{version}", "--tls-max",
                                      version, "--ciphers", "DEFAULT:@SECLEVEL=0", *read)
                self.assertEqual(status, expected, version)
            self.assertEqual(self.curl(f"http://{address}/healthz", *read)[0], 0, "http is refused")
            self.assertEqual(self.curl(f"https://{address}/healthz", *read)[0], 200,
                             "https still works")

    def test_of_tls_1_2_only_what_forgets_its_keys_and_authenticates_is_spoken(self):
        def rsa(folder: pathlib.Path) -> None:
            self.put(folder)
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
                            "2",
                            "-subj", "/CN=localhost", "-keyout", folder / "tls/key.pem", "-out",
                            folder / "tls/certificate.pem"], check=True, capture_output=True)
        for before, kind in ((self.put, "ECDSA"), (rsa, "RSA")):
            with Sashd(live(http={"listen": "127.0.0.1:0", **PROTECTED}), before=before,
                       env=ENVIRONMENT) as sashd:
                address = self.address(sashd, "https")
                for cipher, spoken in ((f"ECDHE-{kind}-AES128-GCM-SHA256", True),
                                       (f"ECDHE-{kind}-AES256-GCM-SHA384", True),
                                       (f"ECDHE-{kind}-CHACHA20-POLY1305", True),
                                       (f"ECDHE-{kind}-AES128-SHA", False),
                                       (f"ECDHE-{kind}-AES128-SHA256", False),
                                       (f"ECDHE-{kind}-AES256-SHA384", False),
                                       ("AES128-GCM-SHA256", False), ("AES256-GCM-SHA384", False),
                                       ("AES128-SHA", False), ("AES256-SHA256", False),
                                       ("DHE-RSA-AES128-GCM-SHA256", False)):
                    with self.subTest(kind=kind, cipher=cipher):
                        asked = subprocess.run(
                            ["openssl", "s_client", "-connect", address, "-tls1_2", "-cipher",
                             cipher + ":@SECLEVEL=0"],
                            stdin=subprocess.DEVNULL, capture_output=True,
                            text=True, timeout=PATIENCE_SECONDS)
                        self.assertEqual(f"Cipher is {cipher}" in asked.stdout, spoken,
                                         asked.stdout + asked.stderr)

    def test_events_and_large_answers_pass_through_tls(self):
        with self.sashd(listen="127.0.0.1:0", **PROTECTED) as sashd:
            sashd.generate("--rate", "2000")
            sashd.await_lines(1)
            api = "https://" + self.address(sashd, "https")
            token = ["-H", f"Authorization: Bearer {READ}"]
            reader = subprocess.Popen(
                ["curl", "-sSN", "-4", "--cacert", self.tls / "certificate.pem", *token,
                 api + "/api/v1/events"], stdout=subprocess.PIPE, text=True)
            self.addCleanup(reader.wait)
            self.addCleanup(reader.stdout.close)
            self.addCleanup(reader.kill)
            kinds = set()
            while not {"advance", "result"} <= kinds:
                line = reader.stdout.readline()
                self.assertNotEqual(line, "", "the stream has ended")
                if line.startswith("event: "):
                    kinds.add(line[7:].strip())
            status, body = self.curl(api + "/openapi.json", *token)
            self.assertEqual((status, json.loads(body)["openapi"]), (200, "3.1.0"))

    def test_metrics_and_health_have_a_listener_of_their_own_and_nothing_else_has(self):
        for listen in ("127.0.0.1:0", "off"):
            with self.sashd(listen=listen, metrics_listen="0.0.0.0:0") as sashd:
                address = "http://" + self.address(sashd, "metrics")
                self.assertRegex(
                    self.curl(address + "/metrics")[1],
                    r'sash_build_info{version="[\d.]+",compiler="\S+ [^"]+",librdkafka="\d[^"]+",'
                    r'microhttpd="\d[^"]+",jemalloc="[\d.]*"} 1\n')
                self.assertEqual(self.curl(address + "/healthz", "-H", "Host: sashd:9641")[0], 200)
                self.assertIn(self.curl(address + "/readyz")[0], (200, 503))
                for path in ("/", "/api/v1/jobs", "/api/v1/events", "/openapi.json"):
                    self.assertEqual(self.curl(address + path)[0], 404, path)
                self.assertEqual(self.curl(address + "/api/v1/reload", "-X", "POST")[0], 404)
                self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_page_of_another_origin_changes_nothing_on_loopback(self):
        with Sashd(live()) as sashd:
            pause = sashd.url("/api/v1/jobs/shape/pause")
            for header in ("Origin: https://evil.example", "Host: evil.example", "Origin: null",
                           "Sec-Fetch-Site: cross-site"):
                self.assertEqual(self.curl(pause, "-X", "POST", "-H", header)[0], 403, header)
            status, said = self.curl(sashd.url("/api/v1/jobs"), "-H", "Host: evil.example:80")
            self.assertEqual(status, 403, "DNS rebinding")
            self.assertIn("not to 'evil.example:80'", said)
            self.assertFalse(sashd.json("/api/v1/jobs/shape")["paused"])
            self.assertEqual(self.curl(pause, "-X", "POST")[0], 200)

    def test_the_printed_configuration_shows_no_token(self):
        with self.sashd(listen="127.0.0.1:0", **PROTECTED) as sashd:
            self.address(sashd, "https")
            program = sashd.process.args[0]
            printed = subprocess.run([program, "--print-config", "sashd.yaml"], cwd=sashd.folder,
                                     env={"ADMIN_TOKEN": ADMIN}, capture_output=True, text=True,
                                     check=True).stdout
            self.assertIn("${file:read.token}", printed)
            self.assertIn("${env:ADMIN_TOKEN}", printed)
            self.assertNotIn(READ, printed)
            self.assertNotIn(ADMIN, printed)


class PatientClientsTest(ExposedCase):
    """More clients than connections, all without a token, and none in a hurry."""

    CLIENTS = 400
    PROMPT_SECONDS = 0.1

    def connect(self, address: str, tls: bool, sent: bytes = b"") -> socket.socket:
        host, port = address.split(":")
        plain = socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE_SECONDS)
        if tls:
            context = ssl.create_default_context(cafile=self.tls / "certificate.pem")
            plain = context.wrap_socket(plain, server_hostname=host)
        if sent:
            plain.sendall(sent)
        self.addCleanup(plain.close)
        return plain

    def seconds(self, address: str, tls: bool, path: str,
                held: socket.socket | None = None) -> float:
        """Sends a request with a token, on a new connection unless one is given."""
        begun = time.monotonic()
        connection = held or self.connect(address, tls)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n"
                           f"Authorization: Bearer {READ}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        answer.read()
        self.assertEqual(answer.status, 200)
        return time.monotonic() - begun

    def test_they_take_nothing_from_a_probe_or_from_who_has_a_token(self):
        request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
        kinds = [b"", request + b"X-Slow: ", request + b"\r\n",
                 b"POST /api/v1/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
                 b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"]
        with self.sashd(listen="127.0.0.1:0", metrics_listen="127.0.0.1:0", **PROTECTED) as sashd:
            api, metrics = self.address(sashd, "https"), self.address(sashd, "metrics")
            held = self.connect(api, True)
            self.seconds(api, True, "/api/v1/jobs", held)
            patient, took = [], {"probe": [], "new": [], "held": []}
            for i in range(self.CLIENTS):
                kind = kinds[i % len(kinds)]
                # Some of them do not even begin TLS.
                patient.append(self.connect(api, i % 7 > 0, kind if i % 7 > 0 else b""))
                patient.append(self.connect(metrics, False, kind))
                if i % 20 == 19:
                    took["probe"].append(self.seconds(metrics, False, "/healthz"))
                    took["new"].append(self.seconds(api, True, "/api/v1/jobs"))
                    took["held"].append(self.seconds(api, True, "/healthz", held))
            for what, seconds in took.items():
                self.assertLess(statistics.median(seconds), self.PROMPT_SECONDS, (what, seconds))
                self.assertLess(max(seconds), 20 * self.PROMPT_SECONDS, (what, seconds))
            self.assertLessEqual(len(os.listdir(f"/proc/{sashd.process.pid}/fd")), 256 + 64 + 100)
            # On a slow machine, connections end for their age before there are too many.
            for listener, address in (("api", api), ("metrics", metrics)):
                evicted = f'sash_http_evicted_connections_total{{listener="{listener}"}} 0'
                while evicted in (told := self.curl(f"http://{metrics}/metrics")[1]):
                    self.assertLess(len(patient), 20 * self.CLIENTS, told)
                    patient += [self.connect(address, False, b"") for _ in range(20)]
            self.assertRegex(told, r'sash_http_refused_tokens_total{reason="missing"} [1-9]')
            self.assertRegex(told, r'sash_http_evicted_connections_total{listener="api"} [1-9]')
            self.assertRegex(told, r'sash_http_evicted_connections_total{listener="metrics"} [1-9]')
            self.assertIn("http.token_refused", sashd.log())
            self.assertLess(sashd.log().count("http.token_refused"), 50,
                            "not one line for each refusal")
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_an_address_may_hold_as_many_connections_as_it_is_told(self):
        with self.sashd(listen="127.0.0.1:0", metrics_listen="127.0.0.1:0",
                        connections_per_address=3, **PROTECTED) as sashd:
            metrics = self.address(sashd, "metrics")
            first, *others = [self.connect(metrics, False) for _ in range(4)]
            self.assertEqual(first.recv(1), b"", "the oldest connection is cut")
            others[0].settimeout(0.2)
            with self.assertRaises(TimeoutError):
                others[0].recv(1)
            holders = [self.connect(self.address(sashd, "https"), True) for _ in range(3)]
            for holder in holders:
                self.seconds("", True, "/healthz", holder)
            more = [self.connect(self.address(sashd, "https"), True) for _ in range(6)]
            self.assertEqual(len(more), 6)
            for holder in holders:
                self.seconds("", True, "/healthz", holder)


class PageViewTest(unittest.TestCase):
    """A page that requests everything, while a probe and others request little."""

    def test_it_holds_up_nobody_and_takes_little_memory(self):
        ranks = {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 100_000,
                 "parameters": {"max_iterations": 3}}
        with Sashd(live(jobs=[ranks], sinks=[], windows=[{"name": "w", "length": "10s",
                                                          "slide": "200ms"}])) as sashd:
            sashd.generate("--rate", "10000", "--scale", "15")
            results = "/api/v1/jobs/ranks/results"
            await_that(lambda: len(sashd.json(results + "?limit=60&top=0")) > 20)
            before, slowest, ended = sashd.resident_bytes(), [], threading.Event()

            def probe() -> None:
                while not ended.is_set():
                    begun = time.monotonic()
                    sashd.get("/healthz")
                    slowest.append(time.monotonic() - begun)
            prober = threading.Thread(target=probe)
            prober.start()
            try:
                views = [threading.Thread(target=sashd.get,
                                          args=(f"{results}?limit=60&top=100000",))
                         for _ in range(6)]
                for view in views:
                    view.start()
                for view in views:
                    view.join()
            finally:
                ended.set()
                prober.join()
            slowest.sort()
            self.assertLess(slowest[len(slowest) * 9 // 10], 0.1, slowest[-5:])
            grown = sashd.resident_bytes() - before
            self.assertLess(grown, 200 << 20)
            listed = sashd.json(results)
            self.assertEqual({len(result["top"]) for result in listed}, {20})
            self.assertEqual({result["truncated"] for result in listed}, {True})
            latest = sashd.json(results + "/latest")
            self.assertEqual(len(latest["top"]), latest["vertices"])
            self.assertGreater(min(result["rows"] for result in listed), 1000)
            self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main()

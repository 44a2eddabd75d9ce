"""HTTP beyond this machine: nothing without TLS and tokens, with them what each token is for, and
metrics apart; a real `sashd`, asked by curl with certificates of openssl."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from typing import Any

from protected import ADMIN, ENVIRONMENT, HTTP as PROTECTED, READ, certificate
from sashd_process import PATIENCE_SECONDS, Sashd, live


class ExposureTest(unittest.TestCase):
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

    def sashd(self, **http: Any) -> Sashd:
        return Sashd(live(http=http), before=self.put,
                     env=ENVIRONMENT)

    def address(self, sashd: Sashd, what: str) -> str:
        port = sashd.await_log(rf"{what} listens on \S+:(\d+)")[1]
        return f"localhost:{port}"

    def curl(self, url: str, *options: str) -> tuple[int, str]:
        """Status (0: no answer) and body, by way of 127.0.0.1."""
        done = subprocess.run(
            ["curl", "-sS", "-4", "--max-time", str(PATIENCE_SECONDS), "--cacert",
             self.tls / "certificate.pem", "-w", "\n%{http_code}", *options, url],
            capture_output=True, text=True, check=False)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body

    def refused(self, **http: Any) -> str:
        """What is said of one that does not start for a reason of its configuration, and by
        --check, which must be the same."""
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
            self.assertRegex(said, r"sashd\.yaml:1: http\.listen: `0\.0\.0\.0:0` can be reached from "
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
            wrong = self.curl(api + "/healthz", "-D", "-", "-H", "Authorization: Bearer " + "x" * 30)
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
            names = {thread["id"]: thread["name"]
                     for thread in sashd.json("/api/v1/debug/threads")["threads"]}
            self.assertEqual(names[sashd.process.pid], "sashd")
            self.assertLessEqual({"engine", "http", "kafka source"}, set(names.values()))
            status, kind, profile = sashd.get("/api/v1/debug/heap")
            self.assertEqual((status, kind), (200, "text/plain; charset=utf-8"))
            self.assertTrue(profile.startswith("heap_v2/"), profile[:100])
            self.assertIn("\nMAPPED_LIBRARIES:\n", profile, "it is whole")
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
            self.assertEqual(self.curl(f"http://{address}/healthz", *read)[0], 0, "in plain text")
            self.assertEqual(self.curl(f"https://{address}/healthz", *read)[0], 200, "it lives on")

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
            self.assertEqual(status, 403, "a page whose name was made to point here")
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


if __name__ == "__main__":
    unittest.main()

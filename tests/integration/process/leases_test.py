"""Leases of frozen snapshots over HTTP, with a running sashd: a reader downloads and resumes; a
reader that is gone frees its snapshot when its time is over; an administrator revokes a lease."""
import json
import pathlib
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request
from typing import Any, Optional

from sashd_process import PATIENCE_SECONDS, Sashd, await_that, edges, program, replay

RECORDS = edges([("a", "b", 1_000), ("a", "c", 2_000), ("b", "c", 3_000), ("b", "c", 11_000)])
Answer = tuple[int, dict[str, str], bytes]


class LeasesTest(unittest.TestCase):
    def setUp(self) -> None:
        shared = tempfile.TemporaryDirectory(prefix="sash-leases-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        self.folder = pathlib.Path(shared.name, "s")
        document = replay(windows=[{"name": "w", "length": "10s", "slide": "10s"}],
                          http={"listen": "127.0.0.1:0"},
                          exports=[{"frozen": {"path": str(self.folder), "windows": ["w"],
                                               "leases": 2, "lease_ttl": "1m"}}])
        document["source"]["replay"]["at_end"] = "stay"
        self.sashd = Sashd(document, RECORDS)
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.assertTrue(await_that(lambda: self.metric("written_total", window="w") == 2),
                        self.sashd.log())

    def metric(self, name: str, **labels: str) -> Optional[float]:
        return self.sashd.metric("sash_export_" + name, **labels)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(
            self.sashd.url(path), None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json", **given}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read()

    def take(self, **wish: Any) -> dict[str, Any]:
        status, headers, body = self.ask("POST", "/api/v1/windows/w/leases", wish)
        self.assertEqual(status, 201, body)
        lease = json.loads(body)
        self.assertEqual(headers["Location"], f"/api/v1/windows/w/leases/{lease['lease']}")
        return dict(lease, place=headers["Location"])

    def error(self, answer: Answer, status: int) -> str:
        self.assertEqual(answer[0], status, answer[2])
        return str(json.loads(answer[2])["error"]["message"])

    def sashctl(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [program("SASHCTL", "control/sashctl"), "--url", self.sashd.url(""), *words],
            capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)

    def test_a_reader_gets_every_byte_also_in_parts(self) -> None:
        lease = self.take(snapshot=2)
        names = {file["name"] for file in lease["files"]}
        self.assertIn("snapshot.json", names)
        self.assertIn("in.indptr.npy", names)
        for file in lease["files"]:
            written = (self.folder / "w" / "2" / file["name"]).read_bytes()
            status, headers, body = self.ask("GET", file["url"])
            self.assertEqual((status, body), (200, written))
            self.assertEqual(len(body), file["bytes"])
            self.assertEqual(headers["ETag"], f'"{file["crc32c"]}"')
            status, headers, rest = self.ask("GET", file["url"], Range="bytes=9-",
                                             If_Range=headers["ETag"])
            self.assertEqual((status, rest), (206, written[9:]))
            self.assertEqual(headers["Content-Range"], f"bytes 9-{len(written) - 1}/{len(written)}")
            status, _, whole = self.ask("GET", file["url"], Range="bytes=9-", If_Range='"0"')
            self.assertEqual((status, whole), (200, written))
            self.assertEqual(self.ask("GET", file["url"], Range="bytes=9999999-")[0], 416)
        one = self.take(directions=["out"])
        self.assertFalse(any(file["name"].startswith("in.") for file in one["files"]))
        self.assertEqual(self.ask("PUT", one["place"], {"ttl": 30})[0], 200)
        self.assertEqual(self.ask("DELETE", one["place"])[0], 204)
        self.assertEqual(self.ask("GET", one["place"])[0], 410)

    def test_a_reader_that_is_gone_frees_its_snapshot_when_its_time_is_over(self) -> None:
        stays, gone = self.take(ttl=50), self.take(ttl=1)
        self.assertEqual(self.metric("leases"), 2)
        said = self.error(self.ask("POST", "/api/v1/windows/w/leases", {}), 503)
        self.assertIn(gone["name"], said)
        self.assertTrue(await_that(
            lambda: self.metric("leases_ended_total", reason="expired") == 1))
        self.error(self.ask("GET", gone["files"][0]["url"]), 410)
        self.assertEqual(self.metric("leases"), 1)
        self.assertEqual(self.metric("leased_bytes"), stays["bytes"])
        self.assertEqual(self.ask("GET", stays["files"][0]["url"])[0], 200)

    def test_an_administrator_lists_and_revokes_leases(self) -> None:
        lease = self.take()
        listed = self.sashctl("leases")
        self.assertRegex(listed.stdout, rf"(?m)^{lease['name']} +w +2 +127\.0\.0\.1 ")
        self.assertNotIn(lease["lease"].encode(), self.ask("GET", "/api/v1/leases")[2])
        self.assertEqual(self.sashctl("leases", "revoke", lease["name"]).stdout,
                         f"lease {lease['name']} is revoked\n")
        self.error(self.ask("GET", lease["files"][0]["url"]), 410)
        self.assertEqual(self.metric("leases_ended_total", reason="revoked"), 1)
        again = self.sashctl("leases", "revoke", lease["name"])
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("there is no lease", again.stderr)

    def test_a_wrong_wish_says_what_is_wrong(self) -> None:
        for wish, why in (({"ttl": 61}, "ttl"), ({"ttl": "1m"}, "a number of seconds"),
                          ({"directions": ["up"]}, "a list of directions"),
                          ({"snapshots": 1}, "keys: snapshot, ttl, directions")):
            self.assertIn(why, self.error(
                self.ask("POST", "/api/v1/windows/w/leases", wish), 422))
        self.error(self.ask("POST", "/api/v1/windows/w/leases", {"snapshot": 9}), 404)
        self.error(self.ask("POST", "/api/v1/windows/none/leases", {}), 404)


if __name__ == "__main__":
    unittest.main()

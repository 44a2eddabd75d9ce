"""Readers of leased snapshots that go wrong in several ways, while windows advance: leases and
bytes stay within their bounds, every file has its checksum, and no lease outlives its time."""
import collections
import http.client
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Callable

from sashd_process import ROOT, Sashd, await_that, live
from tcp_proxy import TcpProxy

PACKAGE = ROOT / "connectors" / "python"
sys.path[:0] = [str(PACKAGE)]
import sash  # noqa: E402
import sash.api  # noqa: E402

SECONDS = float(os.environ.get("SASH_READER_SECONDS", "8"))
MIB = 1 << 20
LEASES, LEASE_LIMIT, LIMIT, TTL = 6, 4 * MIB, 8 * MIB, 2  # a snapshot has about 1.1 MB
KILLED = """
import sys
sys.path[:0] = [sys.argv[2]]
import sash
window = sash.connect(sys.argv[1]).window("w")
print("reads", flush=True)
while True:
    try:
        window.snapshot(lease=True, progress=False).close()
    except sash.ApiError as error:
        assert error.status in (503, 410), error
"""


class Case(unittest.TestCase):
    def setUp(self) -> None:
        shared = tempfile.TemporaryDirectory(prefix="sash-readers-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        self.folder = pathlib.Path(shared.name, "s")
        self.downloads = pathlib.Path(shared.name, "downloads")  # a killed reader leaves its own
        self.downloads.mkdir()

    def start(self, window: dict[str, Any], **export: Any) -> Sashd:
        self.sashd = Sashd(live(windows=[{"name": "w", **window}],
                                exports=[{"frozen": {"path": str(self.folder), "windows": ["w"],
                                                     **export}}]))
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        return self.sashd

    def metric(self, name: str, **labels: str) -> float:
        return self.sashd.metric("sash_export_" + name, **labels)


class ReadersTest(Case):
    def setUp(self) -> None:
        super().setUp()
        self.ended = threading.Event()
        self.done: collections.Counter[str] = collections.Counter()
        self.failures: list[str] = []
        self.threads: list[threading.Thread] = []

    def repeat(self, name: str, act: Callable[[], Any]) -> None:
        """Does it again and again in a thread, until the end; what it returns counts as done."""
        def run() -> None:
            while not self.ended.is_set():
                try:
                    self.done[name] += bool(act())
                except Exception as error:  # pylint: disable=broad-except  # reported below
                    self.failures.append(f"{name}: {type(error).__name__}: {error}")
                    return
        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def stop_all(self) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def read(self, url: str) -> bool:
        """A reader of the package, which checks every file. False: no lease was free, or it was not
        renewed in time, because the machine is busy."""
        try:
            with sash.connect(url).window("w").snapshot(lease=True) as snapshot:
                assert snapshot.out.indptr[-1] == len(snapshot.in_.indices)
                return True
        except sash.ApiError as error:
            if error.status not in (503, 410):
                raise
            self.ended.wait(0.05)
            return False

    def be_killed(self) -> bool:
        """A process that reads for a second, and is killed then."""
        with subprocess.Popen([sys.executable, "-c", KILLED, self.sashd.url(""), str(PACKAGE)],
                              env={**os.environ, "TMPDIR": str(self.downloads)},
                              stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline() == b"reads\n"
            self.ended.wait(1)
            assert process.poll() is None, "it has failed by itself"
            process.kill()
        return True

    def keep_a_lease(self) -> bool:
        """Never releases a lease; after its end, nothing can be read under it."""
        api = sash.api.Api(self.sashd.url(""), None, 30, None)
        try:
            lease = api.post("/api/v1/windows/w/leases", {})
        except sash.ApiError as error:
            if error.status != 503:
                raise
            self.ended.wait(0.05)
            return False
        end = time.monotonic() + lease["seconds_left"] + 0.01
        url = lease["files"][0]["url"]
        try:
            with api.open("GET", url) as answer:
                assert len(answer.read()) == lease["files"][0]["bytes"]
        except (http.client.IncompleteRead, sash.ApiError):
            # On a busy host the lease may end first. Then the API says so, too.
            with self.assertRaises(sash.ApiError) as ended:
                api.get(f"/api/v1/windows/w/leases/{lease['lease']}")
            assert ended.exception.status == 410, ended.exception
            return False
        if self.ended.wait(end - time.monotonic()):
            return False
        try:
            api.open("GET", url).close()
        except sash.ApiError as error:
            return error.status == 410
        raise AssertionError(f"lease {lease['name']} outlives its time")

    def watch(self) -> bool:
        """The bounds, as the API and the folder show them."""
        for lease in self.sashd.json("/api/v1/leases"):
            assert lease["seconds_left"] <= lease["ttl_seconds"] <= TTL, lease
        for name, most in (("leases", LEASES), ("leased_bytes", LEASE_LIMIT), ("bytes", LIMIT)):
            value = self.metric(name)
            assert value <= most, f"{name}: {value}"
            self.done["the most " + name] = max(self.done["the most " + name], int(value))
        return True

    def open_files(self) -> list[str]:
        """The files of snapshots that sashd has open."""
        found = []
        for link in pathlib.Path(f"/proc/{self.sashd.process.pid}/fd").iterdir():
            try:
                target = os.readlink(link)
            except FileNotFoundError:
                continue
            if target.startswith(f"{self.folder}/w/"):
                found.append(target)
        return found

    def test_eight_readers_stay_within_the_bounds(self):
        sashd = self.start({"length": "4s", "slide": "500ms"}, leases=LEASES, lease_ttl=f"{TTL}s",
                           lease_limit=f"{LEASE_LIMIT}B", limit=f"{LIMIT}B", keep=2)
        sashd.generate("--rate", "10000", "--scale", "14")
        self.assertTrue(await_that(lambda: self.metric("bytes") > MIB), sashd.log())
        proxy = TcpProxy(sashd.url(""))
        proxy.bytes_per_second = 1_000_000
        with proxy:
            written, results = self.metric("written_total"), len(sashd.lines())
            self.repeat("watch", self.watch)
            self.repeat("killed", self.be_killed)
            self.repeat("kept", self.keep_a_lease)
            self.repeat("slow", lambda: self.read(proxy.url))
            for i in range(5):
                self.repeat(f"normal {i}", lambda: self.read(sashd.url("")))
            self.ended.wait(SECONDS)
            names = ("watch", "killed", "kept", "slow", *(f"normal {i}" for i in range(5)))
            await_that(lambda: self.failures or (
                all(self.done[name] for name in names) and len(sashd.lines()) > results + 3
                and self.metric("written_total") > written + 3))
            written = self.metric("written_total") - written
            results = len(sashd.lines()) - results
            proxy.bytes_per_second = None
            self.stop_all()
        print(dict(self.done), f"written {written:.0f}, refused",
              self.metric("leases_refused_total"))
        self.assertEqual(self.failures, [], sashd.log())
        for name in names:
            self.assertGreater(self.done[name], 0, name)
        self.assertGreater(written, 3)
        self.assertGreater(results, 3)
        self.assertEqual(self.metric("failing"), 0, sashd.log())
        self.assertTrue(await_that(lambda: self.metric("leases") == 0))
        self.assertTrue(await_that(lambda: self.metric("overdue_snapshots") == 0))
        self.assertGreater(self.done["the most leased_bytes"], 0)
        self.assertGreater(self.metric("leases_ended_total", reason="expired"), 0)
        self.assertTrue(await_that(lambda: not self.open_files()), self.open_files())


class LimitTest(Case):
    def test_the_state_at_a_limit_names_the_lease(self):
        sashd = self.start({"length": "1s", "slide": "200ms"}, keep=1, limit="100KiB",
                           lease_limit="64KiB")
        sashd.generate("--rate", "200", "--scale", "4")
        self.assertTrue(await_that(lambda: self.metric("written_total") > 1), sashd.log())
        client = sash.connect(sashd.url(""))
        lease = client._api.post("/api/v1/windows/w/leases", {"ttl": 300})
        holds = rf"lease {lease['name']} of 127\.0\.0\.1 holds snapshot w/{lease['snapshot']}\b"
        self.assertEqual(lease["bytes"] % 4096, 0)
        sashd.await_log(rf"export\.at_limit .*{holds}")
        self.assertEqual(self.metric("failing"), 1)
        with self.assertRaisesRegex(sash.ApiError, rf"lease_limit.*{holds}") as full:
            await_that(lambda: client.window("w").snapshot(lease=True).close(), 5)
        self.assertEqual(full.exception.status, 503)
        self.assertLessEqual(self.metric("bytes"), 100 << 10)
        self.assertGreater(self.metric("skipped_total", reason="limit"), 0)
        client.leases[lease["name"]].revoke()
        sashd.await_log(r"export\.resumed")
        self.assertTrue(await_that(lambda: self.metric("failing") == 0))


if __name__ == "__main__":
    unittest.main()

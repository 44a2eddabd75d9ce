"""The Python package `sash`: frozen snapshots of a running sashd by lease and download, over lines
that are cut, slow or silent."""
import gc
import json
import os
import pathlib
import random
import sys
import tempfile
import threading
import unittest
from typing import Any

import numpy

from sashd_process import ROOT, Sashd, await_that, replay
from tcp_proxy import TcpProxy

sys.path[:0] = [str(ROOT / "connectors" / "python")]
import sash  # noqa: E402
import sash.download  # noqa: E402

EDGES = 60_000  # 1.6 MB of arrays


def random_records(chance: random.Random, kind: str, count: int) -> bytes:
    """One window with parallel edges; texts with types, or integers."""
    def key() -> Any:
        number = int(chance.random() ** 2 * count / 8)
        return number - 50 if kind == "integer" else f"vértex {number}"
    rows = ({"from": key(), "to": key(), "w": chance.randrange(-9, 99), "ts": 1_000 + i % 9_000,
             **({"type": chance.choice(("paid", "seen", ""))} if kind == "string" else {})}
            for i in range(count))
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def arrays_of(snapshot: sash.Snapshot) -> list[numpy.ndarray]:
    keys = snapshot.keys
    return [array for edges in (snapshot.out, snapshot.in_)
            for array in (edges.indptr, edges.indices, edges.weights, edges.types)
            if array is not None] + [
                array for array in (keys._integers, keys._offsets, keys._text)
                if array is not None]


class LeasedCase(unittest.TestCase):
    def setUp(self) -> None:
        shared = tempfile.TemporaryDirectory(prefix="sash-leased-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        self.folder = pathlib.Path(shared.name, "s")
        self.temporary = pathlib.Path(shared.name, "downloads")
        self.temporary.mkdir()
        before = tempfile.tempdir
        tempfile.tempdir = str(self.temporary)
        self.addCleanup(setattr, tempfile, "tempdir", before)

    def start(self, kind: str = "string", seed: int = 1, count: int = EDGES,
              **export: Any) -> Sashd:
        document = replay(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts", "weight": "/w",
                             "type": "/type"}, "keys": kind},
            time={"unit": "ms", "disorder": "10s"},
            windows=[{"name": name, "length": "10s", "slide": "10s"} for name in ("w", "other")],
            http={"listen": "127.0.0.1:0"},
            exports=[{"frozen": {"path": str(self.folder), "windows": ["w"], **export}}])
        document["source"]["replay"]["at_end"] = "stay"
        self.sashd = Sashd(document, random_records(random.Random(seed), kind, count))
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.assertTrue(await_that(lambda: self.sashd.metric("sash_export_written_total")),
                        self.sashd.log())
        return self.sashd

    def window(self, proxy: Any = None) -> sash.Window:
        return sash.connect(proxy.url if proxy else self.sashd.url("")).window("w")

    def proxy(self) -> TcpProxy:
        proxy = TcpProxy(self.sashd.url(""))
        proxy.__enter__()
        self.addCleanup(proxy.__exit__)
        return proxy

    def check_equal(self, leased: sash.Snapshot) -> None:
        with self.window().snapshot(lease=False) as local:
            self.assertEqual(leased.about, local.about)
            for mine, own in zip(arrays_of(leased), arrays_of(local), strict=True):
                self.assertEqual(mine.dtype, own.dtype)
                self.assertTrue(numpy.array_equal(mine, own))

    def downloads(self) -> list[pathlib.Path]:
        return list(self.temporary.glob("sash-snapshot-*"))

    def check_nothing_is_left(self) -> None:
        gc.collect()
        self.assertEqual(self.downloads(), [])
        self.assertEqual(self.sashd.metric("sash_export_leases"), 0)


class DownloadTest(LeasedCase):
    def compare(self, kind: str) -> None:
        seed = random.randrange(10**6)
        print(f"seed {seed}")
        self.start(kind, seed)
        with self.window().snapshot(lease=True) as leased:
            self.assertEqual([leased.path], self.downloads())
            self.check_equal(leased)
            self.assertFalse(leased.out.indices.flags.owndata)
            self.assertEqual(self.sashd.metric("sash_export_leases"), 0)
        self.check_nothing_is_left()
        leased = self.window().snapshot(lease=True)
        weights, total = leased.in_.weights, int(leased.out.weights.sum())
        del leased
        self.check_nothing_is_left()
        self.assertEqual(int(weights.sum()), total, "an array outlives its file")

    def test_a_download_has_the_arrays_of_the_host_with_texts_as_keys(self):
        self.compare("string")

    def test_a_download_has_the_arrays_of_the_host_with_integers_as_keys(self):
        self.compare("integer")

    def test_where_the_folder_cannot_be_opened_a_lease_is_taken(self):
        self.start(count=1_000)
        with self.window().snapshot() as mapped:
            self.assertEqual(mapped.path.parent, self.folder / "w")
        os.rename(self.folder, self.folder.with_name("elsewhere"))
        with self.window().snapshot() as leased:
            self.assertEqual(leased.path.parent, self.temporary)
            self.assertEqual(leased.edge_count, 1_000)
        self.check_nothing_is_left()
        with self.assertRaises(sash.SnapshotError) as missing:
            self.window().snapshot(lease=False)
        self.assertIn("there is no snapshot", str(missing.exception))

    def test_a_folder_of_another_daemon_is_not_taken_for_that_of_this_one(self):
        """As behind a tunnel to a host where the folder has the same path."""
        remote = self.start(seed=1, count=1_000)
        os.rename(self.folder, self.folder.with_name("elsewhere"))
        self.start(seed=2, count=1_000)
        local = self.window().snapshot(lease=False)
        behind_tunnel = sash.connect(remote.url("")).window("w")
        with behind_tunnel.snapshot() as leased, self.window().snapshot() as mapped:
            self.assertEqual(mapped.path, self.folder / "w" / "1")
            self.assertEqual(leased.path.parent, self.temporary)
            with behind_tunnel.snapshot(lease=True) as right:
                self.assertEqual(leased.about, right.about)
                self.assertNotEqual(leased.about["files"], local.about["files"])
        for sashd in (remote, self.sashd):
            self.assertEqual(sashd.metric("sash_export_leases"), 0)

    def test_where_no_lease_is_given_the_folder_is_compared_with_what_the_daemon_says(self):
        remote = self.start(seed=1, count=1_000, leases=0)
        with self.window().snapshot() as mapped:
            self.assertEqual(mapped.path, self.folder / "w" / "1")
        os.rename(self.folder, self.folder.with_name("elsewhere"))
        self.start(seed=2, count=1_100, leases=0)
        with self.assertRaises(sash.ApiError) as refused:
            sash.connect(remote.url("")).window("w").snapshot()
        self.assertEqual(refused.exception.status, 503)

    def test_only_the_directions_that_are_asked_for_are_downloaded(self):
        self.start(count=1_000)
        kept = self.temporary.parent / "kept"
        with self.window().snapshot(directions=["in"], folder=kept) as leased, \
                self.window().snapshot() as mapped:
            self.assertEqual(leased.in_.weights.tolist(), mapped.in_.weights.tolist())
            self.assertEqual((leased.vertex_count, leased.edge_count),
                             (mapped.vertex_count, mapped.edge_count))
            with self.assertRaises(sash.SnapshotError) as missing:
                leased.to_scipy()
            self.assertIn('add "out" to directions', str(missing.exception))
        self.assertFalse(any(file.name.startswith("out.") for file in kept.iterdir()))
        with self.assertRaises(sash.ApiError) as wrong:
            self.window().snapshot(lease=True, directions=["up"])
        self.assertEqual(wrong.exception.keys[0]["key"], "directions")
        with self.assertRaises(ValueError):
            self.window().snapshot(lease=False, folder=kept)

    def test_cut_connections_are_continued(self):
        self.start()
        proxy = self.proxy()
        proxy.cut_after = 200_000
        with self.window(proxy).snapshot(lease=True) as leased:
            self.check_equal(leased)
            size = sum(file.stat().st_size for file in leased.path.iterdir())
        self.assertGreater(proxy.cuts, 0)
        self.assertLess(proxy.passed, 1.2 * size, "a download goes on where it was cut")
        self.check_nothing_is_left()

    def test_a_stopped_download_is_continued_and_kept(self):
        self.start()
        proxy, kept = self.proxy(), self.temporary.parent / "kept"

        def stop(done: int, total: int) -> None:
            if done > total / 2:
                raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            self.window(proxy).snapshot(folder=kept, progress=stop)
        self.assertEqual(len(list(kept.glob("*.part"))), 1)
        self.assertFalse((kept / "snapshot.json").exists())
        self.assertEqual(self.sashd.metric("sash_export_leases"), 0)
        seen: list[tuple[int, int]] = []
        before = proxy.passed
        with self.window(proxy).snapshot(folder=kept,
                                         progress=lambda *each: seen.append(each)) as leased:
            self.check_equal(leased)
            total = sum(file.stat().st_size for file in kept.iterdir())
        self.assertLess(proxy.passed - before, 0.6 * total)
        self.assertEqual((seen[0], seen[-1]), ((0, total), (total, total)))
        with sash.open_snapshot(kept) as again:
            self.check_equal(again)
        (kept / "snapshot.json").write_text("{}")
        with self.assertRaises(sash.SnapshotError) as other:
            self.window().snapshot(folder=kept)
        self.assertIn("it holds another snapshot", str(other.exception))

    def test_a_folder_with_another_snapshot_is_left_as_it_is(self):
        kept = self.temporary.parent / "kept"
        self.start(seed=1, count=1_000)
        self.window().snapshot(folder=kept).close()
        before = {file.name: file.read_bytes() for file in kept.iterdir()}
        self.sashd.stop()
        self.start(seed=2, count=1_100)
        with self.assertRaises(sash.SnapshotError) as other:
            self.window().snapshot(folder=kept)
        self.assertIn("it holds another snapshot", str(other.exception))
        self.assertEqual({file.name: file.read_bytes() for file in kept.iterdir()}, before)
        self.assertEqual(self.sashd.metric("sash_export_leases"), 0)

    def test_arrays_of_another_download_that_was_stopped_are_not_of_this_snapshot(self):
        def stop(*_: int) -> None:
            if all((kept / f"out.{name}.npy").exists() for name in arrays):
                raise KeyboardInterrupt
        kept = self.temporary.parent / "kept"
        arrays = ("indptr", "indices", "weights", "types")
        self.start(seed=1)
        with self.assertRaises(KeyboardInterrupt):
            self.window().snapshot(folder=kept, progress=stop)
        self.assertFalse((kept / "snapshot.json").exists())
        self.sashd.stop()
        self.start(seed=2, count=1_000)
        with self.window().snapshot(folder=kept, directions=["in"]) as leased:
            self.assertEqual(leased.edge_count, 1_000)
            with self.assertRaises(sash.SnapshotError):
                leased.to_scipy()
        with self.window().snapshot(folder=kept, directions=["out"]) as both:
            self.check_equal(both)

    def test_a_bar_is_drawn_on_terminals_alone(self):
        self.start(count=1_000)
        for is_terminal in (True, False):
            reader, writer = os.openpty() if is_terminal else os.pipe()
            before = sys.stderr
            with open(reader, "rb", buffering=0) as drawn, open(writer, "w") as sys.stderr:
                try:
                    self.window().snapshot(lease=True).close()
                    self.window().snapshot(lease=True, progress=False).close()
                    print("end", file=sys.stderr, flush=True)
                finally:
                    terminal, sys.stderr = sys.stderr, before
                text = b""
                while b"end" not in text:
                    text += drawn.read(1 << 16)
                terminal.close()
            if is_terminal:
                self.assertIn(b"w 1 [", text)
                self.assertEqual(text.count(b"100%"), 1)
            else:
                self.assertEqual(text, b"end\n")


class FailureTest(LeasedCase):
    def refused(self, window: sash.Window, status: int, why: str, **more: Any) -> None:
        with self.assertRaises(sash.ApiError) as refused:
            window.snapshot(lease=True, **more)
        self.assertEqual(refused.exception.status, status)
        self.assertIn(why, str(refused.exception))

    def test_a_lease_is_renewed_while_a_slow_line_downloads(self):
        self.start(lease_ttl="2s")  # a busy machine renews it late
        proxy = self.proxy()
        proxy.bytes_per_second = 400_000  # more than four seconds
        with self.window(proxy).snapshot(lease=True) as leased:
            self.check_equal(leased)
        self.assertEqual(self.sashd.metric("sash_export_leases_ended_total", reason="expired"), 0)
        self.check_nothing_is_left()

    def test_a_lease_that_expires_while_the_line_is_silent_ends_the_download(self):
        self.start(lease_ttl="1s")
        proxy = self.proxy()
        proxy.bytes_per_second = 2_000_000  # so that little is on its way

        def go_on() -> None:
            await_that(lambda: self.sashd.metric("sash_export_leases_ended_total"))
            proxy.passes.set()
        thread = threading.Thread(target=go_on)

        def be_silent(done: int, total: int) -> None:
            if done > total / 3 and thread.ident is None:
                proxy.passes.clear()
                thread.start()
        self.refused(self.window(proxy), 410, "it has expired", progress=be_silent)
        thread.join()
        self.check_nothing_is_left()

    def test_a_revoked_lease_ends_the_download(self):
        self.start()
        client = sash.connect(self.sashd.url(""))

        def revoke(done: int, total: int) -> None:
            if done:
                for name, lease in client.leases.items():
                    self.assertEqual((lease.status()["window"], lease.status()["snapshot"]),
                                     ("w", 1))
                    lease.revoke()
                    with self.assertRaises(KeyError):
                        lease.status()
                    self.assertNotIn(name, client.leases)
        self.refused(self.window(), 410, "it was revoked", progress=revoke)
        self.check_nothing_is_left()

    def test_a_lease_beyond_the_limit_is_refused_with_its_holder(self):
        self.start(count=1_000, leases=1)
        client = sash.connect(self.sashd.url(""))
        lease = client._api.post("/api/v1/windows/w/leases", {})
        self.refused(client.window("w"), 503, f"lease {lease['name']} of 127.0.0.1 holds")
        client.leases[lease["name"]].revoke()
        client.window("w").snapshot(lease=True).close()
        self.check_nothing_is_left()
        with self.assertRaises(sash.SnapshotError) as none:
            client.window("other").snapshot(lease=True)
        self.assertIn("no export writes frozen snapshots of window 'other'", str(none.exception))

    def test_a_file_that_was_changed_on_the_host_is_named(self):
        self.start(count=1_000)
        name = "in.weights.npy"
        file = self.folder / "w" / "1" / name
        content = bytearray(file.read_bytes())
        content[-3] ^= 1
        file.write_bytes(content)
        kept = self.temporary.parent / "kept"
        for folder in (None, kept):
            with self.assertRaises(sash.SnapshotError) as damaged:
                self.window().snapshot(lease=True, folder=folder)
            self.assertRegex(str(damaged.exception), f"^{name}: its CRC-32C is [0-9a-f]{{8}}, but")
        self.assertFalse(any(each.name.startswith(name) for each in kept.iterdir()))
        self.assertFalse((kept / "snapshot.json").exists())
        self.check_nothing_is_left()
        content[-3] ^= 1
        file.write_bytes(content)
        with self.window().snapshot(folder=kept) as leased:
            self.check_equal(leased)

    def test_a_daemon_that_ends_meanwhile_is_a_lost_connection(self):
        self.start()
        before = sash.download._PATIENCE
        sash.download._PATIENCE = 0.3
        self.addCleanup(setattr, sash.download, "_PATIENCE", before)
        window = self.window()
        with self.assertRaises(sash.ConnectionFailed):
            window.snapshot(lease=True, progress=lambda done, total: done and self.sashd.stop())
        self.assertEqual(self.downloads(), [])

    def test_a_folder_that_cannot_be_written_is_named(self):
        self.start(count=1_000)
        file = self.temporary.parent / "file"
        file.touch()
        with self.assertRaises(sash.SnapshotError) as wrong:
            self.window().snapshot(folder=file / "kept")
        self.assertIn(str(file), str(wrong.exception))


if __name__ == "__main__":
    unittest.main()

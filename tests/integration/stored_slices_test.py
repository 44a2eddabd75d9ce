"""Slices that one `sashd` exported are the stream of another one, whose results are the same.

SASH_SLOW=1 runs many more streams; SASH_SEED=n starts at another seed, which is printed.
"""
import itertools
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest
from typing import Any

import yaml

import slice_files
from oracle.compare import read_lines
from replay_oracle_test import POLICIES, Case
from sashd_replay import REPLAY_SECONDS, Replay, program

SLOW = os.environ.get("SASH_SLOW") == "1"
SEED = int(os.environ.get("SASH_SEED", "1"))


def with_slices(document: dict[str, Any]) -> dict[str, Any]:
    """All jobs, and the slices of the stream beside them."""
    return {**document, "exports": [{"parquet": {"path": "slices", "slices": True,
                                                 "keep": "7300d", "limit": "10GiB"}}]}


def from_slices(document: dict[str, Any], path: pathlib.Path) -> dict[str, Any]:
    """The configuration of the same windows and jobs over the slices in `path`."""
    [about] = list(path.glob("slice-*.json"))[:1] or [None]
    keys = json.loads(about.read_text())["keys"] if about else "string"
    source = {"export": {"path": str(path), "keys": keys}}
    if "dedupe" in document["source"]:
        source["dedupe"] = document["source"]["dedupe"]
    return {**{key: value for key, value in document.items() if key != "exports"},
            "source": source}


def facts(line: str) -> dict[str, Any]:
    """A result without what depends on the machine, or on when records came: the watermark is the
    end of a slice."""
    result = json.loads(line)
    for name in ("seconds", "watermark"):
        result.pop(name, None)
    return result


def differences(one: Any, other: Any, at: str = "") -> list[str]:
    """Where two results differ. Ids of vertices depend on the order in which edges come, and the
    order in which scores are summed depends on ids: so scores may differ by rounding."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [found for key in one for found in differences(one[key], other[key], f"{at}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [found for i, pair in enumerate(zip(one, other, strict=True))
                for found in differences(*pair, f"{at}/{i}")]
    if isinstance(one, float) and isinstance(other, float):
        equal = math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    else:
        equal = one == other
    return [] if equal else [f"{at}: {one!r} is not {other!r}"]


def run(folder: pathlib.Path, document: dict[str, Any], *options: str,
        ) -> subprocess.CompletedProcess[str]:
    (folder / "sashd.yaml").write_text(yaml.safe_dump(
        {**document, "http": {"listen": "off"}}, sort_keys=False))
    return subprocess.run([program("SASHD", "sashd"), "--config", "sashd.yaml", *options],
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=REPLAY_SECONDS, check=False)


class RandomStreamsTest(unittest.TestCase):
    def test_results_over_the_slices_are_those_over_the_records(self) -> None:
        print(f"SASH_SEED={SEED}", flush=True)
        compared = 0
        for seed, policy in itertools.product(range(SEED, SEED + (40 if SLOW else 1)), POLICIES):
            case = Case(seed, policy, "event_time")
            with self.subTest(str(case)):
                document, stream = case.build()
                with Replay(with_slices(document), stream.content) as replay:
                    replay.run()
                    compared += self.compare(document, replay)
        print(f"{compared} results are equal")
        self.assertGreater(compared, 500)

    def compare(self, document: dict[str, Any], replay: Replay) -> int:
        with tempfile.TemporaryDirectory(prefix="sash-stored-") as scratch:
            folder = pathlib.Path(scratch)
            done = run(folder, from_slices(document, replay.folder / "slices"))
            self.assertEqual(done.returncode, 0, done.stderr)
            compared = 0
            for name in ("all.jsonl", "top.jsonl"):
                expected = [facts(line) for line in replay.lines(name)]
                found = [facts(line) for line in read_lines(str(folder / name))]
                self.assertEqual(len(found), len(expected))
                for one, other in zip(found, expected, strict=True):
                    self.assertEqual(differences(one, other), [])
                compared += len(found)
            return compared


class FaultsTest(unittest.TestCase):
    DOCUMENT = {"source": {"replay": {"path": "events"}, "time": {"unit": "s", "disorder": "0s"},
                           "format": {"json": {"source": "/s", "target": "/t", "time": "/at"}}},
                "windows": [{"name": "w", "length": "20s", "slide": "10s"}],
                "jobs": [{"name": "shape", "kernel": "window", "window": "w"}],
                "sinks": [{"file": {"path": "results.jsonl"}}]}
    CONTENT = "".join(json.dumps({"s": f"a{i % 7}", "t": f"b{i % 5}", "at": i}) + "\n"
                      for i in range(100)).encode()

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-stored-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "events").write_bytes(self.CONTENT)
        self.slices = self.folder / "slices"
        done = run(self.folder, with_slices(self.DOCUMENT))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(slice_files.read(self.slices)), 10)
        self.expected = self.results()

    def results(self) -> list[dict[str, Any]]:
        return [facts(line)
                for line in read_lines(str(self.folder / "results.jsonl"))]

    def again(self, **changes: Any) -> subprocess.CompletedProcess[str]:
        (self.folder / "results.jsonl").unlink(missing_ok=True)
        return run(self.folder, {**from_slices(self.DOCUMENT, self.slices), **changes})

    def refused(self, reason: str, code: int = 78, **changes: Any) -> None:
        done = self.again(**changes)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(reason, done.stderr)

    def remove(self, number: int) -> None:
        for ending in ("json", "parquet"):
            (self.slices / f"slice-{number:010d}.{ending}").unlink()

    def gaps(self) -> list[tuple[str, bool]]:
        return [(each["window_end"], each["gap"]) for each in self.results()]

    def test_a_missing_slice_is_a_gap_of_the_windows_that_would_show_it(self) -> None:
        numbers = sorted(int(path.stem[6:]) for path in self.slices.glob("*.json"))
        self.remove(numbers[4])  # [40 s, 50 s)
        done = self.again()
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = [each for each in self.expected if not each["window_end"].endswith(
            ("00:50.000Z", "01:00.000Z"))]
        self.assertEqual([each for each in self.results() if not each["gap"]], whole)

    def test_the_first_slices_may_be_gone(self) -> None:
        numbers = sorted(int(path.stem[6:]) for path in self.slices.glob("*.json"))
        for number in numbers[:3]:
            self.remove(number)
        done = self.again()
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.results()
        self.assertEqual([each["gap"] for each in found][:2], [True, False])
        self.assertEqual([each["edges"] for each in found][1:],
                         [each["edges"] for each in self.expected][4:])

    def test_a_damaged_slice_ends_the_stream_with_its_name(self) -> None:
        table = sorted(self.slices.glob("*.parquet"))[5]
        content = bytearray(table.read_bytes())
        content[len(content) // 2] ^= 1
        table.write_bytes(content)
        self.refused(f"{table.name}: its CRC-32C is", code=1)
        self.assertEqual(self.results(), self.expected[:len(self.results())])
        table.write_bytes(content[:-5])
        self.refused(f"{table.name}: it has", code=1)
        manifest = table.with_suffix(".json")
        manifest.write_text("{")
        self.refused(f"{manifest.name}: it is not the manifest of a slice", code=1)

    def test_windows_that_the_slices_do_not_serve_are_refused(self) -> None:
        window = self.DOCUMENT["windows"][0]
        self.refused("must be multiples of that", windows=[{**window, "slide": "5s"}])
        self.refused("must be event_time with source.export",
                     windows=[{**window, "by": "events", "length": 10, "slide": 5}])
        self.refused("which edges pass the filter",
                     windows=[{**window, "where": "/x == 1"}])
        source = {"path": str(self.slices)}
        self.refused("set source.export.keys: string",
                     source={"export": {**source, "keys": "integer"}})
        self.refused("there are no slices", source={"export": {"path": str(self.folder)}})
        self.refused("No such file", source={"export": {"path": str(self.folder / "none")}})
        self.refused("is the file of source.export.path already", exports=[
            {"parquet": {"path": str(self.slices), "slices": True, "keep": "1d",
                         "limit": "1GiB"}}])
        self.assertEqual(len(slice_files.read(self.slices)), 10)

    def test_wider_windows_and_other_jobs_run_over_the_same_slices(self) -> None:
        done = self.again(windows=[{"name": "w", "length": "60s", "slide": "30s"}])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([each["edges"] for each in self.results()], [30, 60, 60, 40])

    def test_a_part_of_the_slices_gives_the_windows_that_lie_in_it(self) -> None:
        document = from_slices(self.DOCUMENT, self.slices)
        span = ("--replay", "--from", "1970-01-01T00:00:25Z", "--to", "1970-01-01T00:01:10Z")
        occupied = run(self.folder, document, *span)
        self.assertIn("is not empty, and --replay overwrites nothing", occupied.stderr)
        (self.folder / "results.jsonl").rename(self.folder / "before.jsonl")
        done = run(self.folder, document, *span)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = ("window_start", "window_end", "edges", "vertices", "gap", "offsets")
        self.assertEqual([[each[name] for name in names] for each in self.results()],
                         [[each[name] for name in names] for each in self.expected[4:7]])
        (self.folder / "results.jsonl").unlink()
        early = run(self.folder, document, "--replay", "--from", "2020-01-01T00:00:00Z",
                    "--to", "2020-01-02T00:00:00Z")
        self.assertIn("there are no slices between --from and --to", early.stderr)

    def test_the_file_of_the_exporting_process_serves_with_another_source(self) -> None:
        live = {name: each for name, each in self.DOCUMENT["source"].items() if name != "replay"}
        done = self.again(source={**live, "export": {"path": str(self.slices)}})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.results(), self.expected)

    def test_a_probe_says_which_slices_there_are(self) -> None:
        document = from_slices(self.DOCUMENT, self.slices)
        done = run(self.folder, document, "--probe")
        self.assertIn("10 slices from 1970-01-01T00:00:00.000Z to 1970-01-01T00:01:40.000Z",
                      done.stdout + done.stderr)


class SnapshotsTest(unittest.TestCase):
    """A snapshot of a window is a stream whose window is that window."""

    JOBS = [{"name": "ranks", "kernel": "pagerank", "window": "w", "top": 100},
            {"name": "sums", "kernel": "strength", "window": "w", "top": 100},
            {"name": "shape", "kernel": "window", "window": "w"}]

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-snapshots-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def exported(self, duplicates: str, keys: str = "string",
                 ) -> tuple[pathlib.Path, list[dict[str, Any]]]:
        """The newest snapshot of a window, and the results of that advance."""
        name = str if keys == "string" else int
        (self.folder / "events").write_text("".join(
            json.dumps({"s": name(i % 7 + 1), "t": name(i * i % 11 + 20), "at": i,
                        "w": i / 4 if duplicates == "keep" else i, "k": f"k{i % 3}"}) + "\n"
            for i in range(100)))
        document = {
            **FaultsTest.DOCUMENT, "jobs": self.JOBS,
            "windows": [{"name": "w", "length": "60s", "slide": "10s", "duplicates": duplicates}],
            "exports": [{"parquet": {"path": "export", "windows": ["w"], "keep": 3,
                                     "limit": "1GiB"}}]}
        document["source"] = {**document["source"], "format": {"keys": keys, "json": {
            "source": "/s", "target": "/t", "time": "/at", "weight": "/w", "type": "/k"}}}
        done = run(self.folder, document)
        self.assertEqual(done.returncode, 0, done.stderr)
        at = max(self.folder.glob("export/w/*/snapshot.json"),
                 key=lambda text: int(text.parent.name))
        end = json.loads(at.read_text())["window_end"]
        return at.parent, [each for each in self.results() if each["window_end"] == end]

    def results(self) -> list[dict[str, Any]]:
        return [facts(line) for line in read_lines(str(self.folder / "results.jsonl"))]

    def again(self, path: pathlib.Path, *options: str, keys: str = "string",
              **window: Any) -> subprocess.CompletedProcess[str]:
        (self.folder / "results.jsonl").unlink(missing_ok=True)
        return run(self.folder, {
            **FaultsTest.DOCUMENT, "jobs": self.JOBS,
            "source": {"export": {"path": str(path), "keys": keys}},
            "windows": [{"name": "w", "length": "60s", "slide": "10s", **window}]}, *options)

    def test_other_jobs_run_on_the_same_graph(self) -> None:
        for duplicates, keys in (("keep", "string"), ("drop", "integer"), ("weigh", "string")):
            with self.subTest(duplicates=duplicates, keys=keys):
                snapshot, expected = self.exported(duplicates, keys)
                done = self.again(snapshot.parent if keys == "integer" else snapshot, keys=keys)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = [each for each in self.results()
                         if each["window_end"] == expected[0]["window_end"]]
                self.assertEqual(len(found), len(self.JOBS))
                for one, other in zip(found, expected, strict=True):
                    for name in ("snapshot", "offsets", "iterations", "residual"):
                        one.pop(name, None)
                        other.pop(name, None)
                    self.assertEqual(differences(one, other), [])

    def test_types_choose_edges_of_a_snapshot(self) -> None:
        snapshot, _ = self.exported("keep")
        done = self.again(snapshot, types=["k1"])
        self.assertEqual(done.returncode, 0, done.stderr)
        shape = [each for each in self.results() if each["job"] == "shape"]
        self.assertEqual(max(each["edges"] for each in shape), 20)

    def test_what_a_snapshot_cannot_serve_is_refused(self) -> None:
        snapshot, _ = self.exported("keep")
        for reason, done in (
                ("set source.export.keys: string", self.again(snapshot, keys="integer")),
                ("does not say which edges pass the filter", self.again(snapshot, where="/x == 1")),
                ("where no window of these slides and offsets ends",
                 self.again(snapshot, length="70s", slide="70s"))):
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn(reason, done.stderr)
        self.assertIn("of window `w`, which ends at", self.again(snapshot, "--probe").stdout)

    def test_a_damaged_snapshot_is_named(self) -> None:
        snapshot, _ = self.exported("keep")
        for name in ("edges-00000.parquet", "vertices.parquet"):
            table = snapshot / name
            whole = table.read_bytes()
            table.write_bytes(whole[:20] + bytes([whole[20] ^ 1]) + whole[21:])
            done = self.again(snapshot)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"{name}: its CRC-32C is", done.stderr)
            self.assertEqual(self.results(), [])
            table.write_bytes(whole)
        text = snapshot / "snapshot.json"
        text.write_text(text.read_text().replace('"parquet":1', '"parquet":2'))
        self.assertIn("its version is 2", self.again(snapshot).stderr)
        text.write_text('{"frozen":1}')
        self.assertIn("that of a frozen snapshot", self.again(snapshot).stderr)
        text.write_text("{")
        self.assertIn("it is not that of a snapshot in Parquet", self.again(snapshot).stderr)


if __name__ == "__main__":
    unittest.main()

"""The package sash-spark without Spark: the windows of slices, and the slices of shards."""
import json
import pathlib
import tempfile
import unittest
from typing import Any

import engines  # noqa: F401 - adds the package to the path

from sash_spark.configuration import WindowSpec
from sash_spark.errors import InputError
from sash_spark.plan import PlannedWindow, planned_windows, provenance
from sash_spark.repeated_ids import repeated
from sash_spark.shards import open_slices
from sash_spark.slices import Slice, SliceFolder
from sash_spark.times import time_text


class PlanTest(unittest.TestCase):
    """Windows of slices of 10 s, by their manifests alone."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-spark-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, number: int, start: int, previous: int | None, on_time: bool = True,
              filters: tuple[tuple[str, bool], ...] = (), **more: Any) -> None:
        about = {"slices": 1, "number": number, "start": time_text(start * 10**9),
                 "end": time_text((start + 10) * 10**9),
                 "previous_end": None if previous is None else time_text(previous * 10**9),
                 "edges": 1, "late": number, "refused": 1, "gap": number == 2, "on_time": on_time,
                 "offsets": {"t": {"0": [number, number + 1], "10": [0, 0]}}, "keys": "string",
                 "filters": [{"column": f"filter_{i}", "filter": text, "on_time": passes}
                             for i, (text, passes) in enumerate(filters)],
                 "file": {"name": f"slice-{number:010}.parquet", "bytes": 1, "crc32c": "0"}}
        (self.folder / f"slice-{number:010}.json").write_text(json.dumps({**about, **more}))

    def ends(self, ended: bool = True, **more: Any) -> list[tuple[int, int, list[int]]]:
        """Start and end in seconds, and the numbers of the slices."""
        spec = WindowSpec(**{
            "name": "w", "by": "event_time", "length": 20 * 10**9, "slide": 10 * 10**9, "offset": 0,
            "duplicates": "keep", "identity": "pair", "empty_windows": "once", "types": (),
            "where": "", **more})
        folder = SliceFolder(self.folder)
        self.addCleanup(folder.close)
        return [(each.start // 10**9, each.end // 10**9, [one.number for one in each.slices])
                for each in planned_windows(spec, folder, ended)]

    def test_windows_begin_with_the_first_edge_and_a_silence_has_one_end(self) -> None:
        self.write(1, 0, None)
        self.write(2, 10, 10)
        self.write(3, 60, 20)
        self.assertEqual(self.ends(), [(-10, 10, [1]), (0, 20, [1, 2]), (10, 30, [2]), (20, 40, []),
                                       (50, 70, [3])])
        self.assertEqual(self.ends(slide=30 * 10**9, length=30 * 10**9), [
            (0, 30, [1, 2]), (30, 60, []), (60, 90, [3])])
        self.assertEqual(self.ends(ended=False, slide=30 * 10**9, length=30 * 10**9), [
            (0, 30, [1, 2]), (30, 60, [])], "the last window is not full yet")
        self.assertEqual(self.ends(length=None, slide=30 * 10**9), [
            (0, 30, [1, 2]), (0, 60, [1, 2]), (0, 90, [1, 2, 3])])
        self.assertEqual(self.ends(length=20 * 10**9, slide=20 * 10**9, offset=10 * 10**9), [
            (-10, 10, [1]), (10, 30, [2]), (30, 50, []), (50, 70, [3])])

    def test_windows_with_removed_slices_are_left_out(self) -> None:
        self.write(5, 40, 30)
        self.write(6, 50, 50)
        self.assertEqual(self.ends(), [(30, 50, [5]), (40, 60, [5, 6])])
        with self.assertRaisesRegex(InputError, "begins with the stream, and the slices before"):
            self.ends(length=None)

    def test_a_filter_begins_with_its_first_edge_on_time(self) -> None:
        text = 'types: "a", "b\\"c"; /w > 1.0'
        self.write(1, 0, None, filters=((text, False),))
        self.write(2, 10, 10, filters=(("other", True), (text, True)))
        chosen = {"types": ("a", 'b"c'), "where": "/w > 1.0"}
        self.assertEqual(self.ends(**chosen), [(0, 20, [1, 2])])
        folder = SliceFolder(self.folder)
        self.addCleanup(folder.close)
        self.assertEqual([each.parts[0].column_of(text) for each in folder.slices],
                         ["filter_0", "filter_1"])
        with self.assertRaisesRegex(InputError, "slice 1 has no column for its filter `other`"):
            self.ends(where="other")

    def test_slices_that_do_not_fit_are_refused(self) -> None:
        with self.assertRaisesRegex(InputError, "has no slice-.*json"):
            self.ends()
        (self.folder / "shard.json").touch()
        with self.assertRaisesRegex(InputError, "name the folder above it, which has those of all"):
            self.ends()
        (self.folder / "shard.json").unlink()
        self.write(1, 0, None)
        for change, why in (({"slide": 15 * 10**9}, "its slide is not a multiple of the pane of the"
                                                    " slices, 10 s"),
                            ({"by": "events"}, "slices are cut by event time")):
            with self.assertRaisesRegex(InputError, why):
                self.ends(**change)
        self.write(3, 30, 20)
        with self.assertRaisesRegex(InputError, "between slice 1 and slice 3 one is missing"):
            self.ends()
        self.write(2, 10, 10, slices=2)
        with self.assertRaisesRegex(InputError, "install a newer sash-spark"):
            self.ends()
        self.write(2, 10, 10, keys="integer")
        with self.assertRaisesRegex(InputError, "slice 2 has another pane or other keys"):
            self.ends()
        (self.folder / "slice-0000000002.json").write_text("{}")
        with self.assertRaisesRegex(InputError, "is not the manifest of a slice"):
            self.ends()

    def test_a_result_sums_over_the_slices_of_its_window(self) -> None:
        self.write(1, 0, None)
        self.write(2, 10, 10)
        folder = SliceFolder(self.folder)
        self.addCleanup(folder.close)
        spec = WindowSpec("w", "event_time", 20, 10, 0, "keep", "pair", "once", (), "")
        about = provenance(spec, PlannedWindow(0, 20 * 10**9, tuple(folder.slices)), 7, 0, 0)
        self.assertEqual((about["late"], about["refused"], about["gap"], about["empty"]),
                         (3, 2, True, True))
        self.assertEqual(json.dumps(about["offsets"]), '{"t": {"0": [1, 3], "10": [0, 0]}}')


class ShardsTest(unittest.TestCase):
    """Slices of 10 s of three shards, by their manifests alone."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-spark-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for shard in (1, 2, 3):
            self.state(shard, 100)

    def state(self, shard: int, until: int | None, counts: list[Any] | None = None,
              **more: Any) -> None:
        folder = self.folder / f"shard-{shard}-of-3"
        folder.mkdir(exist_ok=True)
        about = {"manifest": 1, "pane_ns": 10 * 10**9, "keys": "string", "mapping": "m",
                 "closed_until": None if until is None else time_text(until * 10**9),
                 "counts": counted(counts or [])}
        (folder / "shard.json").write_text(json.dumps({**about, **more}))

    def write(self, shard: int, number: int, start: int, previous: int | None,
              counts: list[Any] | None = None, **more: Any) -> None:
        about = {"slices": 1, "number": number, "start": time_text(start * 10**9),
                 "end": time_text((start + 10) * 10**9),
                 "previous_end": None if previous is None else time_text(previous * 10**9),
                 "edges": 1, "late": 1, "refused": 0, "gap": False, "on_time": True,
                 "offsets": {"t": {str(shard): [number, number + 1]}}, "keys": "string",
                 "filters": [], "counts": counted(counts or []),
                 "file": {"name": f"slice-{number:010}.parquet", "bytes": 1, "crc32c": "0"}}
        path = self.folder / f"shard-{shard}-of-3" / f"slice-{number:010}.json"
        path.write_text(json.dumps({**about, **more}))

    def merged(self) -> list[Slice]:
        folder = open_slices(self.folder)
        self.addCleanup(folder.close)
        return folder.slices

    def refused(self) -> str:
        with self.assertRaises(InputError) as error:
            open_slices(self.folder)
        return str(error.exception)

    def test_slices_with_one_start_are_one_up_to_what_all_have_closed(self) -> None:
        self.write(1, 1, 0, None)
        self.write(1, 2, 30, 10, gap=True)
        self.write(2, 1, 30, None, on_time=False)
        self.write(3, 1, 60, None)
        self.state(2, 40)
        found = self.merged()
        self.assertEqual([(each.number, each.start // 10**9, each.previous_end, each.edges,
                           each.about["gap"], len(each.parts)) for each in found],
                         [(1, 0, None, 1, False, 1), (2, 30, 10 * 10**9, 2, True, 2)])
        self.assertEqual(found[1].about["offsets"], {"t": {"1": [2, 3], "2": [1, 2]}})
        self.state(3, None)
        self.assertEqual(self.merged(), [])

    def test_a_slice_of_which_a_shard_has_removed_its_part_is_left_out(self) -> None:
        self.write(1, 1, 0, None)
        self.write(1, 2, 10, 10)
        self.write(2, 7, 30, 20)
        self.write(3, 1, 20, None)
        self.assertEqual([(each.start // 10**9, each.previous_end) for each in self.merged()],
                         [(20, 20 * 10**9), (30, 30 * 10**9)])

    def test_counts_go_to_their_slice_or_the_next_one_in_time(self) -> None:
        self.write(1, 1, 0, None)
        self.write(2, 1, 20, None, on_time=False)
        self.write(1, 2, 40, 10, counts=[(20, 10, 1), (30, 100, 0)])
        self.state(3, 100, counts=[(10, 1000, 0), (None, 0, 10), (90, 5, 5)])
        self.assertEqual([(each.about["late"], each.about["refused"]) for each in self.merged()],
                         [(1, 10), (11, 1), (1101, 0)])
        self.state(1, 40)
        self.assertEqual([(each.about["late"], each.about["refused"]) for each in self.merged()],
                         [(1, 10), (1, 0)], "counts of a slice behind the manifest come later")

    def test_shards_that_are_missing_or_of_other_streams_are_named(self) -> None:
        self.state(2, 10, mapping="other")
        self.assertIn("shard-2-of-3: `mapping` in shard.json is 'other', and 'm' in shard-1-of-3",
                      self.refused())
        self.state(2, 10, manifest=2)
        self.assertIn("install a newer sash-spark", self.refused())
        manifest = self.folder / "shard-2-of-3" / "shard.json"
        manifest.write_text("{}")
        self.assertIn("is not the manifest of a shard", self.refused())
        manifest.write_text("{")
        self.assertIn("is not JSON", self.refused())
        manifest.unlink()
        self.assertIn("shard-2-of-3/shard.json: cannot be read", self.refused())
        manifest.parent.rmdir()
        self.assertIn("has no shard-2-of-3; windows need the slices of all", self.refused())
        (self.folder / "shard-1-of-2").mkdir()
        self.assertIn("different streams (shard-1-of-2, shard-1-of-3, shard-3-of-3)",
                      self.refused())

    def test_an_id_counts_again_after_the_time_or_in_its_own_record(self) -> None:
        rows = [(0, ("t", 0, 1, 0)), (0, ("t", 0, 1, 1)), (4, ("t", 1, 1, 0)), (8, ("t", 2, 1, 0)),
                (12, ("u", 0, 1, 0))]
        self.assertEqual(list(repeated(rows, 5)), [("t", 1, 1, 0), ("u", 0, 1, 0)])
        self.assertEqual(list(repeated(rows, 3)), [])
        self.assertEqual(len(list(repeated(rows, 12))), 3)


def counted(counts: list[Any]) -> list[dict[str, Any]]:
    return [{"start": None if start is None else time_text(start * 10**9), "late": late,
             "refused": refused} for start, late, refused in counts]


if __name__ == "__main__":
    unittest.main()

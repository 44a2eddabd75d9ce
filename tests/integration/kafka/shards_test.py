"""Several `sashd` read one topic as shards: their slices together are those of one `sashd`,
although one shard is idle, a partition is 10 minutes behind, and a shard is killed.

SASH_SEED=n makes the stream, and is printed.
"""
import json
import pathlib
import random
import shutil
import signal
import tempfile
import unittest
from typing import Any

import slice_files
from broker_case import START_MS
from oracle import times
from oracle.compare import read_lines
from sashd_process import SHAPE, Sashd
from shard_case import (AHEAD, BEHIND, DISORDER_SECONDS, PANE_SECONDS, PARTITIONS, SEED, SHARDS,
                        ShardCase, records_of)
from stored_slices_test import differences, facts, from_slices, run

Places = dict[int, set[tuple]]  # by the start of a slice


class ShardsTest(ShardCase):
    def test_their_slices_are_those_of_one_process(self) -> None:
        print(f"SASH_SEED={SEED}", flush=True)
        chance = random.Random(SEED)
        topic = f"edges-{SEED}"
        self.broker.create_topic(topic, PARTITIONS)
        parts = [records_of(partition, chance) for partition in range(PARTITIONS)]
        shards = [self.begin(topic, number) for number in range(1, SHARDS + 1)]
        one = self.begin(topic, None, export="one")
        for partition, lines in enumerate(parts):
            self.produce(topic, partition, lines[:len(lines) // 2])
        self.await_it(lambda: self.keep_active(topic) and self.closed_until(1) > 100, *shards)
        shards[0].process.send_signal(signal.SIGKILL)
        shards[0].process.wait()
        killed_at = self.closed_until(1)
        for partition, lines in enumerate(parts):
            self.produce(topic, partition, lines[len(lines) // 2:])
        shards[0].start()
        end = (BEHIND - DISORDER_SECONDS) // PANE_SECONDS * PANE_SECONDS

        def have_closed() -> bool:
            self.keep_active(topic)
            folder = self.folder / "one"
            newest = max((each.end for each in slice_files.read(folder)), default=0)
            return (newest // 10**9 - START_MS // 1000 >= end
                    and all(self.closed_until(number) >= end for number in range(1, SHARDS + 1)))
        self.await_it(have_closed, one, *shards)
        self.assertGreater(self.closed_until(1), killed_at)
        limit = (START_MS // 1000 + end) * 10**9
        expected = self.cut([self.folder / "one"], limit)
        found = self.cut([self.folder / "slices" / f"shard-{number}-of-{SHARDS}"
                          for number in range(1, SHARDS + 1)], limit)
        for start in sorted({*found[0], *expected[0]}):
            self.assertEqual(found[0].get(start), expected[0].get(start), f"rows of slice {start}")
        self.assertEqual(found[1], expected[1], "late and refused by slice")
        rows = sum(len(places) for places in found[0].values())
        late, refused = (sum(each[i] for each in found[1].values()) for i in (0, 1))
        self.assertGreater(min(rows, late, refused), 10)
        self.assertGreater(len(self.broker.describe_group(f"group-{topic}")), 4)
        self.assert_they_are_a_stream(one, end)
        self.assert_it_is_shown(shards[0])
        idle = self.manifest(3)
        self.assertEqual((idle["idle"], [each["partition"] for each in idle["partitions"]]),
                         (True, [2, 5]))
        for each in shards:
            each.send(signal.SIGTERM)
        for each in shards:
            self.assertEqual(each.process.wait(30), 0, each.log())
            self.assertFalse((each.folder / "results.jsonl").exists(), "a shard runs no job")
        print(f"{rows} rows, {late} late, {refused} refused", flush=True)

    def assert_they_are_a_stream(self, one: Sashd, end: int) -> None:
        """`sashd --replay` over the slices of the shards gives the results that it gives over those
        of one process, which are those that this process had."""
        span = (START_MS // 1000, START_MS // 1000 + end)
        document = {**self.document("none", None),
                    "jobs": [SHAPE, {"name": "ranks", "kernel": "pagerank", "window": "w"},
                             {"name": "few", "kernel": "window", "window": "few"}]}
        found, expected = (self.replay(document, path, span) for path in ("slices", "one"))
        self.assertEqual(len(found), len(expected))
        for each, other in zip(found, expected, strict=True):
            self.assertEqual(differences(each, other), [])
        shapes = {each["window_end"]: each for each in found if each["job"] == "shape"}
        self.assertGreater(len(shapes), 50)
        live = [facts(line) for line in read_lines(str(one.folder / "results.jsonl"))]
        live = [each for each in live if each["window_end"] in shapes]  # a busy one skips some
        self.assertGreater(len(live), 0)
        for each in live:  # it counts its advances from an earlier one
            number = shapes[each["window_end"]]["snapshot"]
            self.assertEqual({**each, "snapshot": number}, shapes[each["window_end"]])
        print(f"{len(found)} results of a replay, {len(live)} of them compared with those of a "
              "live process", flush=True)
        beyond = (span[0], START_MS // 1000 + AHEAD - 30)
        self.assertRegex(self.replay(document, "slices", beyond, 78),
                         "its slices before --to are closed only until .* by shard 2-of-3")
        shutil.copytree(self.folder / "slices", self.folder / "copied",
                        ignore=shutil.ignore_patterns("shard-3-of-3"))
        self.assertIn("it has no shard-3-of-3", self.replay(document, "copied", span, 78))

    def replay(self, document: dict[str, Any], path: str, span: tuple[int, int], code: int = 0
               ) -> Any:
        """The results of a replay over the slices in that folder; if it fails, what it says."""
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            folder = pathlib.Path(scratch)
            done = run(folder, from_slices(document, self.folder / path), "--replay",
                       "--from", times.to_text(span[0] * 10**9),
                       "--to", times.to_text(span[1] * 10**9))
            self.assertEqual(done.returncode, code, done.stderr)
            if code:
                return done.stderr
            return [facts(line) for line in read_lines(str(folder / "results.jsonl"))]

    def assert_it_is_shown(self, shard: Sashd) -> None:
        """The interfaces of a process without windows answer, and it takes no window."""
        self.assertEqual(shard.json("/api/v1/windows"), [])
        self.assertEqual([each["partition"] for each in shard.json("/api/v1/source")["partitions"]],
                         [0, 3])
        shard.json("/api/v1/stream")
        closed = shard.metric("sash_export_closed_until_seconds")
        self.assertLessEqual(abs(closed - START_MS // 1000 - self.closed_until(1)), 100)
        file = shard.folder / "sashd.yaml"
        document = json.loads(file.read_text())
        document["windows"][0]["slide"] = "2s"
        file.write_text(json.dumps(document))
        shard.send(signal.SIGHUP)
        self.await_it(lambda: "reload: needs a restart: windows: a pane of 5 s and 1 filters -> "
                              "a pane of 2 s and 1 filters" in shard.log(), shard)
        del document["source"]["kafka"]["partitions"]
        file.write_text(json.dumps(document))
        shard.send(signal.SIGHUP)
        self.await_it(lambda: "a shard cannot become a process that reads all" in shard.log(),
                      shard)

    def cut(self, folders: list[pathlib.Path], limit: int
            ) -> tuple[Places, dict[int, tuple[int, int]]]:
        """The rows of the slices that end at or before `limit`, and their counts. Counts of panes
        without a slice are those of the next one."""
        rows: Places = {}
        counts: dict[int, list[int]] = {}
        apart: list[dict[str, Any]] = []
        for folder in folders:
            # First the manifest: what it counts may be in a slice that closes later.
            manifest = folder / "shard.json"
            until = 2**70
            if manifest.exists():
                about = json.loads(manifest.read_text())
                until = times.from_result(about["closed_until"])
                apart += about["counts"]
            for file in slice_files.read(folder):
                if file.end <= until:
                    apart += file.about.get("counts", [])
                if file.end > limit:
                    continue
                places = rows.setdefault(file.start, set())
                for row in file.rows():
                    place = tuple(row[name] for name in (
                        "topic", "partition", "offset", "place", "source", "target", "time_ns",
                        "filter_0"))
                    self.assertNotIn(place, places, "a row is there twice")
                    places.add(place)
                sums = counts.setdefault(file.start, [0, 0])
                sums[0] += file.about["late"]
                sums[1] += file.about["refused"]
        for each in apart:
            start = times.from_result(each["start"]) if each["start"] else 0
            later = [other for other in sorted(counts) if other >= start]
            if later:
                counts[later[0]][0] += each["late"]
                counts[later[0]][1] += each["refused"]
        return rows, {start: (late, refused) for start, (late, refused) in counts.items()}

    def test_other_processes_of_the_group_stand_by_or_are_refused(self) -> None:
        topic = "claims"
        self.broker.create_topic(topic, PARTITIONS)
        first = self.begin(topic, 1)
        second = self.begin(topic, 2)
        for each in (first, second):
            self.await_it(lambda each=each: "kafka: reading" in each.log(), each)
        twin = self.begin(topic, 2, export="twin")
        self.await_it(lambda: "this one stands by" in twin.log(), twin)
        whole_document = self.document(topic, None, export="whole")
        whole_document["source"]["kafka"]["group"] = f"group-{topic}"
        whole = self.enterContext(Sashd(whole_document))
        self.await_it(lambda: "this one stands by" in whole.log(), whole)
        other = self.begin(topic, 1, export="other", of=2)
        self.assertEqual(other.process.wait(60), 1, other.log())
        self.assertIn("reads the topics for the group as shard ", other.log())
        self.assertIn("give all shards the same `of`", other.log())
        folder = self.begin(topic, 3, of=4)
        self.assertEqual(folder.process.wait(60), 78, folder.log())
        self.assertIn("it has slices of 3 shards (shard-1-of-3), and source.kafka.partitions says "
                      "`of: 4`", folder.log())
        self.assertNotIn("another instance has taken it over", first.log() + second.log())
        second.process.send_signal(signal.SIGKILL)
        second.process.wait()
        self.await_it(lambda: "kafka: reading" in twin.log(), twin)


if __name__ == "__main__":
    unittest.main()

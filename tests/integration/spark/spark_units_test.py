"""The package sash-spark without Spark: orders, blocks of rows, limits, keys and numbers."""
import pathlib
import random
import tempfile
import unittest
from unittest import mock

import numpy
import pyarrow
import pyarrow.parquet

import engines  # noqa: F401 - adds the package to the path

from sash_spark.configuration import JobSpec
from sash_spark.crc32c import crc32c
from sash_spark.errors import InputError, JobRefused
from sash_spark.keys import FileKeys
from sash_spark.limits import check_limit, parse_bytes
from sash_spark.progress import Progress
from sash_spark.ranking import counted_first, greatest_first, nearest_first, weighed_first
from sash_spark.rows import IN, OUT, make_block, reduced, sums
from sash_spark.times import parse_duration, parse_time, time_text


class OrderTest(unittest.TestCase):
    def test_scores_that_differ_by_rounding_are_ordered_by_key(self) -> None:
        scores = numpy.array([0.1, 0.3 * (1 + 1e-13), 0.3, numpy.nan, 0.30000001, 0.2])
        ids = numpy.flatnonzero(~numpy.isnan(scores))
        self.assertEqual(greatest_first(scores, ids, None).tolist(), [4, 1, 2, 5, 0])
        for count in range(1, 6):
            self.assertEqual(greatest_first(scores, ids, count).tolist(),
                             [4, 1, 2, 5, 0][:count], count)
        self.assertEqual(nearest_first(scores, ids, 2).tolist(), [0, 5])

    def test_a_list_is_the_beginning_of_the_whole_list(self) -> None:
        chosen = random.Random(1)
        for _ in range(50):
            scores = numpy.array([chosen.choice([-1, 1, 0, 1e-300, 1 / 3, 1 / 3 + 1e-17, 2e9])
                                  * chosen.choice([1, 1 + 1e-12]) for _ in range(30)])
            ids = numpy.arange(30)
            whole = greatest_first(scores, ids, None).tolist()
            for count in (1, 7, 29, 30, 40):
                self.assertEqual(greatest_first(scores, ids, count).tolist(), whole[:count])

    def test_counts_and_sums_are_ordered_exactly(self) -> None:
        counts = numpy.array([2**60, 2**60 + 1, 5, 2**60])
        self.assertEqual(counted_first(counts, numpy.arange(4), 3).tolist(), [1, 0, 3])
        self.assertEqual(counted_first(counts, numpy.arange(4), 2, sign=1).tolist(), [2, 0])
        self.assertEqual(weighed_first([2**60, 2**60 + 1, 1.0, -1], numpy.arange(4), 3).tolist(),
                         [1, 0, 2])


class BlockTest(unittest.TestCase):
    def test_rows_are_those_of_the_edges_in_whatever_blocks(self) -> None:
        chosen = random.Random(2)
        for _ in range(60):
            vertices, count = chosen.randint(1, 9), chosen.randint(1, 4)
            edges = sorted((chosen.randrange(vertices), chosen.randrange(vertices),
                            chosen.choice([0.5, 2.0])) for _ in range(chosen.randint(0, 20)))
            found = []
            for number in range(min(count, vertices)):
                here = [edge for edge in edges if edge[0] % count == number]
                chosen.shuffle(here)
                rows, others, weights = (numpy.array([edge[at] for edge in here]).astype(kind)
                                         for at, kind in enumerate((int, int, float)))
                block = make_block(number, count, vertices, rows, others, weights, None)
                found += zip(block.vertex_of_each().tolist(), block.others.tolist(),
                             block.weights.tolist())
                self.assertEqual(len(block.indptr) - 1, len(range(number, vertices, count)))
                totals = sums(block, block.weights)
                for vertex, total in zip(range(number, vertices, count), totals.tolist()):
                    self.assertEqual(total, sum(edge[2] for edge in edges if edge[0] == vertex))
                most = reduced(block, numpy.maximum, block.weights, -1.0)
                self.assertEqual((most < 0).tolist(), (block.lengths() == 0).tolist())
            self.assertEqual(sorted(found), edges)

    def test_merged_rows_have_each_neighbour_once(self) -> None:
        rows, others = numpy.array([0, 2, 0, 0, 2]), numpy.array([1, 0, 2, 1, 0])
        bits = numpy.array([OUT, IN, OUT, IN, IN])
        block = make_block(0, 2, 3, rows, others, None, bits)
        self.assertEqual(block.indptr.tolist(), [0, 2, 3])
        self.assertEqual(block.others.tolist(), [1, 2, 0])
        self.assertEqual(block.bits.tolist(), [OUT | IN, OUT, IN])


class PartsTest(unittest.TestCase):
    def test_the_checksum_is_that_of_the_reference(self) -> None:
        def bytewise(content: bytes) -> int:
            remainder = 0xFFFFFFFF
            for byte in content:
                remainder ^= byte
                for _ in range(8):
                    remainder = remainder >> 1 ^ (0x82F63B78 if remainder & 1 else 0)
            return remainder ^ 0xFFFFFFFF

        self.assertEqual(crc32c(numpy.frombuffer(b"123456789", numpy.uint8)), 0xE3069283)
        chosen = random.Random(3)
        for size in (1, 7, 8, 9, 255, 1000, 70001, 350003):
            content = chosen.randbytes(size)
            self.assertEqual(crc32c(numpy.frombuffer(content, numpy.uint8)), bytewise(content))
        whole = numpy.frombuffer(chosen.randbytes((1 << 22) * 2 + 3), numpy.uint8)
        joined = numpy.concatenate([numpy.zeros(1, numpy.uint8), whole])
        self.assertNotEqual(crc32c(whole), crc32c(joined), "a zero before a text counts")
        self.assertEqual(crc32c(numpy.zeros(16 << 20, numpy.uint8)), 0xA3AB8542)

    def test_beyond_the_limit_a_job_is_refused_with_the_numbers(self) -> None:
        job = JobSpec("b", "bfs", "w", {"separate": True, "roots": ("a", "b", "c")}, 1, 50)
        check_limit(job, 100_000_000, parse_bytes("4GiB"))
        with self.assertRaisesRegex(JobRefused, r"holds 40 bytes .* 200,000,000 vertices, so 8.0 GB"
                                    r".* is 4.3 GB, enough for 107,374,182 vertices"):
            check_limit(job, 200_000_000, parse_bytes("4GiB"))
        with self.assertRaisesRegex(InputError, "`4GB` is not a size"):
            parse_bytes("4GB")

    def test_keys_are_found_by_id_and_by_key_over_row_groups(self) -> None:
        keys = sorted(("k" + str(i) for i in range(50)), key=str.encode)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "vertices.parquet")
            pyarrow.parquet.write_table(pyarrow.table({"id": range(50), "key": keys}), path,
                                        row_group_size=7)
            found = FileKeys(path)
            ids = numpy.array([49, 0, 7, 7, 6, 48])
            self.assertEqual(found.of(ids).to_pylist(), [keys[i] for i in ids])
            self.assertEqual(found.of(ids[:0]).to_pylist(), [])
            self.assertEqual(found.places([keys[8], "none", keys[0], keys[8]]),
                             {keys[0]: 0, keys[8]: 8})
            self.assertEqual([key for batch in found.batches() for key in batch.to_pylist()], keys)

    def test_times_are_written_as_in_results(self) -> None:
        for text in ("1970-01-01T00:00:10.000Z", "2026-02-28T23:59:59.000001Z",
                     "1969-12-31T23:59:59.999999999Z"):
            self.assertEqual(time_text(parse_time(text)), text)
        self.assertEqual(parse_duration("90m"), 5400 * 10**9)
        for wrong in ("5", "m", "1.5h", "5 m", ""):
            with self.assertRaises(ValueError):
                parse_duration(wrong)


class ProgressTest(unittest.TestCase):
    def test_the_first_iteration_has_no_residual(self) -> None:
        said: list[str] = []
        with mock.patch("sash_spark.progress.say", said.append), mock.patch(
                "time.monotonic", side_effect=range(0, 100, 2)):
            progress = Progress(mock.Mock(), "ranks", "pagerank", "w")
            progress.iteration(1, 0.0)
            progress.iteration(2, 0.0123)
        self.assertEqual(said, ["ranks: iteration 1", "ranks: iteration 2, residual 0.0123"])


if __name__ == "__main__":
    unittest.main()

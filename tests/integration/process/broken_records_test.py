"""Broken records between good ones: the good ones all count, the bad ones are all reported, memory
is flat.

SASH_BROKEN_MEGABYTES is the size of each stream.
"""
import collections
import json
import os
import random
import subprocess
import unittest
from typing import Iterator

from sashd_process import CSV_FORMAT, JSON_FORMAT, Sashd, await_that, live, replay

MEGABYTES = int(os.environ.get("SASH_BROKEN_MEGABYTES", "60"))
WARM_MEGABYTES = 10  # bounded structures have reached their bounds by then
GROWTH_BYTES = 24 << 20
LETTERS_BYTES = 1 << 20

# Reason and record; {} is the event time.
BROKEN_JSON = [
    ("invalid_syntax", b"{\"from\": \"a\", \"to\": \"b\", \"ts\": {}" + b" " * 700),
    ("invalid_syntax", b"\x00\x01\x02 not JSON at all " * 50),
    ("invalid_syntax", b"{\"from\": \"a\", \"to\": \"b\", \"ts\": {}}}"),
    ("invalid_syntax", b"[" * 900),
    ("invalid_utf8", b"{\"from\": \"\xff\xfe" + b"\xc3" * 700 + b"\", \"to\": \"b\", \"ts\": {}}"),
    ("missing_field", b"{\"from\": \"a\", \"ts\": {}, \"more\": \"" + b"x" * 700 + b"\"}"),
    ("wrong_type", b"{\"from\": [1], \"to\": \"b\", \"ts\": {}}"),
    ("empty_key", b"{\"from\": \"\", \"to\": \"b\", \"ts\": {}}"),
    ("invalid_time", b"{\"from\": \"a\", \"to\": \"b\", \"ts\": 1e400}"),
]
BROKEN_CSV = [
    ("invalid_syntax", b"a,b,{},four" + b",5" * 400),
    ("invalid_syntax", b"only one" * 100),
    ("invalid_syntax", b"a,\"b\"c,{}"),
    ("invalid_utf8", b"a,\xff" + b"\xc3" * 700 + b",{}"),
    ("empty_key", b",b,{}"),
    ("invalid_time", b"a,b,yesterday" + b"!" * 700),
    ("missing_field", b"a,b,"),
]
HUGE = b"x" * (20 << 20)


class Mixture:
    """A stream of good and broken records, and its expected outcome."""

    def __init__(self, broken: list[tuple[str, bytes]], good: bytes, head: bytes = b"") -> None:
        self.broken, self.good, self.head = broken, good, head
        self.good_count = 0
        self.reasons: collections.Counter[str] = collections.Counter()

    def blocks(self, size: int) -> Iterator[bytes]:
        """About `size` bytes; nine broken records for each good one, one huge record."""
        chance = random.Random(1)
        yield self.head
        sent = 0
        while sent < size:
            rows = []
            for _ in range(100):
                self.good_count += 1
                time = str(1000 + self.good_count).encode()
                key = b"v%d" % chance.randrange(1000)
                rows.append(self.good.replace(b"{key}", key).replace(b"{}", time))
                for reason, record in chance.choices(self.broken, k=9):
                    self.reasons[reason] += 1
                    rows.append(record.replace(b"{}", time))
            block = b"\n".join(rows) + b"\n"
            yield block
            sent += len(block)
        yield HUGE + b"\n"
        self.reasons["too_large"] += 1

    @staticmethod
    def of_json() -> "Mixture":
        return Mixture(BROKEN_JSON, b"{\"from\": \"{key}\", \"to\": \"b\", \"ts\": {}}")

    @staticmethod
    def of_csv() -> "Mixture":
        return Mixture(BROKEN_CSV, b"{key},b,{}", b"source,target,time\n")


class BrokenRecordsTest(unittest.TestCase):
    def check(self, mixture: Mixture, format: dict) -> None:
        document = replay("-", format=format, http={"listen": "127.0.0.1:0"},
                          dead_letters={"path": "letters", "limit": f"{LETTERS_BYTES}B"},
                          windows=[{"name": "w", "length": "2s", "slide": "1s"}])
        document["source"]["replay"]["refuse_at_most"] = "91%"
        with Sashd(document, stdin=subprocess.PIPE) as sashd:
            warm, peak = self.feed(sashd, mixture)
            total = sum(mixture.reasons.values())
            read = mixture.good_count + total
            self.assertTrue(
                await_that(lambda: sashd.metric("sash_source_records_total") == read))
            for reason, count in mixture.reasons.items():
                self.assertEqual(sashd.metric("sash_source_refused_total", reason=reason), count,
                                 reason)
            self.assertEqual(sashd.metric("sash_source_refused_total"), total)
            sashd.process.stdin.close()
            self.assertEqual(sashd.wait(), 0, sashd.log())
            self.assertLess(peak - warm, GROWTH_BYTES, "growth of resident memory")
            results = sashd.lines()
            tumbling = results[1::2]  # every second window of 2 s: these do not overlap
            if len(results) % 2 == 1:
                tumbling = results[0::2]
            self.assertEqual(sum(result["edges"] for result in tumbling), mixture.good_count)
            self.assertEqual(sum(result["refused"] for result in tumbling), total)
            self.check_letters(sashd, mixture)
            print(f"{read} records, {total} broken, resident {warm >> 20} MiB after "
                  f"{WARM_MEGABYTES} MB, at most {peak >> 20} MiB after {MEGABYTES} MB")

    def feed(self, sashd: Sashd, mixture: Mixture) -> tuple[int, int]:
        """Reads all of it at full speed. Resident bytes after the warm-up, and the maximum
        since."""
        fed = 0
        warm = peak = 0
        for block in mixture.blocks(MEGABYTES * 10**6):
            sashd.process.stdin.write(block)
            fed += len(block)
            now = sashd.resident_bytes()
            if fed <= WARM_MEGABYTES * 10**6:
                warm = max(warm, now)
            peak = max(peak, now)
        sashd.process.stdin.flush()
        return warm, max(peak, sashd.resident_bytes())

    def check_letters(self, sashd: Sashd, mixture: Mixture) -> None:
        """The newest refused records, whole lines, within the limit."""
        file = sashd.folder / "letters"
        self.assertLessEqual(file.stat().st_size, LETTERS_BYTES)
        self.assertGreater(file.stat().st_size, LETTERS_BYTES // 4)
        letters = [json.loads(line) for line in file.read_bytes().splitlines()]
        self.assertEqual({letter["reason"] for letter in letters}, set(mixture.reasons))
        offsets = [letter["offset"] for letter in letters]
        self.assertEqual(offsets, sorted(set(offsets)))
        self.assertEqual(letters[-1]["reason"], "too_large")
        for letter in letters:
            self.assertEqual((letter["topic"], letter["partition"]), ("replay", 0))
            self.assertTrue(letter["detail"])
            self.assertTrue("payload" in letter or "payload_base64" in letter)
            self.assertLessEqual(len(letter.get("payload", "")), 65536)
        self.assertFalse((sashd.folder / "letters.rotating").exists())

    def test_json(self):
        self.check(Mixture.of_json(), JSON_FORMAT)

    def test_csv(self):
        self.check(Mixture.of_csv(), CSV_FORMAT)

    def test_a_stream_of_which_nothing_is_accepted_is_not_ready(self):
        with Sashd(live()) as sashd:
            self.assertTrue(await_that(lambda: sashd.get("/readyz")[0] == 200), sashd.log())
            sashd.produce(b'{"payer": "a", "payee": "b"}\n' * 40)
            self.assertTrue(await_that(lambda: sashd.get("/readyz")[0] == 503), sashd.log())
            said = ("40 of the newest 40 records were refused, 40 of them with missing_field, such "
                    "as edges/0/0: ")
            self.assertTrue(await_that(lambda: said in sashd.json("/readyz")["reasons"][0]))
            sashd.await_log("warning source.nearly_all_refused +source: .* missing_field, such as "
                            "edges/0/.*/from")
            sashd.generate("--rate", "1000", "--scale", "8")
            self.assertTrue(await_that(lambda: sashd.get("/readyz")[0] == 200), sashd.log())
            sashd.await_log("source.accepted_again")
            self.assertEqual(sashd.stop(), 0)

    def test_over_kafka(self):
        """They are refused one by one with their position, and the stream goes on."""
        with Sashd(live()) as sashd:
            sashd.generate("--rate", "1000", "--scale", "8")
            sashd.await_lines(1)
            rows = [record for _, record in BROKEN_JSON if b"\0" not in record] * 300
            sashd.produce(b"\n".join(rows) + b"\n")
            expected = collections.Counter(
                reason for reason, record in BROKEN_JSON if b"\0" not in record)
            for reason, count in expected.items():
                await_that(lambda: sashd.metric("sash_source_refused_total", reason=reason)
                           >= 300 * count)
                self.assertEqual(sashd.metric("sash_source_refused_total", reason=reason),
                                 300 * count, reason)
            count = len(sashd.lines())
            after = sashd.await_lines(count + 3)
            self.assertTrue(all(result["edges"] > 0 for result in after[-2:]),
                            "windows after the broken records have edges")
            self.assertEqual(sashd.stop(), 0)
            letters = sashd.lines("dead-letters.jsonl")
            self.assertEqual(len(letters), len(rows))
            self.assertEqual({(letter["topic"], letter["partition"]) for letter in letters},
                             {("edges", 0)})
            self.assertEqual(len({letter["offset"] for letter in letters}), len(rows))


if __name__ == "__main__":
    unittest.main()

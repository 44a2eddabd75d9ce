"""`source.dedupe`: what was sent again counts once, in files, and in topics across kills."""
import json
import pathlib
import random
import signal
import subprocess
import sys
import unittest
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

from broker_case import START_MS, BrokerCase
from sashd_process import Sashd, await_that, replay, run

WITHIN_MS = 15_000
WINDOW = {"name": "w", "length": "20s", "slide": "5s", "duplicates": "keep"}
JOBS = [{"name": "edges", "kernel": "window", "window": "w", "top": 1000,
         "overrun": {"queue": 100}}]
ALL = [{"file": {"path": "results.jsonl", "vertices": "all"}}]
FORMAT = {"json": {"source": "/from", "target": "/to", "weight": "/n", "time": "/ts",
                   "id": {"from": "/tx", "prefix": "tx-"}}}

Record = dict[str, Any]


def payments(chance: random.Random, seconds: int) -> list[Record]:
    """Payments by time. Some are sent again, once or twice within WITHIN_MS, and some much later;
    some have no id. The last one is sent once."""
    sent = []
    for second in range(seconds):
        ts = START_MS + second * 1000
        record = {"from": f"a{chance.randrange(6)}", "to": f"b{chance.randrange(6)}", "n": second,
                  "ts": ts, "tx": chance.choice([second, f"{second}"])}
        if chance.random() < 0.1:
            record["tx"] = None
        sent.append(record)
        for again in chance.sample([0, 700, 3000, 7200, WITHIN_MS], chance.randrange(3)):
            sent.append({**record, "ts": ts + again})
        if chance.random() < 0.1:
            sent.append({**record, "ts": ts + WITHIN_MS * 2 + 1})
    sent = sorted((each for each in sent if each["ts"] < START_MS + seconds * 1000),
                  key=lambda each: each["ts"])
    return [*sent, {"from": "a", "to": "b", "n": 0, "ts": START_MS + seconds * 1000, "tx": "end"}]


def counted(sent: list[Record]) -> list[Record]:
    """The records that count, by a naive reading of windows/semantics.md, "Ids of edges"."""
    newest: dict[str, int] = {}
    chosen = []
    for record in sent:
        if record["tx"] is not None:
            name = str(record["tx"])
            if name in newest and record["ts"] - newest[name] <= WITHIN_MS:
                continue
            newest[name] = record["ts"]
        chosen.append(record)
    return chosen


def deduplicated(document: Record, form: Record) -> Record:
    document["source"].update(format=form, dedupe={"within": "15s"})
    return document


def milliseconds(text: str) -> int:
    since = datetime.fromisoformat(text.replace("Z", "+00:00")) - datetime.fromisoformat(
        "1970-01-01T00:00:00+00:00")
    return since // timedelta(milliseconds=1)


class Compares(unittest.TestCase):
    def compare(self, lines: list[Record], sent: list[Record]) -> None:
        expected = counted(sent)
        self.assertLess(len(expected), len(sent) - 20)
        for line in lines:
            begin, end = milliseconds(line["window_start"]), milliseconds(line["window_end"])
            inside = Counter((each["from"], each["to"], each["n"]) for each in expected
                             if begin <= each["ts"] < end)
            found = Counter((each["source"], each["target"], each["weight"])
                            for each in line["top_edges"])
            self.assertEqual((end, found), (end, inside))
            self.assertEqual(line["edges"], inside.total())


class FilesTest(Compares):
    def test_what_came_before_counts_once(self):
        for seed in range(4):
            sent = payments(random.Random(seed), 120)
            ended = run(deduplicated(replay(time={"unit": "ms", "disorder": "0s"},
                                            windows=[WINDOW], jobs=JOBS, sinks=ALL), FORMAT),
                        "".join(json.dumps(each) + "\n" for each in sent).encode())
            with self.subTest(seed):
                self.assertEqual(ended.code, 0, ended.log)
                self.assertGreater(len(ended.lines()), 20)
                self.compare(ended.lines(), sent)

    def test_what_does_not_fit_together_is_an_error_before_the_start(self):
        plain = {"json": {"source": "/from", "target": "/to", "time": "/ts"}}
        by_events = [{"name": "w", "by": "events", "length": 20, "slide": 5}]
        for document, message in (
                (deduplicated(replay(), plain),
                 "source.dedupe.within: needs ids, and no mapping has one"),
                (deduplicated(replay(windows=by_events, jobs=JOBS), FORMAT),
                 "windows[0].by: cannot be this together with source.dedupe")):
            ended = run(document, b"", arguments=["--check", "sashd.yaml"])
            self.assertEqual(ended.code, 78, ended.log)
            self.assertIn(message, ended.output + ended.log)


class KilledTest(BrokerCase, Compares):
    def send(self, topic: str, sent: list[Record]) -> None:
        subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", topic, "-p", "0"],
                       check=True, timeout=60,
                       input="".join(json.dumps(each) + "\n" for each in sent).encode())

    def test_records_sent_before_and_after_a_kill_count_once(self) -> None:
        for recovery in ("checkpoint", "replay"):
            with self.subTest(recovery):
                sent = payments(random.Random(recovery), 150)
                topic = f"payments-{recovery}"
                self.broker.create_topic(topic, 1)
                document = deduplicated(self.document(topic), FORMAT)
                document.update(windows=[WINDOW], jobs=JOBS, sinks=ALL, recovery=recovery,
                                state={"path": f"state-{recovery}", "interval": "200ms"})
                with Sashd(document) as sashd:
                    for part in range(3):
                        share = sent[len(sent) * part // 3:len(sent) * (part + 1) // 3]
                        self.send(topic, share)
                        closed = (share[-1]["ts"] - START_MS) // 5000
                        sashd.await_lines(closed)
                        if part == 2:
                            break
                        sashd.send(signal.SIGKILL)
                        sashd.wait()
                        sashd.start()
                    duplicates = sashd.metric("sash_engine_duplicates_total")
                    self.assertEqual(sashd.json("/api/v1/stream")["duplicates"], duplicates)
                    self.assertGreater(duplicates, 0)
                    self.assertTrue(await_that(lambda: sashd.json("/readyz")["ready"]))
                    self.assertEqual(sashd.stop(), 0, sashd.log())
                    self.assertFalse(any(line["gap"] for line in sashd.lines()))
                    self.compare(sashd.lines(), sent)


if __name__ == "__main__":
    unittest.main()

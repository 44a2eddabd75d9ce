"""Records in envelopes (`source.format.json.unwrap`) and in strings (`text_at`): a stream of them
is the stream of their contents."""
import base64
import json
import random
import shutil
import subprocess
import unittest
from typing import Any, Callable

from sashd_process import JSON_FORMAT, Ended, Sashd, await_that, live, replay, run

ALL = [{"file": {"path": "results.jsonl", "vertices": "all"}}]
EDGES = [{"name": "edges", "kernel": "window", "window": "w"}]
# They do not depend on the records alone.
CHANGING = {"seconds", "watermark", "snapshot"}
EVENT = {"specversion": "1.0", "id": "1", "type": "edge"}

Record = dict[str, Any]
# The keys of source.format.json, and what is around a record.
FORMS: list[tuple[Record, Callable[[Record], Any]]] = [
    ({"unwrap": "connect"}, lambda record: {"schema": {"type": "struct"}, "payload": record}),
    ({"unwrap": "cloudevents"}, lambda record: {"data": record, **EVENT}),
    ({"unwrap": "cloudevents"}, lambda record: {
        **EVENT, "data_base64": base64.b64encode(json.dumps(record).encode()).decode()}),
    ({"text_at": "/log/message"}, lambda record: {"log": {"message": json.dumps(record)}}),
    ({"text_at": ""}, json.dumps),
    ({"unwrap": "connect", "text_at": "/doc"},
     lambda record: {"payload": {"doc": json.dumps(record)}}),
    ({"unwrap": "cloudevents", "text_at": ""},
     lambda record: {"data": json.dumps(record), **EVENT}),
]


def records(chance: random.Random, count: int) -> list[Record]:
    time = 1_767_225_600_000
    made = []
    for _ in range(count):
        time += chance.randrange(100)
        record: Record = {"from": chance.choice(["a", "é\n", 7, "\"\\"]),
                          "to": f"v{chance.randrange(30)}", "ts": time}
        if chance.random() < 0.2:
            record["w"] = chance.choice([2, -3, 0.5, "1e3"])
        if chance.random() < 0.05:
            del record["to"]  # it becomes a dead letter
        made.append(record)
    return made


def ended(lines: list[Any], **keys: str) -> Ended:
    mapping = {**JSON_FORMAT["json"], "weight": "/w", **keys}
    return run(replay(format={"json": mapping, "where": "!has(/to) || /to != 'v3'"},
                      windows=[{"name": "w", "length": "10s", "slide": "10s"}], jobs=EDGES,
                      sinks=ALL, dead_letters={"path": "letters"}),
               b"".join(json.dumps(line).encode() + b"\n" for line in lines))


def results(run_of: Ended) -> list[Record]:
    return [{key: value for key, value in result.items() if key not in CHANGING}
            for result in run_of.lines("results.jsonl")]


class FilesTest(unittest.TestCase):
    def test_a_stream_of_wrapped_records_is_the_stream_of_their_contents(self):
        content = records(random.Random(4), 1500)
        alone = ended(content)
        self.assertEqual(alone.code, 0, alone.log)
        letters = [(letter["offset"], letter["reason"]) for letter in alone.lines("letters")]
        self.assertEqual(letters, [(place, "missing_field") for place, record in enumerate(content)
                                   if "to" not in record])
        self.assertGreater(sum(result["edges"] for result in results(alone)), 1000)
        for keys, around in FORMS:
            with self.subTest(**keys):
                wrapped = ended([around(record) for record in content], **keys)
                self.assertEqual(wrapped.code, 0, wrapped.log)
                self.assertEqual(results(wrapped), results(alone))
                self.assertEqual([(letter["offset"], letter["reason"])
                                  for letter in wrapped.lines("letters")], letters)

    def test_a_record_without_its_envelope_names_the_remedy(self):
        for keys, lines, reason, detail in (
                ({"unwrap": "connect"}, {}, "missing_field", "schemas.enable=false"),
                ({"unwrap": "cloudevents"}, {}, "missing_field", "neither a member specversion"),
                ({"unwrap": "cloudevents"}, {**EVENT, "data_base64": "e"}, "invalid_syntax",
                 "is not Base64"),
                ({"text_at": "/m"}, {"m": "{\"from\":"}, "invalid_syntax", "at byte 8"),
                ({"text_at": "/m"}, {"m": {"from": "a"}}, "wrong_type", "leave out text_at")):
            with self.subTest(detail=detail):
                wrong = {"from": "a", "to": "b", "ts": 1000, **lines}
                letter, = ended([wrong], **keys).lines("letters")
                self.assertEqual(letter["reason"], reason)
                self.assertIn(detail, letter["detail"])
                self.assertEqual(json.loads(letter["payload"]), wrong)


CHANGES = {"unwrap": "debezium", "source": "/from", "target": "/to", "weight": "/w",
           "time": "$record/source/ts_ms"}


def changes(chance: random.Random, count: int) -> tuple[list[Record], dict[int, Record]]:
    """Changes of a table in which no two rows have the same source and target, and the table."""
    time = 1_767_225_600_000
    table: dict[int, Record] = {}
    made: list[Record] = []
    for _ in range(count):
        time += chance.randrange(100)
        taken = {(row["from"], row["to"]) for row in table.values()}
        free = [(a, b) for a in range(9) for b in range(9) if (a, b) not in taken]
        known = table and (not free or chance.random() < 0.6)
        key = chance.choice(list(table)) if known else len(made) + 100
        before = table.pop(key, None)
        after = None
        if before is None or chance.random() < 0.6:
            if before and (not free or chance.random() < 0.4):
                pair = before["from"], before["to"]
            else:
                pair = chance.choice(free)
            after = {"id": key, "from": pair[0], "to": pair[1], "w": chance.randrange(1, 50)}
            table[key] = after
        event = {"before": before, "after": after, "source": {"ts_ms": time}, "ts_ms": time + 5,
                 "op": ("u" if after else "d") if before else chance.choice("cr")}
        made.append(event if chance.random() < 0.5 else {"schema": {}, "payload": event})
    return made, table


class ChangesTest(unittest.TestCase):
    def test_the_last_window_is_the_table(self):
        for seed in range(4):
            events, table = changes(random.Random(seed), 700)
            for policy in ("keep", "drop", "weigh"):
                with self.subTest(seed=seed, policy=policy):
                    done = run(replay(format={"json": CHANGES}, jobs=EDGES, sinks=ALL,
                                      windows=[{"name": "w", "length": "forever", "slide": "10s",
                                                "duplicates": policy}],
                                      dead_letters={"path": "letters"}),
                               b"".join(json.dumps(event).encode() + b"\n" for event in events))
                    self.assertEqual(done.code, 0, done.log)
                    last = done.lines("results.jsonl")[-1]
                    self.assertEqual(
                        sorted((edge["source"], edge["target"], edge["weight"])
                               for edge in last["top_edges"]),
                        sorted((str(row["from"]), str(row["to"]), row["w"])
                               for row in table.values()))
                    self.assertEqual(done.lines("letters"), [])


@unittest.skipUnless(shutil.which("kcat"), "there is no kcat (package kcat)")
class TopicTest(unittest.TestCase):
    def test_events_of_both_modes_are_in_one_topic(self):
        mapping = {"source": "$header.ce_subject", "target": "/to", "unwrap": "cloudevents"}
        with Sashd(live(format={"json": mapping, "where": "$header.ce_type == 'edge'"},
                        dead_letters={"path": "letters"})) as sashd:
            def produce(value: Record, *headers: str) -> None:
                options = [part for header in headers for part in ("-H", header)]
                subprocess.run(["kcat", "-P", "-q", "-b", sashd.broker(), "-t", "edges", "-p", "0",
                                *options], input=json.dumps(value).encode() + b"\n", check=True,
                               timeout=60)
            produce({"to": "b"}, "ce_specversion=1.0", "ce_type=edge", "ce_subject=a")
            produce({**EVENT, "subject": "c", "data": {"to": "d"}})
            produce({**EVENT, "type": "other", "subject": "c", "data": {"to": "d"}})
            produce({"to": "b"}, "ce_type=edge", "ce_subject=a")
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_engine_events_accepted_total", operation="add") == 2 and sashd.metric(
                    "sash_source_refused_total", reason="missing_field") == 1), sashd.log())
            self.assertEqual(sashd.metric("sash_source_filtered_total"), 1)
            self.assertEqual(sashd.stop(), 0, sashd.log())
            letter, = sashd.lines("letters")
        self.assertEqual(letter["headers"], [{"name": "ce_type", "value": "edge"},
                                             {"name": "ce_subject", "value": "a"}])

    def test_tombstones_behind_deletes_are_not_refused_and_truncation_is_reported(self):
        row = {"from": "a", "to": "b", "w": 2}
        events = [{"op": "c", "before": None, "after": row, "source": {"ts_ms": 1000}},
                  {"op": "d", "before": row, "after": None, "source": {"ts_ms": 2000}},
                  {"op": "t", "before": None, "after": None, "source": {"ts_ms": 3000}},
                  {"op": "u", "before": None, "after": row, "source": {"ts_ms": 4000}}]
        lines = [b"1|" + json.dumps(event).encode() for event in events]
        lines.insert(2, b"1|")  # a tombstone
        with Sashd(live(format={"json": CHANGES}, dead_letters={"path": "letters"})) as sashd:
            subprocess.run(["kcat", "-P", "-q", "-b", sashd.broker(), "-t", "edges", "-p", "0",
                            "-K", "|", "-Z"], input=b"\n".join(lines) + b"\n", check=True,
                           timeout=60)
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_source_refused_total", reason="missing_field") == 1), sashd.log())
            for operation in ("add", "remove"):
                self.assertTrue(await_that(lambda: sashd.metric(
                    "sash_engine_events_accepted_total",
                    operation=operation) == 1), sashd.log())  # pylint: disable=cell-var-from-loop
            for kind in ("tombstones_ignored", "truncations"):
                self.assertEqual(sashd.metric("sash_source_incidents_total", kind=kind), 1)
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertIn("truncations of tables: 1", sashd.log())
            letter, = sashd.lines("letters")
        self.assertEqual(letter["key"], "1")
        self.assertIn("REPLICA IDENTITY FULL", letter["detail"])


if __name__ == "__main__":
    unittest.main()

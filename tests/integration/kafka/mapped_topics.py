"""A random stream in two topics, whose records give several edges.

Records of the first are lots of rows, some of them broken, with a second edge for each row; rows
have types, and ids, because some are sent again. Records of the second are changes of rows in a
table, and the tombstones behind deletes.
"""
import json
import random
from typing import Any

import kafka_broker
from killed_stream import RandomTopic, Record
from oracle import records

DEDUPE_SECONDS = 15
ROWS_A_LOT = 4  # at most
LANES = "ab"
Json = dict[str, Any]


class MappedTopics(RandomTopic):
    def __init__(self, broker: kafka_broker.KafkaBroker, name: str, seed: int, rows: int,
                 partitions: int, **shape: Any) -> None:
        self._table = _Table(random.Random(f"changes of {seed}"))
        self.changes = f"{name}-changes"
        super().__init__(broker, name, seed, rows, partitions, kinds=True,
                         dedupe=DEDUPE_SECONDS * 10**9, chains=False, **shape)

    def reading(self) -> Json:
        form = self._form
        edge = form["json"]
        lot = {"source": edge["source"], "target": "$record/lot", "time": edge["time"],
               "type": "lot"}
        row = {"unwrap": "debezium", "source": "/from", "target": "/to", "weight": "/w",
               "type": "/kind", "time": "$record/source/ts_ms"}
        keys = {"keys": form["keys"]}
        return {"mappings": [
            {"name": "lots", "topics": [self.name], "json": {"each": "/rows"},
             "edges": [edge, lot], **keys},
            {"name": "rows", "topics": [self.changes], "json": row, **keys}],
            "dedupe": {"within": f"{DEDUPE_SECONDS}s"}}

    def filters(self) -> dict[str, Json]:
        return {"newest": {"types": ["paid", "lot", "row"]},
                "sums": {"where": f'double(/lot) > 20.0 || /lane == "{LANES[0]}"'}}

    def _share_out(self, chance: random.Random, lines: list[bytes]) -> None:
        waiting: list[list[bytes]] = [[] for _ in self.partitions]
        sent = 0

        def send_lot(partition: int) -> None:
            nonlocal sent
            self._add(self.name, partition, _lot(sent, waiting[partition]))
            waiting[partition] = []
            sent += 1

        for line in lines:
            row = _parsed(line)
            if chance.random() < 0.2 and (change := self._table.change(row)):
                self._add(self.changes, 0, *change)
                continue
            partition = chance.choice(self.partitions)
            if row is None:
                self._add(self.name, partition, (None, line))  # no lot can hold what is not JSON
                continue
            waiting[partition].append(line.strip(b"\r"))
            if len(waiting[partition]) >= chance.randint(1, ROWS_A_LOT):
                send_lot(partition)
        for partition in self.partitions:
            send_lot(partition)


def _lot(number: int, rows: list[bytes]) -> Record:
    head = json.dumps({"lot": number, "lane": LANES[number % len(LANES)]}).encode()
    return None, head[:-1] + b', "rows": [' + b",".join(rows) + b"]}"


def _parsed(line: bytes) -> Any:
    """A line as JSON; None if it is not JSON."""
    try:
        return records.parse_json(line)
    except records.Refusal:
        return None


class _Table:
    """Rows come, change and go. Some changes lack what they need."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._rows: list[Json] = []
        self._written = 0

    def change(self, source: Any) -> list[Record]:
        """The change that this row of the stream becomes, if it can, and what follows it."""
        try:
            row = {"from": source["edge"]["from"], "to": source["edge"]["to/with~odd"],
                   "kind": self._chance.choice(["row", "paid"])}
            time = source["ts"]
        except (TypeError, LookupError):
            return []
        if source.get("op") not in (None, "add") or not row["from"] or not row["to"]:
            return []
        self._written += 1
        row.update(w=self._chance.randrange(1, 9), lot=self._written,
                   lane=self._chance.choice(LANES))
        lot = self._chance.random()
        before = self._rows.pop(self._chance.randrange(len(self._rows))) if (
            lot < 0.5 and self._rows) else None
        if before is not None and lot < 0.2:
            return [self._record("d", before, None, time), (b"key", b"")]
        self._rows.append(row)
        return [self._record("c" if before is None else "u", before, row, time)]

    def _record(self, kind: str, before: Json | None, after: Json | None, time: int) -> Record:
        lot = self._chance.random()
        if lot < 0.1 and before is not None:
            before = {key: value for key, value in before.items() if key != "to"} or None
        elif lot < 0.15 and after is not None:
            after = {**after, "w": "many"}
        change = {"op": kind, "before": before, "after": after, "source": {"ts_ms": time}}
        return b"key", json.dumps(change).encode()

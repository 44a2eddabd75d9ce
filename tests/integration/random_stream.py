"""Seeded random edge streams with many difficult cases, as JSON lines or CSV.

Odd keys, silences of years, bursts, hubs, self-loops, repeated times, disorder, late events,
removals, duplicates, weights at the edges of 64 bits, events far ahead of the others, and broken
rows between good ones. Rows may have types, and ids: then some are sent again.
"""
import json
import random
from dataclasses import dataclass, field, replace
from typing import Any

from oracle.times import UNIT_NANOSECONDS, to_text

YEAR_SECONDS = 365 * 86400
ODD_KEYS = [
    "a,b", 'quote"inside', '"', "new\nline", "carriage\r\nreturn", "tab\there", "007", "1e5", "-0",
    "null", "true", " leading", "trailing ", "'", "\\", "\\n", "{}", "[1]", "é",
    "e\u0301", "日本語", "🦉", "\u2028", "a;b", "//", "%2F", "x" * 3000, "x" * 2999 + "y", "A", "a",
    "vertex", "#", "~1"]
ODD_INTEGERS = [0, -1, 1, 2**63 - 1, -(2**63), 2**32, 2**31 - 1, -(2**31), 10**18]
HUGE = ["1e300", "-1e300", str(2**63 - 1), str(-(2**63)), str(2**62), str(2**53 + 1), "1e-300"]
WEIGHTS = {
    "integer": ["", "1", "2", "7", "1000", "0"],
    "real": ["2.5", "0.1", "1e-3", "12.75", "3.0"],
    "negative": ["-1", "-3", "3", "-7.25E2", "725", "0"],
    "huge": [*HUGE, "1", "-1"],
    "mixed": ["", "1", "0", "-3", "7", "2.5", "-7.25E2", "1e-3", "0.1", *HUGE],
}
# In turn, so that in some slices all weights are 1, or integers, and in others not.
CHANGING = ["unit", "integer", "mixed", "real", "unit", "negative", "huge"]
CHANGES_AFTER = 60  # rows
KINDS = ["paid", "owed", "", 7]  # types; empty: none
BAD_WEIGHTS = ["nan", "inf", "1x", "0x10", "--1", str(2**63), "1e999"]


@dataclass(frozen=True)
class Shape:
    """The properties of a stream."""

    seed: int
    format: str  # json, csv (named columns), csv_numbered, tsv
    rows: int = 1500
    integer_keys: bool = False
    unit: str = "ms"
    step: int = 10**9  # nanoseconds between rows, approximately
    quantum: int = 10**6  # of the times, in nanoseconds
    disorder: int = 2 * 10**9
    silences: bool = True
    operations: bool = True
    weights: str = "mixed"  # a kind of WEIGHTS, "changing", or "" for none
    repeated: float = 0.2  # share of rows that repeat an earlier pair
    vertex_removals: float = 0.02  # share of rows, approximately
    hub_neighbours: int = 0  # of two hubs that are in half the rows
    broken: float = 0.03
    outliers: float = 0  # share of rows that are hours to years ahead of the others
    kinds: bool = False  # rows have types
    dedupe: int = 0  # nanoseconds in which an id counts once; 0: rows have no ids
    chains: bool = True  # an id may come for ever; otherwise all its rows are within `dedupe`


@dataclass
class Stream:
    """The content of a file, and the configuration that it needs."""

    content: bytes
    format: dict[str, Any]
    roots: list[str | int] = field(default_factory=list)
    ends: list[str | int] = field(default_factory=list)  # of paths from the roots


@dataclass
class _Row:
    source: str | int
    target: str | int
    weight: str
    time: int
    operation: str
    kind: str | int = ""
    id: int | None = None


def make(shape: Shape) -> Stream:
    chance = random.Random(shape.seed)
    keys = _keys(shape, chance)
    rows = _rows(shape, chance, keys)
    labels = random.Random(f"labels of {shape.seed}")
    if shape.kinds:
        for row in rows:
            row.kind = labels.choice(KINDS)
    if shape.dedupe:
        rows = _sent_again(shape, labels, rows)
    write = _write_json if shape.format == "json" else _write_csv
    content, mapping = write(shape, chance, rows)
    roots = [keys[0], chance.choice(keys), 424242 if shape.integer_keys else "nobody"]
    ends = random.Random(f"ends of {shape.seed}").choices(keys, k=6)
    return Stream(content, mapping, list(dict.fromkeys(roots)), list(dict.fromkeys(ends)))


def _keys(shape: Shape, chance: random.Random) -> list[str | int]:
    """The first keys are hubs."""
    plain = chance.choice([12, 60, 250])
    if shape.integer_keys:
        keys: list[str | int] = [*ODD_INTEGERS, *(chance.randrange(10**6) for _ in range(plain))]
    else:
        keys = [*ODD_KEYS, *(f"v{number}" for number in range(plain))]
    keys = list(dict.fromkeys(keys))
    chance.shuffle(keys)
    return keys


def _pick(chance: random.Random, keys: list[str | int]) -> str | int:
    return keys[min(int(chance.paretovariate(0.7)) - 1, len(keys) - 1)] if chance.random() < 0.5 \
        else chance.choice(keys)


class _Pairs:
    """Sources and targets: random ones, edges of hubs, repeated pairs, reversed pairs,
    self-loops."""

    RECENT = 300

    def __init__(self, shape: Shape, chance: random.Random, keys: list[str | int]) -> None:
        self._shape, self._chance, self._keys = shape, chance, keys
        self._drawn: list[tuple[str | int, str | int]] = []

    def draw(self) -> tuple[str | int, str | int]:
        pair = self._repeated() if self._drawn and self._chance.random() < self._shape.repeated \
            else self._fresh()
        self._drawn.append(pair)
        return pair

    def _repeated(self) -> tuple[str | int, str | int]:
        source, target = self._chance.choice(self._drawn[-self.RECENT:])
        return self._chance.choice([(source, target), (source, target), self._drawn[-1],
                                    (target, source)])

    def _fresh(self) -> tuple[str | int, str | int]:
        chance, keys = self._chance, self._keys
        if self._shape.hub_neighbours and chance.random() < 0.5:
            neighbour = chance.randrange(self._shape.hub_neighbours) + 10**6
            far = neighbour if self._shape.integer_keys else f"neighbour-{neighbour}"
            pair = chance.choice(keys[:2]), far
            return pair if chance.random() < 0.7 else pair[::-1]
        if chance.random() < 0.02:
            return (keys[0], keys[0])
        return _pick(chance, keys), _pick(chance, keys)


def _weight(shape: Shape, chance: random.Random, number: int) -> str:
    kind = shape.weights
    if kind == "changing":
        kind = CHANGING[number // CHANGES_AFTER % len(CHANGING)]
    return chance.choice(WEIGHTS[kind]) if kind in WEIGHTS else ""


def _rows(shape: Shape, chance: random.Random, keys: list[str | int]) -> list[_Row]:
    now = chance.randrange(-200 * YEAR_SECONDS, 60 * YEAR_SECONDS) * 10**9
    rows: list[_Row] = []
    pairs = _Pairs(shape, chance, keys)
    burst = 0
    for number in range(shape.rows):
        if burst:
            burst -= 1
        elif chance.random() < 0.01:
            burst = chance.randrange(60)
        elif shape.silences and chance.random() < 0.01:
            now += chance.choice([30, 1000, YEAR_SECONDS * 10**9 // shape.step]) * shape.step
        else:
            now += int(chance.expovariate(1) * shape.step)
        time = now
        if chance.random() < 0.2:
            time -= int(chance.random() * shape.disorder)
        elif number > shape.rows // 10 and chance.random() < 0.03:
            time -= shape.disorder + int(chance.expovariate(1) * 20 * shape.step)
        if rows and chance.random() < 0.1:
            time = rows[-1].time
        if shape.outliers and chance.random() < shape.outliers:
            time = now + chance.choice([3600, 86400, 20 * YEAR_SECONDS]) * 10**9
        source, target = pairs.draw()
        operation = chance.choices(["", "add", "remove", "remove_vertex"], 
                                   [60, 20, 15, 100 * shape.vertex_removals])[0]
        rows.append(_Row(source, target, _weight(shape, chance, number),
                         time // shape.quantum * shape.quantum,
                         operation if shape.operations else ""))
    return rows


def _sent_again(shape: Shape, chance: random.Random, rows: list[_Row]) -> list[_Row]:
    """Most rows get an id, and some come again, at their time or at the time of another row; or
    another row has their id."""
    sent: list[_Row] = []
    spans: dict[int, tuple[int, int]] = {}  # by id: the least and the greatest time

    def may_have(number: int, time: int) -> bool:
        least, greatest = spans.get(number, (time, time))
        return shape.chains or max(greatest, time) - min(least, time) <= shape.dedupe

    def send(row: _Row) -> None:
        if row.id is not None:
            least, greatest = spans.get(row.id, (row.time, row.time))
            spans[row.id] = min(least, row.time), max(greatest, row.time)
        sent.append(row)

    for number, row in enumerate(rows):
        row.id = None if chance.random() < 0.1 else number
        if sent and chance.random() < 0.1:
            row.id = chance.choice(sent[-30:]).id
        if row.id is not None and not may_have(row.id, row.time):
            row.id = number
        send(row)
        if chance.random() < 0.2:
            again = chance.choice(sent[-30:])
            time = chance.choice([again.time, row.time])
            if again.id is not None and may_have(again.id, time):
                send(replace(again, time=time))
    return sent


def _time(shape: Shape, time: int) -> str:
    if shape.unit == "rfc3339":
        return to_text(time)
    whole, rest = divmod(time, UNIT_NANOSECONDS[shape.unit])
    if rest == 0:
        return str(whole)
    total = abs(time)
    whole, rest = divmod(total, UNIT_NANOSECONDS[shape.unit])
    digits = len(str(UNIT_NANOSECONDS[shape.unit])) - 1
    return f"{'-' if time < 0 else ''}{whole}.{rest:0{digits}d}".rstrip("0")


def _write_json(shape: Shape, chance: random.Random,
                rows: list[_Row]) -> tuple[bytes, dict[str, Any]]:
    lines = []
    for row in rows:
        if chance.random() < shape.broken:
            lines.append(_broken_json(shape, chance, row))
        lines.append(_json_line(shape, chance, row))
    mapping = {"source": "/edge/from", "target": "/edge/to~1with~0odd", "time": "/ts"}
    if shape.weights:
        mapping["weight"] = "/amount"
    if shape.operations:
        mapping["operation"] = "/op"
    if shape.kinds:
        mapping["type"] = "/kind"
    if shape.dedupe:
        mapping["id"] = {"from": "/tx", "prefix": "tx-"} if chance.random() < 0.5 else "/tx"
    end = b"\r\n" if chance.random() < 0.3 else b"\n"
    return end.join(lines) + chance.choice([b"", end]), _format(shape, {"json": mapping})


def _json_line(shape: Shape, chance: random.Random, row: _Row) -> bytes:
    plain = chance.random() < 0.5
    fields = [f'"from":{json.dumps(row.source, ensure_ascii=plain)}']
    if row.operation != "remove_vertex" or plain:
        fields.append(f'"to/with~odd":{json.dumps(row.target, ensure_ascii=plain)}')
    time = _time(shape, row.time)
    parts = ['"edge":{' + ",".join(fields) + "}",
             f'"ts":{json.dumps(time) if shape.unit == "rfc3339" else time}',
             '"other":[1,{"deep":null}]']
    if shape.weights and (row.weight or plain):
        parts.append(f'"amount": {row.weight or "null"}')
    if shape.operations and (row.operation or plain):
        parts.append(f'"op": {json.dumps(row.operation) if row.operation else "null"}')
    if shape.kinds and (row.kind or plain):
        parts.append(f'"kind": {json.dumps(row.kind or None)}')
    if shape.dedupe and (row.id is not None or plain):
        same_id = str(row.id) if row.id is not None and chance.random() < 0.5 else row.id
        parts.append(f'"tx": {json.dumps(same_id)}')
    chance.shuffle(parts)
    return ("{" + ", ".join(parts) + "}").encode()


def _broken_json(shape: Shape, chance: random.Random, row: _Row) -> bytes:
    good = _json_line(shape, chance, row)
    key = b"7" if not shape.integer_keys else b'"7"'  # of the other kind
    broken = [good[:-1], b"{}", b"garbage \xff\xfe", b"[]", good + b"}", b'{"edge":1,"ts":2}',
              good.replace(b'"other"', b'"other\xff"'), good.replace(b'"ts":', b'"st":'),
              good.replace(b'"from":', b'"from":' + key + b',"old":'), b"null",
              good.replace(b'"deep":null', b'"deep":nul'), good.replace(b'"deep"', b'"de\\qep"')]
    if shape.weights:
        broken.append(b'{"amount":"1",' + _json_line(
            shape, chance, _Row(row.source, row.target, "", row.time, "add"))[1:].replace(
                b'"amount": null', b'"unused": null'))
    if shape.operations:
        broken.append(_json_line(
            shape, chance, _Row(row.source, row.target, "1", row.time, "Remove")))
    if shape.kinds:
        wrong = chance.choice([b"1.5", b"true", b'{"a":1}', b'"' + b"k" * 256 + b'"'])
        broken.append(b'{"kind":' + wrong + b"," + _json_line(
            replace(shape, kinds=False), chance, row)[1:])
    if shape.dedupe:
        broken.append(b'{"tx":[1],' + _json_line(replace(shape, dedupe=0), chance, row)[1:])
    return chance.choice(broken)


def _write_csv(shape: Shape, chance: random.Random,
               rows: list[_Row]) -> tuple[bytes, dict[str, Any]]:
    delimiter = "\t" if shape.format == "tsv" else ","
    numbered = shape.format == "csv_numbered"
    columns = ["source", "target", "time", "unused, \"odd\""]
    columns += ["weight"] if shape.weights else []
    columns += ["operation"] if shape.operations else []
    columns += ["kind"] if shape.kinds else []
    columns += ["tx"] if shape.dedupe else []
    chance.shuffle(columns)
    end = chance.choice(["\n", "\r\n"])
    lines = [] if numbered else [delimiter.join(_cell(name, delimiter, chance) for name in columns)]
    for row in rows:
        cells = {"source": str(row.source), "target": str(row.target),
                 "time": _time(shape, row.time), "weight": row.weight, "operation": row.operation,
                 "kind": str(row.kind), "tx": "" if row.id is None else str(row.id),
                 "unused, \"odd\"": chance.choice(["", "x", "1,2", "\n"])}
        if lines and chance.random() < shape.broken:
            lines.append(_broken_csv(shape, chance, columns, cells, delimiter))
        if chance.random() < 0.02:
            lines.append("")
        lines.append(delimiter.join(_cell(cells[name], delimiter, chance) for name in columns))
    text = end.join(lines) + chance.choice(["", end])
    mapping: dict[str, Any] = {
        name: columns.index(name) + 1 if numbered else name
        for name in columns if not name.startswith("unused")}
    if shape.kinds:
        mapping["type"] = {"from": mapping.pop("kind")}
    if shape.dedupe:
        mapping["id"] = mapping.pop("tx")
    if delimiter != ",":
        mapping["delimiter"] = chance.choice([delimiter, "tab"])
    if not shape.integer_keys:  # some keys hold line breaks
        mapping["multiline"] = True
    return text.encode("utf-8", "surrogateescape"), _format(shape, {"csv": mapping})


def _cell(text: str, delimiter: str, chance: random.Random) -> str:
    if chance.random() < 0.1 or any(sign in text for sign in (delimiter, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text


def _broken_csv(shape: Shape, chance: random.Random, columns: list[str], cells: dict[str, str],
                delimiter: str) -> str:
    """One physical line that is not an edge event."""
    plain = {**cells, "source": "5", "target": "6", "unused, \"odd\"": ""}
    wrong = [{"time": ""}, {"time": "noon"}, {"source": ""}, {"target": "", "operation": "add"},
             {"source": "\udcff\udcfe"}]
    if shape.integer_keys:
        wrong += [{"source": "1.5"}, {"source": str(2**63)}, {"source": "five"}]
    if shape.weights:
        wrong += [{"weight": weight} for weight in BAD_WEIGHTS]
    if shape.operations:
        wrong += [{"operation": "REMOVE"}, {"operation": "delete"}]
    spoiled = {**plain, **chance.choice(wrong)}
    row = delimiter.join(spoiled[name] for name in columns)
    good = delimiter.join(plain[name] for name in columns)
    broken = [row, row, row, '"closed"too early' + delimiter + good.partition(delimiter)[2]]
    if shape.format != "csv_numbered":  # only a header fixes the number of fields
        broken += [good + delimiter, good.rpartition(delimiter)[0]]
    return chance.choice(broken)


def field_of(stream: Stream, name: str) -> str:
    """A mapped field as an expression names it."""
    [mapping] = [stream.format[kind] for kind in ("json", "csv") if kind in stream.format]
    place = mapping[name]
    if isinstance(place, dict):
        place = place["from"]
    return f"${place}" if isinstance(place, int) else place


def _format(shape: Shape, mapping: dict[str, Any]) -> dict[str, Any]:
    return {**mapping, "keys": "integer" if shape.integer_keys else "string"}

"""Records to edge events, or refusals (windows/semantics.md, connectors/README.md).

A record gives one edge event or several, or is refused; the reason is for people only and is not
compared. Of a record that gives several, single edges may be refused. The events of a record follow
each other; what is refused of it comes before them.
"""
import itertools
import re
from typing import Any, Callable, Iterable, Iterator, NamedTuple

from . import csv_rows, times
from .configuration import Mapping, Stream
from .filters import ReadField, is_true
from .json_fields import (MAX_RECORD_BYTES, Fields, Refusal, json_fields, parse_json, present,
                          resolve, text_of, type_of)
from .weights import INT64, parse_weight

OPERATIONS = ("add", "remove", "remove_vertex")


class Place(NamedTuple):
    topic: str
    partition: int
    offset: int


class Event(NamedTuple):
    """The order of the fields sorts events as they take effect within a slice."""

    time: int
    topic: str
    partition: int
    offset: int
    place: int  # in its record
    operation: str
    source: str | int
    target: str | int | None
    weight: int | float
    type: str | None = None
    id: tuple[int, int, str] | None = None  # the mapping, the entry of its edges, and the text
    judged: frozenset[str] = frozenset()  # the expressions of windows that are true for its record


class Refused(NamedTuple):
    topic: str
    partition: int
    offset: int
    reason: str


MAX_EDGES = 65_536
MAX_REFUSED_EDGES = 1000


class TooManyEdges(Refusal):
    """No mapping gives an edge of the record."""


def read_file(path: str, stream: Stream) -> Iterator[Event | Refused]:
    """The records of a replay: topic `replay`, partition 0, offsets count refused rows too."""
    with open(path, "rb") as file:
        content = file.read()
    if stream.mapping.kind == "json":
        lines = (line for line in content.split(b"\n") if line.strip(b"\r"))
        records = ((Place("replay", 0, offset), line) for offset, line in enumerate(lines))
        yield from decode_json(records, stream)
    else:
        yield from decode_csv(content, stream)


def decode_json(records: Iterable[tuple[Place, bytes]],
                stream: Stream) -> Iterator[Event | Refused]:
    """JSON records from any source."""
    def read(place: Place, record: bytes, mapping: Mapping) -> tuple[list[str], list[Event]]:
        document = parse_json(record)
        if mapping.unwrap == "debezium":
            return [], _changes(place, document, mapping, stream)
        return _edges(place, document, document, mapping, stream)

    for place, record in records:
        yield from _through_mappings(place, record, stream, read)


def _through_mappings(place: Place, record: Any, stream: Stream,
                      read: Callable[[Place, Any, Mapping], tuple[list[str], list[Event]]]
                      ) -> Iterator[Event | Refused]:
    """Each mapping refuses for itself; the edges are in the order of the mappings."""
    refused: list[str] = []
    events: list[Event] = []
    try:
        for mapping in stream.mappings:
            if mapping.topics and place.topic not in mapping.topics:
                continue
            if not re.search(mapping.pattern, place.topic):
                continue
            try:
                wrong, right = read(place, record, mapping)
            except TooManyEdges:
                raise
            except Refusal as refusal:
                wrong, right = [str(refusal)], []
            refused += wrong
            events += [event._replace(place=len(events) + number)
                       for number, event in enumerate(right)]
            if len(events) > MAX_EDGES:
                raise TooManyEdges("too many edges")
    except TooManyEdges as refusal:
        refused, events = [str(refusal)], []
    yield from (Refused(*place, reason) for reason in refused)
    yield from events


class Record(NamedTuple):
    """What became of a record: a refusal, or events and the refusals of its other edges."""
    partition: tuple[str, int]  # topic and number
    refused: list[Refused]
    events: list[Event]


def by_record(records: Iterable[Event | Refused]) -> Iterator[Record]:
    for place, group in itertools.groupby(records,
                                          lambda one: (one.topic, one.partition, one.offset)):
        together = list(group)
        yield Record(place[:2], [one for one in together if isinstance(one, Refused)],
                     [one for one in together if isinstance(one, Event)])


def _changes(place: Place, change: Any, mapping: Mapping, stream: Stream) -> list[Event]:
    """A change of a row: the edges of the row before it are removed, those of the row after it
    added. Refused as a whole."""
    rows = {"c": ["after"], "r": ["after"], "u": ["before", "after"], "d": ["before"]}
    kind = change.get("op") if isinstance(change, dict) else None
    if kind not in rows:
        raise Refusal("not a change of a row")
    events: list[Event] = []
    for name in rows[kind]:
        row = change.get(name)
        if not isinstance(row, dict):
            raise Refusal(f"there is no {name}")
        refused, found = _edges(place, row, change, mapping, stream)
        if refused:
            raise Refusal(refused[0])
        operation = "remove" if name == "before" else "add"
        events += [event._replace(operation=operation, place=len(events) + number)
                   for number, event in enumerate(found)]
    return [event._replace(judged=events[-1].judged) for event in events]


def _judged(stream: Stream, read: ReadField) -> frozenset[str]:
    return frozenset(where for where in stream.wheres if is_true(where, read))


def _edges(place: Place, document: Any, record: Any, mapping: Mapping,
           stream: Stream) -> tuple[list[str], list[Event]]:
    """Why some edges of the record are refused, and the others. Pointers begin at `document`, or at
    its elements; behind $record at `record`."""
    elements = [document]
    judged = _judged(stream, lambda pointer: present(resolve(document, pointer)))
    if mapping.each is not None:
        elements = resolve(document, mapping.each)
        if not isinstance(elements, list):
            raise Refusal("each is not an array")
    refused: list[str] = []
    events: list[Event] = []
    for element in elements:
        for number, edge in enumerate((mapping, *mapping.more)):
            try:
                fields = json_fields(element, record, edge, stream)
                event = _event(place, fields, stream)
            except Refusal as refusal:
                refused.append(str(refusal))
                continue
            events += _directions(event._replace(
                place=len(events), type=fields.type, judged=judged,
                id=_id(stream, mapping, number, fields.id)), edge)
            if len(events) > MAX_EDGES:
                raise TooManyEdges("too many edges")
    if len(refused) > MAX_REFUSED_EDGES:
        raise Refusal("too many refused edges")
    return refused, events


def _id(stream: Stream, mapping: Mapping, entry: int,
        text: str | None) -> tuple[int, int, str] | None:
    return None if text is None else (stream.mappings.index(mapping), entry, text)


def _directions(event: Event, mapping: Mapping) -> list[Event]:
    """The edge, and the reverse edge."""
    one_way = mapping.direction != "both" or event.target is None or event.source == event.target
    back = event._replace(place=event.place + 1, source=event.target, target=event.source)
    return [event] if one_way else [event, back]


def _event(place: Place, fields: Fields, stream: Stream) -> Event:
    if fields.operation not in OPERATIONS:
        raise Refusal("unknown operation")
    source = _json_key(fields.source, stream)
    target = None
    if fields.operation != "remove_vertex":
        target = _json_key(fields.target, stream)
    return Event(_json_time(fields.time, stream), *place, 0, fields.operation, source, target,
                 fields.weight)


def _json_key(value: Any, stream: Stream) -> str | int:
    if stream.integer_keys:
        if isinstance(value, bool) or not isinstance(value, int) or value not in INT64:
            raise Refusal("the key is not a 64-bit integer")
    elif isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # the same key as its text
    elif not isinstance(value, str) or not value:
        raise Refusal("the key is not text, or empty")
    return value


def _json_time(value: Any, stream: Stream) -> int:
    if stream.time_from != "field":
        return 0
    try:
        if stream.unit == "rfc3339":
            if not isinstance(value, str):
                raise Refusal("the time is not text")
            time = times.parse_rfc3339(value)
        else:
            if isinstance(value, str):
                value = parse_weight(value)
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise Refusal("the time is not a number")
            time = times.from_number(value, stream.unit)
    except (ValueError, ArithmeticError) as error:
        raise Refusal(str(error)) from error
    if not times.is_representable(time):
        raise Refusal("the time is outside the years 1700 to 2200")
    return time


def decode_csv(content: bytes, stream: Stream) -> Iterator[Event | Refused]:
    mapping = stream.mapping
    rows = csv_rows.rows(content, mapping.delimiter.encode())
    names = {}
    width = None
    if isinstance(mapping.source, str):
        header = next(rows).fields
        names = {name.decode("utf-8"): number for number, name in enumerate(header, 1)}
        width = len(header)

    def read(place: Place, row: csv_rows.Row, mapping: Mapping) -> tuple[list[str], list[Event]]:
        if row.fields is None:
            raise Refusal("not RFC 4180")
        if row.size > MAX_RECORD_BYTES:
            raise Refusal("too large")
        if len(row.fields) != (width or len(row.fields)):
            raise Refusal("another number of fields")
        return [], _directions(_csv_event(place, row.fields, names, mapping, stream), mapping)

    for offset, row in enumerate(rows):
        if row.fields is not None and row.size <= MAX_RECORD_BYTES:
            width = width or len(row.fields)
        yield from _through_mappings(Place("replay", 0, offset), row, stream, read)


def _csv_event(place: Place, row: list[bytes], names: dict[str, int], mapping: Mapping,
               stream: Stream) -> Event:
    try:
        cells = [cell.decode("utf-8") for cell in row]
    except UnicodeError as error:
        raise Refusal(str(error)) from error

    def cell(column: str | int | None) -> str:
        if column is None:
            return ""
        return cells[names.get(column, column) - 1]

    def key(column: str | int) -> str | int:
        text = cell(column)
        if not text:
            raise Refusal("the key is empty")
        return _integer(text) if stream.integer_keys else text

    operation = cell(mapping.operation) or "add"
    if operation not in OPERATIONS:
        raise Refusal("unknown operation")
    try:
        weight = parse_weight(cell(mapping.weight) or "1")
    except ValueError as error:
        raise Refusal(str(error)) from error
    source = key(mapping.source)
    target = None if operation == "remove_vertex" else key(mapping.target)
    judged = _judged(stream, lambda column: cell(
        int(column[1:]) if column.startswith("$") else column) or None)
    return Event(_csv_time(cell(mapping.time), stream), *place, 0, operation, source, target,
                 weight, type_of(mapping, cell),
                 _id(stream, mapping, 0, text_of(mapping.id, cell)), judged)


def _integer(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or int(text) not in INT64:
        raise Refusal("the key is not a 64-bit integer")
    return int(text)


def _csv_time(text: str, stream: Stream) -> int:
    if stream.time_from != "field" or stream.unit == "rfc3339":
        return _json_time(text, stream)
    try:
        number = parse_weight(text)
    except ValueError as error:
        raise Refusal(str(error)) from error
    return _json_time(number, stream)

"""Reads exported slices (connectors/export/slices/README.md), and compares them with the oracle."""
import json
import pathlib
from dataclasses import dataclass, field
from typing import Any, Callable

import pyarrow.parquet

from oracle import configuration, slices, times
from oracle.records import Event, Refused

Columns = dict[str, list[Any]]


def by_pyarrow(path: pathlib.Path) -> Columns:
    table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
    table = table.set_column(table.column_names.index("time"), "time",
                             table["time"].cast(pyarrow.int64()))
    return table.to_pydict()


@dataclass
class File:
    """A slice: its manifest and its rows."""

    about: dict[str, Any]
    columns: Columns = field(repr=False)

    @property
    def start(self) -> int:
        return times.from_result(self.about["start"])

    @property
    def end(self) -> int:
        return times.from_result(self.about["end"])

    def rows(self) -> list[dict[str, Any]]:
        names = list(self.columns)
        return [dict(zip(names, row)) for row in zip(*self.columns.values())]


def read(folder: pathlib.Path, reader: Callable[[pathlib.Path], Columns] = by_pyarrow
         ) -> list[File]:
    """The slices in their order. AssertionError: a manifest and its table do not fit."""
    files = []
    for path in sorted(folder.glob("slice-*.json")):
        about = json.loads(path.read_text())
        table = folder / about["file"]["name"]
        assert table.stat().st_size == about["file"]["bytes"], f"{table}: its size"
        columns = reader(table)
        lengths = {len(column) for column in columns.values()}
        assert lengths == {about["edges"]} == {about["file"]["rows"]}, f"{table}: {lengths} rows"
        assert about["number"] == int(path.stem.removeprefix("slice-")), path
        files.append(File(about, columns))
    for before, after in zip(files, files[1:]):
        assert after.about["number"] == before.about["number"] + 1, "a slice is missing"
        assert after.about["previous_end"] == before.about["end"], "a slice is missing"
        assert after.start >= before.end, "slices overlap"
    return files


def _in_stream(event: Event) -> tuple:
    return event.topic, event.partition, event.offset, event.place


def _filter_text(chosen: Any) -> str:
    types = "types: " + ", ".join(f'"{word}"' for word in chosen.types) if chosen.types else ""
    return types + ("; " if types and chosen.where else "") + chosen.where


class Comparison:
    """What is wrong with the slices of a stream; `wrong` is empty if nothing is."""

    def __init__(self, records: list[Event | Refused],
                 settings: configuration.Configuration) -> None:
        self._settings = settings
        cut = slices.cut(records, settings)
        self._cut = cut
        self._filters = {_filter_text(window.filter): window.filter
                         for window in settings.windows if window.filter}
        self.wrong: list[str] = []
        self._ids: dict[Any, str] = {}
        self.rows = 0

    def whole(self, files: list[File]) -> list[str]:
        """What is wrong with the slices of a stream that has ended: every one must be there."""
        assert self._cut is not None
        self._same("slices", [each.start // self._cut.pane for each in files],
                   sorted(number for number, held in self._cut.held.items() if held.events))
        return self.part(files)

    def part(self, files: list[File]) -> list[str]:
        """What is wrong with the slices of a stream that goes on: every one up to the newest file
        must be there."""
        assert self._cut is not None
        until = files[-1].start // self._cut.pane if files else -2**70
        self._same("slices so far", [each.start // self._cut.pane for each in files],
                   sorted(number for number, held in self._cut.held.items()
                          if held.events and number <= until))
        counts = self._counts()
        for each in files:
            number = each.start // self._cut.pane
            self._same(f"slice {each.about['number']}: late, refused",
                       (each.about["late"], each.about["refused"]), counts.get(number))
            self._one(each)
        return self.wrong

    def _counts(self) -> dict[int, tuple[int, int]]:
        """What is late and refused, by slice. What would be in a slice without events counts in the
        next slice that has one in time."""
        assert self._cut is not None
        counts, waiting = {}, [0, 0]
        for number, held in sorted(self._cut.held.items()):
            here = [held.late, held.refused]
            in_time = any(event.time // self._cut.pane == number for event in held.events)
            if not held.events:
                waiting = [waiting[0] + here[0], waiting[1] + here[1]]
                continue
            if in_time:
                here = [waiting[0] + here[0], waiting[1] + here[1]]
                waiting = [0, 0]
            counts[number] = (here[0], here[1])
        return counts

    def _same(self, what: str, found: Any, expected: Any) -> None:
        if found != expected:
            if isinstance(found, list) and isinstance(expected, list):
                pairs = [pair for pair in zip(found, expected) if pair[0] != pair[1]]
                what += f" ({len(found)} for {len(expected)})"
                found, expected = pairs[0] if pairs else ("more or less", "")
            self.wrong.append(f"{what}: found {str(found)[:500]}, expected {str(expected)[:500]}")

    def _one(self, file: File) -> None:
        assert self._cut is not None
        number = file.start // self._cut.pane
        name = f"slice {file.about['number']}"
        self._same(f"{name}: its pane", (file.start, file.end),
                   (number * self._cut.pane, (number + 1) * self._cut.pane))
        held = self._cut.held.get(number)
        if held is None:
            return
        events = sorted(held.events, key=_in_stream)
        rows = file.rows()
        self.rows += len(rows)
        self._same(f"{name}: edges", [self._edge(row) for row in rows],
                   [self._expected(event) for event in events])
        counting = {_in_stream(event) for event in held.counting}
        self._same(f"{name}: duplicates", [row["duplicate"] for row in rows],
                   [_in_stream(event) not in counting for event in events])
        self._same(f"{name}: number of duplicates", file.about["duplicates"],
                   sum(row["duplicate"] for row in rows))
        self._same(f"{name}: on time", file.about["on_time"],
                   any(event.time // self._cut.pane == number for event in events))
        self._same(f"{name}: offsets", file.about["offsets"], self._offsets(held))
        self._partitions(name, file, rows)
        self._columns_of_filters(name, file, rows, events, number)
        self._column_of_ids(name, rows, events)

    @staticmethod
    def _edge(row: dict[str, Any]) -> tuple:
        weight = row["weight"] if row["weight_int64"] is None else row["weight_int64"]
        assert row["weight"] == float(weight) and row["time"] == row["time_ns"] // 1000, row
        return (row["topic"], row["partition"], row["offset"], row["place"], row["time_ns"],
                row["operation"], row["source"], row["target"], type(weight), weight, row["type"])

    @staticmethod
    def _expected(event: Event) -> tuple:
        target = None if event.operation == "remove_vertex" else event.target
        weight = event.weight if event.operation == "add" else 1
        return (event.topic, event.partition, event.offset, event.place, event.time,
                event.operation, event.source, target, type(weight), weight,
                None if event.operation == "remove_vertex" else event.type)

    @staticmethod
    def _offsets(held: slices.Slice) -> dict[str, dict[str, list[int]]]:
        found: dict[str, dict[str, list[int]]] = {}
        for (topic, partition), span in held.spans.items():
            found.setdefault(topic, {})[str(partition)] = list(span)
        return found

    def _partitions(self, name: str, file: File, rows: list[dict[str, Any]]) -> None:
        """The manifest tells which rows are of which partition."""
        at = 0
        for part in file.about["partitions"]:
            some = rows[at:at + part["rows"]]
            at += part["rows"]
            self._same(f"{name}: rows of a partition",
                       {(row["topic"], row["partition"]) for row in some},
                       {(part["topic"], part["partition"])})
            self._same(f"{name}: offsets of a partition", [some[0]["offset"], some[-1]["offset"]],
                       [part["first_offset"], part["last_offset"]])
        self._same(f"{name}: rows of all partitions", at, len(rows))

    def _columns_of_filters(self, name: str, file: File, rows: list[dict[str, Any]],
                            events: list[Event], number: int) -> None:
        assert self._cut is not None
        self._same(f"{name}: filters", sorted(each["filter"] for each in file.about["filters"]),
                   sorted(self._filters))
        for each in file.about["filters"]:
            chosen = self._filters.get(each["filter"])
            if chosen is None:
                continue
            passing = [chosen.passes(event.operation, event.type, event.judged)
                       for event in events]
            self._same(f"{name}: {each['filter']}", [row[each["column"]] for row in rows], passing)
            self._same(f"{name}: {each['filter']}, on time", each["on_time"],
                       any(passes and event.time // self._cut.pane == number
                           for event, passes in zip(events, passing)))

    def _column_of_ids(self, name: str, rows: list[dict[str, Any]], events: list[Event]) -> None:
        """The hashes are equal where the ids are."""
        for row, event in zip(rows, events):
            self._same(f"{name}: whether there is an id", row["id"] is None, event.id is None)
            if event.id is not None:
                self._same(f"{name}: an id", row["id"], self._ids.setdefault(event.id, row["id"]))
        self._same(f"{name}: ids that differ", len(set(self._ids.values())), len(self._ids))

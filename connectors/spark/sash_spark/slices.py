"""Exported slices: their manifests, and whether the folder has what it should
(connectors/export/slices/README.md)."""
from __future__ import annotations

import contextlib
import fcntl
import json
import pathlib
import resource
from dataclasses import dataclass
from typing import IO, Any, Optional

from sash_spark.errors import InputError, NotThereYet
from sash_spark.times import parse_time

FORMAT = 1


@dataclass(frozen=True)
class Part:
    """A table with the edges of one pane, and its manifest."""

    about: dict[str, Any]
    table: pathlib.Path

    def column_of(self, text: str) -> Optional[str]:
        """The Boolean column of a filter, by its text; None: the table has none."""
        for each in self.about["filters"]:
            if each["filter"] == text:
                return str(each["column"])
        return None

    @property
    def check(self) -> tuple[str, int, str]:
        """What check_file() needs."""
        file = self.about["file"]
        return str(self.table), int(file["bytes"]), str(file["crc32c"])


@dataclass(frozen=True)
class Slice:
    """The edges of one pane: event times in [start, end), in nanoseconds. A slice of one process
    has one part, with the same manifest; one of shards has a part for each that has such edges."""

    number: int
    start: int
    end: int
    previous_end: Optional[int]  # None: it is the first of the stream
    about: dict[str, Any]
    parts: tuple[Part, ...]

    @property
    def edges(self) -> int:
        return int(self.about["edges"])

    def is_on_time(self, text: str) -> bool:
        """Whether an edge that passes the filter ("": any edge) was not late."""
        if not text:
            return bool(self.about["on_time"])
        return any(each["filter"] == text and each["on_time"]
                   for part in self.parts for each in part.about["filters"])


class Slices:
    """The slices of a stream, oldest first. `closed_until`: no further slice will end at or before
    it; None: no slice was closed. Files are locked until forget() or close()."""

    folder: pathlib.Path
    slices: list[Slice]
    pane: int
    has_integer_keys: bool
    closed_until: Optional[int]

    def read_more(self) -> list[Slice]:
        """The slices that have closed since; they are in `slices` too. InputError: one is missing.
        NotThereYet: what is there cannot be read now."""
        raise NotImplementedError

    def behind(self, end: Optional[int]) -> list[str]:
        """The shards that have not closed what ends at `end` (None: anything), although others
        have: a text for each."""
        raise NotImplementedError

    def forget(self, before: int) -> None:
        """Releases the slices that end at or before this time."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class SliceFolder(Slices):
    """All slices of the folder of one process. InputError: a slice is missing, or it is not a
    folder of slices. `is_shard`: of one of several processes; there it may have no slice yet, and
    its pane and its keys are those of shard.json."""

    def __init__(self, folder: pathlib.Path, is_shard: bool = False) -> None:
        self.folder = folder
        self.slices = []
        self.closed_until = None
        self._is_shard = is_shard
        self._locks: dict[int, IO[bytes]] = {}  # by the number of the slice
        self._newest: Optional[Slice] = None
        self._is_new = True
        if not folder.is_dir():
            raise InputError(f"{folder}: is not a folder")
        if not is_shard and (folder / "shard.json").exists():
            raise InputError(f"{folder}: has the slices of one of several processes (shards); name "
                             "the folder above it, which has those of all")
        _allow_many_files()
        try:
            self.read_more()
        except InputError:
            self.close()
            raise
        if not self.slices and not is_shard:
            raise NotThereYet(f"{folder}: has no slice-*.json, which is written last, so no slice; "
                              "name the `path` of an export with `slices: true`")

    def read_more(self) -> list[Slice]:
        is_first, self._is_new = self._is_new, False
        known = "" if self._newest is None else _file_name(self._newest.number)
        found = []
        for name in sorted(each.name for each in self.folder.glob("slice-*.json")):
            read = self._read(self.folder / name) if name > known else None
            if read is not None:
                self._check(read, is_first)
                found.append(read)
                self._newest = read
                self.closed_until = read.end
        self.slices += found
        return found

    def behind(self, end: Optional[int]) -> list[str]:
        return []

    def forget(self, before: int) -> None:
        for each in self.slices:
            if each.end <= before and each.number in self._locks:
                self._locks.pop(each.number).close()
        self.slices = [each for each in self.slices if each.end > before]

    def close(self) -> None:
        for each in self._locks.values():
            each.close()
        self._locks = {}

    def _check(self, read: Slice, is_first: bool) -> None:
        """Whether it comes after the newest one."""
        before = self._newest
        if before is None:
            self.pane = read.end - read.start
            self.has_integer_keys = read.about["keys"] == "integer"
            if not is_first and read.previous_end is not None:
                raise InputError(f"{self.folder}: the slices before slice {read.number} were "
                                 "removed before they were read; raise `keep` of the export")
            return
        if read.number != before.number + 1 or read.previous_end != before.end:
            why = ("copy the whole folder" if is_first else
                   "it was removed before it was read; raise `keep` of the export")
            raise InputError(f"{self.folder}: between slice {before.number} and slice "
                             f"{read.number} one is missing; {why}")
        if (read.end - read.start, read.about["keys"]) != (self.pane, before.about["keys"]):
            raise InputError(f"{self.folder}: slice {read.number} has another pane or other keys "
                             "than those before it; use one folder for each export")

    def _read(self, path: pathlib.Path) -> Optional[Slice]:
        try:
            file = open(path, "rb")
        except FileNotFoundError:
            return None  # removed since it was listed; a hole is found above
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_SH)
        except OSError:
            pass  # a file system without locks: `keep` must cover the time of reading
        try:
            about = json.loads(file.read())
            if about["slices"] != FORMAT:
                raise InputError(f"{path}: has a format that this package does not know (`slices` "
                                 f"is not {FORMAT}); install a newer sash-spark")
            before, number = about["previous_end"], int(about["number"])
            read = Slice(number, parse_time(about["start"]), parse_time(about["end"]),
                         None if before is None else parse_time(before), about,
                         (Part(about, path.with_name(about["file"]["name"])),))
        except (ValueError, KeyError, TypeError) as error:
            file.close()
            raise InputError(f"{path}: is not the manifest of a slice: {error!r}") from error
        except InputError:
            file.close()
            raise
        self._locks[number] = file
        return read


def _file_name(number: int) -> str:
    return f"slice-{number:010}.json"


def _allow_many_files() -> None:
    """Each slice is an open file: as many as the system allows this process."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def filter_text(types: tuple[str, ...], where: str) -> str:
    """The text by which manifests name the filter of a window; "": it has none."""
    quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in types)
    words = "types: " + ", ".join(f'"{word}"' for word in quoted) if types else ""
    return words + ("; " if words and where else "") + where

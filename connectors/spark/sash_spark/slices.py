"""Exported slices: their manifests, and whether the folder has what it should
(connectors/export/slices/README.md)."""
from __future__ import annotations

import fcntl
import json
import pathlib
from dataclasses import dataclass
from typing import IO, Any, Optional

from sash_spark.errors import InputError
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
    it; None: no slice was closed. Files are locked until close()."""

    folder: pathlib.Path
    slices: list[Slice]
    pane: int
    has_integer_keys: bool
    closed_until: Optional[int]

    def close(self) -> None:
        raise NotImplementedError


class SliceFolder(Slices):
    """All slices of the folder of one process. InputError: a slice is missing, or it is not a
    folder of slices. `is_shard`: of one of several processes; there it may have no slice yet, and
    its pane and its keys are those of shard.json."""

    def __init__(self, folder: pathlib.Path, is_shard: bool = False) -> None:
        self.folder = folder
        self._locks: list[IO[bytes]] = []
        if not folder.is_dir():
            raise InputError(f"{folder}: is not a folder")
        if not is_shard and (folder / "shard.json").exists():
            raise InputError(f"{folder}: has the slices of one of several processes (shards); name "
                             "the folder above it, which has those of all")
        found = [self._read(path) for path in sorted(folder.glob("slice-*.json"))]
        self.slices = [each for each in found if each is not None]
        if not self.slices:
            if is_shard:
                return
            raise InputError(f"{folder}: has no slice-*.json, which is written last, so no slice; "
                             "name the `path` of an export with `slices: true`")
        self.pane = self.slices[0].end - self.slices[0].start
        self.has_integer_keys = self.slices[0].about["keys"] == "integer"
        self.closed_until = self.slices[-1].end
        for before, after in zip(self.slices, self.slices[1:]):
            if after.number != before.number + 1 or after.previous_end != before.end:
                raise InputError(f"{folder}: between slice {before.number} and slice "
                                 f"{after.number} one is missing; copy the whole folder")
            if (after.end - after.start, after.about["keys"]) != (
                    self.pane, self.slices[0].about["keys"]):
                raise InputError(f"{folder}: slice {after.number} has another pane or other keys "
                                 "than those before it; use one folder for each export")

    def close(self) -> None:
        for each in self._locks:
            each.close()
        self._locks = []

    def _read(self, path: pathlib.Path) -> Optional[Slice]:
        try:
            file = open(path, "rb")
        except FileNotFoundError:
            return None  # removed since it was listed; a hole is found above
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        self._locks.append(file)
        try:
            fcntl.flock(file, fcntl.LOCK_SH)
        except OSError:
            pass  # a file system without locks: `keep` must cover the time of reading
        try:
            about = json.loads(file.read())
            if about["slices"] != FORMAT:
                raise InputError(f"{path}: has a format that this package does not know (`slices` "
                                 f"is not {FORMAT}); install a newer sash-spark")
            before = about["previous_end"]
            return Slice(int(about["number"]), parse_time(about["start"]),
                         parse_time(about["end"]), None if before is None else parse_time(before),
                         about, (Part(about, path.with_name(about["file"]["name"])),))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: is not the manifest of a slice: {error!r}") from error


def filter_text(types: tuple[str, ...], where: str) -> str:
    """The text by which manifests name the filter of a window; "": it has none."""
    quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in types)
    words = "types: " + ", ".join(f'"{word}"' for word in quoted) if types else ""
    return words + ("; " if words and where else "") + where

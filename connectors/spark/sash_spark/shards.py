"""The slices of shards, put together (connectors/export/slices/README.md, "Putting slices
together")."""
from __future__ import annotations

import bisect
import json
import pathlib
import re
from dataclasses import dataclass
from typing import Any, Optional

from sash_spark.errors import InputError
from sash_spark.slices import Part, Slice, SliceFolder, Slices
from sash_spark.times import parse_time

_FORMAT = 1
_NAME = re.compile(r"shard-(\d+)-of-(\d+)", re.ASCII)
_EQUAL = ("pane_ns", "keys", "mapping")  # in all shards


def open_slices(folder: pathlib.Path) -> Slices:
    """The slices of one process, or those of shards if the folder has folders of shards."""
    if folder.is_dir() and any(_NAME.fullmatch(each.name) for each in folder.iterdir()):
        return ShardFolders(folder)
    return SliceFolder(folder)


@dataclass(frozen=True)
class _Shard:
    """`until`: in nanoseconds; None: it has closed nothing yet."""

    about: dict[str, Any]
    until: Optional[int]
    files: SliceFolder


class ShardFolders(Slices):
    """The slices that all shards have closed, up to the least `closed_until`. InputError: a shard
    is missing, or the shards are not those of one stream."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._shards: list[_Shard] = []
        try:
            for path in _folders_of(folder):
                # The manifest first: what it counts may be in a slice that closes later.
                about, until = _read_manifest(path / "shard.json")
                self._shards.append(_Shard(about, until, SliceFolder(path, is_shard=True)))
            self._check_equal()
            about = self._shards[0].about
            self.pane = int(about["pane_ns"])
            self.has_integer_keys = about["keys"] == "integer"
            untils = [each.until for each in self._shards if each.until is not None]
            self.closed_until = min(untils) if len(untils) == len(self._shards) else None
            self.slices = self._merged()
        except InputError:
            self.close()
            raise

    def close(self) -> None:
        for each in self._shards:
            each.files.close()

    def _check_equal(self) -> None:
        first = self._shards[0]
        for each in self._shards[1:]:
            for name in _EQUAL:
                if each.about[name] != first.about[name]:
                    raise InputError(
                        f"{each.files.folder}: `{name}` in shard.json is {each.about[name]!r}, and "
                        f"{first.about[name]!r} in {first.files.folder.name}; shards need the same "
                        "configuration, except for source.kafka.partitions.shard and http.listen")

    def _merged(self) -> list[Slice]:
        if self.closed_until is None:
            return []
        # Each shard removes slices by its own newest one. What one has removed is not whole.
        removed = [each.files.slices[0].previous_end for each in self._shards if each.files.slices]
        whole_since = max((each for each in removed if each is not None), default=None)
        parts: dict[int, list[Slice]] = {}
        for shard in self._shards:
            for each in shard.files.slices:
                if each.end <= self.closed_until and (
                        whole_since is None or each.start >= whole_since):
                    parts.setdefault(each.start, []).append(each)
        starts = sorted(parts)
        counts = self._counts(parts, starts, whole_since)
        merged: list[Slice] = []
        before = whole_since
        for number, start in enumerate(starts, 1):
            merged.append(_merge(number, before, parts[start], counts[start]))
            before = merged[-1].end
        return merged

    def _counts(self, parts: dict[int, list[Slice]], starts: list[int], since: Optional[int]
                ) -> dict[int, tuple[int, int]]:
        """Late and refused records of each slice, with those that shards count apart."""
        sums = {start: [sum(int(each.about[name]) for each in parts[start])
                        for name in ("late", "refused")] for start in starts}
        on_time = [start for start in starts if any(each.about["on_time"] for each in parts[start])]
        for apart in self._apart():
            if apart["start"] is None:
                at = starts[0] if starts and since is None else None
            else:
                start = parse_time(apart["start"])
                place = bisect.bisect_left(on_time, start)
                at = start if start in sums else (
                    on_time[place] if place < len(on_time) else None)
                if since is not None and start < since:
                    at = None
            if at is not None:
                sums[at][0] += int(apart["late"])
                sums[at][1] += int(apart["refused"])
        return {start: (late, refused) for start, (late, refused) in sums.items()}

    def _apart(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for shard in self._shards:
            found += shard.about["counts"]
            for each in shard.files.slices:
                if shard.until is not None and each.end <= shard.until:
                    found += each.about.get("counts", [])
        return found


def _folders_of(folder: pathlib.Path) -> list[pathlib.Path]:
    """The folders of all shards, in their order."""
    matches = [_NAME.fullmatch(each.name) for each in folder.iterdir()]
    found = {(int(match[1]), int(match[2])): folder / match[0] for match in matches if match}
    amounts = sorted({of for _, of in found})
    if len(amounts) > 1:
        names = ", ".join(found[key].name for key in sorted(found))
        raise InputError(f"{folder}: has shards of different streams ({names}); all shards have "
                         "the same `of`; give another folder after a change of it")
    if any(folder.glob("slice-*.json")):
        raise InputError(f"{folder}: has slices of its own beside those of shards; use one folder "
                         "for each export")
    missing = [f"shard-{number}-of-{amounts[0]}" for number in range(1, amounts[0] + 1)
               if (number, amounts[0]) not in found]
    if missing:
        raise InputError(f"{folder}: has no {', '.join(missing)}; windows need the slices of all "
                         "shards. Start the shard, or copy its folder")
    return [found[key] for key in sorted(found)]


def _read_manifest(path: pathlib.Path) -> tuple[dict[str, Any], Optional[int]]:
    """The manifest and its `closed_until`."""
    try:
        about = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; a shard writes it each "
                         "second") from error
    except ValueError as error:
        raise InputError(f"{path}: is not JSON: {error}") from error
    try:
        if about["manifest"] != _FORMAT:
            raise InputError(f"{path}: has a format that this package does not know (`manifest` is "
                             f"not {_FORMAT}); install a newer sash-spark")
        until = about.get("closed_until")
        for name in (*_EQUAL, "counts"):
            about[name]  # KeyError
        return about, None if until is None else parse_time(until)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: is not the manifest of a shard: {error!r}") from error


def _merge(number: int, before: Optional[int], held: list[Slice], counts: tuple[int, int]) -> Slice:
    offsets: dict[str, dict[str, list[int]]] = {}
    for each in held:
        for topic, partitions in each.about["offsets"].items():
            offsets.setdefault(topic, {}).update(partitions)  # a partition belongs to one shard
    parts: list[Part] = [part for each in held for part in each.parts]
    about = {"edges": sum(each.edges for each in held), "late": counts[0], "refused": counts[1],
             "gap": any(each.about["gap"] for each in held),
             "on_time": any(each.about["on_time"] for each in held), "offsets": offsets}
    return Slice(number, held[0].start, held[0].end, before, about, tuple(parts))

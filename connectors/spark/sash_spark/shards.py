"""The slices of shards, put together (connectors/export/slices/README.md, "Putting slices
together")."""
from __future__ import annotations

import json
import pathlib
import re
from dataclasses import dataclass
from typing import Any, Optional, Sequence

from sash_spark.errors import InputError, NotThereYet
from sash_spark.shard_merge import Closed, ShardMerge
from sash_spark.slices import Slice, SliceFolder, Slices
from sash_spark.times import parse_time, time_text

MANIFEST = "shard.json"
_FORMAT = 1
_NAME = re.compile(r"shard-(\d+)-of-(\d+)", re.ASCII)
_EQUAL = ("pane_ns", "keys", "mapping")  # in all shards


def open_slices(folder: pathlib.Path) -> Slices:
    """The slices of one process, or those of shards if the folder has folders of shards."""
    if folder.is_dir() and any(_NAME.fullmatch(each.name) for each in folder.iterdir()):
        return ShardFolders(folder)
    return SliceFolder(folder)


@dataclass
class _Shard:
    """`until`: its `closed_until` in nanoseconds; None: it has closed nothing yet."""

    files: SliceFolder
    about: dict[str, Any]
    until: Optional[int]


class ShardFolders(Slices):
    """The slices that all shards have closed, up to the least `closed_until`. InputError: a shard
    is missing (NotThereYet), or the shards are not those of one stream."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.slices = []
        self._shards: list[_Shard] = []
        try:
            for path in _folders_of(folder):
                # The manifest first: what it counts may be in a slice that closes later.
                about, until = _read_manifest(path / MANIFEST)
                self._shards.append(_Shard(SliceFolder(path, is_shard=True), about, until))
            self._check_equal()
            about = self._shards[0].about
            self.pane = int(about["pane_ns"])
            self.has_integer_keys = about["keys"] == "integer"
            self._merge = ShardMerge(len(self._shards))
            self._take([each.files.slices for each in self._shards])
        except InputError:
            self.close()
            raise

    def read_more(self) -> list[Slice]:
        manifests = [_read_manifest(each.files.folder / MANIFEST) for each in self._shards]
        for shard, (about, until) in zip(self._shards, manifests):
            shard.about, shard.until = about, until
        self._check_equal()
        return self._take([each.files.read_more() for each in self._shards])

    def behind(self, end: Optional[int]) -> list[str]:
        untils = [(each.files.folder.name, each.until) for each in self._shards]
        late = [(name, until) for name, until in untils
                if until is None or (end is not None and until < end)]
        if len(late) == len(untils):
            return []
        return [f"{name} has closed nothing (no `closed_until`)" if until is None else
                f"the `closed_until` of {name} is {time_text(until)}" for name, until in late]

    def forget(self, before: int) -> None:
        for each in self._shards:
            each.files.forget(before)
        self.slices = [each for each in self.slices if each.end > before]

    def close(self) -> None:
        for each in self._shards:
            each.files.close()

    def _take(self, arrived: Sequence[Sequence[Slice]]) -> list[Slice]:
        untils = [each.until for each in self._shards if each.until is not None]
        self.closed_until = min(untils) if len(untils) == len(self._shards) else None
        found = self._merge.take([Closed(shard.about["counts"], shard.until, slices)
                                  for shard, slices in zip(self._shards, arrived)])
        self.slices += found
        return found

    def _check_equal(self) -> None:
        first = self._shards[0]
        for each in self._shards[1:]:
            for name in _EQUAL:
                if each.about[name] != first.about[name]:
                    raise InputError(
                        f"{each.files.folder}: `{name}` in shard.json is {each.about[name]!r}, and "
                        f"{first.about[name]!r} in {first.files.folder.name}; shards need the same "
                        "configuration, except for source.kafka.partitions.shard and http.listen")


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
        raise NotThereYet(
            f"{folder}: has no {', '.join(missing)}; windows need the slices of all "
            "shards. Start the shard, or copy its folder")
    return [found[key] for key in sorted(found)]


def _read_manifest(path: pathlib.Path) -> tuple[dict[str, Any], Optional[int]]:
    """The manifest and its `closed_until`."""
    try:
        about = json.loads(path.read_bytes())
    except OSError as error:
        raise NotThereYet(f"{path}: cannot be read: {error.strerror}; a shard writes it each "
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

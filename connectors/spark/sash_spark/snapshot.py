"""Exported windows: the manifest, the files, and whether they are whole
(connectors/export/parquet/README.md)."""
from __future__ import annotations

import fcntl
import json
import os
import pathlib
from typing import IO, Any, Optional

from sash_spark.crc32c import crc32c_of_file
from sash_spark.errors import InputError

MANIFEST = "snapshot.json"
FORMAT = 1


class Snapshot:
    """One advance of a window, as tables. The lock that keeps its files is held until close()."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._lock: Optional[IO[bytes]] = None
        while True:
            self.folder = _newest(folder)
            self.about = self._read()
            if self._lock is not None and os.fstat(self._lock.fileno()).st_nlink:
                break
            self.close()  # it was removed before it was locked; a newer one may be there

    @property
    def window(self) -> str:
        return str(self.about["window"])

    @property
    def has_integer_keys(self) -> bool:
        return bool(self.about["keys"]["kind"] == "integer")

    @property
    def vertices(self) -> pathlib.Path:
        return self.folder / "vertices.parquet"

    @property
    def edges(self) -> list[pathlib.Path]:
        return [self.folder / name for name in sorted(self.about["files"])
                if name.startswith("edges-")]

    def checks(self) -> list[tuple[str, int, str]]:
        """What check_file() needs, for each file."""
        return [(str(self.folder / name), int(file["bytes"]), str(file["crc32c"]))
                for name, file in sorted(self.about["files"].items())]

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _read(self) -> dict[str, Any]:
        path = self.folder / MANIFEST
        try:
            self._lock = open(path, "rb")
            fcntl.flock(self._lock, fcntl.LOCK_SH)
        except OSError as error:
            if self._lock is None:
                raise InputError(f"{path}: cannot be read: {error.strerror}") from error
            # A file system without locks: `keep` must cover the time of reading.
        try:
            about = json.loads(self._lock.read())
        except ValueError as error:
            raise InputError(f"{path}: is not JSON: {error}") from error
        if isinstance(about, dict) and "frozen" in about:
            raise InputError(f"{self.folder}: is a frozen snapshot, not Parquet; add `- parquet: "
                             "{path: ..., windows: [...]}` to `exports`")
        if not isinstance(about, dict) or about.get("parquet") != FORMAT:
            raise InputError(f"{path}: has a format that this package does not know (`parquet` is "
                             f"not {FORMAT}); install a newer sash-spark")
        return about


def check_file(check: tuple[str, int, str]) -> Optional[str]:
    """What is wrong with a file of a manifest: its path, size and CRC-32C."""
    name, size, checksum = check
    path = pathlib.Path(name)
    try:
        found = path.stat().st_size
        if found != size:
            return f"{name}: has {found} bytes, the manifest says {size}; export the window again"
        actual = crc32c_of_file(path)
    except OSError as error:
        return f"{name}: cannot be read: {error.strerror}; every executor needs the folder"
    if actual != checksum:
        return (f"{name}: is damaged: its CRC-32C is {actual}, the manifest says {checksum}; "
                "export the window again")
    return None


def _newest(folder: pathlib.Path) -> pathlib.Path:
    """The folder itself, or the newest snapshot in the folder of a window."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is not a folder")
    if (folder / MANIFEST).exists():
        return folder
    found = []
    for text in folder.glob("*/" + MANIFEST):
        try:
            about = json.loads(text.read_bytes())
            found.append((str(about["window_end"]).rstrip("Z"), str(about["written"]).rstrip("Z"),
                          text.parent))
        except (OSError, ValueError, KeyError):
            continue  # removed meanwhile, or not a manifest
    if not found:
        raise InputError(f"{folder}: has no {MANIFEST}, which is written last, so it is not a "
                         "whole snapshot; name the folder of a snapshot, or that of a window with "
                         "one")
    return max(found)[-1]

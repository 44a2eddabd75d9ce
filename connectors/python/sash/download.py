"""Downloads the files of a leased snapshot, and checks each against its CRC-32C."""
from __future__ import annotations

import http.client
import json
import os
import pathlib
import time
from collections.abc import Iterator
from typing import Any, Optional

from sash.api import Api, quoted
from sash.crc32c import crc32c_of_file
from sash.errors import ApiError, ConnectionFailed, SnapshotError
from sash.held_lease import HeldLease
from sash.mapping import SNAPSHOT_FILE
from sash.progress import Bar, Tell

_PIECE = 1 << 18
_PATIENCE = 60.0  # seconds without a byte
_PAUSES = (0.1, 0.5, 1.0, 2.0, 5.0)  # before the next attempts


class Download:
    """The download of one snapshot into a folder.

    A file that is not complete has the name <file>.<crc32c>.part; a later download of the same
    snapshot into the folder continues it. snapshot.json comes last. A folder that has the
    snapshot.json of another snapshot is left as it is.
    """

    def __init__(self, api: Api, lease: HeldLease, folder: pathlib.Path, tell: Tell) -> None:
        self._api = api
        self._lease = lease
        self._folder = folder
        self._tell = tell
        self._total = sum(int(file["bytes"]) for file in lease.files)
        self._done = 0

    def run(self) -> None:
        """Downloads all files. SnapshotError: a file differs from its checksum, or cannot be
        written, or the folder holds another snapshot. ApiError: the lease has ended.
        ConnectionFailed: no byte has come for a minute."""
        try:
            self._keep_all()
        finally:
            if isinstance(self._tell, Bar):
                self._tell.end()

    def _keep_all(self) -> None:
        self._tell(0, self._total)
        files = sorted(self._lease.files, key=lambda file: str(file["name"]) == SNAPSHOT_FILE)
        for file in files:
            if str(file["name"]) == SNAPSHOT_FILE:  # compared before any array is replaced
                self._check_folder(int(file["bytes"]), str(file["crc32c"]))
        for file in files:
            try:
                self._keep(str(file["name"]), int(file["bytes"]), str(file["crc32c"]))
            except OSError as error:
                raise SnapshotError(f"{self._folder / file['name']}: {error}; the snapshot takes "
                                    f"{self._total} bytes") from error

    def _keep(self, name: str, size: int, checksum: str) -> None:
        if name != pathlib.PurePath(name).name:
            raise SnapshotError(f"{name}: it is not the name of a file of a snapshot")
        whole = self._folder / name
        if _is_whole(whole, size, checksum):
            self._count(size)
            return
        part = self._folder / f"{name}.{checksum}.part"
        have = part.stat().st_size if part.exists() else 0
        if have > size:
            part.unlink()
            have = 0
        self._count(have)
        with open(part, "ab") as file:
            for piece in self._pieces(name, checksum, have, size):
                file.write(piece)
                self._count(len(piece))
        actual = crc32c_of_file(part)
        if actual != checksum:
            part.unlink()
            raise SnapshotError(f"{name}: its CRC-32C is {actual}, but the snapshot was written "
                                f"with {checksum}; the file on the daemon's host is damaged, or a "
                                "proxy changes what it passes on")
        if name == SNAPSHOT_FILE:
            self._remove_others(part)
        os.replace(part, whole)

    def _check_folder(self, size: int, checksum: str) -> None:
        text = self._folder / SNAPSHOT_FILE
        try:
            fits = not text.exists() or _is_whole(text, size, checksum)
        except OSError as error:
            raise SnapshotError(f"{text}: {error}") from error
        if not fits:
            raise SnapshotError(f"{self._folder}: it holds another snapshot; give a folder "
                                "that is new or empty")

    def _remove_others(self, text: pathlib.Path) -> None:
        """Removes arrays that an unfinished download of another snapshot has left, and which this
        one does not replace, because it has fewer directions."""
        downloaded = {str(file["name"]) for file in self._lease.files}
        for name, array in json.loads(text.read_bytes())["files"].items():
            left = self._folder / pathlib.PurePath(name).name
            if name not in downloaded and left.exists() and not _is_whole(
                    left, int(array["bytes"]), str(array["crc32c"])):
                left.unlink()

    def _count(self, more: int) -> None:
        self._done += more
        self._tell(self._done, self._total)

    def _pieces(self, name: str, checksum: str, begin: int, end: int) -> Iterator[bytes]:
        """The bytes of a file from `begin`, also over several connections."""
        attempt, since = 0, time.monotonic()
        failure: Optional[Exception] = None
        while begin < end:
            if failure is not None:
                if time.monotonic() - since > _PATIENCE:
                    raise ConnectionFailed(str(failure)) from failure
                time.sleep(_PAUSES[min(attempt, len(_PAUSES) - 1)])
                attempt += 1
            try:
                with self._open(name, checksum, begin) as answer:
                    unwanted = begin if answer.status == 200 else 0
                    for piece in _read(answer):
                        wanted = piece[min(unwanted, len(piece)):]
                        unwanted -= len(piece) - len(wanted)
                        if wanted:
                            begin += len(wanted)
                            attempt, since = 0, time.monotonic()
                            yield wanted
                failure = ConnectionFailed(f"{self._api.url}: the download of {name} was cut off")
            except ApiError as error:
                if not error.is_temporary:
                    raise
                failure = error
            except ConnectionFailed as error:
                failure = error

    def _open(self, name: str, checksum: str, begin: int) -> Any:
        headers = {"Range": f"bytes={begin}-", "If-Range": f'"{checksum}"'} if begin else {}
        return self._api.open("GET", f"{self._lease.path}/files/{quoted(name)}", headers=headers)


def _is_whole(path: pathlib.Path, size: int, checksum: str) -> bool:
    return path.exists() and path.stat().st_size == size and crc32c_of_file(path) == checksum


def _read(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while True:
        try:
            piece = answer.read1(_PIECE)
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionFailed(str(error)) from error
        if not piece:
            return
        yield piece

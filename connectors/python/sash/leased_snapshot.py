"""Frozen snapshots of a daemon on another host: they are leased, downloaded, and then mapped."""
from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from sash.api import Api
from sash.download import Download
from sash.errors import ApiError, SnapshotError
from sash.held_lease import HeldLease
from sash.mapping import SNAPSHOT_FILE
from sash.progress import Progress, teller
from sash.snapshot import Snapshot, open_same, open_snapshot


_COMPARED = ("window_start", "window_end", "edges", "vertices")


def reachable_snapshot(api: Api, window: str, on_host: str, said: Mapping[str, Any],
                       number: Optional[int] = None, directions: Optional[Sequence[str]] = None,
                       progress: Progress = None) -> Snapshot:
    """Maps the files in the folder `on_host` of the daemon's host, if that is this host, they can
    be opened, and they are those of the daemon; downloads them otherwise.

    `said`: what the daemon says of the snapshot, or (without `number`) of the newest one.
    SnapshotError: the files are of another snapshot with this number.
    """
    if not api.is_on_this_host():  # elsewhere, a folder of this name is of another daemon
        return _checked(download_snapshot(api, window, number, directions, None, progress), said,
                        number)
    try:
        lease = HeldLease(api, window, number, directions)
    except ApiError as error:
        if error.status != 503:
            raise
        try:  # no lease is free, so that there is no checksum
            return _checked(open_snapshot(on_host), said, number)
        except SnapshotError:
            raise error from None
    with lease:
        # Behind a tunnel, this host may have a folder of this name that is of another daemon.
        for file in lease.files:
            if file["name"] == SNAPSHOT_FILE:
                local = open_same(on_host, int(file["bytes"]), str(file["crc32c"]))
                if local is not None:
                    return _checked(local, said, number)
        return _checked(_download(api, lease, window, None, progress), said, number)


def _checked(snapshot: Snapshot, said: Mapping[str, Any], number: Optional[int]) -> Snapshot:
    """The snapshot. SnapshotError: the daemon says something else of it."""
    for name in _COMPARED if snapshot.number == said.get("snapshot") else ():
        if name in said and snapshot.about.get(name) != said[name]:
            snapshot.close()
            raise SnapshotError(f"{snapshot.path}: it is another snapshot: its {name} is "
                                f"{snapshot.about.get(name)}, not {said[name]}")
    if number not in (None, snapshot.number):
        snapshot.close()
        raise SnapshotError(f"{snapshot.path}: it is snapshot {snapshot.number}, not {number}")
    return snapshot


def download_snapshot(api: Api, window: str, number: Optional[int] = None,
                      directions: Optional[Sequence[str]] = None,
                      folder: Union[None, str, os.PathLike[str]] = None,
                      progress: Progress = None) -> Snapshot:
    """The snapshot of a window (the newest, or that of an advance) by lease and download.

    The lease ends with the download. Without `folder`, the files are in a temporary folder, which
    is removed with the snapshot.
    """
    with HeldLease(api, window, number, directions) as lease:
        return _download(api, lease, window, folder, progress)


def _download(api: Api, lease: HeldLease, window: str,
              folder: Union[None, str, os.PathLike[str]], progress: Progress) -> Snapshot:
    tell = teller(progress, f"{window} {lease.snapshot}")
    if folder is not None:
        kept = pathlib.Path(folder)
        try:
            kept.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SnapshotError(f"{kept}: {error}") from error
        Download(api, lease, kept, tell).run()
        return open_snapshot(kept)
    temporary = pathlib.Path(tempfile.mkdtemp(prefix="sash-snapshot-"))
    try:
        Download(api, lease, temporary, tell).run()
        snapshot = open_snapshot(temporary)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    snapshot.remove_files_at_close()
    return snapshot

"""Frozen snapshots of a daemon on another host: they are leased, downloaded, and then mapped."""
from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
from collections.abc import Sequence
from typing import Optional, Union

from sash.api import Api
from sash.download import Download
from sash.errors import SnapshotError
from sash.held_lease import HeldLease
from sash.progress import Progress, teller
from sash.snapshot import Snapshot, open_snapshot


def reachable_snapshot(api: Api, window: str, on_host: str, number: Optional[int] = None,
                       directions: Optional[Sequence[str]] = None,
                       progress: Progress = None) -> Snapshot:
    """Maps the files in the folder `on_host` of the daemon's host, if that is this host and they
    can be opened; downloads them otherwise."""
    if api.is_on_this_host():  # elsewhere, a folder of this name is of another daemon
        try:
            return open_snapshot(on_host)
        except SnapshotError:  # an error of the download is shown with this one
            return download_snapshot(api, window, number, directions, None, progress)
    return download_snapshot(api, window, number, directions, None, progress)


def download_snapshot(api: Api, window: str, number: Optional[int] = None,
                      directions: Optional[Sequence[str]] = None,
                      folder: Union[None, str, os.PathLike[str]] = None,
                      progress: Progress = None) -> Snapshot:
    """The snapshot of a window (the newest, or that of an advance) by lease and download.

    The lease ends with the download. Without `folder`, the files are in a temporary folder, which
    is removed with the snapshot.
    """
    with HeldLease(api, window, number, directions) as lease:
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

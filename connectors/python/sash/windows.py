"""The windows of a daemon."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Optional, Union

from sash.api import Api
from sash.errors import SnapshotError
from sash.leased_snapshot import download_snapshot, reachable_snapshot
from sash.named import ManagedItems, NamedItem
from sash.progress import Progress
from sash.results import Vertex
from sash.snapshot import Snapshot, open_snapshot


class Window(NamedItem):
    """A window by its name; every member asks the daemon."""

    LIST = "/api/v1/windows"

    def status(self) -> dict[str, Any]:
        """Its newest snapshot: bounds, edges, vertices and so on."""
        return dict(self._api.get(self._path))

    def why(self) -> dict[str, Any]:
        """What it waits for before its next result."""
        return dict(self._api.get(self._path + "/why"))

    def vertex(self, key: Union[str, int], limit: int = 100) -> Vertex:
        """A vertex, with at most `limit` neighbours in each direction."""
        return Vertex(self._api.get(f"{self._path}/vertices", {"key": key, "limit": limit}))

    def keys(self, prefix: str = "", page: int = 1000,
             snapshot: Optional[int] = None) -> Iterator[dict[str, Any]]:
        """The vertices whose keys begin with `prefix`, in the order of keys, with their degrees.

        They are asked for in pages of this size. Each page is of the snapshot that is the newest
        when it is asked for, unless `snapshot` names one that is kept (`retain`).
        """
        after = None
        while True:
            answer = self._api.get(f"{self._path}/keys", {
                "prefix": prefix, "limit": page, "after": after, "snapshot": snapshot})
            yield from answer["vertices"]
            if len(answer["vertices"]) < page:
                return
            after = answer["vertices"][-1]["vertex"]

    def snapshot(self, *, lease: Optional[bool] = None,
                 directions: Optional[Sequence[str]] = None,
                 folder: Union[None, str, os.PathLike[str]] = None,
                 progress: Progress = None) -> Snapshot:
        """Its newest frozen snapshot, mapped into memory.

        On the host of the daemon, its own files are mapped, after a comparison with the checksum
        that a lease has. Elsewhere, or if they cannot be opened or are those of another daemon, the
        files are downloaded under a lease and checked. `lease`: True, always download; False,
        never. `directions`: of a download, such as ["out"] (both). `folder`: keeps the download
        there, and continues one that was stopped; otherwise it is removed with the snapshot.
        `progress`: True, a bar on standard error (None: if that is a terminal; False: none), or a
        function that is called with the bytes that are there and all bytes.

        SnapshotError: no export writes this window, none was written yet, or a file is not what was
        written. ApiError: no lease is free (503), the lease has ended (410). ConnectionFailed: the
        daemon cannot be reached, or no byte has come for a minute. ValueError: `folder` or
        `directions` with lease=False.
        """
        if lease is False and (folder is not None or directions is not None):
            raise ValueError("folder and directions are of downloads; lease=False excludes them")
        if lease is not True and folder is None:
            status = self.status()
            on_host = status.get("frozen")
            if on_host is None:
                raise SnapshotError(f"window '{self.name}' has no frozen snapshots; add it to "
                                    "exports of the daemon's configuration")
            if lease is False:
                return open_snapshot(on_host)
            return reachable_snapshot(self._api, self.name, on_host, status, None, directions,
                                      progress)
        return download_snapshot(self._api, self.name, None, directions, folder, progress)


class Windows(ManagedItems[Window]):
    """The windows of a daemon, by name. add() takes the keys of `windows[]`."""

    def __init__(self, api: Api) -> None:
        super().__init__(api, Window.LIST, Window)

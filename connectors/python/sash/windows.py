"""The windows of a daemon."""
from __future__ import annotations

from typing import Any, Union

from sash.api import Api, quoted
from sash.errors import SnapshotError
from sash.named import NamedItems
from sash.results import Vertex
from sash.snapshot import Snapshot, open_snapshot


class Window:
    """A window by its name; every member asks the daemon."""

    def __init__(self, api: Api, name: str) -> None:
        self._api = api
        self.name = name

    @property
    def _path(self) -> str:
        return "/api/v1/windows/" + quoted(self.name)

    def status(self) -> dict[str, Any]:
        """Its newest snapshot: bounds, edges, vertices and so on."""
        return dict(self._api.get(self._path))

    def why(self) -> dict[str, Any]:
        """What it waits for before its next result."""
        return dict(self._api.get(self._path + "/why"))

    def vertex(self, key: Union[str, int], limit: int = 100) -> Vertex:
        """A vertex, with at most `limit` neighbours in each direction."""
        return Vertex(self._api.get(f"{self._path}/vertices", {"key": key, "limit": limit}))

    def snapshot(self) -> Snapshot:
        """Its newest frozen snapshot, mapped into memory; on the host of the daemon.

        SnapshotError: no export writes this window, or none was written yet.
        """
        folder = self.status().get("frozen")
        if folder is None:
            raise SnapshotError(f"window '{self.name}' has no frozen snapshots; add it to exports "
                                "of the daemon's configuration")
        return open_snapshot(folder)

    def remove(self) -> None:
        self._api.request("DELETE", self._path)

    def __repr__(self) -> str:
        return f"<sash.Window {self.name}>"


class Windows(NamedItems[Window]):
    """The windows of a daemon, by name. add() takes the keys of `windows[]`."""

    def __init__(self, api: Api) -> None:
        super().__init__(api, "/api/v1/windows", Window)

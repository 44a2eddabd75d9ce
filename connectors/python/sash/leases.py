"""The leases of a daemon: which readers on other hosts keep which snapshots."""
from __future__ import annotations

from typing import Any

from sash.api import Api, quoted
from sash.named import NamedItems


class Lease:
    """A lease by its name; every member asks the daemon. Downloads take leases by themselves."""

    def __init__(self, api: Api, name: str) -> None:
        self._api = api
        self.name = name

    def status(self) -> dict[str, Any]:
        """Window, snapshot, client, bytes, seconds_left and so on. KeyError: it has ended."""
        for each in self._api.get("/api/v1/leases"):
            if each["name"] == self.name:
                return dict(each)
        raise KeyError(self.name)

    def revoke(self) -> None:
        """Ends it: its reader gets an error. Needs the token `admin`, if there are tokens."""
        self._api.request("DELETE", "/api/v1/leases/" + quoted(self.name))

    def __repr__(self) -> str:
        return f"<sash.Lease {self.name}>"


class Leases(NamedItems[Lease]):
    """The leases of a daemon, by name."""

    def __init__(self, api: Api) -> None:
        super().__init__(api, "/api/v1/leases", Lease)

"""The alerts of a daemon."""
from __future__ import annotations

from typing import Any

from sash.api import Api, quoted
from sash.named import ManagedItems


class Alert:
    """An alert by its name; every member asks the daemon."""

    def __init__(self, api: Api, name: str) -> None:
        self._api = api
        self.name = name

    @property
    def _path(self) -> str:
        return "/api/v1/alerts/" + quoted(self.name)

    def status(self) -> dict[str, Any]:
        """Its state and why, its counts, and in `last` the newest 20 alerts that it told."""
        return dict(self._api.get(self._path))

    def change(self, settings: dict[str, Any]) -> None:
        """Gives it these settings, the keys of `alerts[]` in the configuration."""
        self._api.request("PUT", self._path, body=settings)

    def test(self) -> dict[str, Any]:
        """Tells its receivers about the newest result of its job, as a test: what it told."""
        return dict(self._api.post(self._path + "/test"))

    def pause(self) -> None:
        self._api.post(self._path + "/pause")

    def resume(self) -> None:
        self._api.post(self._path + "/resume")

    def remove(self) -> None:
        self._api.request("DELETE", self._path)

    def __repr__(self) -> str:
        return f"<sash.Alert {self.name}>"


class Alerts(ManagedItems[Alert]):
    """The alerts of a daemon, by name. add() takes the keys of `alerts[]`."""

    def __init__(self, api: Api) -> None:
        super().__init__(api, "/api/v1/alerts", Alert)

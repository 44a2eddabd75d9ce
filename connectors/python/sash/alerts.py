"""The alerts of a daemon."""
from __future__ import annotations

from typing import Any

from sash.api import Api
from sash.named import ManagedItems, PausableItem


class Alert(PausableItem):
    """An alert by its name; every member asks the daemon."""

    LIST = "/api/v1/alerts"

    def status(self) -> dict[str, Any]:
        """Its state and why, its counts, and in `last` the newest 20 alerts that it told."""
        return dict(self._api.get(self._path))

    def change(self, settings: dict[str, Any]) -> None:
        """Gives it these settings, the keys of `alerts[]` in the configuration."""
        self._api.request("PUT", self._path, body=settings)

    def test(self) -> dict[str, Any]:
        """Sends its receivers the newest result of its job, as a test. Returns what was sent."""
        return dict(self._api.post(self._path + "/test"))


class Alerts(ManagedItems[Alert]):
    """The alerts of a daemon, by name. add() takes the keys of `alerts[]`."""

    def __init__(self, api: Api) -> None:
        super().__init__(api, Alert.LIST, Alert)

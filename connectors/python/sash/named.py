"""What a daemon has by name: its windows, jobs, alerts and leases."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Callable, TypeVar

from sash.api import Api, quoted

Item = TypeVar("Item")


class NamedItem:
    """An item by its name; every member asks the daemon."""

    LIST = ""  # the path of the list that it is in

    def __init__(self, api: Api, name: str) -> None:
        self._api = api
        self.name = name

    @property
    def _path(self) -> str:
        return f"{self.LIST}/{quoted(self.name)}"

    def remove(self) -> None:
        """Removes it from the daemon. Needs the token `admin`, if there are tokens."""
        self._api.request("DELETE", self._path)

    def __repr__(self) -> str:
        return f"<sash.{type(self).__name__} {self.name}>"


class PausableItem(NamedItem):
    """An item that can be paused; this needs the token `admin`, if there are tokens."""

    def pause(self) -> None:
        """Stops it until resume()."""
        self._api.post(self._path + "/pause")

    def resume(self) -> None:
        """Lets it go on."""
        self._api.post(self._path + "/resume")


class NamedItems(Mapping[str, Item]):
    """Items by name, in the order of the daemon; each access asks it."""

    def __init__(self, api: Api, path: str, make: Callable[[Api, str], Item]) -> None:
        self._api = api
        self._path = path
        self._make = make

    def _names(self) -> list[str]:
        return [each["name"] for each in self._api.get(self._path)]

    def __getitem__(self, name: str) -> Item:
        if name not in self._names():
            raise KeyError(name)
        return self._make(self._api, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())


class ManagedItems(NamedItems[Item]):
    """Items that can be added too."""

    def add(self, settings: dict[str, Any]) -> Item:
        """Adds an item, with the keys that it has in the configuration; returns it.

        ApiError: a key is wrong; its `keys` says which. Needs the token `admin`, if there are
        tokens.
        """
        return self._make(self._api, self._api.post(self._path, settings)["name"])

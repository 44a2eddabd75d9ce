"""A daemon that is reached over its HTTP API."""
from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from typing import Callable, Optional

from sash.alerts import Alerts
from sash.api import Api
from sash.events import Event, follow
from sash.jobs import Jobs
from sash.leases import Leases
from sash.windows import Window, Windows
from sash.worker import Function, serve


class Client:
    """A daemon; `connect()` makes one. It may be used by several threads.

    What asks the daemon, here and in the objects that it gives, raises ConnectionFailed if the
    daemon cannot be reached, and ApiError if it refuses; both are a SashError.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        self._functions: dict[str, Function] = {}

    @property
    def windows(self) -> Windows:
        """The windows by name: `client.windows["w"]`, `list(client.windows)`."""
        return Windows(self._api)

    def window(self, name: str) -> Window:
        """The window of this name, which is not looked up before it is used."""
        return Window(self._api, name)

    @property
    def jobs(self) -> Jobs:
        """The jobs by name: `client.jobs["j"].latest()`, `list(client.jobs)`."""
        return Jobs(self._api)

    @property
    def alerts(self) -> Alerts:
        """The alerts by name: `client.alerts["a"].status()`, `client.alerts.add({...})`."""
        return Alerts(self._api)

    @property
    def leases(self) -> Leases:
        """The leases by name: `client.leases["3f2a91bc"].status()`, `.revoke()`."""
        return Leases(self._api)

    def events(self, after: Optional[str] = None,
               patience: Optional[float] = None) -> Iterator[Event]:
        """All events of the daemon, from now on; across lost connections, each once.

        `after`: the id of an event that was seen, or "start" for all that the daemon keeps.
        `patience`: for how many seconds a lost daemon is tried again; None: for ever.
        """
        return follow(self._api, after, patience)

    def follow(self, window: str, after: Optional[str] = None,
               patience: Optional[float] = None) -> Iterator[Event]:
        """The advances of a window; see events()."""
        for event in self.events(after, patience):
            if event.kind == "advance" and event.data["name"] == window:
                yield event

    def job(self, name: str) -> Callable[[Function], Function]:
        """Registers a function for an external job: it gets a snapshot, and returns its values.

        The values are an array with one number for each vertex, in the order of ids, or a mapping
        from keys to numbers (None: the vertex has no score); with `returns: sets`, numbers or texts
        that name the set of each vertex; with `returns: rows`, a sash.Rows, or a mapping from pairs
        of keys to scores (None for all: without scores). If the function raises, the run fails with
        that message.
        """
        def register(function: Function) -> Function:
            self._functions[name] = function
            return function
        return register

    def serve(self, stop: Optional[threading.Event] = None, wait: int = 20) -> None:
        """Computes the registered jobs, each in a thread, until `stop` is set or for ever.

        `wait`: for how many seconds the daemon may hold a request for work. A lost daemon is tried
        again. ApiError: it refuses to give work, for example because there is no such job; then
        the other jobs end too. ValueError: no function is registered. `stop` is set at the end.
        """
        serve(self._api, self._functions, stop, wait)


def connect(url: str = "http://127.0.0.1:9640", token: Optional[str] = None, timeout: float = 30,
            context: Optional[ssl.SSLContext] = None) -> Client:
    """A daemon by its address (`http.listen`). Nothing is sent yet.

    `token`: `http.tokens` of its configuration; changes and work need the token `admin`. `timeout`:
    seconds to wait for a connection, and for each part of an answer. `context`: of TLS, for a
    certificate of one's own authority. ValueError: the token would go to another host without TLS.
    """
    return Client(Api(url, token, timeout, context))

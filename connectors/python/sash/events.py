"""Follows the events of a daemon (server-sent events), across lost connections."""
from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Optional

from sash.api import Api
from sash.errors import ApiError, ConnectionFailed

_STREAM = "text/event-stream"
_SILENCE = 30.0  # the daemon sends a comment every 15 s, so a longer silence is a lost connection
_SHOWN = 200  # characters of an event that is not understood
_PAUSES = (0.1, 0.5, 1.0, 2.0, 5.0)  # before the next attempts


class Event(NamedTuple):
    """One event: what happened, its id, and what the daemon says about it."""

    kind: str  # advance, result, ready, fired, job, window, alert, reload or missed
    id: str
    data: Any


def parse(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream of lines. ConnectionFailed: they are not those of a daemon."""
    kind, last_id = "", ""
    data: list[str] = []
    for line in lines:
        text = line.decode(errors="replace").rstrip("\r\n")
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if not text:
            if data:
                yield Event(kind or "message", last_id, _read("\n".join(data)))
            kind, data = "", []
        elif name == "event":
            kind = value
        elif name == "data":
            data.append(value)
        elif name == "id":
            last_id = value


def _read(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConnectionFailed(f"an event is not JSON: {data[:_SHOWN]!r}") from error


def follow(api: Api, after: Optional[str], patience: Optional[float]) -> Iterator[Event]:
    """All events after the one with the id `after` ("start": all that are kept; None: from now).

    A lost connection is opened again, and continues after the last event. `patience`: for how many
    seconds it is tried, before ConnectionFailed; None: for ever.
    """
    attempt, since = 0, time.monotonic()
    while True:
        try:
            with api.open("GET", "/api/v1/events", {"after": after}, timeout=_SILENCE) as stream:
                kind = stream.headers.get("Content-Type", _STREAM)
                if not kind.startswith(_STREAM):
                    raise ConnectionFailed(f"{api.url}/api/v1/events did not respond like sashd: "
                                           f"the answer is {kind}, not {_STREAM}")
                for event in parse(stream):
                    attempt, since = 0, time.monotonic()
                    after = event.id or after
                    yield event
            failure: Exception = ConnectionFailed(f"{api.url}: the stream of events ended")
        except ApiError as error:
            if not error.is_temporary:
                raise
            failure = error
        except (OSError, http.client.HTTPException, ConnectionFailed) as error:
            failure = error
        if patience is not None and time.monotonic() - since > patience:
            raise ConnectionFailed(str(failure)) from failure
        time.sleep(_PAUSES[min(attempt, len(_PAUSES) - 1)])
        attempt += 1

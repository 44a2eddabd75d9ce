"""A lease of a frozen snapshot: the daemon keeps the snapshot while this process downloads it."""
from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Optional

from sash.api import Api, quoted
from sash.errors import ApiError, ConnectionFailed, SnapshotError

_RELEASE_SECONDS = 5.0  # beyond this, the lease ends by its time


class HeldLease:
    """Takes a lease, renews it in a thread, and releases it at the end of `with`."""

    def __init__(self, api: Api, window: str, number: Optional[int],
                 directions: Optional[Sequence[str]]) -> None:
        """SnapshotError: the window has no frozen snapshot. ApiError: the daemon refuses."""
        wish = {"snapshot": number, "directions": None if directions is None else list(directions)}
        leases = f"/api/v1/windows/{quoted(window)}/leases"
        try:
            about = api.post(leases, {name: value for name, value in wish.items()
                                      if value is not None})
        except ApiError as error:
            if error.status == 409:
                raise SnapshotError(error.message) from error
            raise
        self.snapshot = int(about["snapshot"])
        self.files: list[dict[str, Any]] = about["files"]  # name, bytes, crc32c
        self.path = f"{leases}/{quoted(about['lease'])}"
        self._api = api
        self._pause = float(about["ttl_seconds"]) / 4
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> HeldLease:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join(_RELEASE_SECONDS)
        try:
            self._api.request("DELETE", self.path, timeout=_RELEASE_SECONDS)
        except (ApiError, ConnectionFailed):
            pass  # it has ended, or will

    def _renew(self) -> None:
        while not self._done.wait(self._pause):
            try:
                self._api.request("PUT", self.path, body={}, timeout=max(self._pause, 1.0))
            except ApiError as error:
                if not error.is_temporary:
                    return  # it has ended; the download gets the reason
            except ConnectionFailed:
                pass  # tried again

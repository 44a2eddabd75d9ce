"""The errors of this package."""
from __future__ import annotations

from typing import Any


class SashError(Exception):
    """The base of all errors of this package."""

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return False


class SnapshotError(SashError):
    """A frozen snapshot does not exist, was removed, or cannot be read."""


class ConnectionFailed(SashError):
    """The daemon cannot be reached, the connection broke, or what answers is not a daemon."""

    @property
    def is_temporary(self) -> bool:
        return True


class ApiError(SashError):
    """The daemon refused a request; `message` is its own.

    `status` is that of HTTP, `code` a word for programs, such as "not_found". `keys` names the
    wrong keys of a job: [{"key", "message"}].
    """

    def __init__(self, status: int, code: str, message: str, keys: list[dict[str, Any]]) -> None:
        details = "".join(f"; {each['key']}: {each['message']}" for each in keys)
        super().__init__(message + details)
        self.status = status
        self.code = code
        self.message = message
        self.keys = keys

    @property
    def is_temporary(self) -> bool:
        """The daemon is busy or not ready, or a proxy in front of it cannot reach it."""
        return self.status in (429, 502, 503, 504)

"""Requests to the HTTP API of a daemon, with the standard library alone."""
from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any, Optional, Union

from sash.errors import ApiError, ConnectionFailed

_SHOWN = 200  # bytes of an answer that is not understood

Query = Mapping[str, Union[str, int, None]]


class _NoRedirections(urllib.request.HTTPRedirectHandler):
    """Leaves the answer as it is: another address must not get the token."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Api:
    """One daemon: its address, the token, and how long a request may take.

    Objects of this class may be used by several threads. Redirections are not followed.
    ValueError: the token would go to another host without TLS.
    """

    def __init__(self, url: str, token: Optional[str], timeout: float,
                 context: Optional[ssl.SSLContext]) -> None:
        insecure = urllib.parse.urlsplit(url).scheme == "http" and not _is_loopback(url)
        if token is not None and insecure:
            raise ValueError(f"others on the network path to {url} could read the token: use "
                             "https://")
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._token = token
        # A proxy of the environment cannot reach this host's loopback, and would get the token.
        proxies: dict[str, str] = {} if _is_loopback(url) else urllib.request.getproxies()
        self._opener = urllib.request.build_opener(
            _NoRedirections, urllib.request.ProxyHandler(proxies),
            urllib.request.HTTPSHandler(context=context))

    def get(self, path: str, query: Optional[Query] = None,
            timeout: Optional[float] = None) -> Any:
        return self.request("GET", path, query, timeout=timeout)

    def post(self, path: str, body: Any = None, query: Optional[Query] = None) -> Any:
        return self.request("POST", path, query, body)

    def request(self, method: str, path: str, query: Optional[Query] = None, body: Any = None,
                timeout: Optional[float] = None) -> Any:
        """The answer as JSON; None if it has no body. `body`: a value, or bytes that are JSON.

        ApiError: the daemon refuses. ConnectionFailed: it cannot be reached, or the answer is not
        JSON, so that it is not of a daemon.
        """
        try:
            with self.open(method, path, query, body, timeout=timeout) as answer:
                text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._failure(error) from error
        try:
            return json.loads(text) if text else None
        except (ValueError, RecursionError) as error:
            raise ConnectionFailed(f"{self.url}{path} did not respond like sashd (invalid JSON): "
                                   f"{_beginning(text)}") from error

    def open(self, method: str, path: str, query: Optional[Query] = None, body: Any = None,
             headers: Optional[dict[str, str]] = None,
             timeout: Optional[float] = None) -> http.client.HTTPResponse:
        """The response, for a body that is read piece by piece. Errors as those of request()."""
        given = {name: str(value) for name, value in (query or {}).items() if value is not None}
        target = self.url + path + ("?" + urllib.parse.urlencode(given) if given else "")
        request = urllib.request.Request(target, method=method, headers=dict(headers or {}))
        if self._token is not None:
            request.add_header("Authorization", f"Bearer {self._token}")
        if body is not None:
            request.data = body if isinstance(body, bytes) else json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            response: http.client.HTTPResponse = self._opener.open(
                request, timeout=timeout or self.timeout)
            return response
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error, path) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._failure(error) from error

    def is_on_this_host(self) -> bool:
        """Whether the address of the daemon is one of this host; False if it does not answer.

        A tunnel (`ssh -L`) has such an address too, and leads to a daemon elsewhere.
        """
        address = urllib.parse.urlsplit(self.url)
        port = address.port or (443 if address.scheme == "https" else 80)
        try:
            with socket.create_connection((address.hostname or "", port), self.timeout) as open_:
                return bool(open_.getpeername()[0] == open_.getsockname()[0])
        except OSError:
            return False

    def _failure(self, error: Exception) -> ConnectionFailed:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        return ConnectionFailed(f"{self.url}: {reason}")

    def _refusal(self, error: urllib.error.HTTPError, path: str) -> ApiError:
        target = error.headers.get("Location")
        if 300 <= error.code < 400 and target is not None:
            return ApiError(error.code, "redirected",
                            f"{self.url}{path} redirects to {target!r}, which is not followed, so "
                            "that no other server gets the token; connect to the address of the "
                            "daemon itself", [])
        text = b""
        try:
            text = error.read()
            about = json.loads(text)["error"]
            return ApiError(error.code, about["code"], about["message"], about.get("keys", []))
        except (OSError, http.client.HTTPException, ValueError, RecursionError, KeyError,
                TypeError):
            message = f"{self.url}{path}: the answer has the status {error.code}"
            if text:
                message += f": {_beginning(text)}"
            return ApiError(error.code, "unknown", message, [])


def quoted(name: Union[str, int]) -> str:
    """A name or key as a segment of a path."""
    return urllib.parse.quote(str(name), safe="")


def _is_loopback(url: str) -> bool:
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # it is a name
        return False


def _beginning(text: bytes) -> str:
    """The beginning of an answer, as a literal: control characters are escaped."""
    return repr(text[:_SHOWN].decode(errors="replace")) + (" ..." if len(text) > _SHOWN else "")

"""Computes external jobs: takes work, calls a function on the snapshot, and sends its answer."""
from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Mapping
from typing import Any, Callable, Optional

import numpy

from sash.api import Api, quoted
from sash.errors import SashError
from sash.leased_snapshot import reachable_snapshot
from sash.rows import Rows
from sash.snapshot import Snapshot

Function = Callable[[Snapshot], Any]

LEASE = 10  # seconds after which the daemon takes a silent worker for dead
_PAUSES = (0.1, 0.5, 1.0, 2.0, 5.0)  # before the next attempt to reach the daemon
_log = logging.getLogger("sash")


class _Renewal:
    """Renews the lease of a work until the end of `with`."""

    def __init__(self, api: Api, path: str) -> None:
        self._api = api
        self._path = path + "/renew"
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                self._api.post(self._path)
            except SashError as error:
                if not error.is_temporary:
                    return  # the run has ended; the answer will get the reason
            if self._done.wait(LEASE / 4):
                return


class Worker:
    """Serves one job. `stop` ends it after the work under way."""

    def __init__(self, api: Api, job: str, function: Function, stop: threading.Event,
                 wait: int) -> None:
        self._api = api
        self._path = f"/api/v1/jobs/{quoted(job)}/work"
        self._function = function
        self._stop = stop
        self._wait = wait

    def run(self) -> None:
        """Works until stopped. ApiError: the daemon refuses to give work."""
        attempt = 0
        while not self._stop.is_set():
            try:
                work = self._api.get(self._path, {"wait": self._wait, "lease": LEASE},
                                     timeout=self._wait + self._api.timeout)
                if work is not None:
                    self._compute(work)
                attempt = 0
                continue
            except SashError as error:
                if not error.is_temporary:
                    raise
                _log.warning("%s", error)
            except Exception:  # pylint: disable=broad-except  # only this run fails
                _log.exception("%s", self._path)
            self._stop.wait(_PAUSES[min(attempt, len(_PAUSES) - 1)])
            attempt += 1

    def _compute(self, work: dict[str, Any]) -> None:
        path = f"{self._path}/{quoted(work['run'])}"
        try:
            with _Renewal(self._api, path):
                self._send(path, self._answer(work))
        except SashError as error:
            _log.warning("snapshot %s of window %s: %s", work.get("snapshot"), work.get("window"),
                         error)

    def _send(self, path: str, answer: bytes) -> None:
        """Sends an answer. After a lost connection it is sent again, as long as the lease that was
        renewed last may hold; the daemon takes it once."""
        since, attempt = time.monotonic(), 0
        while True:
            try:
                self._api.post(path, answer)
                return
            except SashError as error:
                if not error.is_temporary or time.monotonic() - since > LEASE:
                    raise
                _log.warning("%s", error)
            time.sleep(_PAUSES[min(attempt, len(_PAUSES) - 1)])  # stopping ends no work under way
            attempt += 1

    def _answer(self, work: dict[str, Any]) -> bytes:
        """The answer as JSON."""
        try:
            with reachable_snapshot(self._api, work["window"], work["frozen"], work,
                                    work["snapshot"], progress=False) as snapshot:
                values = self._function(snapshot)
            returns = work["returns"]
            return _json({returns: _rows(values) if returns == "rows" else _plain(values)})
        except Exception as error:  # pylint: disable=broad-except  # of the user's function
            _log.exception("snapshot %s of window %s", work.get("snapshot"), work.get("window"))
            return _json({"error": f"{type(error).__name__}: {_text(error)}"})


def _text(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # pylint: disable=broad-except  # of the user's class
        return "it has no text"


def _json(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, default=_from_numpy).encode()


def _from_numpy(value: Any) -> Any:
    """What JSON can express of a scalar of NumPy. TypeError: it is another value."""
    if isinstance(value, numpy.generic):
        plain = value.item()
        if not isinstance(plain, numpy.generic):
            return plain
    raise TypeError(f"the answer has a value of the type {_type_name(value)}; give numbers (int, "
                    "float), texts or None")


def _type_name(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _rows(values: Any) -> Any:
    """Rows by id, or a mapping from pairs of keys, as JSON can express them."""
    if isinstance(values, Rows):
        return values.columns()
    if not isinstance(values, Mapping):
        raise TypeError("the answer of a job with `returns: rows` is a sash.Rows, or a mapping "
                        f"from (source, target) to a score, not {type(values).__name__}")
    rows = []
    for (source, target), score in values.items():
        row = {"source": _plain_value(source), "target": _plain_value(target)}
        if score is not None:
            row["score"] = _plain_value(score)
        rows.append(row)
    return rows


def _plain(values: Any) -> Any:
    """An array, a list or a mapping by key, as JSON can express it."""
    if isinstance(values, Mapping):
        return {str(key): _plain_value(value) for key, value in values.items()}
    if isinstance(values, numpy.ndarray):
        if values.ndim != 1:
            raise ValueError(f"the answer has {values.ndim} dimensions; give one value a vertex")
        return values.tolist()
    if isinstance(values, (set, frozenset, str, bytes)):
        raise TypeError(f"the answer is of the type {_type_name(values)}, which has no value for "
                        "each vertex; give an array or list in the order of ids, or a mapping")
    return [_plain_value(value) for value in values]


def _plain_value(value: Any) -> Any:
    return value.item() if isinstance(value, numpy.generic) else value


def serve(api: Api, functions: Mapping[str, Function], stop: Optional[threading.Event],
          wait: int) -> None:
    """Serves all jobs, each in a thread, until `stop` is set or one of them fails.

    Raises what that one raised. ValueError: there is no function.
    """
    if not functions:
        raise ValueError("no function is registered; decorate one with @client.job(name)")
    stopping = stop or threading.Event()
    failures: list[BaseException] = []

    def run(job: str, function: Function) -> None:
        try:
            Worker(api, job, function, stopping, wait).run()
        except BaseException as error:  # pylint: disable=broad-except  # raised below
            failures.append(error)
            stopping.set()

    threads = [threading.Thread(target=run, args=each, daemon=True) for each in functions.items()]
    for thread in threads:
        thread.start()
    try:
        stopping.wait()
    finally:
        stopping.set()
        for thread in threads:
            thread.join(wait + api.timeout)
    if failures:
        raise failures[0]

"""The part of a configuration of Sash that concerns windows and jobs."""
from __future__ import annotations

import pathlib
from dataclasses import dataclass
from typing import Any, Optional

from sash_spark.errors import InputError
from sash_spark.parameters import KERNELS, NOT_HERE, nearest, read_parameters
from sash_spark.references import load_document, resolved
from sash_spark.times import parse_duration

_WINDOW_KEYS = ("name", "by", "length", "slide", "offset", "duplicates", "identity",
                "empty_windows", "types", "where")
_JOB_KEYS = ("name", "kernel", "window", "parameters", "visibility", "every", "top")


@dataclass(frozen=True)
class WindowSpec:
    """`windows[]`; durations are in nanoseconds. `length` is None for a landmark window."""

    name: str
    by: str
    length: Optional[int]
    slide: int
    offset: int
    duplicates: str
    identity: str
    empty_windows: str
    types: tuple[str, ...]
    where: str


@dataclass(frozen=True)
class JobSpec:
    """`jobs[]`, with the parameters in effect; keys of vertices are text."""

    name: str
    kernel: str
    window: str
    parameters: dict[str, Any]
    every: int
    top: int


@dataclass(frozen=True)
class Configuration:
    """`not_here`: jobs that cannot run on Spark, and why. `ignored`: keys without effect here.
    `dedupe_within`: `source.dedupe.within` in nanoseconds, for the slices of shards."""

    windows: dict[str, WindowSpec]
    jobs: dict[str, JobSpec]
    not_here: dict[str, str]
    ignored: tuple[str, ...]
    dedupe_within: Optional[int] = None


def load_configuration(path: pathlib.Path) -> Configuration:
    """InputError: the file cannot be used; the message has a line for each fault."""
    reading = _Reading(path)
    found = reading.read(load_document(path))
    if reading.faults:
        raise InputError("\n".join(reading.faults))
    return found


class _Reading:
    def __init__(self, path: pathlib.Path) -> None:
        self._path = path
        self._ignored: dict[str, None] = {}
        self.faults: list[str] = []

    def read(self, document: dict[str, Any]) -> Configuration:
        dedupe_within = self._dedupe(document)
        for key in document:
            if key not in ("windows", "jobs") and (key != "source" or dedupe_within is None):
                self._ignored[key] = None
        windows: dict[str, WindowSpec] = {}
        for i, entry in enumerate(self._list(document, "windows")):
            window = self._window(f"windows[{i}]", entry)
            if window:
                windows[window.name] = window
        jobs: dict[str, JobSpec] = {}
        not_here: dict[str, str] = {}
        for i, entry in enumerate(self._list(document, "jobs")):
            self._job(f"jobs[{i}]", entry, windows, jobs, not_here)
        return Configuration(windows, jobs, not_here, tuple(self._ignored),
                             dedupe_within)

    def _dedupe(self, document: dict[str, Any]) -> Optional[int]:
        source = document.get("source")
        dedupe = source.get("dedupe") if isinstance(source, dict) else None
        if not isinstance(dedupe, dict) or not dedupe.get("within"):
            return None
        return self._duration("source.dedupe", resolved(dedupe, self._path), "within",
                              "event_time", "")

    def _fault(self, key: str, why: str) -> None:
        self.faults.append(f"{self._path}: {key}: {why}")

    def _list(self, document: dict[str, Any], key: str) -> list[dict[str, Any]]:
        listed = document.get(key) or []
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            self._fault(key, "must be a list, with keys in each entry")
            return []
        return [resolved(each, self._path) for each in listed]

    def _ignore(self, section: str, entry: dict[str, Any], known: tuple[str, ...]) -> None:
        for key in entry:
            if key not in known:
                self._ignored[f"{section}[].{key}"] = None

    def _required(self, at: str, entry: dict[str, Any], keys: tuple[str, ...]) -> bool:
        missing = [key for key in keys if not isinstance(entry.get(key), str) or not entry[key]]
        for key in missing:
            self._fault(f"{at}.{key}", "is required")
        return not missing

    def _chosen(self, at: str, entry: dict[str, Any], key: str, words: tuple[str, ...]) -> str:
        word = entry.get(key) or words[0]
        if word not in words:
            self._fault(f"{at}.{key}", f"must be one of {', '.join(words)}, not `{word}`")
        return str(word)

    def _duration(self, at: str, entry: dict[str, Any], key: str, by: str, default: str) -> int:
        text = str(entry.get(key) or default)
        try:
            return int(text) if by == "events" else parse_duration(text)
        except ValueError:
            self._fault(f"{at}.{key}", f"`{text}` is not a duration; give one whole number and one "
                                       "unit of ns, us, ms, s, m, h, d, such as 5m")
            return 1

    def _count(self, at: str, entry: dict[str, Any], key: str, default: int) -> int:
        text = str(entry.get(key) or default)
        if not text.isascii() or not text.isdigit() or int(text) < 1:
            self._fault(f"{at}.{key}", f"`{text}` is not a whole number of at least 1")
            return default
        return int(text)

    def _window(self, at: str, entry: dict[str, Any]) -> Optional[WindowSpec]:
        self._ignore("windows", entry, _WINDOW_KEYS)
        if not self._required(at, entry, ("name", "length", "slide")):
            return None
        by = self._chosen(at, entry, "by", ("event_time", "processing_time", "events"))
        types = entry.get("types") or []
        if not isinstance(types, list):
            self._fault(f"{at}.types", "must be a list of types")
            types = []
        return WindowSpec(
            name=entry["name"], by=by,
            length=(None if entry["length"] == "forever"
                    else self._duration(at, entry, "length", by, "")),
            slide=self._duration(at, entry, "slide", by, ""),
            offset=self._duration(at, entry, "offset", by, "0" if by == "events" else "0s"),
            duplicates=self._chosen(at, entry, "duplicates", ("keep", "drop", "weigh")),
            identity=self._chosen(at, entry, "identity", ("pair", "pair_and_type")),
            empty_windows=self._chosen(at, entry, "empty_windows", ("once", "skip")),
            types=tuple(sorted(set(types))), where=str(entry.get("where") or ""))

    def _job(self, at: str, entry: dict[str, Any], windows: dict[str, WindowSpec],
             jobs: dict[str, JobSpec], not_here: dict[str, str]) -> None:
        if not self._required(at, entry, ("name", "kernel", "window")):
            return
        name, kernel = entry["name"], entry["kernel"]
        if name in jobs or name in not_here:
            self._fault(f"{at}.name", f"there is another job `{name}`")
        if entry["window"] not in windows:
            self._fault(f"{at}.window", f"there is no window `{entry['window']}`; windows: "
                                        f"{', '.join(windows) or 'none'}")
        if kernel in NOT_HERE:
            not_here[name] = NOT_HERE[kernel]
            return
        if self._chosen(at, entry, "visibility", ("published", "live")) == "live":
            not_here[name] = "its results are of a live window, between advances"
            return
        self._ignore("jobs", entry, _JOB_KEYS)
        if kernel not in KERNELS:
            known = [*KERNELS, *NOT_HERE]
            self._fault(f"{at}.kernel", f"`{kernel}` is not a known kernel; available: "
                                        f"{', '.join(known)}{nearest(kernel, known)}")
            return
        given = entry.get("parameters") or {}
        if not isinstance(given, dict):
            self._fault(f"{at}.parameters", "must be keys with values")
            given = {}
        values = read_parameters(
            kernel, given, lambda key, why: self._fault(f"{at}.parameters.{key}", why))
        jobs[name] = JobSpec(name, kernel, entry["window"], values,
                             self._count(at, entry, "every", 1), self._count(at, entry, "top", 50))

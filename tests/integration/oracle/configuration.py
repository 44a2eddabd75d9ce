"""The configuration file of a replay or of a Kafka stream, with its defaults.

It is assumed to be valid: the daemon refuses invalid ones, and has its own tests for that.
"""
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from .filters import WindowFilter
from .times import parse_duration


@dataclass(frozen=True)
class Mapping:
    """The mapping of a record's fields: JSON pointers, or columns by name or number (from 1)."""

    kind: str  # "json" or "csv"
    source: str | int
    target: str | int
    weight: str | int | None = None
    time: str | int | None = None
    operation: str | int | None = None
    delimiter: str = ","
    multiline: bool = False
    direction: str = "forward"
    each: str | None = None  # the array whose elements give edges
    more: tuple["Mapping", ...] = ()  # further edges of a record, or of each element
    topics: tuple[str, ...] = ()  # whose records it takes, of one of several; empty: all,
    pattern: str = ""  # or those of the topics that match
    type: str | dict[str, Any] | None = None  # a word, or a field
    id: str | int | dict[str, Any] | None = None
    unwrap: str | None = None  # "debezium"


@dataclass(frozen=True)
class Stream:
    """`source`: the records and how their time is understood."""

    path: str | None  # for a replay
    mapping: Mapping
    integer_keys: bool
    unit: str
    disorder: int
    late: str
    time_from: str
    ahead_limit: int | None = None  # for a replay whose records hold their time
    mappings: tuple[Mapping, ...] = ()  # through which a record goes; the first is `mapping`
    wheres: tuple[str, ...] = ()  # the expressions of all windows
    dedupe_within: int | None = None


@dataclass(frozen=True)
class WindowSpec:
    """`windows[]`: lengths, slides and offsets in nanoseconds, or in accepted events."""

    name: str
    by: str
    length: int | None  # None: a landmark window
    slide: int
    duplicates: str
    empty_windows: str
    offset: int = 0  # ends are multiples of the slide, plus this
    filter: WindowFilter | None = None
    identity: str = "pair"  # of edges, in drop and weigh


@dataclass(frozen=True)
class JobSpec:
    """`jobs[]`, with the parameters in effect."""

    name: str
    kernel: str
    window: str
    parameters: dict[str, Any]
    every: int
    top: int

    @property
    def written_parameters(self) -> dict[str, Any]:
        """The parameters that a result contains."""
        return {name: value for name, value in self.parameters.items()
                if (name, value) not in _NOT_WRITTEN
                and (self.kernel, name, value) != ("pagerank", "direction", "out")}


@dataclass(frozen=True)
class FileSink:
    """`sinks[].file`, of results."""

    path: str
    jobs: tuple[str, ...]
    all_vertices: bool


@dataclass(frozen=True)
class Configuration:
    stream: Stream
    windows: tuple[WindowSpec, ...]
    jobs: tuple[JobSpec, ...]
    sinks: tuple[FileSink, ...] = field(default=())


_PARAMETERS = {
    "pagerank": {"damping": 0.85, "tolerance": 1e-6, "max_iterations": 100, "weighted": False,
                 "sources": "all", "direction": "out"},
    "hits": {"rank_by": "authorities", "tolerance": 1e-6, "max_iterations": 100, "weighted": False},
    "bfs": {"direction": "out", "separate": False, "parents": False},
    "window": {},
    "wcc": {},
    "scc": {},
    "sssp": {"direction": "out", "delta": "auto"},
    "triangles": {},
    "lcc": {},
    "cdlp": {"max_iterations": 10},
    "kcore": {},
    "degree": {"direction": "both"},
    "strength": {"direction": "both"},
    "fanout": {"direction": "out"},
    "reciprocity": {},
    "new_edges": {},
    "vanished_edges": {},
    "cycles": {"max_length": 5, "min_weight": "any", "through": "any",
               "in_time_order": False, "max_steps": 10_000_000},
    "paths": {"by": "hops", "direction": "out", "most": 6},
    "edge_features": {"max_length": 5, "min_intermediates": 2, "max_steps": 10_000_000},
}


# Options that are off are not written.
_NOT_WRITTEN = [("weighted", False), ("sources", "all"), ("parents", False),
                ("in_time_order", False)]


def _number(value: Any) -> float:
    return float(value) if isinstance(value, str) else value  # PyYAML reads 1e-6 as text


def load(path: str) -> Configuration:
    with open(path, encoding="utf-8") as file:
        return from_document(yaml.safe_load(file))


def from_document(document: dict[str, Any]) -> Configuration:
    windows = tuple(_window(entry) for entry in document["windows"])
    stream = _with_ahead_limit(_stream(document["source"]), document["source"], windows)
    wheres = {window.filter.where for window in windows if window.filter} - {""}
    stream = replace(stream, wheres=tuple(sorted(wheres)))
    jobs = tuple(_job(entry, stream.integer_keys) for entry in document.get("jobs") or [])
    names = tuple(job.name for job in jobs)
    sinks = tuple(_sink(entry["file"], names)
                  for entry in document.get("sinks") or []
                  if "file" in entry and entry["file"].get("content", "results") == "results")
    return Configuration(stream, windows, jobs, sinks)


def _mapping(form: dict[str, Any]) -> Mapping:
    kind = "json" if "json" in form else "csv"
    if form.get("edges"):
        listed = [Mapping(kind=kind, **edge) for edge in form["edges"]]
        mapping = replace(listed[0], each=form[kind].get("each"), unwrap=form[kind].get("unwrap"),
                          more=tuple(listed[1:]))
    else:
        mapping = Mapping(kind=kind, **form[kind])
    if mapping.delimiter == "tab":
        mapping = replace(mapping, delimiter="\t")
    topics = form.get("topics") or ()
    if isinstance(topics, dict):
        return replace(mapping, pattern=topics["pattern"])
    return replace(mapping, topics=tuple(topics))


def _stream(source: dict[str, Any]) -> Stream:
    forms = source.get("mappings") or [source["format"]]
    mappings = tuple(_mapping(form) for form in forms)
    mapping = mappings[0]
    time = source.get("time") or {}
    otherwise = "clock" if "replay" in source else "kafka"
    return Stream(
        path=source["replay"]["path"] if "replay" in source else None,
        mapping=mapping,
        mappings=mappings,
        integer_keys=forms[0].get("keys", "string") == "integer",
        unit=time.get("unit", "ms"),
        disorder=parse_duration(time.get("disorder", "2s")),
        late=time.get("late", "dead_letter"),
        time_from=time.get("from", "field" if mapping.time is not None else otherwise),
        dedupe_within=parse_duration(source["dedupe"]["within"]) if "dedupe" in source else None)


def _with_ahead_limit(stream: Stream, source: dict[str, Any],
                      windows: tuple["WindowSpec", ...]) -> Stream:
    if stream.path is None or stream.time_from != "field":
        return stream
    given = (source.get("time") or {}).get("ahead_limit", "auto")
    slides = [window.slide for window in windows if window.by == "event_time"]
    limit = (max(min(slides, default=0), stream.disorder, parse_duration("1m"))
             if given == "auto" else parse_duration(given))
    return replace(stream, ahead_limit=limit)


def _window(entry: dict[str, Any]) -> WindowSpec:
    by = entry.get("by", "event_time")
    measure = int if by == "events" else parse_duration
    length = entry["length"]
    return WindowSpec(
        name=entry["name"], by=by, slide=measure(entry["slide"]),
        length=None if length == "forever" else measure(length),
        duplicates=entry.get("duplicates", "keep"),
        empty_windows=entry.get("empty_windows", "once"),
        offset=0 if by == "events" else parse_duration(entry.get("offset", "0s")),
        identity=entry.get("identity", "pair"),
        filter=_filter(entry))


def _filter(entry: dict[str, Any]) -> WindowFilter | None:
    if not entry.get("types") and not entry.get("where"):
        return None
    return WindowFilter(tuple(sorted(entry.get("types") or ())), entry.get("where") or "")


def _job(entry: dict[str, Any], integer_keys: bool) -> JobSpec:
    kernel = entry["kernel"]
    parameters = {**_PARAMETERS[kernel], **(entry.get("parameters") or {})}
    parameters |= {key: _number(parameters[key])
                   for key in ("damping", "tolerance", "max_iterations") if key in parameters}
    for name in ("roots", "sources", "from", "to"):
        if isinstance(parameters.get(name), list) and not integer_keys:
            parameters[name] = [str(key) for key in parameters[name]]
    return JobSpec(entry["name"], kernel, entry["window"], parameters,
                   entry.get("every", 1), entry.get("top", 50))


def _sink(entry: dict[str, Any], every_job: tuple[str, ...]) -> FileSink:
    return FileSink(entry["path"], tuple(entry.get("jobs") or every_job),
                    entry.get("vertices", "top") == "all")

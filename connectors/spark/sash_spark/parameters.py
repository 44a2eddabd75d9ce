"""The parameters of each kernel: defaults, bounds, and how results show them.

The table is that of windows/jobs/kinds; a test compares it with configs/sash.schema.json.
"""
from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from typing import Any, Callable, Optional

DIRECTIONS = ("out", "in", "both")
REQUIRED = object()


@dataclass(frozen=True)
class Parameter:
    """`kind`: whole, real, truth, keys or words. `word` stands for "none" in configurations."""

    name: str
    kind: str
    default: Any = REQUIRED
    least: float = -math.inf
    most: float = math.inf
    bounds: str = ""                # of a real number, for messages
    words: tuple[str, ...] = ()
    word: Optional[str] = None
    shown_with: Optional[str] = None  # results show it only where this parameter says something


def _direction(default: str = "out", shown_with: Optional[str] = None) -> Parameter:
    return Parameter("direction", "words", default, words=DIRECTIONS, shown_with=shown_with)


def _real(name: str, default: float, bounds: str = "a number of at least 0", least: float = 0,
          most: float = math.inf, word: Optional[str] = None) -> Parameter:
    return Parameter(name, "real", default, least, most, bounds, word=word)


def _iterations(default: int) -> Parameter:
    return Parameter("max_iterations", "whole", default, 1, 1_000_000)


_ROOTS = Parameter("roots", "keys")
_WEIGHTED = Parameter("weighted", "truth", False, shown_with="weighted")
_WARM = (Parameter("warm_start", "truth", False, shown_with="warm_start"),
         Parameter("check_every", "whole", 100, 0, 1_000_000, shown_with="warm_start"))
_BELOW_ONE = math.nextafter(1.0, 0.0)

KERNELS: dict[str, tuple[Parameter, ...]] = {
    "pagerank": (
        _real("damping", 0.85, "a number of at least 0 and below 1", 0, _BELOW_ONE),
        _real("tolerance", 1e-6), _iterations(100), *_WARM, _WEIGHTED,
        Parameter("sources", "keys", "all", word="all", shown_with="sources"),
        _direction(shown_with="direction")),
    "hits": (Parameter("rank_by", "words", "authorities", words=("authorities", "hubs")),
             _real("tolerance", 1e-6), _iterations(100), _WEIGHTED),
    "bfs": (_ROOTS, _direction(), Parameter("separate", "truth", False),
            Parameter("parents", "truth", False, shown_with="parents"), *_WARM),
    "window": (),
    "wcc": _WARM,
    "scc": (),
    "sssp": (_ROOTS, _direction(),
             _real("delta", math.nan, "a number above 0", math.nextafter(0.0, 1.0), word="auto")),
    "triangles": _WARM,
    "lcc": (),
    "cdlp": (_iterations(10),),
    "kcore": (),
    "degree": (_direction("both"),),
    "strength": (Parameter("direction", "words", "both", words=(*DIRECTIONS, "net")), *_WARM),
    "fanout": (_direction(),),
    "reciprocity": (),
    "new_edges": (),
    "vanished_edges": (),
    "cycles": (Parameter("max_length", "whole", 5, 2, 10),
               _real("min_weight", math.nan, "a number above 0", math.nextafter(0.0, 1.0),
                     word="any"),
               Parameter("through", "keys", "any", word="any"),
               Parameter("in_time_order", "truth", False, shown_with="in_time_order"),
               Parameter("max_steps", "whole", 10_000_000, 1, 1_000_000_000)),
    "paths": (Parameter("from", "keys"), Parameter("to", "keys"),
              Parameter("by", "words", "hops", words=("hops", "weight")), _direction(),
              Parameter("most", "whole", 6, 1, 100)),
    "edge_features": (Parameter("max_length", "whole", 5, 2, 10),
                      Parameter("min_intermediates", "whole", 2, 1, 1_000_000_000),
                      Parameter("max_steps", "whole", 10_000_000, 1, 1_000_000_000)),
}
# Computed outside Sash, or by a shared object for the process of sashd.
NOT_HERE = {"external": "another process computes it over frozen snapshots of a running sashd",
            "plugin": "a shared object for sashd computes it"}
# Their answers need the window of the job's previous result.
COMPARING = ("new_edges", "vanished_edges", "cycles", "edge_features")

Fault = Callable[[str, str], None]  # of a parameter, and why


def nearest(word: str, known: list[str]) -> str:
    """How a message about an unknown word ends: with the nearest known one; "": none is near."""
    close = difflib.get_close_matches(word, known, 1)
    return f"; did you mean `{close[0]}`?" if close else ""


def read_parameters(kernel: str, given: dict[str, Any], fault: Fault) -> dict[str, Any]:
    """The parameters in effect, with their defaults. A value is the text of the configuration; a
    word that stands for nothing ("all", "any", "auto") becomes None. Keys stay text."""
    rows = {row.name: row for row in KERNELS[kernel]}
    for name in given:
        if name not in rows:
            known = f"(known here: {', '.join(rows)})" if rows else "(no keys are known here)"
            fault(name, f"unknown key{nearest(name, list(rows))} {known}")
    values = {}
    for name, row in rows.items():
        if name in given:
            values[name] = _value(row, given[name], fault)
        elif row.default is REQUIRED:
            fault(name, "is required: give a list of vertex keys, such as [alice]")
        else:
            values[name] = None if row.word else row.default
    if kernel == "pagerank" and values["warm_start"] and (
            values["weighted"] or values["sources"] or values["direction"] != "out"):
        fault("warm_start",
              "cannot be combined with `weighted`, `sources` or `direction`; leave it out")
    return values


def written(kernel: str, values: dict[str, Any]) -> dict[str, Any]:
    """The parameters as results show them."""
    def says_nothing(name: str) -> bool:
        value = values[name]
        return value is None or value is False or value == 0 or value == "out"

    return {row.name: row.word if values[row.name] is None else values[row.name]
            for row in KERNELS[kernel]
            if row.shown_with is None or not says_nothing(row.shown_with)}


def _value(row: Parameter, text: Any, fault: Fault) -> Any:
    if row.word is not None and text == row.word:
        return None
    if row.kind == "keys":
        if isinstance(text, list) and text and all(isinstance(each, str) for each in text):
            return tuple(text)
        other = f", or `{row.word}`" if row.word else ""
        return fault(row.name, f"give a list of vertex keys, such as [alice]{other}")
    if not isinstance(text, str):
        return fault(row.name, "give one value, not a list or keys")
    if row.kind == "truth":
        if text not in ("true", "false"):
            return fault(row.name, f"must be true or false, not `{text}`")
        return text == "true"
    if row.kind == "words":
        if text not in row.words:
            listed = ", ".join(row.words[:-1]) + " or " + row.words[-1]
            return fault(row.name, f"must be {listed}, not `{text}`")
        return text
    return _whole(row, text, fault) if row.kind == "whole" else _number(row, text, fault)


def _whole(row: Parameter, text: str, fault: Fault) -> Any:
    if not re.fullmatch(r"[+-]?\d+", text, re.ASCII):
        return fault(row.name, f"must be a whole number, not `{text}`")
    if not row.least <= int(text) <= row.most:
        return fault(row.name, f"`{text}` is out of range; give a number from {row.least:.0f} to "
                               f"{row.most:.0f}")
    return int(text)


def _number(row: Parameter, text: str, fault: Fault) -> Any:
    try:
        value = float(text)
    except ValueError:
        return fault(row.name, f"must be a number, not `{text}`")
    if not row.least <= value <= row.most or math.isinf(value):
        return fault(row.name, f"`{text}` is out of range; give {row.bounds}")
    return value

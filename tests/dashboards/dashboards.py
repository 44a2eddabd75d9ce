"""The queries of dashboards/, the metrics that sashd exports, and the series that the rules
record."""
import functools
import json
import pathlib
import re
from typing import Any, Iterator

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "dashboards"
RULES = FOLDER / "rules.yml"
METRICS = ROOT / "daemon" / "metrics" / "README.md"
METRIC_ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| ([\w, ]*) \|", re.MULTILINE)
SERIES = re.compile(r"\b(?:sash:[\w:]+|(?:sash|process)_\w+|ALERTS)\b")
# Labels that Prometheus adds to every series, and the labels of its series about alerts.
TARGET = {"job", "instance"}
ALERTS = {"alertname", "alertstate", "severity"}
# The values that Grafana inserts for its own variables and for "All".
EVERYTHING = {"instance": ".+", "window": ".+", "job": ".+", "__rate_interval": "10s"}


def exported() -> dict[str, set[str]]:
    """Series name -> labels, as Prometheus stores them (honor_labels is off)."""
    series = {}
    for name, kind, labels in METRIC_ROW.findall(METRICS.read_text(encoding="utf-8")):
        stored = {"exported_job" if label == "job" else label
                  for label in labels.split(", ") if label}
        if kind == "histogram":
            series |= {f"{name}_bucket": stored | {"le"}, f"{name}_sum": stored,
                       f"{name}_count": stored}
        else:
            series[name] = stored
    return series


@functools.cache
def rules() -> list[dict[str, Any]]:
    document = yaml.safe_load(RULES.read_text(encoding="utf-8"))
    return [rule for group in document["groups"] for rule in group["rules"]]


def recordings() -> dict[str, str]:
    return {rule["record"]: rule["expr"] for rule in rules() if "record" in rule}


def alerts() -> dict[str, dict[str, Any]]:
    return {rule["alert"]: rule for rule in rules() if "alert" in rule}


def series() -> dict[str, set[str]]:
    """Every series that a query may name -> its labels."""
    known = {**exported(), "ALERTS": ALERTS}
    for name, expression in recordings().items():  # in this order: later ones use earlier ones
        labels = set().union(*(known[each] for each in SERIES.findall(expression)))
        for gone in re.findall(r"without \(([^)]*)\)", expression):
            labels -= set(gone.split(", "))
        known[name] = labels
    return {name: labels | TARGET for name, labels in known.items()}


def files() -> list[pathlib.Path]:
    return sorted(FOLDER.glob("*.json"))


def load(path: pathlib.Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def panels(dashboard: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The panels of a dashboard, without its row headings."""
    return (panel for panel in dashboard["panels"] if panel["type"] != "row")


def queries(dashboard: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The title of each panel with each of its queries, variables not replaced."""
    for panel in panels(dashboard):
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    for annotation in dashboard["annotations"]["list"]:
        yield annotation["name"], annotation["target"]["expr"]


def substitute(expression: str, values: dict[str, str]) -> str:
    """The query with values for its variables; an unknown variable is an error."""
    return re.sub(r"\$(\w+)|\$\{(\w+)(?::\w+)?\}",
                  lambda found: values[found.group(1) or found.group(2)], expression)


def variables(dashboard: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """name -> (selector, label) of the variables that list the values of a label."""
    found = {}
    for variable in dashboard["templating"]["list"]:
        if variable["type"] != "query":
            continue
        match = re.fullmatch(r"label_values\((\w+(?:\{[^}]*\})?), (\w+)\)",
                             variable["query"]["query"])
        if match is None:
            raise ValueError(f"variable {variable['name']}: not label_values(selector, label)")
        found[variable["name"]] = (match.group(1), match.group(2))
    return found

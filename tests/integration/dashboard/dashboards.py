"""What the Grafana dashboards of this project ask of Prometheus, and what sashd exports."""
import json
import pathlib
import re
from typing import Any, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "dashboards"
METRICS = ROOT / "daemon" / "metrics" / "README.md"
METRIC_ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| ([\w, ]*) \|", re.MULTILINE)
# What Grafana puts in for its own variables and for "All".
EVERYTHING = {"window": ".+", "job": ".+", "__rate_interval": "10s", "__interval": "1s",
              "__range": "30s"}


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


def files() -> list[pathlib.Path]:
    return sorted(FOLDER.glob("*.json"))


def load(path: pathlib.Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def panels(dashboard: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Those that show something; collapsed rows hold theirs inside."""
    for panel in dashboard["panels"]:
        if panel["type"] == "row":
            yield from panel.get("panels", [])
        else:
            yield panel


def queries(dashboard: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every query with the title of its panel, as it is written."""
    for panel in panels(dashboard):
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


def substitute(expression: str, values: dict[str, str]) -> str:
    """The query with values for its variables; an unknown variable is an error."""
    return re.sub(r"\$(\w+)|\$\{(\w+)(?::\w+)?\}",
                  lambda found: values[found.group(1) or found.group(2)], expression)


def variables(dashboard: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """name -> (metric, label) of the variables that list the values of a label."""
    found = {}
    for variable in dashboard["templating"]["list"]:
        if variable["type"] != "query":
            continue
        match = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]["query"])
        if match is None:
            raise ValueError(f"variable {variable['name']}: not label_values(metric, label)")
        found[variable["name"]] = (match.group(1), match.group(2))
    return found

#!/usr/bin/env python3
"""Writes the dashboards of boards.py as JSON for Grafana, beside this file.

Run it after a change of a board, and commit both; a test compares them. This file does not know
the content of panels, only the format of Grafana (schema 39, Grafana 10.4 and newer).
"""
import dataclasses
import json
import pathlib
import re
from typing import Any

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
COLUMNS = 24
# The least upper end of an axis, by unit: if all lines are at 0, Grafana would draw it up to 100,
# even for seconds, or to 10000 %.
LEAST_TOP = {"percentunit": 0.01, "none": 1, "short": 1, "cps": 0.01, "s": 0.001, "sci": 1e-9,
             "bytes": 1024, "Bps": 1}

# Placeholders in queries for the choices in the variables at the top of a board.
SELECTORS = {"I": 'instance=~"$instance"',
             "W": 'instance=~"$instance", window=~"$window"',
             "J": 'instance=~"$instance", window=~"$window", exported_job=~"$job"',
             "R": 'instance=~"$instance", exported_job=~"$job"'}
ALERTS = 'ALERTS{alertname=~"Sash.+", alertstate="firing", instance=~"$instance"}'


@dataclasses.dataclass(frozen=True)
class Panel:
    """`queries` are (PromQL, legend); `alerts` are those in rules.yml whose runbook entry helps."""
    title: str
    unit: str  # Grafana's: s, bytes, cps, percentunit, none, ...
    description: str
    queries: list[tuple[str, str]]
    kind: str = "timeseries"  # or stat
    alerts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()  # stack, log; stat: name, ready
    width: int = 0  # 0: a third of the board, or a quarter in a row of four
    height: int = 8


@dataclasses.dataclass(frozen=True)
class Board:
    uid: str
    title: str
    description: str
    variables: tuple[str, ...]
    rows: list[tuple[str, list[Panel]]]


def expand(query: str) -> str:
    """{W} becomes {instance=~"$instance", window=~"$window"}; {W, kind="x"} too."""
    return re.sub(r"\{([IWJR])(?=[,}])", lambda found: "{" + SELECTORS[found[1]], query)


def _listed(name: str, label: str, query: str) -> dict[str, Any]:
    """A variable that lists the values of a label."""
    return {"name": name, "label": label, "type": "query", "datasource": SOURCE,
            "definition": query,
            "query": {"query": query, "refId": "StandardVariableQuery", "qryType": 1},
            "refresh": 2, "sort": 1, "multi": True, "includeAll": True, "allValue": ".+",
            "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
            "options": [], "regex": "", "hide": 0, "skipUrlSync": False}


def _variables(names: tuple[str, ...]) -> list[dict[str, Any]]:
    chosen = SELECTORS["I"]
    lists = {"instance": ("Instance", "label_values(sash_build_info, instance)"),
             "window": ("Window", f"label_values(sash_window_edges{{{chosen}}}, window)"),
             "job": ("Job", f"label_values(sash_job_runs_total{{{chosen}}}, exported_job)")}
    # Grafana serves its public folder: put deploy/runbook.md there under this name, since browsers
    # cannot jump to a place in text/markdown; or write another address here.
    runbook = "/public/sash/runbook.txt"
    return [
        {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus",
         "refresh": 1, "multi": False, "includeAll": False, "options": [], "regex": "", "hide": 0,
         "skipUrlSync": False},
        *(_listed(name, *lists[name]) for name in names),
        {"name": "runbook", "label": "Runbook", "type": "constant", "query": runbook, "hide": 2,
         "skipUrlSync": True, "current": {"selected": True, "text": runbook, "value": runbook},
         "options": [{"selected": True, "text": runbook, "value": runbook}]}]


def _link(title: str, **differences: Any) -> dict[str, Any]:
    return {"title": title, "type": "link", "icon": "external link", "tooltip": "",
            "asDropdown": False, "keepTime": False, "includeVars": False, "targetBlank": False,
            "tags": [], "url": "", **differences}


def _runbook(title: str, alert: str = "") -> dict[str, Any]:
    """A link to the entry of an alert: its heading in the text, or its anchor if the runbook is
    served as a web page."""
    entry = f"#{alert.lower()}:~:text=%23%23%23%20{alert}" if alert else ""
    return _link(title, icon="doc", url="${runbook}" + entry, targetBlank=True)


def _links() -> list[dict[str, Any]]:
    return [_link("Sash", type="dashboards", tags=["sash"], keepTime=True, includeVars=True),
            _runbook("Runbook")]


def _annotations() -> dict[str, Any]:
    return {"list": [{"name": "Alerts", "enable": True, "hide": False, "iconColor": "red",
                      "datasource": SOURCE,
                      "target": {"refId": "Anno", "expr": ALERTS, "interval": "60s"},
                      "titleFormat": "{{alertname}}", "textFormat": "{{instance}}",
                      "tagKeys": "severity", "useValueForTime": False}]}


def _field(panel: Panel) -> dict[str, Any]:
    defaults: dict[str, Any] = {"unit": panel.unit, "mappings": [], "min": 0}
    if panel.unit in ("percentunit", "sci"):
        defaults["decimals"] = 1
    if panel.kind == "stat":
        defaults["color"] = {"mode": "thresholds"}
        steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
        if "alarm" in panel.options:
            steps.append({"color": "red", "value": 1})
        defaults["thresholds"] = {"mode": "absolute", "steps": steps}
        if "ready" in panel.options:
            defaults["mappings"] = [{"type": "value", "options": {
                "1": {"text": "ready", "color": "green", "index": 0},
                "0": {"text": "not ready", "color": "red", "index": 1}}}]
        return {"defaults": defaults, "overrides": []}
    scale = {"type": "log", "log": 10} if "log" in panel.options else {"type": "linear"}
    if "log" in panel.options:
        del defaults["min"]
    stacked = "stack" in panel.options
    defaults["color"] = {"mode": "palette-classic"}
    defaults["custom"] = {"drawStyle": "line", "lineWidth": 1, "fillOpacity": 40 if stacked else 10,
                          "showPoints": "never", "spanNulls": True,
                          "stacking": {"mode": "normal" if stacked else "none", "group": "A"},
                          "scaleDistribution": scale}
    if "log" not in panel.options:
        defaults["custom"]["axisSoftMax"] = LEAST_TOP[panel.unit]
    return {"defaults": defaults, "overrides": []}


def _options(panel: Panel) -> dict[str, Any]:
    if panel.kind == "stat":
        return {"reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
                "colorMode": "value", "graphMode": "none", "orientation": "auto",
                "justifyMode": "auto",
                "textMode": "name" if "name" in panel.options else "auto"}
    return {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True,
                       "calcs": []},
            "tooltip": {"mode": "multi", "sort": "desc"}}


def _panel(panel: Panel, number: int, x: int, y: int, width: int) -> dict[str, Any]:
    instant = panel.kind == "stat"
    return {
        "id": number, "type": panel.kind, "title": panel.title, "description": panel.description,
        "datasource": SOURCE,
        "gridPos": {"h": panel.height, "w": width, "x": x, "y": y},
        "links": [_runbook(f"Runbook: {alert}", alert) for alert in panel.alerts],
        "fieldConfig": _field(panel), "options": _options(panel),
        "targets": [{"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": expand(query),
                     "legendFormat": legend, "editorMode": "code", "range": not instant,
                     "instant": instant}
                    for i, (query, legend) in enumerate(panel.queries)]}


def _panels(board: Board) -> list[dict[str, Any]]:
    """Rows from top to bottom, panels from left to right; a row has the height of its highest
    panel."""
    drawn: list[dict[str, Any]] = []
    y = 0
    for title, panels in board.rows:
        drawn.append({"id": len(drawn) + 1, "type": "row", "title": title, "collapsed": False,
                      "gridPos": {"h": 1, "w": COLUMNS, "x": 0, "y": y}, "panels": []})
        x, y, height = 0, y + 1, 0
        for panel in panels:
            width = panel.width or COLUMNS // (4 if len(panels) == 4 else 3)
            if x + width > COLUMNS:
                x, y, height = 0, y + height, 0
            drawn.append(_panel(panel, len(drawn) + 1, x, y, width))
            x, height = x + width, max(height, panel.height)
        y += height
    return drawn


def render(board: Board) -> str:
    return json.dumps({
        "id": None, "uid": board.uid, "title": board.title, "description": board.description,
        "tags": ["sash"], "schemaVersion": 39, "version": 1, "editable": True, "graphTooltip": 1,
        "timezone": "", "weekStart": "", "fiscalYearStartMonth": 0, "liveNow": False,
        "links": _links(), "refresh": "10s", "time": {"from": "now-30m", "to": "now"},
        "timepicker": {}, "annotations": _annotations(),
        "templating": {"list": _variables(board.variables)}, "panels": _panels(board)},
        indent=2) + "\n"


def main() -> None:
    import boards  # it uses the types above
    for name, board in boards.BOARDS.items():
        (FOLDER / f"{name}.json").write_text(render(board), encoding="utf-8")


if __name__ == "__main__":
    main()

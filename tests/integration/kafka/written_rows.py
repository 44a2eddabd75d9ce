"""Whether a file of rows has those of each result that the file of results has. The files are
synced one after the other: when power is lost, one may have a result that the other lacks."""
import json
from typing import Any, Iterable


class WrittenRows:
    """The sinks of a configuration that write the pairs of results as rows of CSV."""

    def __init__(self, given: dict[str, Any]) -> None:
        files = [sink["file"] for sink in given["sinks"] if "file" in sink]
        self._jobs = {job for file in files if file.get("content") == "rows"
                      for job in file.get("jobs", [])}

    def lacking(self, results: Iterable[str], rows: Iterable[dict[str, str]]) -> bool:
        """`results`: whole lines of JSON; `rows`: of the file, which may be growing and have a torn
        header."""
        there = {(row.get("window_end"), row.get("row")) for row in rows}
        return any((result["window_end"], str(number)) not in there
                   for result in self._listed(results)
                   for number in range(1, len(result["top_edges"]) + 1))

    def _listed(self, lines: Iterable[str]) -> Iterable[dict[str, Any]]:
        for line in lines if self._jobs else []:
            try:
                result = json.loads(line)
            except ValueError:
                continue  # torn: the process cuts it at its start
            if result["job"] in self._jobs:
                yield result

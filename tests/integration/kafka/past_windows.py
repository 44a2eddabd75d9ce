"""Published windows of a running `sashd`, read edge by edge over HTTP."""
import collections
import http.client
import json
import urllib.parse
from typing import Any

from stream_truth import PATIENCE_SECONDS

Answer = tuple[int, Any]  # status and JSON
ALL = 10_000
Edge = tuple[str, str, str]  # source, target and weight, as JSON


class TooOld(Exception):
    """The window cannot be read any more."""


class PastWindows:
    """Reads windows over one connection. OSError and HTTPException: the process has ended."""

    def __init__(self, url: str) -> None:
        self._http = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc,
                                                timeout=PATIENCE_SECONDS)

    def get(self, path: str) -> Answer:
        self._http.request("GET", path)
        answer = self._http.getresponse()
        return answer.status, json.loads(answer.read())

    def post(self, path: str) -> Answer:
        self._http.request("POST", path)
        answer = self._http.getresponse()
        return answer.status, json.loads(answer.read())

    def readable(self, window: str) -> list[dict[str, Any]]:
        """The published windows that can be read, the newest first."""
        status, listed = self.get(f"/api/v1/windows/{window}/snapshots?limit={ALL}")
        return listed if status == 200 else []

    def past(self, path: str, method: str = "GET") -> Any:
        """The answer about an earlier window. TooOld: it has become too old."""
        status, answer = self.get(path) if method == "GET" else self.post(path)
        if status == 410:
            raise TooOld(answer["error"]["message"])
        assert status == 200, f"{path}: {status} {answer}"
        return answer

    def edges(self, window: str, which: str) -> collections.Counter[Edge]:
        """All edges of a window, as its vertices show them in both directions."""
        path = f"/api/v1/windows/{window}"
        keys = self.past(f"{path}/keys?limit={ALL}&{which}")
        out: collections.Counter[Edge] = collections.Counter()
        into: collections.Counter[Edge] = collections.Counter()
        for row in keys["vertices"]:
            key = row["vertex"]
            quoted = urllib.parse.quote(str(key), safe="")
            vertex = self.past(f"{path}/vertices?key={quoted}&limit={ALL}&{which}")
            out.update(edge(key, each["vertex"], each["weight"]) for each in vertex["out"])
            into.update(edge(each["vertex"], key, each["weight"]) for each in vertex["in"])
        assert out == into, f"{window}, {which}: the directions differ: {out} and {into}"
        return out


def edge(source: Any, target: Any, weight: Any) -> Edge:
    return json.dumps(source), json.dumps(target), json.dumps(weight)


def published_edges(line: dict[str, Any]) -> collections.Counter[Edge]:
    """The edges in a result of the kernel `window`, in a file with `vertices: all`."""
    return collections.Counter(edge(row["source"], row["target"], row["weight"])
                               for row in line["top_edges"])

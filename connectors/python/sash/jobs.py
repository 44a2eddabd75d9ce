"""The jobs of a daemon."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

from sash.api import Api, quoted
from sash.results import Diff, Result


class Job:
    """A job by its name; every member asks the daemon."""

    def __init__(self, api: Api, name: str) -> None:
        self._api = api
        self.name = name

    @property
    def _path(self) -> str:
        return "/api/v1/jobs/" + quoted(self.name)

    def status(self) -> dict[str, Any]:
        """Its counts of runs, skipped and failed ones, and its state."""
        return dict(self._api.get(self._path))

    def latest(self, top: Optional[int] = None) -> Result:
        """Its newest result, with `top` rows. ApiError with the status 404: it has none yet."""
        return Result(self._api.get(self._path + "/results/latest", {"top": top}))

    def results(self, limit: int = 10, top: int = 20, before: Optional[int] = None) -> list[Result]:
        """Kept results, the newest first; `before`: only of snapshots before this one."""
        query = {"limit": limit, "top": top, "before": before}
        return [Result(each) for each in self._api.get(self._path + "/results", query)]

    def result(self, snapshot: int, top: Optional[int] = None) -> Result:
        return Result(self._api.get(f"{self._path}/results/{snapshot}", {"top": top}))

    def diff(self, top: Optional[int] = None) -> Diff:
        """What changed from the previous result to the newest one."""
        return Diff(self._api.get(self._path + "/diffs/latest", {"top": top}))

    def vertex(self, key: Union[str, int]) -> dict[str, Any]:
        """The score (depth, distance, set) and the rank of a vertex in the newest result."""
        return dict(self._api.get(self._path + "/vertices", {"key": key}))

    def trigger(self) -> int:
        """Runs it now, on the newest snapshot; the number of the snapshot that gets a result."""
        return int(self._api.post(self._path + "/trigger")["snapshot"])

    def pause(self) -> None:
        self._api.post(self._path + "/pause")

    def resume(self) -> None:
        self._api.post(self._path + "/resume")

    def remove(self) -> None:
        self._api.request("DELETE", self._path)

    def __repr__(self) -> str:
        return f"<sash.Job {self.name}>"


class Jobs(Mapping[str, Job]):
    """The jobs of a daemon, by name."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def _names(self) -> list[str]:
        return [each["name"] for each in self._api.get("/api/v1/jobs")]

    def __getitem__(self, name: str) -> Job:
        if name not in self._names():
            raise KeyError(name)
        return Job(self._api, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def add(self, settings: dict[str, Any]) -> Job:
        """Adds a job, with the keys of `jobs[]` in the configuration."""
        return Job(self._api, self._api.post("/api/v1/jobs", settings)["name"])

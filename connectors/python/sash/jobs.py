"""The jobs of a daemon."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional, Union

from sash.api import Api
from sash.named import ManagedItems, PausableItem
from sash.results import Diff, Result


class Job(PausableItem):
    """A job by its name; every member asks the daemon."""

    LIST = "/api/v1/jobs"

    def status(self) -> dict[str, Any]:
        """Its counts of runs, skipped and failed ones, and its state."""
        return dict(self._api.get(self._path))

    def latest(self, top: Optional[int] = None, offset: Optional[int] = None) -> Result:
        """Its newest result, with at most `top` rows after the first `offset` ones.

        ApiError with the status 404: it has none yet.
        """
        return Result(self._api.get(self._path + "/results/latest",
                                    {"top": top, "offset": offset}))

    def results(self, limit: int = 10, top: int = 20, before: Optional[int] = None) -> list[Result]:
        """Kept results, the newest first; `before`: only of snapshots before this one."""
        query = {"limit": limit, "top": top, "before": before}
        return [Result(each) for each in self._api.get(self._path + "/results", query)]

    def result(self, snapshot: int, top: Optional[int] = None) -> Result:
        """The kept result of a snapshot. ApiError with the status 404: there is none."""
        return Result(self._api.get(f"{self._path}/results/{snapshot}", {"top": top}))

    def diff(self, top: Optional[int] = None, snapshot: Optional[int] = None,
             since: Optional[int] = None) -> Diff:
        """What changed from the previous result to the newest one, or to that of `snapshot`.

        `since`: compared with the result of this snapshot instead; both must still be kept.
        """
        if snapshot is None and since is not None:
            snapshot = self.latest(top=0).snapshot
        of = "latest" if snapshot is None else str(snapshot)
        return Diff(self._api.get(f"{self._path}/diffs/{of}", {"top": top, "since": since}))

    def vertex(self, key: Union[str, int]) -> dict[str, Any]:
        """The score (depth, distance, set) and the rank of a vertex in the newest result."""
        return dict(self._api.get(self._path + "/vertices", {"key": key}))

    def history(self, key: Union[str, int], limit: int = 100) -> list[dict[str, Any]]:
        """The values of a vertex in the kept results, the newest first.

        A row has the snapshot, the bounds of the window, the value, its rank, and `known`: False if
        neither the list of the result nor its vector (`keep_vectors`) says anything of the vertex.
        """
        answer = self._api.get(self._path + "/history", {"key": key, "limit": limit})
        return list(answer["results"])

    def members(self, key: Union[str, int], page: int = 1000,
                snapshot: Optional[int] = None) -> Iterator[dict[str, Any]]:
        """The members of the set that a vertex is in, in the order of keys, with their degrees.

        They are asked for in pages of this size. Each page is of the result that is the newest when
        it is asked for, unless `snapshot` names a window that is kept (`retain`): the daemon runs
        the job on it for each page.
        """
        after = None
        while True:
            answer = self._api.get(self._path + "/members", {
                "key": key, "limit": page, "after": after, "snapshot": snapshot})
            yield from answer["members"]
            if len(answer["members"]) < page:
                return
            after = answer["members"][-1]["vertex"]

    def trigger(self) -> int:
        """Runs it now, on the newest snapshot. Returns the number of that snapshot."""
        return int(self._api.post(self._path + "/trigger")["snapshot"])


class Jobs(ManagedItems[Job]):
    """The jobs of a daemon, by name. add() takes the keys of `jobs[]`."""

    def __init__(self, api: Api) -> None:
        super().__init__(api, Job.LIST, Job)

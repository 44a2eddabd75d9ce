"""Manifests of slices as an export writes them, without their edges."""
import fcntl
import json
import pathlib
import random

import engines  # noqa: F401  (the path of the package)

from sash_spark.times import time_text

PANE = 10  # seconds
SECOND = 10**9
FILTER = "/big"


class Stream:
    """Slices as `of` shards write them (0: one process), in two folders. In the first one, old
    slices may be removed."""

    def __init__(self, chance: random.Random, folder: pathlib.Path) -> None:
        self.chance = chance
        self.of = chance.choice([0, 1, 2, 3])
        self.folders = [folder / "followed", folder / "all"]
        self.removes = chance.random() < 0.5
        self.panes = chance.randrange(5, 40)
        self.silence = range(0)
        if chance.random() < 0.4:
            begin = chance.randrange(self.panes)
            self.silence = range(begin, begin + chance.randrange(20))
        self.shards = [{"at": 0, "number": 0, "end": None, "apart": []}
                       for _ in range(self.of or 1)]
        if self.of:
            for shard in self.shards:
                if chance.random() < 0.3:
                    shard["apart"].append({"start": None, "late": 1, "refused": 2})
        for place in range(len(self.shards)):
            for each in self.folders_of(place):
                each.mkdir(parents=True)
            self.say(place, None)

    def folders_of(self, place: int) -> list[pathlib.Path]:
        name = f"shard-{place + 1}-of-{self.of}" if self.of else ""
        return [each / name for each in self.folders]

    def is_over(self) -> bool:
        return all(shard["at"] >= self.panes for shard in self.shards)

    def goes_on(self) -> None:
        """A shard writes a slice, or closes a pane without one."""
        place = self.chance.randrange(len(self.shards))
        shard, chance = self.shards[place], self.chance
        start = shard["at"] * PANE
        shard["at"] += 1
        if shard["at"] > self.panes + 2:
            return
        if shard["at"] - 1 not in self.silence and chance.random() < 0.6:
            self.write(place, start)
        elif self.of and chance.random() < 0.4:
            shard["apart"].append({"start": time_text(start * SECOND),
                                   "late": chance.randrange(9), "refused": chance.randrange(9)})
        if chance.random() < 0.7 or self.is_over():
            self.say(place, shard["at"] * PANE)

    def write(self, place: int, start: int) -> None:
        shard, chance = self.shards[place], self.chance
        shard["number"] += 1
        number = shard["number"]
        is_on_time = self.removes or chance.random() < 0.9
        about = {
            "slices": 1, "number": number, "start": time_text(start * SECOND),
            "end": time_text((start + PANE) * SECOND),
            "previous_end": None if shard["end"] is None else time_text(shard["end"] * SECOND),
            "edges": chance.choice([0, 1, 5]), "late": chance.randrange(9),
            "refused": chance.randrange(9), "gap": chance.random() < 0.1, "on_time": is_on_time,
            "offsets": {"t": {str(place): [number * 10, number * 10 + 9]}}, "keys": "string",
            "filters": [{"column": "filter_0", "filter": FILTER,
                         "on_time": is_on_time and chance.random() < 0.5}],
            "counts": shard["apart"],
            "file": {"name": f"slice-{number:010}.parquet", "bytes": 1, "crc32c": "0"}}
        shard["end"], shard["apart"] = start + PANE, []
        for folder in self.folders_of(place):
            (folder / f"slice-{number:010}.json").write_text(json.dumps(about))

    def say(self, place: int, until: int | None) -> None:
        about = {"manifest": 1, "pane_ns": PANE * SECOND, "keys": "string", "mapping": "m",
                 "closed_until": None if until is None else time_text(until * SECOND),
                 "counts": self.shards[place]["apart"]}
        for folder in self.folders_of(place) if self.of else []:
            (folder / "shard.json").write_text(json.dumps(about))

    def remove_some(self) -> None:
        """Removes the oldest slices up to the first locked one, as `keep` does."""
        if not self.removes:
            return
        folder = self.folders_of(self.chance.randrange(len(self.shards)))[0]
        for path in sorted(folder.glob("slice-*.json"))[:-1]:
            with open(path, "rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return
            path.unlink()

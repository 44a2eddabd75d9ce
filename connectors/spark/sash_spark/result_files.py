"""Results of a process that goes on: a file for each, created whole.

Invariants: (1) A file with its name is a whole result, whatever ends the process or the machine,
and its vectors are there. (2) It is not written again. (3) One process at a time writes a folder.
"""
from __future__ import annotations

import errno
import fcntl
import json
import os
import pathlib
import re
from dataclasses import dataclass, field
from typing import IO, Any, Iterable, Optional

from sash_spark.errors import InputError
from sash_spark.output import RESULT_FILES, RESULTS, Output, file_stem
from sash_spark.results import line_of
from sash_spark.times import parse_time, time_text

_LOCK = "follow.lock"
_END = re.compile(r"(.+)-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d\.\d{3,9}Z)\.json", re.ASCII)


@dataclass
class Before:
    """What earlier runs wrote of a window: the end (nanoseconds) of the newest one that they ran,
    its snapshot, whether it was empty, and the end of each job's newest result. `is_passed`: no job
    is left for that end."""

    end: int
    snapshot: int
    is_empty: bool
    jobs: dict[str, int] = field(default_factory=dict)
    is_passed: bool = False


class ResultFiles(Output):
    """DIR/results/JOB-END.json, and DIR/passed/WINDOW.json: the newest end of the window if it had
    no result. Without a folder: standard output, without memory."""

    def _open(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / RESULTS).exists():
            raise FileExistsError(errno.EEXIST, "", str(folder / RESULTS))
        self._lock: IO[bytes] = open(folder / _LOCK, "wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{folder}: another process writes results there; give another "
                             "--output, or end it first") from None
        except OSError:
            pass  # a file system without locks
        self._results = folder / RESULT_FILES
        self._passed = folder / "passed"
        for each in (self._results, self._passed):
            each.mkdir(exist_ok=True)
        for each in (self._results, self._passed, folder / "vectors"):
            for part in each.glob("*.part"):
                part.unlink()  # a process was ended while it wrote it

    def has(self, job: str, end: str) -> bool:
        return self.folder is not None and self._path(job, end).exists()

    def write(self, result: dict[str, Any]) -> None:
        if self.folder is None:
            super().write(result)
            return
        _write_whole(self._path(result["job"], result["window_end"]), result,
                     self.folder / "vectors")

    def passed(self, window: str, end: int, snapshot: int, is_empty: bool) -> None:
        """The window had no result for this end, and needs none."""
        if self.folder is not None:
            _write_whole(self._passed / f"{window}.json",
                         {"window_end": time_text(end), "snapshot": snapshot, "empty": is_empty})

    def before(self, window: str, jobs: Iterable[str]) -> Optional[Before]:
        """What earlier runs wrote of a window with these jobs; None: nothing. InputError: a file
        cannot be read."""
        found = self._of_results(jobs)
        path = None if self.folder is None else self._passed / f"{window}.json"
        if path is None or not path.exists():
            return found
        about = _read(path)
        end = parse_time(about["window_end"])
        if found is not None and found.end >= end:
            return found
        return Before(end, int(about["snapshot"]), bool(about["empty"]),
                      {} if found is None else found.jobs, True)

    def _of_results(self, jobs: Iterable[str]) -> Optional[Before]:
        ends: dict[str, int] = {}
        if self.folder is not None:
            wanted = set(jobs)
            for path in self._results.iterdir():
                match = _END.fullmatch(path.name)
                if match and match[1] in wanted:
                    end = parse_time(f"{match[2]}:{match[3]}:{match[4]}")
                    ends[match[1]] = max(end, ends.get(match[1], end))
        if not ends:
            return None
        job, newest = max(ends.items(), key=lambda each: each[1])
        about = _read(self._path(job, time_text(newest)))
        return Before(newest, int(about["snapshot"]), bool(about["empty"]), ends)

    def __enter__(self) -> ResultFiles:
        return self

    def __exit__(self, *given: object) -> None:
        super().__exit__(*given)
        if self.folder is not None:
            self._lock.close()

    def _path(self, job: str, end: str) -> pathlib.Path:
        return self._results / f"{file_stem(job, end)}.json"


def _read(path: pathlib.Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads(path.read_bytes())
        for name in ("window_end", "snapshot", "empty"):
            about[name]  # KeyError
        return about
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: is not what sash-spark wrote: {error!r}; give another --output, "
                         "or remove it: its window is run again") from error


def _write_whole(path: pathlib.Path, content: dict[str, Any],
                 before: Optional[pathlib.Path] = None) -> None:
    """A line that is durable before it has its name; `before`: a folder that is durable first."""
    part = path.with_name(path.name + ".part")
    try:
        if before is not None:
            _sync_folder(before)
        with open(part, "w", encoding="utf-8") as file:
            file.write(line_of(content) + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _sync_folder(path: pathlib.Path) -> None:
    """The names in it are durable."""
    if not path.is_dir():
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

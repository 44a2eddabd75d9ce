"""A `sashd` process whose files are moved away again and again, as logrotate does."""
import pathlib
import random
import signal
import subprocess
import threading
import time
from typing import Any

from killed_stream import Follower, ReachedEnds, read_rows
from oracle.compare import read_lines
from stream_truth import Ends

BETWEEN_MOVES = 0.005, 0.15  # seconds
ROTATED = ("results.jsonl", "dead-letters.jsonl", "rows.csv")


class ReachedEndsOfAll:
    """Like ReachedEnds, but over files that are moved meanwhile."""

    def __init__(self, follower: "RotatedFollower") -> None:
        self._follower = follower
        self._files: dict[pathlib.Path, ReachedEnds] = {}

    def look(self) -> Ends:
        reached: Ends = {}
        for path in self._follower.files("results"):
            try:
                # The current file is another one after each move.
                known = ReachedEnds(path) if path.parent.name == "out" else \
                    self._files.setdefault(path, ReachedEnds(path))
                for job, end in known.look().items():
                    reached[job] = max(end, reached.get(job, end))
            except FileNotFoundError:
                pass  # moved just now
        return reached


class RotatedFollower(Follower):
    """Its files are moved away while it lives; half of the moves are followed by SIGUSR1."""

    def __init__(self, folder: pathlib.Path, given: dict[str, Any], **environment: str) -> None:
        super().__init__(folder, given, **environment)
        self.moves = 0
        self._mover: threading.Thread | None = None
        (folder / "out/old").mkdir()

    def begin(self, *given: Any, **more: Any) -> subprocess.Popen:
        self._end_moves()
        process = super().begin(*given, **more)
        self._mover = threading.Thread(target=self._move_while, args=(process,))
        self._mover.start()
        return process

    def _move_while(self, process: subprocess.Popen) -> None:
        chance = random.Random(self.moves)
        while process.poll() is None:
            time.sleep(chance.uniform(*BETWEEN_MOVES))
            path = self.folder / "out" / chance.choice(ROTATED)
            if process.poll() is not None or not path.exists():
                continue
            self.moves += 1
            path.rename(self.folder / "out/old" / f"{path.stem}-{self.moves:06}{path.suffix}")
            if chance.random() < 0.5 and self.reads():
                process.send_signal(signal.SIGUSR1)

    def _end_moves(self) -> None:
        if self._mover is not None:
            self._mover.join()

    def files(self, name: str, suffix: str = ".jsonl") -> list[pathlib.Path]:
        """The files of this name, moved ones too, in the order in which they were begun."""
        out = self.folder / "out"
        return [*sorted((out / "old").glob(f"{name}-*{suffix}")), out / f"{name}{suffix}"]

    def reached_ends(self) -> ReachedEndsOfAll:  # type: ignore[override]
        return ReachedEndsOfAll(self)

    def lines_now(self, file: str) -> list[str]:
        """The lines of all files, without waiting for the last move, which comes only when the
        process has ended. The newest file is read first: it may be moved meanwhile, and is then
        read twice."""
        found: list[str] = []
        for path in ("out", "out/old"):
            for each in sorted((self.folder / path).glob(f"{file}*.jsonl")):
                try:
                    found += each.read_text(errors="replace").split("\n")[:-1]
                except FileNotFoundError:
                    pass  # moved just now
        return found

    def written(self) -> int:
        return len(self._all("results"))

    def lines(self) -> list[str]:
        self._end_moves()
        return self._all("results")

    def letters(self) -> list[str]:
        self._end_moves()
        return self._all("dead-letters")

    def rows_now(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = []
        for path in ("out", "out/old"):
            for each in sorted((self.folder / path).glob("rows*.csv")):
                try:
                    found += read_rows(each)
                except FileNotFoundError:
                    pass  # moved just now
        return found

    def rows(self) -> list[dict[str, str]]:
        self._end_moves()
        return [row for path in self.files("rows", ".csv") for row in read_rows(path)]

    def _all(self, name: str) -> list[str]:
        found: list[str] = []
        for path in self.files(name):
            try:
                found += read_lines(str(path))
            except FileNotFoundError:
                pass
        return found

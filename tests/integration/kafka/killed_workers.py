"""Workers of external jobs (worker_process.py) that are killed with SIGKILL, and replaced."""
import pathlib
import random
import signal
import subprocess
import sys

import numpy  # noqa: F401  # workers need it; without it, the test is skipped

from kafka_broker import end_with_parent

PROGRAM = pathlib.Path(__file__).with_name("worker_process.py")


class WorkerProcess:
    def __init__(self, url: str, seed: str, log: pathlib.Path, held: pathlib.Path) -> None:
        self._log = log
        with open(log, "wb") as file:
            self._process = subprocess.Popen(
                [sys.executable, str(PROGRAM), url, seed, str(held)], stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.STDOUT, preexec_fn=end_with_parent)

    def works(self) -> bool:
        """Whether it computes a run."""
        said = self.said().splitlines()
        return said.count("begins") > said.count("ends")

    def said(self) -> str:
        return self._log.read_text(errors="replace")

    def kill(self) -> None:
        """An error if it has ended by itself."""
        if self._process.poll() is not None:
            raise AssertionError(f"a worker ended by itself, with {self._process.returncode}:\n"
                                 f"{self.said()[-3000:]}")
        self._process.kill()
        if self._process.wait() != -signal.SIGKILL:
            raise AssertionError(f"a worker ended by itself:\n{self.said()[-3000:]}")


class KilledWorkers:
    """So many workers of one `sashd`, whatever happens to them, until the end of `with`.

    As long as there is the file `held`, none of them answers.
    """

    def __init__(self, url: str, count: int, seed: str, folder: pathlib.Path) -> None:
        self._url, self._seed, self._folder = url, seed, folder
        self._chance = random.Random(seed)
        folder.mkdir()
        self.held = folder / "held"
        self.kills = 0
        self.kills_at_work = 0
        self._workers = [self._begin(number) for number in range(count)]

    def __enter__(self) -> "KilledWorkers":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()

    def kill_one(self) -> None:
        """Kills a random worker, often one that works."""
        at_work = self.at_work()
        if at_work and self._chance.random() < 0.5:
            self.kill(self._chance.choice(at_work))
        else:
            self.kill(self._chance.randrange(len(self._workers)))

    def at_work(self) -> list[int]:
        return [place for place, worker in enumerate(self._workers) if worker.works()]

    def kill(self, place: int) -> None:
        self.kills_at_work += self._workers[place].works()
        self._workers[place].kill()
        self.kills += 1
        self._workers[place] = self._begin(len(self._workers) + self.kills)

    def said(self, text: str) -> int:
        """How often all workers, killed ones too, have logged this."""
        return sum(log.read_text(errors="replace").count(text)
                   for log in self._folder.glob("*.log"))

    def _begin(self, number: int) -> WorkerProcess:
        return WorkerProcess(self._url, f"{self._seed}-{number}", self._folder / f"{number}.log",
                             self.held)

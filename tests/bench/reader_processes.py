"""Processes on one core: readers of leased snapshots, some of which go wrong, and processes that
only compute. Both can be stopped and go on. They end with their parent."""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/integration/process"), str(ROOT / "tests/integration/kafka")]
from kafka_broker import end_with_parent  # noqa: E402
from sashd_process import Sashd  # noqa: E402

NORMAL = 5
SPIN = "while True: sum(range(10000))"
READ = """
import sys, time
sys.path[:0] = [sys.argv[2]]
import sash
window = sash.connect(sys.argv[1]).window("w")
kept = sys.argv[3] == "kept"
while True:
    try:
        if kept:
            lease = window._api.post("/api/v1/windows/w/leases", {})
            time.sleep(lease["seconds_left"])
            continue
        with window.snapshot(lease=True, progress=False) as snapshot:
            assert snapshot.out.indptr[-1] == len(snapshot.in_.indices)
            print(snapshot.edge_count, flush=True)
    except sash.ApiError as error:
        if error.status not in (503, 410):  # no lease is free, or it ended while this was stopped
            raise
        time.sleep(0.05)
"""


def bound_to(core: int) -> None:
    """In a child: only on this core, and no longer than its parent."""
    os.sched_setaffinity(0, {core})
    end_with_parent()


class Readers:
    """The eight, until the end of `with`. `failures`: what went wrong in them.

    After stop() they wait for go_on(), and none is killed.
    """

    def __init__(self, sashd: Sashd, slow: str, folder: pathlib.Path, core: int) -> None:
        self._url, self._slow, self._folder, self._core = sashd.url(""), slow, folder, core
        self._processes: dict[subprocess.Popen, pathlib.Path] = {}
        self._ended = threading.Event()
        self._killer = threading.Thread(target=self._kill_every_second)
        self._turn = threading.Lock()  # held while they are stopped
        self.failures: list[str] = []
        self.snapshots = self.edges = self.kills = 0
        self._outputs: list[pathlib.Path] = []

    def __enter__(self) -> "Readers":
        for _ in range(NORMAL):
            self._begin(self._url)
        self._begin(self._url, "kept")
        self._begin(self._slow)
        self._killer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._killer.join()  # they go on
        for process in list(self._processes):
            self._end(process)
        for output in self._outputs:
            numbers = [line for line in output.read_text().splitlines() if line.isdigit()]
            self.snapshots += len(numbers)
            self.edges += sum(map(int, numbers))

    def stop(self) -> None:
        self._turn.acquire()
        for process in self._processes:
            process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGCONT)
        self._turn.release()

    def ready(self) -> dict[int, float]:
        """By process, the seconds that it has run or was ready to run."""
        found = {}
        for process in list(self._processes):
            with contextlib.suppress(OSError):
                ran, waited, _ = pathlib.Path(
                    f"/proc/{process.pid}/schedstat").read_text(encoding="ascii").split()
                found[process.pid] = (int(ran) + int(waited)) / 1e9
        return found

    def _begin(self, url: str, kind: str = "reads") -> subprocess.Popen:
        output = self._folder / f"reader-{id(self)}-{len(self._outputs)}"
        self._outputs.append(output)
        with output.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-c", READ, url, str(ROOT / "connectors/python"), kind],
                stdout=file, stderr=subprocess.STDOUT,
                env={**os.environ, "TMPDIR": str(self._folder)},
                preexec_fn=lambda: bound_to(self._core))
        self._processes[process] = output
        return process

    def _end(self, process: subprocess.Popen) -> None:
        output = self._processes.pop(process)
        if process.poll() is not None:
            self.failures.append(output.read_text(errors="replace")[-1000:])
        process.kill()
        process.wait()

    def _kill_every_second(self) -> None:
        while not self._ended.is_set():
            with self._turn:
                process = self._begin(self._url)
            self._ended.wait(1)
            with self._turn:
                self._end(process)
            self.kills += 1


class Busy:
    """Processes that only compute, until the end of `with`."""

    def __init__(self, count: int, core: int) -> None:
        self._processes = [subprocess.Popen(
            [sys.executable, "-c", SPIN], preexec_fn=lambda: bound_to(core))
            for _ in range(count)]

    def __enter__(self) -> "Busy":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
            process.wait()

    def stop(self) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGCONT)

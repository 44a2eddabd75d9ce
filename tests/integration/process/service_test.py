"""The messages of `sashd` to a service manager (sd_notify), read from a socket like systemd's."""
import contextlib
import ctypes
import os
import pathlib
import re
import signal
import socket
import tempfile
import time
import unittest
from typing import Any, Iterator

from sashd_process import PATIENCE_SECONDS, Sashd, live

SILENCE_SECONDS = 4  # several times the watchdog's: a later message will not come
WATCHDOG_SECONDS = 1
PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000


class Manager:
    """The service manager's end of the socket; `address` may be an abstract one."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address[0] == "@" else address)

    def close(self) -> None:
        self._socket.close()

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if "WATCHDOG" not in name}
        return {**kept, "NOTIFY_SOCKET": self.address, **more}

    def messages(self, seconds: float = PATIENCE_SECONDS) -> Iterator[str]:
        """Yields messages until none has come for this time."""
        self._socket.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            while True:
                yield self._socket.recv(65536).decode()

    def await_message(self, pattern: str) -> str:
        seen = []
        for message in self.messages():
            if re.fullmatch(pattern, message, re.DOTALL):
                return message
            seen.append(message)
        raise AssertionError(f"no {pattern!r} among {seen}")

    def waiting(self) -> list[str]:
        """The messages that have arrived and were not read."""
        return list(self.messages(0.000001))


@contextlib.contextmanager
def frozen(process: int, thread: str) -> Iterator[None]:
    """Stops one thread of a child like a debugger; the others go on."""
    libc = ctypes.CDLL(None, use_errno=True)
    tasks = pathlib.Path(f"/proc/{process}/task").iterdir()
    task = next(int(each.name) for each in tasks
                if (each / "comm").read_text().strip() == thread)
    if libc.ptrace(PTRACE_SEIZE, task, None, None) != 0:
        raise unittest.SkipTest(f"ptrace is not allowed: {os.strerror(ctypes.get_errno())}")
    try:
        libc.ptrace(PTRACE_INTERRUPT, task, None, None)
        os.waitpid(task, WALL)
        yield
    finally:
        libc.ptrace(PTRACE_DETACH, task, None, None)


class ServiceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sash-service-")
        self.addCleanup(folder.cleanup)
        self.manager = Manager(str(pathlib.Path(folder.name) / "notify"))
        self.addCleanup(self.manager.close)

    def sashd(self, document: dict[str, Any] | None = None, **environment: str) -> Sashd:
        return Sashd(document or live(), env=self.manager.environment(**environment))

    def test_it_is_ready_when_it_answers_and_says_when_it_stops(self):
        with self.sashd(live(shutdown_deadline="20s")) as sashd:
            self.assertEqual(next(self.manager.messages()), "READY=1")
            self.assertEqual(sashd.json("/healthz"), {"status": "ok"})
            self.manager.await_message("STATUS=ready")
            self.assertEqual(sashd.stop(), 0, sashd.log())
            # It requests from systemd its own deadline and a little more.
            self.assertEqual(self.manager.await_message("STOPPING=1.*"),
                             "STOPPING=1\nEXTEND_TIMEOUT_USEC=25000000")
            self.assertEqual(self.manager.waiting(), [])

    def test_a_broker_that_is_away_is_a_status_and_no_failure_to_start(self):
        document = live()
        document["source"]["kafka"]["brokers"] = "127.0.0.1:1"
        with self.sashd(document) as sashd:
            self.manager.await_message("READY=1")
            self.manager.await_message("STATUS=not ready: kafka: brokers: .*")
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_an_abstract_socket_is_one_too(self):
        manager = Manager(f"@sash-service-test-{os.getpid()}")
        self.addCleanup(manager.close)
        with Sashd(live(), env=manager.environment()) as sashd:
            manager.await_message("READY=1")
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_socket_that_is_not_there_is_said_once_and_does_no_harm(self):
        for address, said in ((self.manager.address + "-not", "No such file"),
                              ("notify", "is not a socket address")):
            with self.subTest(address), Sashd(
                    live(), env={**os.environ, "NOTIFY_SOCKET": address}) as sashd:
                sashd.await_log(said)
                sashd.await_log("reading 4 partitions")
                self.assertEqual(sashd.stop(), 0, sashd.log())
                self.assertEqual(sashd.log().count("NOTIFY_SOCKET"), 1, sashd.log())

    def test_the_watchdog_is_fed_while_the_engine_moves_and_only_then(self):
        with self.sashd(WATCHDOG_USEC=str(WATCHDOG_SECONDS * 1000000)) as sashd:
            for _ in range(3):  # having nothing to read must not stop the watchdog
                self.manager.await_message("WATCHDOG=1")
            with frozen(sashd.process.pid, "engine"):
                self.manager.waiting()
                # One beat may be due for work that the engine had done before.
                late = [each for each in self.manager.messages(SILENCE_SECONDS)]
                self.assertLessEqual(late.count("WATCHDOG=1"), 1, late)
                self.assertEqual(sashd.json("/healthz"), {"status": "ok"},
                                 "only the engine is stopped")
            for _ in range(3):
                self.manager.await_message("WATCHDOG=1")
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_watchdog_that_is_not_asked_for_is_not_fed(self):
        for environment in ({}, {"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"},
                            {"WATCHDOG_USEC": "soon"}):
            with self.subTest(environment), self.sashd(**environment) as sashd:
                self.manager.await_message("READY=1")
                self.manager.await_message("STATUS=ready")  # a first beat would come with it
                self.assertEqual(sashd.stop(), 0, sashd.log())
                left = self.manager.waiting()
                self.assertEqual([each.split("\n")[0] for each in left], ["STOPPING=1"])

    def test_no_memory_is_writable_and_executable(self):
        # MemoryDenyWriteExecute in the unit would end a process that asks for such memory.
        with self.sashd() as sashd:
            self.manager.await_message("STATUS=ready")
            sashd.generate("--rate", "1000")
            sashd.await_lines(2)
            maps = pathlib.Path(f"/proc/{sashd.process.pid}/maps").read_text()
            self.assertRegex(maps, r" r-xp ")
            self.assertNotRegex(maps, r" .wx. ")
            self.assertEqual(sashd.stop(signal.SIGTERM), 0, sashd.log())


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""A TCP proxy in front of a broker that simulates the worst networks: delays, half-open
connections, resets, connections that overtake each other. It runs in its own thread.

The broker's clients know the broker by the proxy's port (kafka_broker.py, `proxied`).
"""
import asyncio
import dataclasses
import enum
import random
import socket
import struct
import threading
from typing import Callable

CHUNK = 1 << 16
REORDERING_SECONDS = 3.0
# OffsetCommit, JoinGroup, Heartbeat, SyncGroup. When the response to a request to join is lost, the
# brokers and the member disagree about the state.
TO_A_COORDINATOR = {8, 11, 12, 14}


class Fault(enum.Enum):
    """What happens to a connection while the fault is on."""
    NONE = "none"
    DELAY = "delay"            # every chunk waits for a random time
    HALF_OPEN = "half open"    # nothing comes through in either direction; both ends stay open
    DEAF = "deaf"              # requests come through, responses do not
    # The same, from the connection's next request to a group's coordinator on.
    UNHEARD = "unheard"
    RESET = "reset"            # reset, like every new connection
    REORDER = "reorder"        # connections wait in turn, so that later data arrives first
    REFUSE = "refuse"          # existing connections go on, new ones are closed at once


@dataclasses.dataclass(eq=False)
class _Connection:
    number: int
    writers: tuple[asyncio.StreamWriter, asyncio.StreamWriter]
    is_unheard: bool = False

    def reset(self) -> None:
        for writer in self.writers:
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


def kinds(chunk: bytes) -> set[int]:
    """The kinds of the requests in a chunk, if it begins with one; other cuts are rare."""
    found = set()
    while len(chunk) >= 6:
        size, kind = struct.unpack_from(">ih", chunk)
        if not 0 < size < 1 << 24:
            break
        found.add(kind)
        chunk = chunk[4 + size:]
    return found


class HostileProxy:
    """`with HostileProxy(port) as proxy: proxy.port ...; proxy.set(Fault.HALF_OPEN)`.

    What a fault swallows is gone for its connection: after a half-open time the two ends no longer
    agree on what was said, so the connection stays as it is until one of them gives it up.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._fault = Fault.NONE
        self._connections: set[_Connection] = set()
        self._made = 0
        self._spoilt: set[_Connection] = set()  # part of its data was dropped
        self._target = 0
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.met: dict[Fault, int] = {fault: 0 for fault in Fault}  # chunks or connections
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> "HostileProxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._call(self._close)
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._socket.close()

    def listen_for(self, target: int) -> None:
        """From now on clients are connected to this port of the machine."""
        self._target = target
        asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._accept, sock=self._socket), self._loop).result()

    def set(self, fault: Fault) -> None:
        def change() -> None:
            self._fault = fault
            if fault is Fault.RESET:
                self._close()
        self._call(change)

    def _call(self, what: Callable[[], None]) -> None:
        async def run() -> None:
            what()
        asyncio.run_coroutine_threadsafe(run(), self._loop).result()

    def _close(self) -> None:
        for connection in list(self._connections):
            self.met[Fault.RESET] += 1
            connection.reset()
        self._connections.clear()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._fault in (Fault.RESET, Fault.REFUSE):
            self.met[self._fault] += 1
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._made += 1
        connection = _Connection(self._made, (writer, back))
        self._connections.add(connection)
        try:
            await asyncio.gather(self._pass(connection, reader, back, is_answer=False),
                                 self._pass(connection, there, writer, is_answer=True))
        finally:
            self._connections.discard(connection)
            self._spoilt.discard(connection)

    async def _pass(self, connection: _Connection, reader: asyncio.StreamReader,
                    writer: asyncio.StreamWriter, is_answer: bool) -> None:
        try:
            while chunk := await reader.read(CHUNK):
                if (self._fault is Fault.UNHEARD and not is_answer
                        and kinds(chunk) & TO_A_COORDINATOR):
                    connection.is_unheard = True
                if not await self._let_through(connection, is_answer):
                    if not connection.is_unheard:
                        self._spoilt.add(connection)
                    continue
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass
        for each in connection.writers:
            each.transport.abort()

    async def _let_through(self, connection: _Connection, is_answer: bool) -> bool:
        """False: it is dropped."""
        fault = self._fault
        if connection in self._spoilt:
            return False
        if connection.is_unheard and is_answer:
            self.met[Fault.UNHEARD] += 1
            return False
        if fault not in (Fault.NONE, Fault.UNHEARD):
            self.met[fault] += 1
        if fault is Fault.DELAY:
            await asyncio.sleep(self._chance.uniform(0, 1.5))
        elif fault is Fault.REORDER:
            # The older half of the connections waits for the younger half.
            older = sum(each.number > connection.number for each in self._connections)
            if 2 * older >= len(self._connections):
                await asyncio.sleep(self._chance.uniform(0.5, REORDERING_SECONDS))
        return not (fault is Fault.HALF_OPEN or (fault is Fault.DEAF and is_answer))

"""A TCP proxy in front of a broker that refuses the first batch of a producer, as a broker does
that does not lead the partition yet, and lets the second one through, which is on its way."""
import asyncio
import struct
import threading

PRODUCE = 0  # the API key
NOT_LEADER = 6
HEAD = struct.Struct(">hhi")  # of a request: its key, its version, its number


def _string(frame: bytes, begin: int) -> tuple[bytes, int]:
    """A string with its length, which may be -1, and where it ends."""
    [length] = struct.unpack_from(">h", frame, begin)
    end = begin + 2 + max(length, 0)
    return frame[begin:end], end


def refusal(frame: bytes) -> bytes:
    """The answer to a Produce request (versions 5 to 7) for one partition: NOT_LEADER."""
    _, version, number = HEAD.unpack_from(frame)
    assert 5 <= version <= 7, version
    _, at = _string(frame, HEAD.size)  # the client's name
    _, at = _string(frame, at)  # the transactional id
    topic, at = _string(frame, at + 2 + 4 + 4)  # behind acks, timeout, number of topics
    [partition] = struct.unpack_from(">i", frame, at + 4)  # behind the number of partitions
    body = (struct.pack(">i", 1) + topic
            + struct.pack(">iihqqq", 1, partition, NOT_LEADER, -1, -1, -1) + struct.pack(">i", 0))
    return struct.pack(">ii", 4 + len(body), number) + body


class RefusingProxy:
    """`with RefusingProxy(port) as proxy: proxy.listen_for(port of the broker)`.

    The refusal is sent once the second batch has come. So the producer learns of it before it
    learns that the second batch was taken.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._target = 0
        self._first: bytes | None = None
        self.has_refused = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> "RefusingProxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def listen_for(self, target: int) -> None:
        self._target = target
        asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", self._port), self._loop).result()

    async def _serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        broker, there = await asyncio.open_connection("127.0.0.1", self._target)
        answers = asyncio.ensure_future(self._pass_answers(broker, back))
        try:
            while True:
                size = await client.readexactly(4)
                frame = await client.readexactly(int.from_bytes(size, "big"))
                if self._lets_through(frame, back):
                    there.write(size + frame)
                    await there.drain()
        except (asyncio.IncompleteReadError, OSError):
            there.close()
            await answers

    def _lets_through(self, frame: bytes, back: asyncio.StreamWriter) -> bool:
        if HEAD.unpack_from(frame)[0] != PRODUCE or self.has_refused:
            return True
        if self._first is None:
            self._first = frame
            return False
        back.write(refusal(self._first))
        self.has_refused = True
        return True

    @staticmethod
    async def _pass_answers(broker: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            while chunk := await broker.read(1 << 16):
                back.write(chunk)
                await back.drain()
        except OSError:
            pass
        back.close()

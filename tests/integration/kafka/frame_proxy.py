"""A TCP proxy in front of a broker that reads each request and may keep it back."""
import asyncio
import collections
import struct
import threading

HEAD = struct.Struct(">hhi")  # of a request: the API key, its version, its number


class FrameProxy:
    """`with FrameProxy(port) as proxy: proxy.listen_for(port of the broker)`.

    The clients of the broker know it by the proxy's port (kafka_broker.py, `proxied`).
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._target = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> "FrameProxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def listen_for(self, target: int) -> None:
        self._target = target
        asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", self.port), self._loop).result()

    def lets_through(self, frame: bytes, back: asyncio.StreamWriter) -> bool:
        """Whether the broker gets this request, which begins with HEAD. `back` leads to the
        client. Called in the proxy's thread."""
        raise NotImplementedError

    async def _serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        broker, there = await asyncio.open_connection("127.0.0.1", self._target)
        answers = asyncio.ensure_future(self._pass_answers(broker, back))
        try:
            while True:
                size = await client.readexactly(4)
                frame = await client.readexactly(int.from_bytes(size, "big"))
                if self.lets_through(frame, back):
                    there.write(size + frame)
                    await there.drain()
        except (asyncio.IncompleteReadError, OSError):
            there.close()
            await answers

    @staticmethod
    async def _pass_answers(broker: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            while chunk := await broker.read(1 << 16):
                back.write(chunk)
                await back.drain()
        except OSError:
            pass
        back.close()


class SilentProxy(FrameProxy):
    """The broker never answers requests with the API keys in `unanswered`, which may be changed at
    any time. `came` counts the requests by API key."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.unanswered: set[int] = set()
        self.came: collections.Counter[int] = collections.Counter()

    def lets_through(self, frame: bytes, back: asyncio.StreamWriter) -> bool:
        key = HEAD.unpack_from(frame)[0]
        self.came[key] += 1
        return key not in self.unanswered

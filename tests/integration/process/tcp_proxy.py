"""A TCP proxy in front of a running sashd, as a bad line: it cuts connections after some bytes of
an answer, passes so many bytes a second, or nothing for a while. Threads pass the bytes on."""
import socket
import threading
import time
from typing import Optional

PIECE = 1 << 16


class TcpProxy:
    """What it does to answers may be changed at any time."""

    def __init__(self, url: str) -> None:
        host, port = url.split("//")[1].split(":")
        self._to = (host, int(port))
        self.cut_after: Optional[int] = None  # bytes of a connection's answers
        self.bytes_per_second: Optional[float] = None
        self.passes = threading.Event()  # not set: everything waits
        self.passes.set()
        self.cuts = 0
        self.passed = 0  # bytes of all answers
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> "TcpProxy":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.passes.set()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._to)
            except OSError:
                return
            for way in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._pass, args=way, daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        sent = 0
        try:
            while piece := source.recv(PIECE):
                self.passes.wait()
                if is_answer:
                    if self.cut_after is not None:
                        piece = piece[:self.cut_after - sent]
                    if self.bytes_per_second is not None:
                        time.sleep(len(piece) / self.bytes_per_second)
                    self.passed += len(piece)
                target.sendall(piece)
                sent += len(piece)
                if is_answer and sent == self.cut_after:
                    self.cuts += 1
                    break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

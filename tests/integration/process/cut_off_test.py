"""Clients that are slow, silent, or request too much: each is refused or cut off in time, while the
stream goes on and other clients are served; a real `sashd` with its default limits."""
import contextlib
import socket
import threading
import unittest
import urllib.parse
from typing import Iterator

from sashd_process import PATIENCE_SECONDS, SHAPE, Sashd, live

CONNECTIONS = 256  # of the server
LARGE = 8 << 10  # a target, or header fields
BODY = 64 << 10


class CutOffTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.sashd = Sashd(live(jobs=[SHAPE]))
        cls.sashd.start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.sashd.generate("--rate", "2000", "--scale", "6")
        cls.sashd.await_lines(1)
        address = urllib.parse.urlsplit(cls.sashd.url("/"))
        cls.address = address.hostname, address.port

    @contextlib.contextmanager
    def connection(self, sent: bytes = b"") -> Iterator[socket.socket]:
        with socket.create_connection(self.address, PATIENCE_SECONDS) as client:
            client.sendall(sent)
            yield client

    def said(self, client: socket.socket) -> bytes:
        """Reads until the connection ends, in whatever way."""
        text = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := client.recv(1 << 16):
                text += piece
        return text

    def goes_on(self) -> None:
        """Results are written, and requests are answered."""
        self.assertEqual(self.sashd.json("/healthz"), {"status": "ok"})
        self.sashd.await_lines(len(self.sashd.lines()) + 2)

    def test_what_is_too_large_is_refused_with_what_would_be_right(self):
        def request(target: str = "/healthz", head: str = "", method: str = "GET") -> bytes:
            return f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode()
        json_type = "Content-Type: application/json\r\n"
        for sent, status in ((request("/" + "a" * LARGE), b"414"),
                             (request(head=f"X-A: {'a' * LARGE}\r\n"), b"431"),
                             (request(head="".join(f"X-{i}: a\r\n" for i in range(2000))), b"431"),
                             (request("/api/v1/jobs", f"Content-Length: {1 << 40}\r\n" + json_type,
                                      "POST"), b"413"),
                             (request("/healthz", "Content-Length: 5\r\n"), b"413")):
            with self.subTest(status=status, sent=sent[:40]), self.connection(sent) as client:
                self.assertEqual(self.said(client)[9:12], status)
        # A body of unknown length: it is read to its end, so that the response can be read.
        chunk = f"{BODY:x}\r\n".encode() + b" " * BODY + b"\r\n"
        with self.connection(request("/api/v1/jobs", "Transfer-Encoding: chunked\r\n" + json_type,
                                     "POST") + chunk * 3 + b"0\r\n\r\n") as client:
            self.assertEqual(client.recv(1 << 16)[9:12], b"413")
        self.goes_on()

    def test_who_is_slow_to_ask_is_cut_off_in_time(self):
        """However many bytes they send, the whole request has one deadline."""
        def drip(sent: bytes, rest: bytes) -> None:
            with self.connection(sent) as client:
                client.settimeout(0.5)
                with contextlib.suppress(ConnectionError):
                    for byte in rest * 1000:
                        client.sendall(bytes([byte]))
                        with contextlib.suppress(TimeoutError):
                            if not client.recv(1 << 16):
                                return

        head = (b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/json\r\n")
        threads = [threading.Thread(target=drip, args=each) for each in (
            (b"GET ", b"/"), (b"GET / HTTP/1.1\r\n", b"A: b\r\n"),
            (head + b"Content-Length: 1000\r\n\r\n{", b" "))]
        for thread in threads:
            thread.start()
        self.goes_on()
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
            self.assertFalse(thread.is_alive(), "the client was not cut off")
        self.goes_on()

    def test_the_silent_give_way_to_who_asks(self):
        with contextlib.ExitStack() as silent:
            for _ in range(2 * CONNECTIONS):
                silent.enter_context(self.connection())
            # At once: it does not wait until the others are cut off.
            with self.connection(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") as client:
                client.settimeout(5)
                self.assertEqual(client.recv(1 << 16)[9:12], b"200")
        self.goes_on()


if __name__ == "__main__":
    unittest.main()

"""A receiver of webhooks that can fail in every way a real one does, over HTTP or HTTPS."""
import http.server
import pathlib
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any

HANG = 0  # an answer that does not come


def is_refused(key: str) -> bool:
    """One window in ten, whenever it is sent."""
    return key.endswith("7.000Z")


def nasty(number: int, key: str) -> int:
    """Every kind of failure, in turn."""
    if number % 7 in (2, 3):
        return 500
    if number % 23 == 11:
        return HANG
    if number % 29 == 17:
        return 429
    return 400 if is_refused(key) else 204


class WebhookReceiver:
    """`with WebhookReceiver(answer) as receiver: ... receiver.requests`."""

    def __init__(self, answer: Callable[[int, str], int] = lambda number, key: 204,
                 certificate: pathlib.Path | None = None,
                 clients: pathlib.Path | None = None) -> None:
        """`answer`: the status of request `number`, which has this idempotency key.
        `certificate`: a folder with certificate.pem and key.pem, for TLS; `clients`: the
        certificates that clients have to show."""
        self.answer = answer
        # Key, headers, body and status of each request, in order.
        self.requests: list[tuple[str, dict[str, str], bytes, int]] = []
        self._certificate, self._clients = certificate, clients

    def __enter__(self) -> "WebhookReceiver":
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            timeout = 10

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                key = self.headers["Idempotency-Key"]
                status = receiver.answer(len(receiver.requests), key)
                receiver.requests.append((key, dict(self.headers.items()), body, status))
                if status == HANG:
                    time.sleep(1.5)
                    return
                self.send_response(status)
                if status == 429:
                    self.send_header("Retry-After", "1")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # a client that ends a connection, or shows no certificate

        self._server = Server(("127.0.0.1", 0), Handler)
        if self._certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self._certificate / "certificate.pem",
                                    self._certificate / "key.pem")
            if self._clients:
                context.load_verify_locations(self._clients)
                context.verify_mode = ssl.CERT_REQUIRED
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True,
                                                      do_handshake_on_connect=False)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        scheme = "https" if self._certificate else "http"
        return f"{scheme}://localhost:{self._server.server_address[1]}/hook"

    def settled(self) -> list[str]:
        """The keys that were answered for good, in order."""
        return [key for key, _, _, status in self.requests
                if status != HANG and status < 500 and status not in (408, 425, 429)]

"""A Schema Registry that speaks the documented HTTP API of Confluent's, as far as consumers and
producers need it: schemas by number, versions of subjects, registration, its error codes, basic
authentication, TLS with client certificates. It can be made to fail, as a real one does.
"""
import base64
import contextlib
import http.server
import json
import pathlib
import re
import socket
import ssl
import threading
import urllib.parse
from typing import Any

CONTENT_TYPE = "application/vnd.schemaregistry.v1+json"


class SchemaRegistry:
    """`with SchemaRegistry() as registry: number = registry.register("edges-value", schema)`."""

    def __init__(self, user: str = "", password: str = "", certificate: pathlib.Path | None = None,
                 clients: pathlib.Path | None = None) -> None:
        """`certificate`: a folder with certificate.pem and key.pem, for TLS; `clients`: the
        certificates that clients have to show."""
        self.user, self.password = user, password
        self.requests: list[str] = []  # the paths that were asked for, refused or not
        self.fails_with: int | None = None  # the status of every answer
        self._schemas: list[dict[str, Any]] = []  # number 1 first
        self._subjects: dict[str, list[int]] = {}  # the numbers of its versions, 1 first
        self._connections: set[socket.socket] = set()
        self._certificate, self._clients = certificate, clients
        self._server: http.server.ThreadingHTTPServer | None = None
        self.port = 0

    def __enter__(self) -> "SchemaRegistry":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts it; also after stop(), at the same port and with the same schemas."""
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 10

            def setup(self) -> None:
                super().setup()
                registry._connections.add(self.connection)

            def finish(self) -> None:
                registry._connections.discard(self.connection)
                super().finish()

            def do_GET(self) -> None:
                registry.requests.append(self.path)
                status, answer = registry.answer(self.path, self.headers.get("Authorization", ""))
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", CONTENT_TYPE)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, *_: object) -> None:
                pass  # a client that ends a connection, or shows no certificate

        self._server = Server(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
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

    def stop(self) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            for connection in list(self._connections):  # those that a client keeps
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._server = None

    @property
    def url(self) -> str:
        return f"{'https' if self._certificate else 'http'}://127.0.0.1:{self.port}"

    def register(self, subject: str, schema: Any, kind: str = "AVRO",
                 references: list[dict[str, Any]] | None = None) -> int:
        """The number of the schema. A string is stored as it is, even if it is not a schema."""
        stored = {"schema": schema if isinstance(schema, str) else json.dumps(schema)}
        if kind != "AVRO":
            stored["schemaType"] = kind  # the real one leaves it out for Avro
        if references:
            stored["references"] = references
        if stored not in self._schemas:
            self._schemas.append(stored)
        number = self._schemas.index(stored) + 1
        self._subjects.setdefault(subject, []).append(number)
        return number

    def answer(self, path: str, authorization: str) -> tuple[int, Any]:
        """Status and body."""
        if self.fails_with:
            return self.fails_with, {"error_code": self.fails_with * 100 + 1, "message": "told to"}
        if self.user:
            right = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
            if authorization != f"Basic {right}":
                return 401, {"error_code": 401, "message": "Unauthorized"}
        if found := re.fullmatch(r"/schemas/ids/(\d+)", path):
            number = int(found[1])
            if not 1 <= number <= len(self._schemas):
                return 404, {"error_code": 40403, "message": f"Schema {number} not found"}
            return 200, self._schemas[number - 1]
        if found := re.fullmatch(r"/subjects/([^/]+)/versions/(\d+)", path):
            subject, version = urllib.parse.unquote(found[1]), int(found[2])
            if subject not in self._subjects:
                return 404, {"error_code": 40401, "message": f"Subject '{subject}' not found."}
            if not 1 <= version <= len(self._subjects[subject]):
                return 404, {"error_code": 40402, "message": f"Version {version} not found."}
            number = self._subjects[subject][version - 1]
            return 200, {"subject": subject, "version": version, "id": number,
                         **self._schemas[number - 1]}
        return 404, {"error_code": 404, "message": "HTTP 404 Not Found"}

"""An HTTP proxy in front of a running sashd, which may answer requests itself."""
import http.server
import threading
import urllib.error
import urllib.request
from typing import Any, Callable, Optional

Answer = tuple[int, dict[str, str], bytes]  # status, headers, body
HTML: Answer = (200, {"Content-Type": "text/html"}, b"<html>\n<body>Please log in</body></html>\n")


class HttpProxy:
    """`answer` gets the method and path of each request; if it returns None, the daemon at `url`
    answers. `seen` has the headers of all requests."""

    def __init__(self, url: str, answer: Callable[[str, str], Optional[Answer]]) -> None:
        self.seen: list[dict[str, str]] = []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def _handle(self) -> None:
                proxy.seen.append(dict(self.headers))
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, headers, text = (answer(self.command, self.path)
                                         or proxy.pass_on(url, self, body))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_DELETE = _handle

            def log_message(self, *_: Any) -> None:
                pass
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "HttpProxy":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @staticmethod
    def pass_on(url: str, asked: http.server.BaseHTTPRequestHandler, body: bytes) -> Answer:
        headers = {name: value for name, value in asked.headers.items() if name != "Host"}
        request = urllib.request.Request(url + asked.path, body or None, headers,
                                         method=asked.command)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, {}, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, {}, error.read()

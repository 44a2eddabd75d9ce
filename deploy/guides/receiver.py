"""A receiver of alerts for the guides: prints the text of each alert that the webhook sink posts.

usage: receiver.py N     It listens on 127.0.0.1:9700, and ends after N alerts.
"""
import http.server
import json
import sys


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers 200 once an alert is printed. After 503, or no answer, it would come again."""
    seen: set[str] = set()

    def do_POST(self) -> None:
        alert = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers["Idempotency-Key"]
        if key not in self.seen:  # an alert may come twice
            self.seen.add(key)
            print(alert["text"], flush=True)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing: only alerts are printed."""


if __name__ == "__main__":
    with http.server.HTTPServer(("127.0.0.1", 9700), Receiver) as server:
        while len(Receiver.seen) < int(sys.argv[1]):
            server.handle_request()

#!/usr/bin/env python3
"""Links of panels lead to their alert's entry: the runbook as Grafana would serve it, in a real
Chromium."""
import http.server
import pathlib
import sys
import threading
import unittest
from typing import Any, Iterator

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "console"), str(HERE.parents[1] / "dashboards")]
import dashboards  # noqa: E402
from console_page import Browser  # noqa: E402

RUNBOOK = dashboards.ROOT / "deploy" / "runbook.md"
# Whether a line of the text is visible.
IN_VIEW = """(line) => {
    const text = document.querySelector("pre").firstChild;
    const begin = text.data.indexOf(`\\n${line}\\n`) + 1;
    const range = document.createRange();
    range.setStart(text, begin);
    range.setEnd(text, begin + line.length);
    const { top, bottom } = range.getBoundingClientRect();
    return begin > 0 && top >= 0 && bottom <= innerHeight;
  }"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the runbook as text/plain, like files with this ending."""

    def do_GET(self) -> None:
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        self.wfile.write(RUNBOOK.read_bytes())

    def log_message(self, *_: Any) -> None:
        pass


def links() -> Iterator[tuple[str, str]]:
    """(alert, address) of every link of a panel."""
    for path in dashboards.files():
        board = dashboards.load(path)
        runbook = next(variable["query"] for variable in board["templating"]["list"]
                       if variable["name"] == "runbook")
        for panel in dashboards.panels(board):
            for link in panel["links"]:
                yield link["title"].removeprefix("Runbook: "), link["url"].replace("${runbook}",
                                                                                  runbook)


class RunbookLinksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=cls.server.serve_forever)
        thread.start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(thread.join)
        cls.addClassCleanup(cls.server.shutdown)

        cls.page = cls.browser.page(f"http://127.0.0.1:{cls.server.server_port}",
                                    viewport={"width": 1000, "height": 700})

    def open(self, address: str) -> Any:
        self.page.page.goto("about:blank")  # otherwise it would keep its scroll position
        return self.page.open(address)

    def test_each_leads_to_the_entry_of_its_alert(self):
        addresses = sorted(set(links()))
        self.assertEqual({alert for alert, _ in addresses}, set(dashboards.alerts()))
        for alert, address in addresses:
            with self.subTest(alert):
                self.open(address).until(IN_VIEW, f"### {alert}")

    def test_without_the_text_in_it_an_address_leads_to_the_top(self):
        alert, address = max(links())
        page = self.open(address.split(":~:")[0]).page
        self.assertTrue(page.evaluate(IN_VIEW, "## Process"))
        self.assertFalse(page.evaluate(IN_VIEW, f"### {alert}"))


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""The page of panels/: boards drawn by Grafana's own components from a Prometheus, in a real
Chromium."""
import functools
import http.server
import pathlib
import subprocess
import sys
import threading
import urllib.parse
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "console"))
from console_page import Browser, Page  # noqa: E402
from live_stack import dashboards  # noqa: E402
from node_packages import installed  # noqa: E402

PANELS = pathlib.Path(__file__).resolve().parent / "panels"
BUNDLE_SECONDS = 300
WIDTH = 1440
# Text drawn on a canvas cannot be read from it later. uPlot clears the canvas before it redraws.
NOTE_TEXTS = """
    const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...at) {
      this.canvas.texts = [];
      return clearRect.call(this, ...at);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
      (this.canvas.texts ??= []).push(text);
      return fillText.call(this, text, ...at);
    };"""
# For each panel what a person sees: texts, including those of the axes; the legend; how many pixels
# of the drawing have nearly the colour of a line, which neither the grid nor an area below a line
# has.
SEEN = """() => {
    const near = (a, b) => Math.hypot(...a.map((part, i) => part - b[i])) < 60;
    const coloured = (canvas, colours) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        const pixel = [data[i], data[i + 1], data[i + 2]];
        if (data[i + 3] > 200 && colours.some((colour) => near(pixel, colour))) ++count;
      }
      return count;
    };
    return [...document.querySelectorAll("[data-panel]")].map((panel) => {
      const canvas = panel.querySelector("canvas");
      const legend = [...panel.querySelectorAll('[data-testid^="data-testid VizLegend series"]')];
      const icons = legend.map((entry) => entry.querySelector('[data-testid="series-icon"]'));
      const colours = icons.map((icon) =>
        getComputedStyle(icon).backgroundColor.match(/\\d+/g).map(Number));
      return {
        title: panel.dataset.panel,
        header: panel.querySelector("h2").innerText,
        described: panel.querySelector('[data-testid="icon-info-circle"]') !== null,
        text: panel.querySelector('[data-testid="data-testid panel content"]').innerText,
        drawn: canvas?.texts ?? [],
        legend: legend.map((entry) => entry.innerText),
        coloured: canvas ? coloured(canvas, colours) : 0,
      };
    });
  }"""


def bundled() -> pathlib.Path:
    """The page, built from its sources; SkipTest when its packages cannot be fetched."""
    work = installed(PANELS, "dashboard-panels")
    for script in ("check", "bundle"):
        made = subprocess.run(["npm", "run", "--silent", script], cwd=work, capture_output=True,
                              text=True, timeout=BUNDLE_SECONDS)
        if made.returncode != 0:
            raise AssertionError(f"npm run {script} in {work}:\n{made.stdout}{made.stderr}")
    return work / "bundle"


class Handler(http.server.SimpleHTTPRequestHandler):
    """The bundle, and the boards that the server was given last."""

    def do_GET(self) -> None:
        board = self.server.boards.get(self.path)  # type: ignore[attr-defined]
        if board is None:
            return super().do_GET()
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(board)

    def log_message(self, *_: Any) -> None:
        pass


class Screen:
    """A browser, and the server of its page."""

    def __init__(self) -> None:
        handler = functools.partial(Handler, directory=str(bundled()))
        self._browser = Browser()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.boards = {}  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._browser.close()

    def show(self, name: str, board: bytes, prometheus: str, minutes: float, theme: str = "dark",
             **chosen: str) -> Page:
        """A page on which every panel of a board is drawn."""
        self._server.boards[f"/boards/{name}.json"] = board  # type: ignore[attr-defined]
        asked = {"board": name, "prometheus": prometheus, "minutes": minutes, "theme": theme,
                 **{f"var-{variable}": value for variable, value in chosen.items()}}
        page = self._browser.page(f"http://127.0.0.1:{self._server.server_port}",
                                  viewport={"width": WIDTH, "height": 900}, color_scheme=theme)
        page.page.add_init_script(NOTE_TEXTS)
        page.open("/?" + urllib.parse.urlencode(asked))
        return page


def seen(page: Page) -> dict[str, dict[str, Any]]:
    """What a person sees of each panel, by title."""
    page.wait("main.board")
    page.page.evaluate("document.fonts.ready.then(() => true)")
    page.until("[...document.querySelectorAll('[data-panel] canvas')].every("
               "(canvas) => canvas.texts?.length)")
    page.page.wait_for_load_state("networkidle")  # icons are fetched one by one
    return {panel["title"]: panel for panel in page.page.evaluate(SEEN)}

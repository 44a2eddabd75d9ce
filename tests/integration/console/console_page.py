"""The web console of a real `sashd`, in a real Chromium that Playwright drives."""
import pathlib
import shutil
import sys
import tempfile
import time
import unittest
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "process"))
import protected  # noqa: E402, F401
from sashd_process import Sashd, live  # noqa: E402

PATIENCE_MS = 60_000  # for actions that usually take a second, on a busy machine
LOOK_AGAIN_MS = 50
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]
CONSOLE = pathlib.Path(__file__).resolve().parents[3] / "daemon/console"
FOR_ANALYSTS = (".ranking", ".picture", ".search")
FOR_OPERATORS = (".figures", ".timeline", ".jobs", ".records")
WIDE = {"width": 1280, "height": 1400}
NARROW = {"width": 360, "height": 740}
SHOWN = """`focus: ${document.activeElement?.outerHTML.slice(0, 200)}\n` +
    document.body.innerText.slice(0, 3000)"""

WINDOWS = [{"name": "last-20s", "length": "20s", "slide": "1s"},
           {"name": "last-4s", "length": "4s", "slide": "2s", "duplicates": "weigh",
            "types": ["sent"], "where": "/ts > 0"}]
MAPPINGS = [{"name": "calls",
             "json": {"source": "/from", "target": "/to", "time": "/ts", "type": "sent"}},
            {"name": "rare", "where": "/from == 'nobody'",
             "json": {"source": "/to", "target": "/from", "time": "/ts"}}]
JOBS = [{"name": "influencers", "kernel": "pagerank", "window": "last-20s", "top": 20},
        {"name": "reach", "kernel": "bfs", "window": "last-20s", "parameters": {"roots": ["v0"]}},
        {"name": "busiest", "kernel": "degree", "window": "last-4s", "top": 10},
        {"name": "arrivals", "kernel": "new_edges", "window": "last-4s", "top": 30},
        {"name": "rings", "kernel": "cycles", "window": "last-4s",
         "parameters": {"max_length": 3}},
        {"name": "chains", "kernel": "paths", "window": "last-4s",
         "parameters": {"from": ["v0", "v1"], "to": ["v2", "v3", "v4", "v5"], "most": 4}},
        {"name": "features", "kernel": "edge_features", "window": "last-4s",
         "parameters": {"max_length": 3}},
        {"name": "shape", "kernel": "window", "window": "last-20s"}]
STREAM = ["--rate", "1500", "--scale", "9", "--episodes-every", "8s"]


def chromium() -> str:
    """The path of Chromium; SkipTest when there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    raise unittest.SkipTest("no Chromium; deploy/install-dependencies.sh --tests installs it")


def playwright() -> Any:
    """The function that starts Playwright; SkipTest when it is not installed."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise unittest.SkipTest("no Python package playwright; tests/run.sh installs it") from None
    return sync_playwright()


def configuration(listen: str = "127.0.0.1:0") -> dict[str, Any]:
    document = live(windows=WINDOWS, jobs=JOBS, http={"listen": listen})
    del document["source"]["format"]
    document["source"]["mappings"] = MAPPINGS
    return document


def start(listen: str = "127.0.0.1:0") -> Sashd:
    """A `sashd` with a live stream."""
    sashd = Sashd(configuration(listen))
    sashd.start()
    sashd.generate(*STREAM)
    return sashd


class Browser:
    """One Chromium; every page has its own context, and so its own storage."""

    def __init__(self) -> None:
        program = chromium()
        self._playwright = playwright().start()
        self._home = tempfile.TemporaryDirectory(prefix="sash-chromium-")
        self._browser = self._playwright.chromium.launch(executable_path=program, args=FLAGS,
                                                         env={"HOME": self._home.name})

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()
        self._home.cleanup()

    def page(self, url: str, **options: Any) -> "Page":
        context = self._browser.new_context(**{"viewport": WIDE, "color_scheme": "light",
                                               "locale": "en-GB", **options})
        return Page(context, url)


class Page:
    """A page, with its errors and its requests to other hosts."""

    def __init__(self, context: Any, url: str) -> None:
        self.context = context
        self.url = url
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("console", lambda said: said.type in ("error", "warning") and
                     self.complaints.append(f"{said.text} {said.location.get('url', '')}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._note)
        self.page.add_init_script("""
            window.shifts = [];
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) {
                if (!entry.hadRecentInput) window.shifts.push([entry.value,
                  entry.sources.map((source) => source.node?.className ?? "").join(" ")]);
              }
            }).observe({ type: "layout-shift", buffered: true });""")

    def open(self, path: str = "/") -> "Page":
        self.page.goto(self.url + path)
        return self

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: Any) -> None:
        self.context.close()

    def _note(self, request: Any) -> None:
        asked, own = urlsplit(request.url), urlsplit(self.url)
        if asked.scheme in ("http", "https", "ws", "wss") and asked.netloc != own.netloc:
            self.foreign.append(request.url)

    def wait(self, selector: str) -> Any:
        self.page.wait_for_selector(selector)
        return self.page.locator(selector)

    def until(self, expression: str, argument: Any = None) -> Any:
        """Waits until an expression of the page is true; returns its value.

        Does not use wait_for_function: the page's policy forbids what that evaluates between
        frames.
        """
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not (told := self.page.evaluate(expression, argument)):
            if time.monotonic() > deadline:
                raise AssertionError(f"never true: {expression} ({argument!r})\n"
                                     + self.page.evaluate(SHOWN))
            self.page.wait_for_timeout(LOOK_AGAIN_MS)
        return told

    def show_in(self, scheme: str, size: dict[str, int] = WIDE) -> None:
        """Goes on in another theme, and maybe another size of the screen."""
        self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size(size)
        self.until("(scheme) => document.documentElement.dataset.theme === scheme", scheme)

    def text(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()

    def settled(self) -> "Page":
        """Waits until every view of the analyst has something to show."""
        self.wait(".link-live")
        self.wait(".ranking .move.up, .ranking .move.down")
        self.wait(".picture .node.is-top")
        return self

    def operations(self, slices: int = 5) -> "Page":
        """Turns to the operator's sheet, and waits until every view there has something to show,
        the timeline at least so many slices."""
        self.page.get_by_role("button", name="Operations", exact=True).click()
        self.wait(".link-live")
        self.until("(slices) => document.querySelectorAll('.bar-held, .bar-leaving').length >= "
                   "slices", slices)
        self.until("/^[1-9]/.test(document.querySelector('[data-figure=rate] .value').textContent)")
        return self

    def analysis(self) -> "Page":
        self.page.get_by_role("button", name="Analysis", exact=True).click()
        return self

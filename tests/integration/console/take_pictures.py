#!/usr/bin/env python3
"""Takes the pictures of the documentation, or the named ones: take_pictures.py FOLDER [NAME...],
with a build and Chromium.

Not a test: it watches a stream for some minutes, so that there is something to see.
"""
import pathlib
import sys
import time

from console_page import NARROW, Browser, Page
from sashd_process import Sashd, live

WINDOWS = [{"name": "last-1m", "length": "1m", "slide": "2s"}]
JOBS = [{"name": "influencers", "kernel": "pagerank", "window": "last-1m", "top": 50},
        {"name": "reach", "kernel": "bfs", "window": "last-1m", "parameters": {"roots": ["v2565"]}},
        {"name": "communities", "kernel": "cdlp", "window": "last-1m", "top": 20},
        {"name": "rings", "kernel": "cycles", "window": "last-1m", "top": 200,
         "parameters": {"max_length": 4}},
        {"name": "components", "kernel": "scc", "window": "last-1m", "top": 20},
        {"name": "shape", "kernel": "window", "window": "last-1m"}]
STREAM_SECONDS = 75
WATCH_SECONDS = 45


def wait(page: Page, seconds: float) -> None:
    page.page.wait_for_timeout(seconds * 1000)


def look_up(page: Page) -> None:
    page.page.locator(".ranking tbody tr:nth-child(2) button").click()
    page.wait(".past circle")


def mark_a_cycle(page: Page) -> None:
    page.page.get_by_role("button", name="Show all rows of rings").click()
    page.wait(".rows .place >> nth=2").click()
    page.wait(".rows .is-marked >> nth=0")


def show_members(page: Page) -> None:
    page.wait(".bubble >> nth=0").press("Enter")
    page.wait(".members tbody tr >> nth=0")


# Pictures of jobs that list no vertices: what is done, and the part of the page that is shown.
PARTS = {"cycles": ("rings", mark_a_cycle, [".rows"]),
         "communities": ("components", show_members, ["main > .columns", ".members"])}


def take_part(page: Page, name: str, folder: pathlib.Path) -> None:
    job, act, shown = PARTS[name]
    page.open(f"/#window=last-1m&job={job}")
    page.wait(".picture svg [role=button] >> nth=1")
    act(page)
    page.page.evaluate("document.activeElement.blur()")
    wait(page, 1)
    boxes = [page.page.locator(each).first.bounding_box() for each in shown]
    top = min(box["y"] for box in boxes)
    page.page.screenshot(path=folder / f"console-{name}.png", full_page=True,
                         animations="disabled",
                         clip={"x": 0, "y": top - 8, "width": 1280, "height": 16 - top + max(
                             box["y"] + box["height"] for box in boxes)})


def main(folder: pathlib.Path, *names: str) -> None:
    browser = Browser()
    with Sashd(live(windows=WINDOWS, jobs=JOBS)) as sashd:
        sashd.generate("--rate", "2000", "--seed", "1", "--graph", "rmat", "--scale", "12",
                       "--episodes-every", "30s")
        time.sleep(STREAM_SECONDS)
        shots = {"console-dark": {"color_scheme": "dark",
                                  "viewport": {"width": 1280, "height": 1000}},
                 "console-light": {"viewport": {"width": 1280, "height": 1000}},
                 "console-narrow": {"color_scheme": "dark", "viewport": NARROW},
                 "console-operations": {"viewport": {"width": 1280, "height": 1000}}}
        # One page at a time: drawing without a graphics card leaves the stream little of two cores.
        for name, options in shots.items():
            if names and name not in names:
                continue
            with browser.page(sashd.url(""), **options).open().settled() as page:
                wait(page, WATCH_SECONDS)
                if name == "console-operations":
                    page.operations()
                    wait(page, 1)
                else:
                    look_up(page)
                    page.page.evaluate(
                        "document.querySelector('.ranking .scroll').scrollTo(0, 0)")
                page.page.evaluate("document.activeElement.blur(); scrollTo(0, 0);")
                page.page.screenshot(path=folder / f"{name}.png",
                                     full_page=name != "console-narrow", animations="disabled")
        for name in PARTS:
            if not names or f"console-{name}" in names:
                with browser.page(sashd.url("")) as page:
                    take_part(page, name, folder)
    browser.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])

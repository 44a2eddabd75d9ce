#!/usr/bin/env python3
"""Takes the pictures of the dashboards for the documentation: take_pictures.py FOLDER, with SASHD,
SASH_GENERATE, `prometheus`, npm and Chromium.

Not a test: it watches a stream for some minutes, so that there is something to see.
"""
import pathlib
import sys
import tempfile
import time

from live_stack import Stack, dashboards, needed_programs
from panels_page import Screen, seen

MINUTES = 4
PICTURES = ["overview"]


def main(folder: pathlib.Path) -> None:
    programs = needed_programs()
    screen = Screen()
    with tempfile.TemporaryDirectory() as work:
        stack = Stack(pathlib.Path(work))
        try:
            stack.start(programs["sashd"], programs["sash-generate"], programs["prometheus"],
                        rate="300", disorder="250ms")
            time.sleep(MINUTES * 60 + 15)
            for name in PICTURES:
                board = (dashboards.FOLDER / f"{name}.json").read_bytes()
                page = screen.show(name, board, stack.prometheus, MINUTES, instance=stack.live)
                seen(page)
                page.page.screenshot(path=folder / f"{name}.png", full_page=True,
                                     animations="disabled")
        finally:
            stack.stop()
            screen.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

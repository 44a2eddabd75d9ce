#!/usr/bin/env python3
"""How long the neighbours of one vertex take over HTTP: published, and live with fresh edges.

A real `sashd` reads R-MAT edges from its own broker. In each round 65,536 edges come into a slice
that is still open; then 512 vertices are asked for one after the other on one kept connection, in
the live window and in the published one: the 64 with the greatest degrees, and 448 others. The
programs are those of the release preset, or named by SASHD and SASH_GENERATE.
"""
import argparse
import http.client
import json
import pathlib
import random
import statistics
import sys
import time
import urllib.parse
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration/process"))
from sashd_process import Sashd, await_that, live  # noqa: E402

FRESH = 65_536
REQUESTS = 512
HUBS = 64
SLIDE_SECONDS = 10
WINDOW = {"name": "w", "length": "1h", "slide": f"{SLIDE_SECONDS}s", "live": True}
JOBS = [{"name": "busiest", "kernel": "degree", "window": "w", "top": 10_000}]


class Reader:
    """One kept connection."""

    def __init__(self, sashd: Sashd) -> None:
        self.connection = http.client.HTTPConnection(
            urllib.parse.urlsplit(sashd.url("")).netloc, timeout=60)

    def json(self, path: str) -> Any:
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        text = answer.read()
        return json.loads(text) if answer.status == 200 else None

    def milliseconds(self, keys: list[str], view: str) -> list[float]:
        """How long each request takes. That a vertex is not in the window is an answer, too."""
        times = []
        for key in keys:
            begin = time.perf_counter()
            self.connection.request("GET", f"/api/v1/windows/w/vertices/{key}?limit=100{view}")
            self.connection.getresponse().read()
            times.append((time.perf_counter() - begin) * 1000)
        return times


def records(reader: Reader) -> int:
    window = reader.json("/api/v1/windows/w?view=live")
    return sum(window["cut"].get("edges", {}).values()) if window else 0


def send(sashd: Sashd, reader: Reader, edges: int, scale: int, seed: int) -> None:
    """Sends edges, and waits until all have been read."""
    wanted = records(reader) + edges
    sashd.generate("--edges", str(edges), "--rate", "500000", "--scale", str(scale), "--seed",
                   str(seed))
    if not await_that(lambda: records(reader) >= wanted):
        raise SystemExit(f"the edges were not read:\n{sashd.log()}")


def tell(name: str, times: list[float]) -> float:
    ordered = sorted(times)
    p99 = ordered[int(len(ordered) * 0.99)]
    print(f"{name:<10} {len(ordered):>6} requests  median {statistics.median(ordered):6.2f} ms  "
          f"p99 {p99:6.2f} ms  greatest {ordered[-1]:6.2f} ms")
    return p99


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=1_000_000, help="in the window")
    parser.add_argument("--scale", type=int, default=16, help="2^scale vertices")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    published: list[float] = []
    fresh: list[float] = []
    with Sashd(live(windows=[WINDOW], jobs=JOBS)) as sashd:
        reader = Reader(sashd)
        send(sashd, reader, arguments.edges, arguments.scale, 1)
        for turn in range(arguments.rounds):
            snapshot = (reader.json("/api/v1/windows/w") or {}).get("snapshot")
            time.sleep(SLIDE_SECONDS - time.time() % SLIDE_SECONDS)
            # These edges come into the next slice, so they close the one before.
            send(sashd, reader, FRESH, arguments.scale, 2 + turn)
            await_that(lambda: (reader.json("/api/v1/windows/w") or {}).get("snapshot")
                       not in (None, snapshot))
            top = await_that(lambda: (reader.json(
                "/api/v1/jobs/busiest/results/latest?top=10000") or {}).get("top"))
            if not top:
                raise SystemExit(f"there is no result:\n{sashd.log()}")
            keys = [row["vertex"] for row in top]
            keys = keys[:HUBS] + random.Random(turn).sample(keys[HUBS:], REQUESTS - HUBS)
            reader.milliseconds(keys[:8], "&view=live")  # indexes the fresh edges
            fresh += reader.milliseconds(keys, "&view=live")
            published += reader.milliseconds(keys, "")
    ratio = tell("live", fresh) / tell("published", published)
    print(f"live / published, p99: {ratio:.2f}")


if __name__ == "__main__":
    main()

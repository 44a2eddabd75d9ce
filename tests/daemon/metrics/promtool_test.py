#!/usr/bin/env python3
"""Lets `promtool check metrics` look at a scrape: names, types and units.

  promtool_test.py METRICS_TEST PROMTOOL

Exit code 77 tells CTest that it was skipped.
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def main() -> int:
    program, promtool = sys.argv[1:3]
    if not pathlib.Path(promtool).is_file():
        print("skipped: no promtool (Debian package prometheus)")
        return 77
    with tempfile.TemporaryDirectory(prefix="sash-promtool-") as folder:
        scrape = pathlib.Path(folder) / "scrape.txt"
        subprocess.run([program, "--gtest_filter=DaemonMetricsTest.AScrapeIsWholeLines"],
                       env={**os.environ, "SASH_SCRAPE": str(scrape)}, check=True)
        done = subprocess.run([promtool, "check", "metrics"], input=scrape.read_bytes(),
                              capture_output=True, check=False)
    print((done.stdout + done.stderr).decode())
    return 1 if done.returncode != 0 or done.stderr else 0


if __name__ == "__main__":
    sys.exit(main())

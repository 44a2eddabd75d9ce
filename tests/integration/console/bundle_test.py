#!/usr/bin/env python3
"""The bundle of the web console matches its sources, and the sources are valid TypeScript."""
import json
import pathlib
import re
import subprocess
import unittest

from node_packages import check_pins, require_node

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONSOLE = ROOT / "daemon/console"
BUNDLE_SECONDS = 300
NOT_FETCHED = 75  # see bundle.sh


class BundleTest(unittest.TestCase):
    def test_the_bundle_is_what_its_sources_make(self):
        require_node()
        made = subprocess.run([CONSOLE / "bundle.sh", "--check"], capture_output=True, text=True,
                              timeout=BUNDLE_SECONDS)
        if made.returncode == NOT_FETCHED:
            raise unittest.SkipTest(f"npm cannot fetch the packages: {made.stderr[-300:]}")
        self.assertEqual(made.returncode, 0, f"daemon/console/bundle.sh makes another one:\n"
                                             f"{made.stdout}{made.stderr}")

    def test_versions_are_pinned_and_no_host_is_named(self):
        check_pins(self, CONSOLE)

    def test_every_bundled_package_is_named_with_its_licence(self):
        licences = (CONSOLE / "bundle/licences.txt").read_text()
        lock = json.loads((CONSOLE / "package-lock.json").read_text())
        shipped = {path.removeprefix("node_modules/"): entry
                   for path, entry in lock["packages"].items() if path and not entry.get("dev")}
        listed = dict(re.findall(r"(?m)^--- (\S+) (\S+) \(", licences))
        self.assertEqual(listed, {name: entry["version"] for name, entry in shipped.items()})
        for name, entry in shipped.items():
            self.assertIn(entry["license"], {"MIT", "ISC", "BSD-3-Clause"}, name)


if __name__ == "__main__":
    unittest.main()

"""Tests the guides: writes their files, runs their commands, and compares the output with the text
of the guides, except for durations.

  ```yaml fraud.yaml   a block with a name is a file
  ```console           commands after `$ `, then their output; a line that begins with four
                       spaces continues the previous line
  ```yaml              without a name: replaces these sections of the guide's configuration
"""
import contextlib
import importlib.util
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration" / "process"))
from sashd_process import PATIENCE_SECONDS, ROOT, program  # noqa: E402

GUIDES = ROOT / "deploy" / "guides"
CLUSTER_GUIDES = ["scale"]  # their commands start a cluster of Spark
PACKAGES = {"own-score": "numpy"}  # of Python, which the commands of a guide use
SPARK_SECONDS = 600
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\b[\d.]+(?:e-\d+)? (?:ns|us|ms|s)\b")


def comparable(text: str) -> str:
    return TIME.sub("TIME", re.sub(r"\n {4}", " ", text).strip())


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with its output."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [tuple(part.split("\n", 1)) for part in parts]


class GuidesTest(unittest.TestCase):
    names = ["fraud", "network", "own-score", "trends"]
    patience = PATIENCE_SECONDS

    def setUp(self):
        self.assertEqual(sorted(guide.stem for guide in GUIDES.glob("*.md")),
                         sorted([*GuidesTest.names, *CLUSTER_GUIDES]))
        self.guides = [GUIDES / f"{name}.md" for name in self.names]
        places = {pathlib.Path(program("SASHD", "sashd")).parent,
                  pathlib.Path(program("SASH_GENERATE", "generate/sash-generate")).parent}
        python = pathlib.Path(sys.executable).parent
        path = os.pathsep.join(map(str, [python, *places, os.environ["PATH"]]))
        # As if header and package were installed.
        self.environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8",
                            "CPATH": str(ROOT / "windows/jobs/plugin"),
                            "PYTHONPATH": os.pathsep.join(
                                str(ROOT / "connectors" / name) for name in ("python", "spark"))}
        temporary = tempfile.TemporaryDirectory(prefix="sash-guides-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def shell(self, command: str, folder: pathlib.Path) -> str:
        """The output of a command; the test fails if the command fails."""
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=folder,
                              env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=self.patience,
                              check=False)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}")
        return done.stdout

    def test_commands_print_what_the_guides_show(self):
        for guide in self.guides:
            package = PACKAGES.get(guide.stem)
            if package and importlib.util.find_spec(package) is None:
                with self.subTest(guide=guide.stem):
                    self.skipTest(f"no Python package {package}; tests/run.sh installs it")
                continue
            folder = self.folder / guide.stem
            folder.mkdir()
            for beside in GUIDES.glob("*.py"):  # as a reader copies it
                shutil.copy(beside, folder)
            blocks = BLOCK.findall(guide.read_text(encoding="utf-8"))
            run = 0
            for kind, name, body in blocks:
                if name:
                    (folder / name).write_text(body, encoding="utf-8")
                for command, shown in commands(body) if kind == "console" else []:
                    with self.subTest(guide=guide.stem, command=command):
                        self.assertEqual(comparable(self.shell(command, folder)), comparable(shown))
                    run += 1
            self.assertGreater(run, 2, guide)

    def test_what_replaces_sections_of_a_configuration_fits_into_it(self):
        for guide in self.guides:
            blocks = BLOCK.findall(guide.read_text(encoding="utf-8"))
            whole = next(yaml.safe_load(body) for kind, name, body in blocks
                         if kind == "yaml" and name)
            others = [yaml.safe_load(body) for kind, name, body in blocks
                      if kind == "yaml" and not name]
            self.assertTrue(others, guide)
            for other, number in zip(others, itertools.count()):
                self.compile(blocks)
                file = self.folder / f"{guide.stem}{number}.yaml"
                file.write_text(json.dumps({**whole, **other}))
                with self.subTest(guide=guide.stem, sections=list(other)):
                    self.shell(f"sashd --check {file}", self.folder)

    def compile(self, blocks: list[tuple[str, str, str]]) -> None:
        """Makes the plug-ins that a configuration names."""
        for kind, name, body in blocks:
            if kind == "c":
                (self.folder / name).write_text(body, encoding="utf-8")
            for command, _ in commands(body) if kind == "console" else []:
                if command.startswith("cc "):
                    self.shell(command, self.folder)

    def test_links_lead_somewhere(self):
        for guide in self.guides:
            for target in re.findall(r"\]\(([^)]+)\)", guide.read_text(encoding="utf-8")):
                file, _, anchor = target.partition("#")
                self.assertTrue((guide.parent / file).exists(), target)
                if anchor:
                    titles = re.findall(r"^#+ (.+)$", (guide.parent / file).read_text(),
                                        re.MULTILINE)
                    self.assertIn(anchor, [title.lower().replace(" ", "-") for title in titles])


class ClusterGuidesTest(GuidesTest):
    names = CLUSTER_GUIDES
    patience = SPARK_SECONDS

    def setUp(self):
        super().setUp()
        if shutil.which("spark-submit", path=self.environment["PATH"]) is None:
            self.skipTest("there is no spark-submit; pip install pyspark")
        self.addCleanup(self.end_processes)

    def end_processes(self):
        for pids in self.folder.glob("*/pids"):
            for pid in pids.read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)


if __name__ == "__main__":
    unittest.main(verbosity=2)

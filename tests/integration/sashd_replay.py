"""Runs the real `sashd` over a file and compares what it wrote with the oracle."""
import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any

import yaml

from oracle import configuration, outliers, records
from oracle.compare import compare, read_lines

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Public graphs, next to the project; tests that need them report when they are missing.
DATA = pathlib.Path(os.environ.get("SASH_DATA") or ROOT.parent / "shared" / "data")
REPLAY_SECONDS = 300


def program(variable: str, name: str) -> str:
    """A program of the build: named by the environment, or from the release preset."""
    return os.environ.get(variable) or str(ROOT / "build/release/daemon" / name)


def sinks(*jobs: str) -> list[dict[str, Any]]:
    """One file with tops, one with everything."""
    which = {"jobs": list(jobs)} if jobs else {}
    return [{"file": {"path": "top.jsonl", **which}},
            {"file": {"path": "all.jsonl", "vertices": "all", **which}}]


class Replay:
    """One run of `sashd` in its own temporary folder."""

    def __init__(self, document: dict[str, Any], content: bytes | None = None) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="sash-replay-")
        self.folder = pathlib.Path(self._temporary.name)
        if content is not None:
            (self.folder / "events").write_bytes(content)
        document = {**document, "http": {"listen": "off"}}
        (self.folder / "sashd.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
        self.configuration = configuration.load(str(self.folder / "sashd.yaml"))

    def __enter__(self) -> "Replay":
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def run(self) -> None:
        """Runs it to the end; raises AssertionError when it does not end well."""
        done = subprocess.run(
            [program("SASHD", "sashd"), "--config", "sashd.yaml"], cwd=self.folder,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=REPLAY_SECONDS, check=False)
        if done.returncode != 0:
            raise AssertionError(f"sashd ended with {done.returncode}:\n"
                                 f"{done.stderr.decode(errors='replace')[-3000:]}")

    def lines(self, path: str) -> list[str]:
        return read_lines(str(self.folder / path))

    def events(self) -> list[records.Event | records.Refused]:
        stream = self.configuration.stream
        read = records.read_file(str(self.folder / stream.path), stream)
        return list(outliers.set_aside(read, stream.ahead_limit))

    def differences(self) -> tuple[str, int]:
        """The differences from the oracle, and how many results were compared."""
        found, compared = compare(self.configuration, self.events(), self.lines)
        return str(found), compared

    def dead_letters(self) -> list[dict[str, Any]]:
        path = self.folder / "dead-letters.jsonl"
        return [json.loads(line) for line in self.lines(path.name)] if path.exists() else []

"""What the files of a `sashd` have and its topics lack.

The sink of a file gets each result before the sink of a topic. A kill between the two leaves a
result in the file alone, and neither the file nor the outbox shows it. It is not lost: commits and
checkpoints wait until all sinks are flushed, so none of them covers its advance. The next process
repeats the advance, and gives the result to the sink of the topic again, whatever the file has.
Until then, a test that looks only at the newest results and at an empty outbox would find it
missing. So tests wait for each result, and not longer than their patience: what the topic still
lacks then is lost.
"""
import json
import pathlib
import subprocess
from typing import Any, Callable, Container, Iterable

from stream_truth import Ends, delivered, note_ends

RESULTS = "results"  # the file of results, without its suffix
# What tells the lines of one file apart. A result has the first two, an alert all of them.
MEMBERS = ("job", "window_end", "alert", "subject")
SentIdentity = tuple[Any, ...]


def identities(lines: Iterable[str], jobs: Container[str]) -> set[SentIdentity]:
    """The identities in those lines that are whole and belong to these jobs."""
    found = set()
    for line in lines:
        try:
            members = json.loads(line)
        except ValueError:
            continue  # torn: the process cuts it at its start
        if members["job"] in jobs:
            found.add(tuple(members[name] for name in MEMBERS if name in members))
    return found


class SentResults:
    """The sinks of a configuration that write the same to a file and to a topic."""

    def __init__(self, given: dict[str, Any], jobs: Container[str]) -> None:
        """`jobs`: whose results are compared."""
        self._jobs = jobs
        self._brokers = given["source"]["kafka"]["brokers"]
        files = {sink["file"].get("content", RESULTS): pathlib.Path(sink["file"]["path"]).stem
                 for sink in reversed(given["sinks"])
                 if "file" in sink and not sink["file"].get("partial")}
        self._pairs = [(files[content], sink["kafka"]["topic"]) for sink in given["sinks"]
                       if "kafka" in sink
                       and (content := sink["kafka"].get("content", RESULTS)) in files
                       and content != "rows"]  # a CSV file has other rows

    def lacking(self, lines_of: Callable[[str], list[str]],
                are_due: Callable[[Ends], bool],
                failed: Container[SentIdentity] = frozenset()) -> list[str]:
        """What the topics lack; empty if they have all. `lines_of`: a file; `are_due`: whether the
        results are there that the file must have; `failed`: runs that need not be in a topic."""
        # The files are read before the topics, which may grow meanwhile.
        lines = {file: lines_of(file) for file, _ in self._pairs}
        ends: Ends = {}
        note_ends(lines.get(RESULTS, []), ends)
        if RESULTS in lines and not are_due(ends):
            return [f"the file of {RESULTS} lacks due results: {ends}"]
        lacking = []
        for file, topic in self._pairs:
            try:
                there = identities(delivered(self._brokers, topic), self._jobs)
            except subprocess.CalledProcessError as failure:  # on a slow machine
                return [f"{topic} cannot be read: {failure}"]
            lacking += [f"{topic} lacks {each}, which is in the file of {file}"
                        for each in sorted(identities(lines[file], self._jobs) - there)
                        if each not in failed]
        return lacking

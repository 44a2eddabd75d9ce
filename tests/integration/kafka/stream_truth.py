"""The expected results of a stream in a broker, from three sources: the oracle, a `sashd` that was
not killed, and the file compared with the topic."""
import collections
import json
import math
import subprocess
from typing import Any, Container

from oracle import configuration, records, times
from oracle.baselines import COMPARED
from oracle.compare import compare
from oracle.expectations import expectations
from oracle.slices import cut

PATIENCE_SECONDS = 120
# The members that may differ between two runs on the same window.
FREE = ("seconds", "watermark", "snapshot", "iterations", "residual", "converged", "mode")
Result = dict[str, Any]
Identity = tuple[str, str]  # job, window end
Ends = dict[str, int]  # ends of windows, by job
Due = dict[tuple[str, int], int]  # the same, by window and the number of slides between results


def newest(lines: list[str], prefix: str = "") -> dict[Identity, Result]:
    """The results by identity, for the jobs with this prefix, which is removed."""
    results = [json.loads(line) for line in lines if prefix in line]
    return {(name, result["window_end"]): {**result, "job": name} for result in results
            if (name := result["job"].removeprefix(prefix)) != result["job"] or not prefix}


def delivered(brokers: str, topic: str) -> list[str]:
    """The messages of a topic, for each job in their order."""
    read = subprocess.run(
        ["kcat", "-C", "-q", "-e", "-b", brokers, "-t", topic, "-o", "beginning",
         "-f", "%s\n"], stdout=subprocess.PIPE, check=True, timeout=PATIENCE_SECONDS).stdout
    return read.decode().split("\n")[:-1]


class Truth:
    """The oracle's interpretation of the topic's records."""

    def __init__(self, events: list[records.Event | records.Refused],
                 given: configuration.Configuration) -> None:
        self._configuration = given
        self._events = events
        slices = cut(self._events, given)
        assert slices is not None
        # A live source never ends: windows are complete up to the slowest partition's watermark.
        self._until = min(slices.newest.values()) - given.stream.disorder
        due = [each for each in expectations(given, slices) if each.window.end <= self._until]
        self.results = len(due)
        self.due: Due = {}  # the newest due windows
        for each in due:
            place = each.spec.name, each.job.every
            self.due[place] = max(each.window.end, self.due.get(place, each.window.end))

    def wrong_letters(self, lines: list[str], letters: list[str]) -> list[str]:
        """Refused records before the end of the results that are not dead letters, letters that are
        there twice, and those that name more or fewer edges than were refused."""
        reached: dict[tuple[str, str], int] = {}
        for line in lines:
            for topic, spans in json.loads(line)["offsets"].items():
                for partition, (_, last) in spans.items():
                    reached[topic, partition] = max(last, reached.get((topic, partition), 0))
        refused = collections.Counter((event.topic, event.partition, event.offset)
                                      for event in self._events
                                      if isinstance(event, records.Refused))
        wrong = []
        found = collections.Counter()
        for letter in map(json.loads, letters):
            place = letter["topic"], letter["partition"], letter["offset"]
            found[place, letter["stage"]] += 1
            if letter["stage"] == "decode" and len(letter.get("places", [0])) != refused[place]:
                wrong.append(f"{refused[place]} edges were refused: {letter}")
        wrong += [f"{count} times: {letter}" for letter, count in found.items() if count > 1]
        wrong += [f"lost: {place}" for place in refused
                  if place[2] < reached.get((place[0], str(place[1])), 0)
                  and (place, "decode") not in found]
        return wrong

    def differences(self, lines: list[str],
                    failed: Container[tuple[str, int]] = frozenset()) -> str:
        """`failed`: jobs and ends of windows that need no result, because a run failed."""
        found, _ = compare(self._configuration, self._events, lambda _: lines,
                           lambda expected, _: expected.window.end <= self._until
                           and expected.identity not in failed)
        return str(found)


def wrong_rows(lines: list[str], job: str, found: list[dict[str, str]]) -> list[str]:
    """How the rows of a file differ from the lists of pairs in the results of a job: each row is
    there once, in order, under its number."""
    wanted: dict[str, list[list[str]]] = {}
    for result in map(json.loads, lines):
        if result["job"] == job and (pairs := result["top_edges"]):
            wanted[result["window_end"]] = [
                [str(number), str(len(pairs)),
                 *(value if isinstance(value := pair[name], str) else json.dumps(value)
                   for name in ("source", "target", "edges", "weight"))]
                for number, pair in enumerate(pairs, 1)]
    there: dict[str, list[list[str]]] = collections.defaultdict(list)
    for row in found:
        there[row["window_end"]].append([row[name] for name in (
            "row", "rows", "source", "target", "edges", "weight")])
    return [f"rows of {end}: {there.get(end)}, and not {wanted.get(end)}"
            for end in sorted(wanted.keys() | there.keys()) if wanted.get(end) != there.get(end)]


def unequal(wanted: dict[Identity, Result], found: dict[Identity, Result]) -> list[str]:
    """How two sets of results differ, apart from what may differ between runs."""
    differences = [f"{identity}: lost" for identity in wanted.keys() - found.keys()]
    differences += [f"{identity}: surplus" for identity in found.keys() - wanted.keys()]
    differences += [f"{identity}: {members}" for identity in wanted.keys() & found.keys()
                    if (members := _unequal_members(wanted[identity], found[identity]))]
    return sorted(differences)


def _unequal_members(wanted: Result, found: Result) -> list[str]:
    return [name for name in wanted.keys() | found.keys() if name not in FREE
            and not _same(wanted.get(name), found.get(name))]


def _same(wanted: Any, found: Any) -> bool:
    """Compares scores to nine digits; vertices with equal scores may be in any order."""
    if not (_has_scores(wanted) and _has_scores(found)):
        return wanted == found
    scores = {entry["vertex"]: entry for entry in wanted}
    return len(wanted) == len(found) and all(
        math.isclose(entry["score"], scores.get(entry["vertex"], {}).get("score", math.nan),
                     rel_tol=1e-9)
        and all(entry.get(name) == scores[entry["vertex"]].get(name) for name in COMPARED)
        for entry in found)


def _has_scores(value: Any) -> bool:
    return (isinstance(value, list) and bool(value) and isinstance(value[0], dict)
            and "score" in value[0])


def note_ends(lines: list[bytes] | list[str], ends: Ends) -> None:
    for line in lines:
        try:
            result = json.loads(line)
            job, end = result["job"], times.from_result(result["window_end"])
        except (KeyError, TypeError, ValueError):
            continue  # the comparison reports it
        ends[job] = max(end, ends.get(job, end))

"""`sashd` is killed at random moments and at operations on its files, with windows that keep
their history and with live jobs: every earlier window is read as it was published, edge by edge.
Nothing that is not final is in a sink that did not ask, nor passes for final in one that did.

SASH_KILLS=n kills n times; SASH_SEED=n makes the stream, and is printed, also with a difference.
"""
import http.client
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time
import unittest
from typing import Any

import kafka_broker
from asked_follower import AskedFollower
from kill_points import LIBRARY, PARTITIONS, WAYS
from killed_stream import RandomTopic, document, kill
from oracle import times
from oracle.compare import read_lines
from past_windows import PastWindows, TooOld, published_edges
from sashd_process import await_that
from stream_truth import PATIENCE_SECONDS, Truth, delivered, newest, unequal

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
KILLS = int(os.environ.get("SASH_KILLS", "0"))  # 0: what each test says
ROWS_A_LIFE = 100
LONGEST_LIFE = 2.0  # seconds; affects only what a kill hits
RETAIN = 150  # seconds of event time
READ = 4  # earlier windows that are read whole, of each window and process
GOES_ON = "windows go on from the checkpoint in"
# The operations at which it is killed, and the most of them before a kill: on checkpoints, and
# between the file and the outbox.
POINTS = (("state/", 60), ("write results", 12), ("write outbox", 12))
LIVE = [{"name": "now", "kernel": "degree", "window": "copies"},
        {"name": "now-sums", "kernel": "window", "window": "sums"},
        {"name": "now-newest", "kernel": "wcc", "window": "newest"}]
GONE = (OSError, http.client.HTTPException)  # the process has ended

Identity = tuple[str, str]  # job, window end


class RememberedFollower(AskedFollower):
    """A folder, a group and a topic of a `sashd` whose windows keep their history."""

    def judged(self, given: dict[str, Any]) -> dict[str, Any]:
        """The configuration without live jobs, and without the sink that takes their results."""
        return {**given, "jobs": [job for job in given["jobs"] if "visibility" not in job],
                "sinks": [sink for sink in given["sinks"] if "partial" not in str(sink)]}

    def log(self) -> str:
        """The log of all processes."""
        return f"SASH_SEED={SEED}\n" + (self.folder / "log").read_text(errors="replace")

    def partial_lines(self) -> list[str]:
        return read_lines(str(self.folder / "out/partial.jsonl"))

    def shapes(self, window: str) -> dict[str, dict[str, Any]]:
        """What the file says of each published window, by its end."""
        lines = map(json.loads, self.lines())
        return {line["window_end"]: line for line in lines if line["job"] == f"{window}-shape"}


class HistoryKillTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-history-"))
        self.folder = pathlib.Path(folder)
        self.process: subprocess.Popen | None = None
        self.windows_read = self.live_seen = self.in_sink = 0
        print(f"SASH_SEED={SEED}", flush=True)

    def follower(self, topic: RandomTopic) -> RememberedFollower:
        self.broker.create_topic("history", PARTITIONS)
        given = document(self.broker, topic, "history", "history", "checkpoint", small=True)
        for window in given["windows"]:
            window.update(live=True, retain=f"{RETAIN}s")
        given["jobs"] += [{**job, "visibility": "live", "every": "50ms"} for job in LIVE]
        given["sinks"].append({"file": {"path": "out/partial.jsonl", "vertices": "all",
                                        "partial": True}})
        given["state"]["interval"] = "20ms"
        given["source"]["kafka"]["options"] = {}
        given["runners"] = 2
        return RememberedFollower(self.folder / "history", given)

    def kill_along(self, kills: int) -> None:
        topic = RandomTopic(self.broker, "edges", SEED, ROWS_A_LIFE * (kills + 2), PARTITIONS,
                            broken=0.1, silences=False)
        self.follows = follower = self.follower(topic)
        truth = Truth(topic.events(follower.configuration.stream), follower.configuration)
        chance = random.Random(SEED)
        self.first_life(topic, kills)
        for life in range(1, kills):
            self.one_life(chance, topic, (life + 2) / (kills + 2))
        topic.produce(1)
        process = self.process = follower.begin()
        self.assertTrue(await_that(lambda: follower.has_reached(truth.due)), follower.log())
        self.look_back(chance, 10**6)
        kill(process)
        follower.finish(truth.due)
        self.compare(truth)
        went_on = (follower.folder / "log").read_text(errors="replace").count(GOES_ON)
        self.assertGreater(went_on, 0, follower.log())
        self.assertGreater(self.windows_read, 0)
        print(f"{kills + 1} kills; {went_on} processes went on from a checkpoint; "
              f"{self.windows_read} earlier windows read edge by edge, and runs on them, equal; "
              f"{self.live_seen} live results seen, {self.in_sink} in the sink that asks for them",
              flush=True)

    def first_life(self, topic: RandomTopic, kills: int) -> None:
        """Lives until there is a checkpoint of published windows, and live results of each job."""
        process = self.process = self.follows.begin()
        topic.produce(2 / (kills + 2))
        self.assertTrue(await_that(lambda: self.follows.written() > 2), self.follows.log())
        before = self.follows.metric("sash_checkpoint_writes_total")
        self.assertTrue(await_that(
            lambda: self.follows.metric("sash_checkpoint_writes_total") > before + 1),
            self.follows.log())
        past = PastWindows(self.follows.url)
        for job in LIVE:
            self.assertTrue(await_that(
                lambda job=job: past.get(f"/api/v1/jobs/{job['name']}")[1]["runs"] > 0),
                self.follows.log())
            self.look_at_live(past, job)
        kill(process)

    def one_life(self, chance: random.Random, topic: RandomTopic, share: float) -> None:
        """It looks back, and is killed at some moment of this, or after it."""
        what, most = chance.choice(POINTS)
        at_point = {} if chance.random() < 0.5 else {
            "LD_PRELOAD": LIBRARY, "SASH_KILL_UNDER": str(self.follows.folder / "out"),
            "SASH_KILL_TRACE": str(self.follows.folder / "trace"), "SASH_KILL_WHAT": what,
            "SASH_KILL_AT": str(chance.randint(1, most)), "SASH_KILL_HOW": chance.choice(WAYS)}
        process = self.process = self.follows.begin(**at_point)
        try:
            self.look_back(chance, READ)
            topic.produce(share)
            time.sleep(chance.uniform(0, LONGEST_LIFE))
            self.look_back(chance, READ)
            past = PastWindows(self.follows.url)
            for job in LIVE:
                self.look_at_live(past, job)
        except GONE:
            self.assertTrue(at_point, f"it ended by itself:\n{self.follows.log()}")
            process.wait(PATIENCE_SECONDS)
        kill(process)
        lost_power = at_point.get("SASH_KILL_HOW") in ("power", "zeros")
        self.assertEqual(self.follows.damage(lost_power), "", self.follows.log())

    def look_at_live(self, past: PastWindows, job: dict[str, Any]) -> None:
        status, window = past.get(f"/api/v1/windows/{job['window']}?view=live")
        self.assertEqual((status, window.get("final")), (200, False), window)
        status, result = past.get(f"/api/v1/jobs/{job['name']}/results/latest")
        if status == 200:
            self.assertFalse(result["final"])
            self.assertIn("cut", result)
            self.live_seen += 1

    def look_back(self, chance: random.Random, most: int) -> None:
        """Every window that was published before this process can be read if it is not too old;
        `most` of each are read whole."""
        follower = self.follows
        self.await_reading()
        past = PastWindows(follower.url)
        for window in ("copies", "newest", "sums"):
            shapes = follower.shapes(window)  # before the list of what can be read
            newest_end = max(map(times.from_result, shapes), default=0)
            self.await_window(past, window, newest_end)
            readable = {each["window_end"]: each for each in past.readable(window)}
            oldest = max(map(times.from_result, readable)) - RETAIN * 10**9
            for end in shapes:
                self.assertEqual(end in readable, times.from_result(end) >= oldest,
                                 f"{window} {end}: {list(readable)}\n{follower.log()}")
            both = sorted(shapes.keys() & readable.keys())
            for end in sorted(chance.sample(both, min(most, len(both)))):
                try:
                    self.compare_past(past, window, shapes[end], readable[end])
                    self.windows_read += 1
                except TooOld:
                    newest_end = times.from_result(past.readable(window)[0]["window_end"])
                    self.assertLess(times.from_result(end), newest_end - RETAIN * 10**9, window)

    def await_reading(self) -> None:
        def answers() -> bool:
            if self.process.poll() is not None:
                raise ConnectionError("it has ended")
            return self.follows.reads() and self.follows.is_ready()
        self.assertTrue(await_that(answers), f"{self.follows.reasons()}\n{self.follows.log()}")

    def await_window(self, past: PastWindows, window: str, end: int) -> None:
        """Waits until windows that were published before are published again."""
        self.assertTrue(await_that(lambda: any(
            times.from_result(each["window_end"]) >= end for each in past.readable(window)[:1])),
            f"{window} is not published to {times.to_text(end)}: {past.readable(window)[:1]}"
            f"\n{self.follows.log()}")

    def compare_past(self, past: PastWindows, window: str, line: dict[str, Any],
                     listed: dict[str, Any]) -> None:
        where = f"{window} {line['window_end']}\n{self.follows.log()}"
        for which in (f"snapshot={listed['snapshot']}", f"at={line['window_end']}"):
            shown = past.past(f"/api/v1/windows/{window}?{which}")
            for member in ("window_start", "window_end", "edges", "vertices", "offsets", "late",
                           "refused"):
                if member in shown:
                    self.assertEqual(shown[member], line[member], f"{member}: {where}")
        self.assertEqual(past.edges(window, which), published_edges(line), where)
        again = past.past(f"/api/v1/jobs/{window}-shape/trigger?{which}", "POST")
        self.assertTrue(again.pop("past"), where)
        self.assertEqual(unequal(newest([json.dumps({**line, "top_edges": 0})]),
                                 newest([json.dumps({**again, "top_edges": 0})])), [], where)

    def compare(self, truth: Truth) -> None:
        """The sinks with the oracle; one of them takes what is not final too."""
        sinks = {"file": self.follows.lines(),
                 "topic": delivered(self.broker.address, "history")}
        live = {job["name"] for job in LIVE}
        for name, lines in sinks.items():
            results = list(map(json.loads, lines))
            partial = [each for each in results if not each["final"] or "cut" in each
                       or each["job"] in live]
            self.assertEqual(partial, [], name)
        self.assertEqual(truth.differences(sinks["file"]), "", self.follows.log())
        self.assertEqual([f"topic, unlike the file: {each}" for each in unequal(
            newest(sinks["file"]), newest(sinks["topic"]))], [], self.follows.log())
        both = self.follows.partial_lines()
        final = [line for line in both if json.loads(line)["final"]]
        self.assertEqual(truth.differences(final), "", self.follows.log())
        cuts = [(each["job"], each["window_end"], json.dumps(each["cut"]))
                for each in map(json.loads, both) if not each["final"]]
        self.assertEqual({job for job, _, _ in cuts}, live)
        self.assertEqual(len(cuts), len(set(cuts)), "a cut is there twice")
        self.in_sink = len(cuts)
        self.assertEqual(self.follows.damage(), "", self.follows.log())


class FewKillsTest(HistoryKillTest):
    def test_history_survives_kills_and_nothing_partial_is_ever_final(self) -> None:
        self.kill_along(KILLS or 3)


class ManyKillsTest(HistoryKillTest):
    def test_history_survives_kills_and_nothing_partial_is_ever_final(self) -> None:
        self.kill_along(KILLS or 30)


if __name__ == "__main__":
    unittest.main()

"""`sashd` is killed while other programs change something around it: files are moved away, windows
are added through the API. Over all files, no result is lost, different or there twice.

The environment is as for kill_test.py.
"""
import concurrent.futures
import http.client
import json
import pathlib
import random
import re
import time
import unittest
from typing import Any

import kill_test
from kill_test import KILLS, LONGEST_LIFE, PARTITIONS, RECOVERIES, ROWS_A_LIFE, SEED
from killed_stream import NEW_LIFE, Follower, RandomTopic, document, kill
from rotated_follower import RotatedFollower
from stream_truth import PATIENCE_SECONDS, Truth, delivered, newest, unequal

ADDED = "added"  # the first part of the names of added windows and their jobs
GOES_ON = "windows go on from the checkpoint in"


def configured(lines: list[str]) -> list[str]:
    return [line for line in lines if not json.loads(line)["job"].startswith(ADDED)]


class AskedFollower(Follower):
    def ask(self, path: str, body: dict[str, Any]) -> tuple[int, str]:
        """The status and text of the answer to a POST."""
        connection = http.client.HTTPConnection(self._address(), timeout=PATIENCE_SECONDS)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def _address(self) -> str:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            newest_life = (self.folder / "log").read_bytes().rpartition(NEW_LIFE)[2]
            if found := re.search(rb"http listens on ([0-9.:]+)", newest_life):
                return found[1].decode()
            time.sleep(0.005)
        raise AssertionError(self.log())

    def checkpoint_time(self) -> int:
        manifest = self.folder / "out/state/manifest"
        return manifest.stat().st_mtime_ns if manifest.exists() else 0


class DisturbedTest(kill_test.KillTest):
    def test_files_that_are_moved_away_have_each_result_once(self) -> None:
        chance = random.Random(SEED)
        topic = self.topic("moved", broken=0.1)
        unkilled = Follower(*self.place("moved-unkilled", topic, "replay"))
        killed = [RotatedFollower(*self.place(f"moved-{recovery}", topic, recovery))
                  for recovery in RECOVERIES]
        with concurrent.futures.ThreadPoolExecutor(len(killed)) as pool:
            for life in range(KILLS):
                topic.produce((life + 1) / (KILLS + 1))
                lives = [pool.submit(self.one_life, random.Random(chance.random()), follower)
                         for follower in killed]
                for each in lives:
                    each.result()
        topic.produce(1)
        truth = Truth(topic.events(unkilled.configuration.stream), unkilled.configuration)
        unkilled.finish(truth.due)
        for follower in killed:
            follower.finish(truth.due)
            self.expect_the_same(unkilled, follower, follower.lines())
            self.assertEqual(truth.wrong_letters(follower.lines(), follower.letters()), [],
                             follower.log())
            self.assertGreater(follower.moves, KILLS, follower.log())
        print(f"{KILLS * len(killed)} kills, {[each.moves for each in killed]} moves, "
              f"{truth.results} results equal", flush=True)

    def one_life(self, chance: random.Random, follower: RotatedFollower) -> None:
        process = follower.begin(away=chance.random() < 0.3)
        time.sleep(chance.uniform(0, LONGEST_LIFE))
        kill(process)
        self.assertEqual(follower.damage(), "", follower.log())

    def test_a_checkpoint_with_an_added_window_is_used(self) -> None:
        chance = random.Random(SEED)
        topic = self.topic("added")
        unkilled = Follower(*self.place("added-unkilled", topic, "replay"))
        killed = AskedFollower(*self.place("added-killed", topic, "checkpoint"))
        with_window = sum(self.one_life_with_a_window(chance, topic, killed, life)
                          for life in range(KILLS))
        self.assertGreater(with_window, KILLS // 2, "too few kills came after a checkpoint")
        topic.produce(1)
        truth = Truth(topic.events(unkilled.configuration.stream), unkilled.configuration)
        unkilled.finish(truth.due)
        killed.finish(truth.due)
        self.expect_the_same(unkilled, killed, configured(killed.lines()))
        print(f"{KILLS} kills, {with_window} after a checkpoint with an added window, "
              f"{truth.results} results equal", flush=True)

    def one_life_with_a_window(self, chance: random.Random, topic: RandomTopic,
                               follower: AskedFollower, life: int) -> bool:
        """Whether it was killed after a checkpoint that contains the added window."""
        has_checkpoint = follower.checkpoint_time() > 0
        process = follower.begin()
        name = f"{ADDED}-{life}"
        slide = chance.choice([10, 20, 30])
        window = {"name": name, "slide": f"{slide}s", "length": f"{slide * chance.randint(1, 9)}s",
                  "offset": f"{chance.randrange(0, slide, 10)}s",
                  "duplicates": chance.choice(["keep", "drop", "weigh"])}
        if chance.random() < 0.5:  # a filter that no window has had
            window["where"] = f"double(/amount) > {life}.5"
        self.expect_created(follower, "/api/v1/windows", window)
        if chance.random() < 0.5:
            self.expect_created(follower, "/api/v1/jobs",
                                {"name": name, "window": name, "kernel": "window"})
        self.assertEqual(follower.said(GOES_ON), has_checkpoint, follower.log())
        added = time.time_ns()
        topic.produce((life + 1) / (KILLS + 1))
        until = time.monotonic() + 5 * LONGEST_LIFE
        while time.monotonic() < until and follower.checkpoint_time() < added:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.3))
        kill(process)
        self.assertEqual(follower.damage(), "", follower.log())
        return follower.checkpoint_time() > added

    def expect_created(self, follower: AskedFollower, path: str, body: dict[str, Any]) -> None:
        status, text = follower.ask(path, body)
        self.assertEqual(status, 201, f"{body}: {text}\n{follower.log()}")

    def topic(self, name: str, **shape: Any) -> RandomTopic:
        return RandomTopic(self.broker, f"edges-{name}", SEED, ROWS_A_LIFE * (KILLS + 1),
                           PARTITIONS, **shape)

    def place(self, name: str, topic: RandomTopic, recovery: str) -> tuple[pathlib.Path, Any]:
        self.broker.create_topic(name, PARTITIONS)
        return self.folder / name, {**document(self.broker, topic, name, name, recovery),
                                    "http": {"listen": "127.0.0.1:0"}}

    def expect_the_same(self, unkilled: Follower, follower: Follower, lines: list[str]) -> None:
        name = f"{follower.folder.name}:\n{follower.log()}"
        wanted = newest(unkilled.lines())
        self.assertEqual(unequal(wanted, newest(lines)), [], name)
        self.assertEqual(len(newest(lines)), len(lines), f"a result is there twice: {name}")
        messages = configured(delivered(self.broker.address, follower.folder.name))
        self.assertEqual(unequal(wanted, newest(messages)), [], name)
        self.assertEqual(follower.damage(), "", name)


if __name__ == "__main__":
    unittest.main()

"""Results in transactions, in a real broker: a reader of committed records sees each result once
and each advance whole, across kills between any two steps, a second process with the same id, and a
transaction that took too long."""
import collections
import json
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest
from typing import Any

import kafka_broker
from asked_follower import AskedFollower
from kill_points import LIBRARY
from killed_stream import Follower, RandomTopic, document, kill
from sashd_process import JSON_FORMAT, Sashd, await_that
from stream_truth import PATIENCE_SECONDS, Truth, newest, unequal

PARTITIONS = 3
ROWS = 400
SEED = 11
# Where a process is killed: its first transaction shows that it has taken over.
POINTS = [("done", 2, "begin transaction"), ("torn", 2, "commit transaction"),
          ("done", 2, "commit transaction"), ("torn", 1, "ftruncate outbox"),
          ("torn", 1, "commit transaction"), ("torn", 2, "offsets transaction"),
          ("done", 4, "write outbox")]
# Jobs whose rows are integers, the same in every process, and the list that has them.
ROWS_OF = {"gone": "top_edges", "fresh": "top_edges", "degrees": "top"}
KILLS_AMONG_ROWS = 4
LONGEST_LIFE = 60  # seconds; affects only whether it dies there
FENCED = "this one does not send until"


class TransactionalSinkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        try:
            cls.broker = cls.enterClassContext(kafka_broker.KafkaBroker(**{
                "transaction.abort.timed.out.transaction.cleanup.interval.ms": 200}))
        except kafka_broker.Unavailable as reason:
            raise unittest.SkipTest(str(reason)) from None

    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-transactions-"))
        self.folder = pathlib.Path(folder)
        self.processes: list[subprocess.Popen] = []
        self.addCleanup(lambda: [kill(process) for process in self.processes])

    def document(self, topic: RandomTopic, name: str, recovery: str = "replay",
                 **sink: Any) -> dict[str, Any]:
        given = document(self.broker, topic, name, name, recovery)
        given["sinks"][1]["kafka"].update(transactional=True, **sink)
        return given

    def begin(self, follower: Follower, **environment: str) -> subprocess.Popen:
        self.processes.append(follower.begin(**environment))
        return self.processes[-1]

    def stepwise(self, follower: Follower, **more: Any) -> dict[str, str]:
        """The environment of a process whose operations are traced."""
        return {"LD_PRELOAD": LIBRARY, "SASH_KILL_UNDER": str(follower.folder / "out"),
                "SASH_KILL_TRACE": str(follower.folder / "trace"),
                **{f"SASH_KILL_{key.upper()}": str(value) for key, value in more.items()}}

    def messages(self, topic: str, isolation: str = "read_committed") -> list[tuple[str, str]]:
        """Keys and values."""
        read = subprocess.run(
            ["kcat", "-C", "-q", "-e", "-b", self.broker.address, "-t", topic, "-o", "beginning",
             "-X", f"isolation.level={isolation}", "-X", "fetch.wait.max.ms=10", "-f", "%k\t%s\n"],
            stdout=subprocess.PIPE, check=True, timeout=PATIENCE_SECONDS).stdout.decode()
        return [tuple(line.split("\t", 1)) for line in read.split("\n")[:-1]]

    def assert_each_once(self, name: str, wanted: list[str], log: str) -> None:
        """The topic has exactly these results."""
        messages = self.messages(name)
        often = collections.Counter(key for key, _ in messages)
        self.assertEqual([key for key, count in often.items() if count > 1], [], log)
        self.assertEqual(unequal(newest(wanted), newest([value for _, value in messages])), [], log)

    def test_each_result_is_there_once_whatever_a_kill_came_between(self) -> None:
        for recovery in ("replay", "checkpoint"):
            with self.subTest(recovery):
                self.kill_along(f"killed-{recovery}", recovery)

    def kill_along(self, name: str, recovery: str) -> None:
        topic = RandomTopic(self.broker, f"edges-{name}", SEED, ROWS, PARTITIONS, broken=0.1)
        self.broker.create_topic(name, PARTITIONS)
        follower = Follower(self.folder / recovery, self.document(topic, name, recovery))
        truth = Truth(topic.events(follower.configuration.stream), follower.configuration)
        chance = random.Random(SEED)
        points = [*POINTS, None]  # and one at any moment
        chance.shuffle(points)
        died = 0
        for life, point in enumerate(points, 1):
            how = dict(zip(("how", "at", "what"), point)) if point else {}
            process = self.begin(follower, **self.stepwise(follower, **how))
            topic.produce(life / (len(points) + 1))
            try:
                process.wait(LONGEST_LIFE if point else chance.uniform(0.2, 1.5))
                died += 1
            except subprocess.TimeoutExpired:
                kill(process)
            self.assertEqual(follower.damage(), "", follower.log())
        topic.produce(1)
        follower.finish(truth.due)
        self.assertEqual(truth.differences(follower.lines()), "", follower.log())
        self.assert_each_once(name, follower.lines(), follower.log())
        aborted = len(self.messages(name, "read_uncommitted")) - len(self.messages(name))
        self.assertGreater(aborted, 0, "killed processes leave aborted messages")
        whole = (follower.folder / "log").read_text()
        self.assertIn("that the topic already has are not sent again", whole)
        self.assertGreaterEqual(died, len(POINTS) - 2)
        print(f"{recovery}: died {died} times at its point, {len(follower.lines())} results each "
              f"once, {aborted} messages aborted", flush=True)

    def test_each_row_is_there_once_whatever_was_killed(self) -> None:
        name = "rows"
        topic = RandomTopic(self.broker, f"edges-{name}", SEED, ROWS, PARTITIONS)
        self.broker.create_topic(name, PARTITIONS)
        follower = Follower(self.folder / name, self.document(
            topic, name, content="rows", jobs=list(ROWS_OF)))
        truth = Truth(topic.events(follower.configuration.stream), follower.configuration)
        chance = random.Random(SEED)
        for life in range(KILLS_AMONG_ROWS):
            process = self.begin(follower)
            topic.produce((life + 1) / (KILLS_AMONG_ROWS + 1))
            sent = len(self.messages(name))
            await_that(lambda sent=sent: len(self.messages(name)) > sent, 3)
            time.sleep(chance.uniform(0, 0.2))
            kill(process)
        topic.produce(1)
        process = self.begin(follower)
        self.assertTrue(await_that(lambda: follower.has_reached(truth.due)), follower.log())
        wanted = [(result["job"], result["window_end"], number, row)
                  for result in map(json.loads, follower.lines()) if result["job"] in ROWS_OF
                  for number, row in enumerate(result[ROWS_OF[result["job"]]], 1)]

        def rows() -> list[tuple]:
            found = [json.loads(value) for _, value in self.messages(name)]
            return sorted(((row["job"], row["window_end"], row["row"],
                            {key: row[key] for key in list(row)[6:]}) for row in found),
                          key=lambda row: row[:3])
        self.assertTrue(await_that(lambda: len(rows()) >= len(wanted), PATIENCE_SECONDS),
                        follower.log())
        self.assertTrue(follower.delivers(process, truth.due), follower.log())
        self.assertEqual(rows(), sorted(wanted, key=lambda row: row[:3]), follower.log())
        print(f"{len(wanted)} rows each once", flush=True)

    def test_a_reader_never_sees_a_part_of_an_advance(self) -> None:
        name = "advances"
        topic = RandomTopic(self.broker, f"edges-{name}", SEED, 100, PARTITIONS)
        self.broker.create_topic(name, 1)  # so that one read returns what is committed at one time
        follower = Follower(self.folder / name, self.document(topic, name))
        truth = Truth(topic.events(follower.configuration.stream), follower.configuration)
        process = self.begin(follower, **self.stepwise(follower, pace=30))
        ahead = looks = seen = step = 0
        jobs = collections.Counter(job["window"] for job in
                                   self.document(topic, name)["jobs"])
        while seen < truth.results:
            step += 1
            topic.produce(min(step / 15, 1))
            uncommitted = self.messages(name, "read_uncommitted")
            committed = self.messages(name)
            ahead += len(uncommitted) > len(committed)
            looks += len(committed) > seen
            seen = len(committed)
            of_advance = collections.Counter(
                (key["window"], key["window_end"]) for key in
                (json.loads(key) for key, _ in committed))
            self.assertEqual({advance: count for advance, count in of_advance.items()
                              if count != jobs[advance[0]]}, {})
            self.assertIsNone(process.poll(), follower.log())
        self.assertGreater(looks, 3, "the topic must be read while it grows")
        print(f"{looks} looks, {ahead} of them while something was not committed", flush=True)
        self.assertTrue(follower.delivers(process, truth.due), follower.log())
        self.assert_each_once(name, follower.lines(), follower.log())

    def test_a_second_process_with_the_id_fences_the_first_for_good(self) -> None:
        name = "fenced"
        topic = RandomTopic(self.broker, f"edges-{name}", SEED, ROWS, PARTITIONS)
        self.broker.create_topic(name, PARTITIONS)
        followers = []
        for number in ("first", "second"):
            given = self.document(topic, name, transactional_id="the-one")
            given["source"]["kafka"]["group"] = number  # otherwise it would wait
            followers.append(AskedFollower(self.folder / number, given))
        first, second = followers
        process = self.begin(first)
        topic.produce(0.4)
        self.assertTrue(await_that(lambda: self.messages(name), PATIENCE_SECONDS), first.log())

        other = self.begin(second)
        self.assertTrue(await_that(second.is_ready, PATIENCE_SECONDS), second.log())

        def committed(follower: AskedFollower) -> float:
            return follower.metric("sash_sink_transactions_total", f'sink="kafka:{name}"')
        self.assertTrue(await_that(lambda: committed(second) > 0, PATIENCE_SECONDS), second.log())
        topic.produce(0.7)
        self.assertTrue(await_that(lambda: FENCED in first.reasons(), PATIENCE_SECONDS),
                        first.log())
        before = committed(first)
        topic.produce(1)
        truth = Truth(topic.events(first.configuration.stream), first.configuration)
        self.assertTrue(second.delivers(other, truth.due), second.log())
        self.assertEqual(other.returncode, 0)
        self.assertIsNone(process.poll(), first.log())
        self.assertEqual(committed(first), before)
        self.assertEqual(first.said(FENCED), 1, "one line for each change")
        self.assertEqual(second.said(FENCED), 0, second.log())
        self.assertGreater(first.metric("sash_sink_waiting_results", f'sink="kafka:{name}"'), 0)
        self.assert_each_once(name, second.lines(), first.log() + second.log())

        # Restarted, it is the newer one, and finds that all of its results exist.
        kill(process)
        first.finish(truth.due)
        self.assert_each_once(name, first.lines(), first.log())

    def test_one_that_was_frozen_within_a_transaction_goes_on_when_nobody_has_taken_over(
            self) -> None:
        name = "frozen"
        topic = RandomTopic(self.broker, f"edges-{name}", SEED, 90, PARTITIONS)
        self.broker.create_topic(name, PARTITIONS)
        follower = Follower(self.folder / name, self.document(
            topic, name, options={"transaction.timeout.ms": 1500}))
        truth = Truth(topic.events(follower.configuration.stream), follower.configuration)
        process = self.begin(follower, **self.stepwise(follower, pace=100))
        topic.produce(0.3)
        trace = follower.folder / "trace"

        def begun() -> int:
            return trace.read_text().count("begin transaction") if trace.exists() else 0
        # A slow machine may put all results into one transaction, or stop it just after a commit.
        for share in (0.4, 0.5, 0.6, 0.7, 0.8):
            before = max(begun(), 1)
            if not await_that(lambda: begun() > before, 20):
                topic.produce(share)
                continue
            process.send_signal(signal.SIGSTOP)
            time.sleep(3)  # longer than a transaction may take
            process.send_signal(signal.SIGCONT)
            if await_that(lambda: follower.said("a transaction took too long"), 10):
                break
            topic.produce(share)
        topic.produce(1)
        self.assertTrue(follower.delivers(process, truth.due), follower.log())
        self.assertEqual(follower.said(FENCED), 0, follower.log())
        self.assertGreater(follower.said("a transaction took too long"), 0, follower.log())
        self.assert_each_once(name, follower.lines(), follower.log())

    def test_a_result_that_the_brokers_refuse_holds_the_others_of_its_advance_back_no_longer(
            self) -> None:
        name, edges = "refused", "edges-refused"
        self.broker.create_topic(edges, 1)
        self.broker.create_topic(name, 1, "--config", "max.message.bytes=3000")
        jobs = [{"name": job, "kernel": "degree", "window": "w", "top": top}
                for job, top in (("few", 1), ("many", 1000))]  # the large one is the last
        sashd = self.enterContext(Sashd({
            "source": {"kafka": {"brokers": self.broker.address, "topics": [edges]},
                       "format": JSON_FORMAT, "time": {"unit": "ms", "disorder": "0s"}},
            "windows": [{"name": "w", "length": "10s", "slide": "10s"}], "jobs": jobs,
            "sinks": [{"kafka": {"topic": name, "transactional": True}}],
            "http": {"listen": "127.0.0.1:0"}}))
        # One window closes, and no other one after it.
        times = [*range(300), 15_000]
        subprocess.run(
            ["kcat", "-P", "-q", "-b", self.broker.address, "-t", edges, "-p", "0"], check=True,
            timeout=PATIENCE_SECONDS, input="".join(
                json.dumps({"from": f"a{i}", "to": f"b{i}", "ts": i}) + "\n"
                for i in times).encode())
        self.assertTrue(await_that(lambda: self.messages(name), 90), sashd.log())
        self.assertEqual([json.loads(value)["job"] for _, value in self.messages(name)], ["few"])
        self.assertEqual(sashd.metric("sash_sink_refused_total", sink=f"kafka:{name}"), 1)


if __name__ == "__main__":
    unittest.main()

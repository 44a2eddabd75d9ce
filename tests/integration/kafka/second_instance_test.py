"""Two `sashd` of one group: the second one waits until the first is gone, for whatever reason, and
then continues from there. Nothing is lost, and repeated results are the same."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest
from typing import Any, Callable

import kafka_broker
from asked_follower import AskedFollower
from frame_proxy import SilentProxy
from killed_stream import RandomTopic, become_host, document, kill
from sashd_process import await_that
from stream_truth import PATIENCE_SECONDS, Truth, delivered, newest, unequal

PARTITIONS = 2
ROWS = 600
SEED = 7
STANDS_BY = "reads for the group, this one stands by"
TAKES_OVER = "no other process reads for it any more, this one does"
SESSION_MS = 6000  # the least that a broker accepts by default
OFFSET_FETCH, JOIN_GROUP, HEARTBEAT = 9, 11, 12  # API keys


class SecondInstanceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.proxy = cls.enterClassContext(SilentProxy(kafka_broker.free_ports(1)[0]))
        try:
            cls.broker = cls.enterClassContext(kafka_broker.KafkaBroker(proxied=cls.proxy.port))
        except kafka_broker.Unavailable as reason:
            raise unittest.SkipTest(str(reason)) from None
        cls.proxy.listen_for(cls.broker.proxied_port)

    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-second-"))
        self.folder = pathlib.Path(folder)
        self.processes: list[subprocess.Popen] = []
        self.addCleanup(lambda: [kill(process) for process in self.processes])

    def instances(self, name: str, recovery: str, brokers: str = "",
                  **options: Any) -> tuple[AskedFollower, AskedFollower]:
        """Both use the same topic, group and results topic, but each has its own files. `brokers`:
        the address by which they know the broker, if it is not its own."""
        self.topic = RandomTopic(self.broker, f"edges-{name}", SEED, ROWS, PARTITIONS, broken=0.1)
        self.broker.create_topic(name, PARTITIONS)
        followers = []
        for number in ("first", "second"):
            given = document(self.broker, self.topic, name, name, recovery)
            given["source"]["kafka"]["options"].update(options)
            given["source"]["kafka"]["brokers"] = brokers or self.broker.address
            followers.append(AskedFollower(self.folder / number, given))
        return followers[0], followers[1]

    def begin(self, follower: AskedFollower, **how: Any) -> subprocess.Popen:
        self.processes.append(follower.begin(**how))
        return self.processes[-1]

    def await_it(self, what: Callable[[], Any], follower: AskedFollower) -> None:
        self.assertTrue(await_that(what, PATIENCE_SECONDS), follower.log())

    def await_said(self, follower: AskedFollower, text: str, times: int = 1) -> None:
        self.await_it(lambda: follower.said(text) >= times, follower)

    def assert_standing_by(self, follower: AskedFollower) -> None:
        self.await_said(follower, STANDS_BY)
        self.await_it(lambda: STANDS_BY in follower.reasons(), follower)
        self.assertNotIn(";", follower.reasons(), "standing by is the only reason")
        self.assertEqual(follower.metric("sash_source_standby"), 1)
        self.assertEqual(follower.metric("sash_source_ready"), 0)

    def assert_reading(self, follower: AskedFollower) -> None:
        self.await_said(follower, "kafka: reading")
        self.await_it(follower.is_ready, follower)
        self.assertEqual(follower.metric("sash_source_standby"), 0)

    def assert_true_results(self, truth: Truth, name: str, *followers: AskedFollower) -> None:
        """Together their results are the oracle's; results that both have, or that are also in the
        topic, are the same."""
        lines = [line for follower in followers for line in follower.lines()]
        log = "\n".join(follower.log() for follower in followers)
        together = newest(lines)
        self.assertEqual(truth.differences([json.dumps(each) for each in together.values()]), "",
                         log)
        for follower in followers:
            own = newest(follower.lines())
            self.assertEqual(len(own), len(follower.lines()), "each instance writes a result once")
            same = {identity: together[identity] for identity in own}
            self.assertEqual(unequal(same, own), [], log)
        sent = newest(delivered(self.broker.address, name))
        self.assertEqual(unequal(together, sent), [], log)

    def test_it_goes_on_when_the_first_is_killed_and_back_again(self) -> None:
        for recovery in ("replay", "checkpoint"):
            with self.subTest(recovery):
                name = f"killed-{recovery}"
                self.folder = self.folder / recovery
                self.take_turns(name, *self.instances(name, recovery))

    def take_turns(self, name: str, first: AskedFollower, second: AskedFollower) -> None:
        process = self.begin(first)
        self.topic.produce(0.4)
        self.await_it(lambda: first.written() > 10, first)
        other = self.begin(second)
        self.assert_standing_by(second)
        self.assert_reading(first)
        before = first.written()
        self.topic.produce(0.6)
        self.await_it(lambda: first.written() > before, first)
        self.assertEqual(second.written(), 0)
        self.assertEqual(second.said(STANDS_BY), 1, "one line for each change")

        kill(process)
        self.await_said(second, TAKES_OVER)
        self.topic.produce(1)
        self.assert_reading(second)
        truth = Truth(self.topic.events(first.configuration.stream), first.configuration)
        # Results that the first could not send before it ended are sent while it waits.
        process = self.begin(first)
        self.assert_standing_by(first)
        self.assertTrue(second.delivers(other, truth.due), second.log())
        self.assertEqual(other.returncode, 0, second.log())
        self.await_said(first, TAKES_OVER)
        self.assert_reading(first)
        self.await_it(lambda: not unequal(
            newest(first.lines() + second.lines()),
            newest(delivered(self.broker.address, name))), first)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0, first.log())
        self.assert_true_results(truth, name, first, second)

    def test_on_another_host_it_goes_on_when_the_session_of_the_first_has_ended(self) -> None:
        name = "hosts"
        first, second = self.instances(name, "replay", **{"session.timeout.ms": SESSION_MS})
        self.require_hosts()
        process = self.begin(first)
        self.topic.produce(0.5)
        self.await_it(lambda: first.written() > 10, first)
        other = self.begin(second, host="another")
        self.assert_standing_by(second)
        kill(process)
        time.sleep(1)  # affects only what is seen of a dead member
        self.assertEqual(second.said(TAKES_OVER), 0, "from another host it may seem alive")
        self.topic.produce(1)
        truth = Truth(self.topic.events(first.configuration.stream), first.configuration)
        self.await_said(second, TAKES_OVER)
        # A process on the same host need not wait: the group's member was its own.
        kill(other)
        other = self.begin(second, host="another")
        self.assert_reading(second)
        self.assertEqual(second.said(STANDS_BY), 0, second.log())
        process = self.begin(first)
        self.assert_standing_by(first)
        self.assertTrue(second.delivers(other, truth.due), second.log())
        self.await_said(first, TAKES_OVER)
        self.assert_true_results(truth, name, first, second)

    def test_one_that_was_frozen_ends_when_another_has_taken_over(self) -> None:
        name = "frozen"
        first, second = self.instances(name, "checkpoint", **{"session.timeout.ms": SESSION_MS})
        self.require_hosts()
        process = self.begin(first)
        self.topic.produce(0.5)
        self.await_it(lambda: first.written() > 10, first)
        process.send_signal(signal.SIGSTOP)
        self.topic.produce(0.7)
        other = self.begin(second, host="another")
        self.await_said(second, STANDS_BY)
        # The host still has the first process's presence, but that means nothing to another host.
        self.await_it(lambda: second.said(TAKES_OVER), second)
        self.await_it(lambda: second.written() > 0, second)
        process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 1, first.log())
        self.assertEqual(first.said("another instance has taken it over"), 1, first.log())
        self.topic.produce(1)
        truth = Truth(self.topic.events(first.configuration.stream), first.configuration)
        self.begin(first)
        self.assert_standing_by(first)
        self.assertTrue(second.delivers(other, truth.due), second.log())
        self.await_said(first, TAKES_OVER)
        self.assert_true_results(truth, name, first, second)

    def test_a_lone_one_whose_place_was_taken_by_a_request_of_its_own_goes_on(self) -> None:
        # As behind a half-open network: its request to join has reached the brokers, which then
        # refuse the member that it was before; the response is lost. kcat pretends to be the same
        # process.
        name = "alone"
        first, _ = self.instances(name, "checkpoint", **{"session.timeout.ms": SESSION_MS})
        process = self.begin(first)
        self.topic.produce(0.5)
        self.await_it(lambda: first.written() > 10, first)
        members: list[dict[str, str]] = []  # on a slow machine it may have to join once more

        def has_joined() -> bool:
            members[:] = self.broker.members_of_group(name)
            return len(members) == 1
        self.await_it(has_joined, first)
        [member] = members
        twin = subprocess.Popen(
            ["kcat", "-q", "-b", self.broker.address, "-G", name, self.topic.name,
             "-X", f"group.instance.id={member['GROUP-INSTANCE-ID']}",
             "-X", f"client.id={member['CLIENT-ID']}", "-X", f"session.timeout.ms={SESSION_MS}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=kafka_broker.end_with_parent)
        self.addCleanup(lambda: kill(twin))
        self.await_said(first, "the brokers have given this member up")
        self.await_said(first, "this process is its member again")
        self.topic.produce(1)
        truth = Truth(self.topic.events(first.configuration.stream), first.configuration)
        self.assertTrue(first.delivers(process, truth.due), first.log())
        self.assertEqual(process.returncode, 0, first.log())
        self.assert_true_results(truth, name, first)

    def test_a_lone_one_that_loses_its_place_before_it_knows_the_commits_goes_on(self) -> None:
        name = "slow-answers"
        first, _ = self.instances(name, "checkpoint", f"127.0.0.1:{self.proxy.port}",
                                  **{"session.timeout.ms": SESSION_MS})
        self.proxy.unanswered = {OFFSET_FETCH}
        process = self.begin(first)
        self.await_it(lambda: self.proxy.came[OFFSET_FETCH] > 0, first)
        # Its session ends, so that it joins again.
        joined = self.proxy.came[JOIN_GROUP]
        self.proxy.unanswered = {OFFSET_FETCH, HEARTBEAT}
        self.await_it(lambda: self.proxy.came[JOIN_GROUP] > joined, first)
        self.proxy.unanswered = set()
        self.assert_reading(first)
        self.topic.produce(1)
        truth = Truth(self.topic.events(first.configuration.stream), first.configuration)
        self.assertTrue(first.delivers(process, truth.due), first.log())
        self.assertEqual(process.returncode, 0, first.log())
        self.assert_true_results(truth, name, first)

    def require_hosts(self) -> None:
        """Whether a process here can have another host name."""
        pid = os.fork()
        if pid == 0:
            try:
                become_host("another")
                os._exit(0)
            except OSError:
                os._exit(1)
        if os.waitpid(pid, 0)[1] != 0:
            self.skipTest("there can be no other host name here (unshare)")


if __name__ == "__main__":
    unittest.main()

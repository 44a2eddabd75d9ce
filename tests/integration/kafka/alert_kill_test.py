"""Alerts to webhooks of a `sashd` that is killed again and again: each alert that a run without
kills sends arrives, under the same key, and no other; receivers that fail hold back nobody else."""
import contextlib
import json
import pathlib
import random
import signal
import sys
import time
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

from broker_case import BrokerCase
from sashd_process import Sashd, await_that
from webhook_receiver import HANG, WebhookReceiver, is_refused, nasty

SECONDS_PER_LIFE = 12  # of event time: as many windows end, of each of two jobs
QUEUE = {"overrun": {"queue": 100}}
ALERTS = [
    {"name": "pairs", "job": "shape", "on": "result", "where": "pairs >= 2", "to": ["nasty"]},
    {"name": "twice", "job": "busy", "on": "entered", "where": "rank <= 4", "for": 2,
     "to": ["nasty", "calm"]},
    {"name": "gone", "job": "busy", "on": "left", "to": ["nasty", "calm"]},
    {"name": "rare", "job": "busy", "on": "row", "where": "score > 0.0", "at_most": "5s",
     "to": ["calm"]}]


class AlertKills(BrokerCase):
    KILLS: int

    def check(self) -> None:
        seed = random.randrange(1 << 32)
        print(f"seed {seed}")
        self.random = random.Random(seed)
        self.broker.create_topic("alerted", 1)
        with contextlib.ExitStack() as entered:
            receivers = {name: entered.enter_context(WebhookReceiver(answer)) for name, answer in (
                ("nasty", nasty), ("calm", lambda number, key: 204),
                ("unkilled", lambda number, key: 204))}
            self.nasty, self.calm, self.unkilled = receivers.values()
            every = [{**alert, "to": ["unkilled"]} for alert in ALERTS]
            reference = entered.enter_context(Sashd(self.alerting("unkilled", every, receivers)))
            sashd = entered.enter_context(Sashd(self.alerting("killed", ALERTS, receivers)))
            for life in range(self.KILLS):
                self.produce_life(life)
                self.let_live(sashd)
                sashd.stop(signal.SIGKILL)
                sashd.start()
            self.await_all_lives(self.KILLS, reference, sashd)
            self.await_alerts("nasty", self.nasty, sashd)
            self.await_alerts("calm", self.calm, sashd)
            self.check_that_only_the_failing_receiver_waits(reference, sashd)
            for process in (sashd, reference):
                self.assertEqual(process.stop(), 0, process.log())
            self.compare(sashd)

    def alerting(self, name: str, alerts: list[dict[str, Any]],
                 receivers: dict[str, WebhookReceiver]) -> dict[str, Any]:
        document = self.document("alerted")
        document["source"]["kafka"]["group"] = f"group-{name}"
        document["state"] = {"path": "state"}
        document["jobs"] = [
            {"name": "shape", "kernel": "window", "window": "w", **QUEUE},
            {"name": "busy", "kernel": "strength", "window": "w", "top": 5, **QUEUE}]
        document["alerts"] = alerts
        document["sinks"] += [
            {"webhook": {"name": sink, "url": receivers[sink].url, "timeout": "400ms",
                         "longest_pause": "20ms", "outbox": {"path": sink}, "content": "alerts"}}
            for sink in sorted({sink for alert in alerts for sink in alert["to"]})]
        return document

    def produce_life(self, life: int) -> None:
        """Vertices come and go: each source is there for one life and the length of a window."""
        self.produce("alerted", life * SECONDS_PER_LIFE, SECONDS_PER_LIFE,
                     source=[f"s{life}", f"t{life // 3}"])

    def let_live(self, sashd: Sashd) -> None:
        """Waits until a random number of requests has come; for at most a few seconds, because a
        killed process may have settled most of its alerts before."""
        wanted = len(self.nasty.requests) + self.random.randrange(1, 12)
        await_that(lambda: len(self.nasty.requests) >= wanted, 3)
        time.sleep(self.random.random() / 5)
        self.assertIsNone(sashd.process.poll(), sashd.log())

    def await_all_lives(self, lives: int, reference: Sashd, sashd: Sashd) -> None:
        lines = 2 * (lives * SECONDS_PER_LIFE - 1)  # the newest window is open
        for process in (reference, sashd):
            self.assertTrue(await_that(lambda: len(process.lines()) >= lines), process.log())
        self.assertTrue(await_that(
            lambda: reference.metric("sash_sink_waiting_results", sink="webhook:unkilled") == 0),
            reference.log())

    def expected(self, sink: str) -> list[str]:
        """The keys for a receiver, from the run without kills, in order."""
        alerts = {alert["name"] for alert in ALERTS if sink in alert["to"]}
        return [key for key in self.unkilled.settled() if key.split("/")[2] in alerts]

    def await_alerts(self, sink: str, receiver: WebhookReceiver, sashd: Sashd) -> None:
        """Waits until each alert has arrived, and nothing waits that could come twice."""
        self.assertTrue(await_that(
            lambda: set(self.expected(sink)) <= set(receiver.settled())
            and sashd.metric("sash_sink_waiting_results", sink=f"webhook:{sink}") == 0),
            f"{sink}: {set(self.expected(sink)) - set(receiver.settled())}\n{sashd.log()}")

    def check_that_only_the_failing_receiver_waits(self, reference: Sashd, sashd: Sashd) -> None:
        self.nasty.answer = lambda number, key: HANG
        calm_before = len(set(self.calm.settled()))
        self.produce_life(self.KILLS)
        self.await_all_lives(self.KILLS + 1, reference, sashd)
        self.await_alerts("calm", self.calm, sashd)
        self.assertGreater(len(set(self.calm.settled())), calm_before)
        self.assertGreater(sashd.metric("sash_sink_waiting_results", sink="webhook:nasty"), 0)
        self.nasty.answer = nasty
        self.await_alerts("nasty", self.nasty, sashd)

    def compare(self, sashd: Sashd) -> None:
        def settled(receiver: WebhookReceiver) -> list[str]:
            return list(dict.fromkeys(receiver.settled()))
        self.assertEqual(len(set(self.unkilled.settled())), len(self.unkilled.settled()))
        for alert in ALERTS:
            self.assertTrue(any(f"/{alert['name']}/" in key for key in self.unkilled.settled()))
        for sink, receiver in (("nasty", self.nasty), ("calm", self.calm)):
            self.assertEqual(settled(receiver), self.expected(sink), "the first arrivals, in order")
        # One key has one body, whatever process sent it.
        bodies = {key: json.loads(body) for key, _, body, _ in self.unkilled.requests}
        for key, _, body, _ in self.nasty.requests + self.calm.requests:
            alert = json.loads(body)
            self.assertEqual({**alert, "snapshot": 0}, {**bodies[key], "snapshot": 0})
        parked = [json.loads(line)["key"] for line in
                  (sashd.folder / "nasty/parked").read_text().splitlines()]
        self.assertEqual({"{job}/{window}/{alert}/{subject}/{window_end}".format(**key)
                          for key in parked},
                         {key for key in self.expected("nasty") if is_refused(key)})
        for name, receiver in (("nasty", self.nasty), ("calm", self.calm)):
            again = len(receiver.settled()) - len(settled(receiver))
            print(f"{name}: {len(self.expected(name))} alerts, {len(receiver.requests)} requests, "
                  f"{again} settled twice")
        print(f"{self.KILLS} kills, {len(parked)} parked")


class FewKillsTest(AlertKills):
    KILLS = 20

    def test_alerts_arrive_through_kills(self) -> None:
        self.check()


class ManyKillsTest(AlertKills):
    KILLS = 100

    def test_alerts_arrive_through_kills(self) -> None:
        self.check()


if __name__ == "__main__":
    unittest.main()

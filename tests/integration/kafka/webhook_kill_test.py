"""A webhook that fails in every way, and a `sashd` that is killed: every result arrives, in order,
under the same key, or is parked; an acknowledged result is not sent again after a clean stop."""
import json
import pathlib
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

from broker_case import BrokerCase
from sashd_process import Sashd, await_that
from webhook_receiver import WebhookReceiver, nasty

KILLS = 6
SECONDS_PER_LIFE = 12


class WebhookKillTest(BrokerCase):
    def test_every_result_arrives_or_is_parked_through_kills(self) -> None:
        self.broker.create_topic("hooked", 1)
        document = self.document("hooked")
        with WebhookReceiver(nasty) as receiver:
            document["sinks"].append({"webhook": {
                "name": "hook", "url": receiver.url, "timeout": "400ms",
                "longest_pause": "20ms", "outbox": {"path": "outbox"}}})
            self.produce("hooked", 0, 5)
            with Sashd(document) as sashd:
                for life in range(1, KILLS + 1):
                    self.produce("hooked", 5 + (life - 1) * SECONDS_PER_LIFE, SECONDS_PER_LIFE)
                    before = len(receiver.requests)
                    self.assertTrue(await_that(lambda: len(receiver.requests) > before + life),
                                    sashd.log())
                    sashd.stop(signal.SIGKILL)
                    sashd.start()
                self.assertTrue(await_that(
                    lambda: len(sashd.lines()) >= 4 + KILLS * SECONDS_PER_LIFE), sashd.log())
                self.await_empty(sashd)

                # A clean stop while results wait behind acknowledged ones.
                receiver.answer = self.fail_after(len(receiver.requests) + 4)
                self.produce("hooked", 5 + KILLS * SECONDS_PER_LIFE, SECONDS_PER_LIFE)
                self.assertTrue(await_that(lambda: receiver.requests[-1][3] == 500), sashd.log())
                self.assertTrue(await_that(
                    lambda: len(sashd.lines()) >= 4 + (KILLS + 1) * SECONDS_PER_LIFE))
                self.assertEqual(sashd.stop(), 0, sashd.log())
                acknowledged = set(receiver.settled())
                stopped_at = len(receiver.requests)
                receiver.answer = lambda number, key: 204
                sashd.start()
                self.await_empty(sashd)
                again = [key for key, *_ in receiver.requests[stopped_at:] if key in acknowledged]
                self.assertEqual(again, [], "acknowledged, and sent again after a clean stop")
                self.assertEqual(sashd.stop(), 0, sashd.log())
                results = sashd.lines()
                parked = [json.loads(line) for line in
                          (sashd.folder / "outbox/parked").read_text().splitlines()]
        expected = [f"{result['job']}/{result['window']}/{result['window_end']}"
                    for result in results]
        settled = receiver.settled()
        self.assertEqual(list(dict.fromkeys(settled)), expected, "first arrivals are in order")
        refused = {key for key, _, _, status in receiver.requests if status == 400}
        self.assertTrue(refused)
        self.assertEqual({"{job}/{window}/{window_end}".format(**line["key"]) for line in parked},
                         refused)
        self.assertTrue(all(line["status"] == 400 for line in parked))
        print(f"{len(results)} results, {len(receiver.requests)} requests, "
              f"{len(settled) - len(set(settled))} settled twice, {len(refused)} parked")

    def await_empty(self, sashd: Sashd) -> None:
        def is_empty() -> bool:
            try:
                return (sashd.metric("sash_sink_waiting_results", sink="webhook:hook") == 0
                        and sashd.metric("sash_sink_requests_total", sink="webhook:hook") > 0)
            except OSError:
                return False  # the restarted process does not listen yet
        self.assertTrue(await_that(is_empty), sashd.log())
        time.sleep(0.2)

    @staticmethod
    def fail_after(count: int):
        return lambda number, key: 204 if number < count else 500


if __name__ == "__main__":
    unittest.main()

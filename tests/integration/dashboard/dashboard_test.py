#!/usr/bin/env python3
"""Every query and every rule of the dashboards, in a real Prometheus that scrapes a real `sashd`
with a live stream, and another one without its broker."""
import time
import unittest

from live_stack import DATA_SECONDS, dashboards, started

# The only query that has data only while an alert fires: the annotations of the boards.
ALERTS_SHOWN = 'ALERTS{alertname=~"Sash.+", alertstate="firing", instance=~".+"}'
# Metrics of sinks that the live instance does not have: a webhook, and transactions, because its
# broker is embedded.
OF_OTHER_SINKS = ("sash_sink_transactions_total", "sash_sink_aborted_transactions_total",
                  "sash_sink_skipped_total", "sash_sink_parked_total", "sash_sink_requests_total",
                  "sash_sink_request_seconds_total")
# Metrics of external jobs; the chosen job is not external.
OF_OTHER_JOBS = ("sash_job_failed_total",)


class DashboardTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = started(cls)

    def test_every_query_returns_data(self):
        for path in dashboards.files():
            dashboard = dashboards.load(path)
            with self.subTest(dashboard=path.name):
                expressions = {dashboards.substitute(expression, dashboards.EVERYTHING)
                               for _, expression in dashboards.queries(dashboard)}
                expressions -= {ALERTS_SHOWN}  # nothing has fired for long enough
                self.assertEqual(self.stack.without_data(expressions), {}, self.stack.tails())

    def test_variables_list_instances_windows_and_jobs(self):
        expected = {"instance": sorted([self.stack.live, self.stack.away]),
                    "window": ["long", "short"], "job": ["influencers", "own", "reach", "shape"]}
        for path in dashboards.files():
            variables = dashboards.variables(dashboards.load(path))
            for name, (selector, label) in variables.items():
                selector = dashboards.substitute(selector, dashboards.EVERYTHING)
                self.assertEqual(self.stack.without_data({selector}), {})
                self.assertEqual(sorted(self.stack.label_values(selector, label)), expected[name])

    def test_one_instance_window_and_job_can_be_chosen(self):
        chosen = {**dashboards.EVERYTHING, "instance": self.stack.live, "window": "short",
                  "job": "influencers"}
        for path in dashboards.files():
            expressions = {dashboards.substitute(expression, chosen)
                           for _, expression in dashboards.queries(dashboards.load(path))
                           if not any(name in expression
                                      for name in OF_OTHER_SINKS + OF_OTHER_JOBS)}
            expressions -= {ALERTS_SHOWN.replace(".+\"}", self.stack.live + "\"}")}
            self.assertEqual(self.stack.without_data(expressions), {}, self.stack.tails())

    def test_every_recording_has_data_and_every_rule_is_sound(self):
        missing = self.stack.without_data(set(dashboards.recordings()))
        self.assertEqual(missing, {}, self.stack.tails())
        evaluated = self.stack.rules()
        self.assertEqual({rule["name"] for rule in evaluated},
                         {*dashboards.recordings(), *dashboards.alerts()})
        for rule in evaluated:
            self.assertEqual(rule["health"], "ok", f"{rule['name']}: {rule.get('lastError')}")

    def test_a_broker_that_is_away_is_an_alert_about_its_instance_alone(self):
        deadline = time.monotonic() + DATA_SECONDS
        while ("SashNotReady", self.stack.away) not in (alerts := self.stack.alerts()):
            self.assertLess(time.monotonic(), deadline, f"{alerts} {self.stack.tails()}")
            time.sleep(0.2)
        self.assertNotIn(("SashNotReady", self.stack.live), alerts)
        alert = alerts["SashNotReady", self.stack.away]
        self.assertEqual(alert["annotations"]["summary"],
                         f"sashd at {self.stack.away} cannot read its source")
        # Alerts that fire without delay must not fire here.
        self.assertEqual([each for each in alerts.values() if each["state"] == "firing"], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)

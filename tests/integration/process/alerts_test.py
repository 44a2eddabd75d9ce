"""Alerts of a replay equal what an oracle finds in its results; an alert is asked for, added,
paused and tested over the API; a wrong alert is refused with its place."""
import json
import random
import sys
import unittest
import urllib.error
import urllib.request
from typing import Any, Callable

from sashd_process import PATIENCE_SECONDS, ROOT, SHAPE, Sashd, await_that, edges, live, replay

sys.path.insert(0, str(ROOT / "tests/integration"))

from oracle import alerts

SEED = 20
JOBS = [{"name": "degrees", "kernel": "degree", "window": "w", "top": 4},
        {"name": "fresh", "kernel": "new_edges", "window": "w"},
        {"name": "circles", "kernel": "cycles", "window": "w"},
        {"name": "features", "kernel": "edge_features", "window": "w"},
        {"name": "chains", "kernel": "paths", "window": "w",
         "parameters": {"from": ["a", "b"], "to": ["c", "d", "e"]}}]
ALERTS = [
    alerts.Alert({"name": "came", "job": "degrees", "on": "entered", "where": "rank <= 3",
                  "for": 2, "text": "{vertex} is at {rank}"}, lambda row: row["rank"] <= 3),
    alerts.Alert({"name": "gone", "job": "degrees", "on": "left", "where": "score_before > 1",
                  "for": 2}, lambda row: row["score"] > 1),
    alerts.Alert({"name": "moved", "job": "degrees", "on": "changed", "where": "score >= 3"},
                 lambda row: row["score"] >= 3),
    alerts.Alert({"name": "busy", "job": "degrees", "on": "row", "where": "score >= 4",
                  "at_most": "3s"}, lambda row: row["score"] >= 4),
    alerts.Alert({"name": "pair", "job": "fresh", "on": "edge",
                  "where": 'source.startsWith("a") && source != target'},
                 lambda row: row["source"].startswith("a") and row["source"] != row["target"],
                 ("top_edges", "source", "target")),
    alerts.Alert({"name": "heavy", "job": "fresh", "on": "edge",
                  "where": "weight >= 2.0 && edges < 5", "text": "{source} paid {weight}"},
                 lambda row: row["weight"] >= 2 and row["edges"] < 5,
                 ("top_edges", "source", "target")),
    alerts.Alert({"name": "circle", "job": "circles", "on": "edge", "where": "weight >= 0.0"},
                 lambda row: row["weight"] >= 0, ("top_cycles", "vertices")),
    alerts.Alert({"name": "hub", "job": "features", "on": "edge",
                  "where": "target_in_fan >= 2 && source_out_max > 0.0",
                  "text": "{source} pays {target}, as {target_in_fan} do"},
                 lambda row: row["target_in_fan"] >= 2 and row["source_out_max"] > 0,
                 ("top_features", "source", "target")),
    alerts.Alert({"name": "chain", "job": "chains", "on": "edge", "for": 2,
                  "where": 'hops >= 2 && from == "a"', "text": "{to} is {hops} steps from {from}"},
                 lambda row: row["hops"] >= 2 and row["from"] == "a", ("top_paths", "to")),
    alerts.Alert({"name": "large", "job": "shape", "on": "result", "where": "pairs > 5",
                  "for": 3}, lambda result: result["pairs"] > 5)]
TO_FILE = {"file": {"path": "alerts.jsonl", "content": "alerts", "name": "pager"}}


class AlertsTest(unittest.TestCase):
    def ask(self, sashd: Sashd, path: str, method: str = "GET",
            body: dict[str, Any] | None = None) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(sashd.url(path), data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def await_alert(self, sashd: Sashd, holds: Callable[[dict[str, Any]], bool]) -> None:
        self.assertTrue(await_that(lambda: holds(self.ask(sashd, "/api/v1/alerts/any")[1])),
                        sashd.log())

    def test_a_replay_says_which_alerts_its_results_send(self) -> None:
        chance = random.Random(SEED)
        rows = [(chance.choice("abcdefg"), chance.choice("abcdefg"), second * 1000)
                for second in range(60) for _ in range(chance.choice([0, 1, 1, 2, 3]))]
        document = replay(jobs=[SHAPE, *JOBS], sinks=[{"file": {"path": "results.jsonl"}}, TO_FILE],
                          alerts=[alert.spec for alert in ALERTS],
                          windows=[{"name": "w", "length": "5s", "slide": "1s"}])
        with Sashd(document, edges(rows)) as sashd:
            self.assertEqual(sashd.wait(), 0, sashd.log())
            results = (sashd.folder / "results.jsonl").read_text().splitlines()
            written = [json.loads(line)
                       for line in (sashd.folder / "alerts.jsonl").read_text().splitlines()]
            log = sashd.log()
            self.assertFalse((sashd.folder / "state").exists(), "a replay keeps no state")
        for alert in ALERTS:
            due = alerts.sent(results, alert)
            self.assertTrue(due, alert.spec["name"])
            told = [each for each in written if each["alert"] == alert.spec["name"]]
            self.assertEqual(sorted((each["window_end"], each["subject"]) for each in told), due,
                             alert.spec["name"])
            for each in told:
                self.assertEqual(each["job"], alert.spec["job"])
                self.assertEqual(each["for"], alert.count)
                if alert.spec["on"] == "left":
                    self.assertIn("rank_before", each["row"])
        told = next(each for each in written if each["alert"] == "came")
        self.assertEqual(told["text"], f"{told['subject']} is at {told['row']['rank']}")
        self.assertIn(f"alert came: {told['text']}", log)

    def test_it_is_asked_for_paused_and_tested(self) -> None:
        document = live(jobs=[{**SHAPE, "overrun": {"queue": 9}}], sinks=[TO_FILE],
                        time={"unit": "ms", "disorder": "0s", "idle_after": "100ms"},
                        windows=[{"name": "w", "length": "2s", "slide": "1s"}],
                        alerts=[{"name": "any", "job": "shape", "on": "result",
                                 "where": "pairs >= 1", "to": ["pager"]}])
        with Sashd(document) as sashd:
            sashd.await_log("kafka: reading")
            code, answer = self.ask(sashd, "/api/v1/alerts/any/test", "POST")
            self.assertEqual(code, 409, answer)
            code, [alert] = self.ask(sashd, "/api/v1/alerts")
            self.assertEqual((code, alert["state"], alert["fired"]), (200, "waiting", 0))
            self.assertEqual(alert["summary"],
                             "No new result of job shape has come yet.")
            sashd.produce(edges([("a", "b", 1000), ("a", "c", 2500), ("a", "d", 3500)]))
            self.await_alert(sashd, lambda alert: alert["fired"] > 1)
            _, alert = self.ask(sashd, "/api/v1/alerts/any")
            self.assertEqual(alert["state"], "firing", alert)
            self.assertEqual(len(alert["last"]), alert["fired"])
            self.assertEqual(alert["last"][0]["window_end"], alert["last_fired"])
            self.assertEqual(sashd.metric("sash_alert_fired_total", alert="any"), alert["fired"])

            code, answer = self.ask(sashd, "/api/v1/alerts/any/pause", "POST")
            self.assertEqual((code, answer["state"]), (200, "paused"))
            code, told = self.ask(sashd, "/api/v1/alerts/any/test", "POST")
            self.assertEqual((code, told["test"], told["alert"]), (200, True, "any"))
            sashd.produce(edges([("a", "b", 5500), ("a", "c", 6500)]))
            self.await_alert(sashd, lambda now: now["results"] > alert["results"] + 1)
            self.assertEqual(self.ask(sashd, "/api/v1/alerts/any")[1]["fired"], alert["fired"])
            self.ask(sashd, "/api/v1/alerts/any/resume", "POST")
            self.assertEqual((alert["text"], alert["to"], alert["labels"]), (None, ["pager"], {}))
            settings = {"name": "added", "job": "shape", "on": "result", "to": ["pager"],
                        "text": "{pairs} pairs", "labels": {"team": "fraud"}}
            code, added = self.ask(sashd, "/api/v1/alerts", "POST", settings)
            self.assertEqual((code, added["state"]), (201, "waiting"))
            self.assertEqual({**added, **settings}, added, "a client can read what it set")
            sashd.produce(edges([("a", "b", 7500), ("a", "c", 8500)]))
            self.await_alert(sashd, lambda now: now["fired"] > alert["fired"])
            # The condition would never hold of the rows of another kernel.
            job = {"kernel": "degree", "window": "w"}
            code, answer = self.ask(sashd, "/api/v1/jobs/shape", "PUT", job)
            self.assertEqual(code, 409, answer)
            self.assertIn("alert 'any' on this job would not fit: `where` ",
                          answer["error"]["message"])
            code, answer = self.ask(sashd, "/api/v1/jobs/shape", "PUT",
                                    {"kernel": "window", "window": "w", "overrun": {"queue": 8}})
            self.assertEqual(code, 200, answer)
            code, answer = self.ask(sashd, "/api/v1/alerts/other")
            self.assertEqual(code, 404)
            self.assertEqual(answer["error"]["message"], "no alert 'other'; there are: any, added")
            sashd.send()
            self.assertEqual(sashd.wait(), 0, sashd.log())
            written = [json.loads(line)
                       for line in (sashd.folder / "alerts.jsonl").read_text().splitlines()]
            self.assertEqual([each for each in written if each.get("test")], [told])
            self.assertIn("added", {each["alert"] for each in written})
            self.assertTrue((sashd.folder / "state/alerts/state.json").exists())


if __name__ == "__main__":
    unittest.main()

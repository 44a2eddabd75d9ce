"""Alerts in a real Alertmanager: they fire, stand, end with their condition, and outlive
restarts."""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest
import urllib.request
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "kafka"))

from kafka_broker import free_ports
from sashd_process import Sashd, await_that, edges, live, replay, run

SETTINGS = """\
route: {receiver: nobody}
receivers: [{name: nobody}]
"""
DEGREES = {"name": "degrees", "kernel": "degree", "window": "w", "overrun": {"queue": 9}}
BUSY = {"name": "busy", "job": "degrees", "on": "row", "where": "score >= 2", "to": ["am"],
        "text": "{vertex} has {score}", "labels": {"severity": "page"}}


class AlertmanagerTest(unittest.TestCase):
    def setUp(self) -> None:
        program = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
        if program is None:
            self.skipTest("no Alertmanager; deploy/install-dependencies.sh --tests installs it")
        [port] = free_ports(1)
        self.url = f"http://127.0.0.1:{port}"

        def prepare(folder: pathlib.Path) -> None:
            (folder / "alertmanager.yml").write_text(SETTINGS)
            self.manager = subprocess.Popen(
                [program, "--config.file=alertmanager.yml", "--storage.path=data",
                 f"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address=",
                 "--log.level=warn"], cwd=folder)
            self.addCleanup(self.manager.wait)
            self.addCleanup(self.manager.kill)

        self.prepare = prepare
        self.sink = {"webhook": {"name": "am", "url": f"{self.url}/api/v2/alerts",
                                 "format": "alertmanager", "content": "alerts",
                                 "longest_pause": "100ms"}}

    def active(self) -> dict[str, dict[str, Any]]:
        """The alerts that Alertmanager holds to be firing, by subject."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/v2/alerts", timeout=5) as answer:
                return {each["labels"]["subject"]: each for each in json.load(answer)}
        except OSError:
            return {}

    def await_active(self, sashd: Sashd, subjects: set[str]) -> dict[str, dict[str, Any]]:
        self.assertTrue(await_that(lambda: set(self.active()) == subjects),
                        f"{self.active()}\n{sashd.log()}")
        return self.active()

    def test_alerts_stand_as_long_as_their_condition_holds(self) -> None:
        document = live(jobs=[DEGREES], sinks=[self.sink], alerts=[BUSY],
                        time={"unit": "ms", "disorder": "0s", "idle_after": "100ms"},
                        windows=[{"name": "w", "length": "1s", "slide": "1s"}])
        with Sashd(document, before=self.prepare) as sashd:
            sashd.await_log("kafka: reading")
            sashd.produce(edges([("hub", "a", 1000), ("hub", "b", 1100), ("x", "y", 2500)]))
            hub = self.await_active(sashd, {"hub"})["hub"]
            self.assertEqual(hub["labels"], {
                "alertname": "busy", "job": "degrees", "window": "w", "subject": "hub",
                "severity": "page"})
            self.assertEqual(hub["annotations"]["summary"], "hub has 2")
            self.assertEqual(json.loads(hub["annotations"]["alert"])["row"]["score"], 2)
            self.assertEqual(hub["startsAt"], "1970-01-01T00:00:02.000Z")
            # The next window has another hub.
            sashd.produce(edges([("x", "z", 2600), ("u", "v", 3500)]))
            self.await_active(sashd, {"x"})
            # Alertmanager forgets all; a restart of sashd tells it what stands.
            self.manager.kill()
            self.manager.wait()
            self.assertEqual(sashd.stop(), 0, sashd.log())
            shutil.rmtree(sashd.folder / "data")
            (sashd.folder / "log").unlink()
            self.prepare(sashd.folder)
            sashd.start()
            again = self.await_active(sashd, {"x"})
            self.assertEqual(again["x"]["startsAt"], "1970-01-01T00:00:03.000Z")
            status, _, alert = sashd.get("/api/v1/alerts/busy")
            self.assertEqual((status, json.loads(alert)["fired"]), (200, 0), alert)

    def test_check_wants_alerts_and_labels_that_can_be(self) -> None:
        for change, said in (({"content": "results"}, "takes alerts alone; add `content: alerts`"),
                             ({}, "cannot be set here: every alert has this label"),
                             ({}, "is not the name of a label")):
            hook = {**self.sink["webhook"], **change}
            labels = {"alertname": "x"} if "cannot be set" in said else {"a-b": "x"}
            given = [] if change else [{**BUSY, "labels": labels}]
            ended = run(replay(jobs=[DEGREES], alerts=given, sinks=[{"webhook": hook}]), b"",
                        arguments=["--check", "sashd.yaml"])
            self.assertEqual(ended.code, 78, ended.output)
            self.assertIn(said, ended.output + ended.log)


if __name__ == "__main__":
    unittest.main()

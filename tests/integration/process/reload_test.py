"""SIGHUP: a running `sashd` reads its configuration again, all or nothing."""
import copy
import json
import signal
import unittest
from typing import Any

from sashd_process import Sashd, await_that, live

RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 3,
         "parameters": {"damping": 0.85}}


def document() -> dict[str, Any]:
    return live(jobs=[copy.deepcopy(RANKS)], log={"level": "info"}, shutdown_deadline="20s")


class ReloadTest(unittest.TestCase):
    def reload(self, sashd: Sashd, text: str) -> None:
        """Returns when it has read this text; its log lines may still be missing."""
        reloads = self.reloads(sashd)
        (sashd.folder / "sashd.yaml").write_text(text)
        sashd.send(signal.SIGHUP)
        self.assertTrue(await_that(lambda: self.reloads(sashd) == reloads + 1), sashd.log())
    def reloads(self, sashd: Sashd) -> float:
        return sum(sashd.metric("sash_config_reloads_total", result=result)
                   for result in ("success", "failure"))

    def test_settings_of_jobs_change_while_it_runs_and_nothing_else_does(self):
        with Sashd(document()) as sashd:
            sashd.generate("--rate", "2000")
            first = sashd.await_lines(1)[0]
            self.assertEqual((len(first["top"]), first["parameters"]["damping"]), (3, 0.85))
            wanted = document()
            wanted["jobs"][0].update(top=5, parameters={"damping": 0.5})
            wanted["jobs"].append({"name": "more", "kernel": "wcc", "window": "w"})
            wanted["windows"][0]["duplicates"] = "weigh"
            wanted["log"]["format"] = "json"
            wanted["shutdown_deadline"] = "7s"
            self.reload(sashd, json.dumps(wanted))
            for said in (r"info +reload\.changed +reload: changed "
                         r"jobs\[ranks\]\.parameters\.damping: 0\.85 -> 0\.5",
                         r"info +reload\.changed +reload: changed jobs\[ranks\]\.top: 3 -> 5",
                         r"info +reload\.changed +reload: changed shutdown_deadline: 20s -> 7s",
                         r"info +reload\.changed +reload: changed jobs\[more\] is new",
                         r"info +reload\.changed +reload: changed "
                         r"windows\[w\]\.duplicates: keep -> weigh",
                         r"warning +reload\.needs_restart +reload: needs a restart: "
                         r"log\.format: text -> json"):
                sashd.await_log(said)
            after = await_that(lambda: [line for line in sashd.lines()
                                        if line["parameters"].get("damping") == 0.5])
            self.assertTrue(after, sashd.log())
            self.assertEqual(len(after[0]["top"]), 5)
            self.assertTrue(await_that(lambda: {line["job"] for line in sashd.lines()}
                                       == {"ranks", "more"}), sashd.log())
            snapshots = [line["snapshot"] for line in sashd.lines() if line["job"] == "ranks"]
            self.assertEqual(snapshots, sorted(set(snapshots)),
                             "no window twice, none out of order")
            self.assertEqual(sashd.metric("sash_config_reloads_total", result="success"), 1)
            self.assertEqual(sashd.metric("sash_config_last_reload_success"), 1)
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertIn("stopping, within 7 s", sashd.log())

    def test_a_wrong_configuration_changes_nothing_and_names_every_error(self):
        with Sashd(document()) as sashd:
            sashd.generate("--rate", "2000")
            sashd.await_lines(1)
            wrong = document()
            wrong["jobs"][0].update(top=5, parameters={"damping": 2})
            wrong["log"] = {"level": "loud"}
            self.reload(sashd, json.dumps(wrong, indent=1))
            sashd.await_log(r"error +reload\.wrong +reload: sashd\.yaml:\d+: "
                            r"jobs\[0\]\.parameters\.damping: `2`")
            sashd.await_log(r"error +reload\.wrong +reload: sashd\.yaml:\d+: log\.level: must be")
            sashd.await_log(r"error +reload\.refused +reload: sashd\.yaml is wrong; nothing "
                            r"changed")
            self.assertEqual(sashd.metric("sash_config_reloads_total", result="failure"), 1)
            self.assertEqual(sashd.metric("sash_config_last_reload_success"), 0)
            (sashd.folder / "sashd.yaml").unlink()
            sashd.send(signal.SIGHUP)
            sashd.await_log(r"sashd\.yaml:1: cannot be read: there is no such file")
            count = len(sashd.lines())
            self.assertTrue(all(len(line["top"]) == 3 and line["parameters"]["damping"] == 0.85
                                for line in sashd.await_lines(count + 2)))
            self.reload(sashd, json.dumps(document()))
            sashd.await_log("reload: nothing has changed in sashd.yaml")
            self.assertEqual(sashd.metric("sash_config_last_reload_success"), 1)
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_the_level_of_the_log_changes_at_once(self):
        with Sashd(document()) as sashd:
            sashd.await_log("reading 4 partitions")
            quiet = document()
            quiet["log"]["level"] = "error"
            self.reload(sashd, json.dumps(quiet))
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertNotIn("stopping", sashd.log())


if __name__ == "__main__":
    unittest.main()

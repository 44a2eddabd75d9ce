"""`sashctl` while its daemon changes: jobs and windows that come and go, and `top` on a screen."""
import json
import pathlib
import re
import signal
import unittest

from sashctl_case import OK, RANKS, REFUSED, USAGE, SashctlCase, sashctl
from sashd_process import SHAPE, Sashd, await_that, live

GROUPS = "name: groups   # by its least key\nkernel: wcc\nwindow: w\ntop: 2\n"


class LiveTest(SashctlCase):
    def setUp(self) -> None:
        self.sashd = Sashd(live(jobs=[SHAPE, RANKS]))
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.generate("--rate", "1000", "--scale", "6")
        self.await_results("ranks", 1)

    def test_jobs_and_windows_come_change_and_go(self):
        file = self.sashd.folder / "groups.yaml"
        file.write_text(GROUPS)
        self.assertEqual(self.ask("jobs", "add", str(file)),
                         "job groups is added, until the next reload or restart\n")
        self.assertEqual(self.sashd.json("/api/v1/jobs/groups")["kernel"], "wcc")
        said = self.ask("jobs", "add", "-", stdin='{"name": "x", "kernel": "wc"}', code=REFUSED)
        self.assertIn("kernel", said)
        self.assertIn("window", said)
        self.assertEqual(self.ask("jobs", "pause", "groups"), "job groups is paused\n")
        self.assertRegex(self.ask("jobs"), r"(?m)^groups +wcc +w +(running \()?paused")
        said = self.ask("jobs", "trigger", "groups")
        snapshot = re.fullmatch(r"job groups runs on snapshot (\d+); .*\n", said)[1]
        self.assertTrue(await_that(lambda: sashctl("results", "groups", "--snapshot", snapshot,
                                                   url=self.sashd.url("")).returncode == OK))
        self.assertEqual(self.ask("jobs", "resume", "groups"), "job groups is due again\n")
        self.assertFalse(json.loads(self.ask("jobs", "resume", "groups", "--json"))["paused"])

        alert = "{name: many, job: groups, on: result, where: components > 0}"
        self.assertEqual(self.ask("alerts", "add", "-", stdin=alert),
                         "alert many is added, until the next reload or restart\n")
        self.assertTrue(await_that(
            lambda: self.sashd.json("/api/v1/alerts/many")["state"] == "firing"))
        self.assertIn("there is no member `size`", self.ask(
            "alerts", "change", "many", "-",
            stdin=alert.replace("components", "size"), code=REFUSED))
        self.assertEqual(self.ask("alerts", "change", "many", "-",
                                  stdin="{job: groups, on: result, text: many}"),
                         "alert many is changed, until the next reload or restart\n")
        self.assertIn("alert many is removed", self.ask("alerts", "remove", "many"))
        self.assertEqual(self.ask("alerts", "--names"), "")

        window = '{name: slow, length: 20s, slide: 2s}'
        self.assertIn("window slow is added", self.ask("windows", "add", "-", stdin=window))
        self.assertEqual(self.ask("windows", "--names"), "w\nslow\n")
        self.assertIn("slow", self.ask("windows", "add", "-", stdin=window, code=REFUSED))
        self.assertEqual(self.ask("windows", "change", "slow", "-",
                                  stdin="{length: 9s, slide: 3s}"),
                         "window slow is changed, until the next reload or restart\n")
        self.assertIn("must be `slow`",
                      self.ask("windows", "change", "slow", "-", stdin=window.replace(
"slow", "quick"), code=REFUSED))
        self.assertIn("job groups is changed", self.ask("jobs", "change", "groups", str(file)))
        self.assertIn("window slow is removed", self.ask("windows", "remove", "slow"))
        self.assertIn("job", self.ask("windows", "remove", "w", code=REFUSED))

        changes = json.loads(self.ask("reload", "--json"))
        self.assertEqual([change["key"] for change in changes["changed"]], ["jobs[groups]"])
        self.assertEqual(self.ask("jobs", "--names"), "shape\nranks\n")

    def test_a_job_that_is_removed_is_gone(self):
        self.assertIn("job ranks is removed", self.ask("jobs", "remove", "ranks"))
        self.assertEqual(self.ask("jobs", "remove", "shape", "--json"), "")
        self.assertEqual(self.ask("jobs"), "JOB  KERNEL  WINDOW  STATE  RUNS  SKIPPED  CANCELLED"
                                           "  WAITING  LAST\n")
        self.assertIn("nothing to do", self.ask(code=USAGE))
        self.assertRegex(self.ask("reload"), r"(?m)^jobs\[ranks\] .* now$")
        self.assertEqual(self.ask("reload"), "nothing has changed\n")

    def test_top_follows_the_results_fits_the_screen_and_leaves_it_as_it_was(self):
        screen = self.screen("top", "ranks", columns=60, rows=8)
        title = screen.await_drawing(r"ranks: pagerank on w.*snapshot")
        first = re.search(r"snapshot (\d+)", title)
        newer = rf"snapshot ({int(first[1]) + 2}|{int(first[1]) + 3})\b"
        drawing = screen.await_drawing(newer)
        lines = drawing.split("\n")
        self.assertEqual(len(lines), 8, drawing)
        self.assertLessEqual(max(map(len, lines)), 60)
        self.assertEqual(lines[-1], "q: quit")
        screen.resize(30, 5)
        self.assertTrue(await_that(lambda: len(screen.drawings()[-1].split("\n")) == 5))
        self.assertLessEqual(max(map(len, screen.drawings()[-1].split("\n"))), 30)
        self.assertNotEqual(screen.mode(), screen.before)
        screen.type("q")
        self.assertEqual(screen.end(), OK)
        self.assertEqual(screen.mode(), screen.before)
        self.assertTrue(screen.text.endswith("\x1b[?25h\x1b[?1049l"), screen.text[-100:])

    def test_top_waits_while_the_daemon_is_away_and_says_so(self):
        port = self.sashd.url("").rsplit(":", 1)[1]
        screen = self.screen("top", "ranks")
        screen.await_drawing("snapshot")
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())
        screen.await_drawing("trying again")
        document = live(jobs=[SHAPE, RANKS], http={"listen": f"127.0.0.1:{port}"})
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(document))
        (self.sashd.folder / "log").rename(self.sashd.folder / "log.1")
        self.sashd.start()
        screen.await_drawing("no result yet")
        back = len(screen.drawings())
        self.sashd.generate("--rate", "1000", "--scale", "6")
        drawing = screen.await_drawing("snapshot", back)
        self.assertNotIn("trying again", drawing)
        screen.type("\x03")
        self.assertEqual(screen.end(), OK)

    def test_top_ends_when_its_job_is_removed(self):
        screen = self.screen("top", "ranks")
        screen.await_drawing("snapshot")
        self.ask("jobs", "remove", "ranks")
        self.assertEqual(screen.end(), REFUSED)
        self.assertRegex(screen.text, r"\x1b\[\?1049lsashctl: no job 'ranks'; there are: shape")

    def test_top_can_be_left_for_a_while(self):
        screen = self.screen("top", "ranks")
        screen.await_drawing("snapshot")
        # As if from a shell, which would stop it; here the test acts as the shell.
        screen.process.send_signal(signal.SIGTSTP)
        stat = pathlib.Path(f"/proc/{screen.process.pid}/stat")
        self.assertTrue(await_that(lambda: screen.take() is not None
                                   and stat.read_text().split()[2] == "T"))
        self.assertEqual(screen.mode(), screen.before)
        count = len(screen.drawings())
        screen.process.send_signal(signal.SIGCONT)
        self.assertTrue(await_that(lambda: len(screen.drawings()) > count))
        screen.process.send_signal(signal.SIGTERM)
        self.assertEqual(screen.end(), OK)
        self.assertEqual(screen.mode(), screen.before)


if __name__ == "__main__":
    unittest.main()

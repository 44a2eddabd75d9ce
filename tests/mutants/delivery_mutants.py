#!/usr/bin/env python3
"""Runs the kill tests with the seeded bugs of delivery_bugs.py, with a real broker.

SASHD is the program into which `mutants.py build` has compiled all of them, disabled. While none is
enabled, no kill changes a result; an enabled bug changes nothing without a kill, and something
after a kill. Run by run_test.py.
"""
import pathlib
import sys
import tempfile
import unittest

from delivery_bugs import BUGS, DeliveryBug
from every_bug import NUMBERS
from seeding import ROOT, VARIABLE

sys.path.append(str(ROOT / "tests/integration/kafka"))
import kafka_broker  # pylint: disable=wrong-import-position
from kill_points import UNFINISHED, KillPoint, SmallStream  # pylint: disable=wrong-import-position

SEED = 6  # of the streams: fixed, so that results are reproducible


class DeliveryMutantsTest(unittest.TestCase):
    def test_each_bug_shows_after_a_kill_and_only_then(self) -> None:
        try:
            broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory(prefix="sash-mutants-")))
        for recovery in ("replay", "checkpoint"):
            self.check(SmallStream(broker, folder, SEED, recovery),
                       [(str(NUMBERS[bug.name]), bug) for bug in BUGS
                        if bug.recovery == recovery])

    def check(self, stream, bugs: list[tuple[str, DeliveryBug]]) -> None:
        kills = sorted({kill for _, bug in bugs for kill in bug.kills})
        lives = [(f"control-{place}", KillPoint(*kill), {}) for place, kill in enumerate(kills)]
        lives += [(f"bug-{number}-unkilled", None, {VARIABLE: number}) for number, _ in bugs]
        lives += [(f"bug-{number}-{place}", KillPoint(*kill), {VARIABLE: number})
                  for number, bug in bugs for place, kill in enumerate(bug.kills)]
        ended = dict(zip([name for name, *_ in lives], stream.end_all(lives)))
        for place in range(len(kills)):
            control = ended[f"control-{place}"]
            self.assertEqual(control.differences, [], f"no bug is awake: {control}")
        for number, bug in bugs:
            with self.subTest(bug.name):
                unkilled = ended[f"bug-{number}-unkilled"]
                self.assertEqual(unkilled.differences, [], f"without a kill: {unkilled}")
                self.look(bug, [ended[f"bug-{number}-{place}"] for place in range(len(bug.kills))])

    def look(self, bug: DeliveryBug, killed: list) -> None:
        sights = [(each.point, difference) for each in killed for difference in each.differences
                  if bug.shows in difference and not difference.startswith(UNFINISHED)]
        self.assertTrue(sights, "not seen after any of\n" + "\n".join(map(str, killed)))
        point, difference = sights[0]
        print(f"{bug.name}: seen after {len({point for point, _ in sights})} of {len(killed)} "
              f"kills, first at {point}: {difference[:160]}", flush=True)

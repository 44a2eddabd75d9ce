#!/usr/bin/env python3
"""Holds the kill tests against the seeded bugs of delivery_bugs.py, with a real broker.

All bugs are compiled into one `sashd`, asleep. As long as none is awake, no kill changes a result;
each bug that is awake changes nothing as long as nobody is killed, and something after a kill.

  delivery_mutants.py files            the sources with bugs, one a line
  delivery_mutants.py seed FOLDER      writes these there, with the bugs

As a test, run by run_test.py: SASHD is the program with the bugs.
"""
import argparse
import pathlib
import sys
import tempfile
import unittest

from delivery_bugs import BUGS, DeliveryBug
from seeding import HEADER, ROOT, VARIABLE, DoesNotFit, seeded

sys.path.append(str(ROOT / "tests/integration/kafka"))
SEED = 6  # of the streams: what shows is always the same


class DeliveryMutantsTest(unittest.TestCase):
    def test_each_bug_shows_after_a_kill_and_only_then(self) -> None:
        import kafka_broker  # pylint: disable=import-outside-toplevel  # seeding needs no packages
        from kill_points import SmallStream  # pylint: disable=import-outside-toplevel
        try:
            broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory(prefix="sash-mutants-")))
        for recovery in ("replay", "checkpoint"):
            self.check(SmallStream(broker, folder, SEED, recovery),
                       [(str(number), bug) for number, bug in enumerate(BUGS, 1)
                        if bug.recovery == recovery])

    def check(self, stream, bugs: list[tuple[str, DeliveryBug]]) -> None:
        from kill_points import KillPoint  # pylint: disable=import-outside-toplevel
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
        from kill_points import UNFINISHED  # pylint: disable=import-outside-toplevel
        sights = [(each.point, difference) for each in killed for difference in each.differences
                  if bug.shows in difference and not difference.startswith(UNFINISHED)]
        self.assertTrue(sights, "not seen after any of\n" + "\n".join(map(str, killed)))
        point, difference = sights[0]
        print(f"{bug.name}: seen after {len({point for point, _ in sights})} of {len(killed)} "
              f"kills, first at {point}: {difference[:160]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("files")
    commands.add_parser("seed").add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    texts = seeded((bug.name, bug.edits) for bug in BUGS)
    if arguments.command == "files":
        print("\n".join(sorted(texts.keys() - {HEADER})))
        return
    for file, text in texts.items():
        path = arguments.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    try:
        main()
    except DoesNotFit as problems:
        sys.exit(str(problems))

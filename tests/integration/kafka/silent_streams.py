"""Tests of the commits, positions and files of `sashd` when no more records come.

broker_life_test.py runs them.
"""
import signal
import time
from typing import TYPE_CHECKING

from sashd_process import Sashd, await_that

if TYPE_CHECKING:
    from broker_life_test import BrokerLifeTest


class SilentStreams:
    """Tests for a BrokerCase."""

    def test_a_stream_that_falls_silent_is_kept_whole_and_shown_as_read(
            self: "BrokerLifeTest") -> None:
        self.broker.create_topic("silent", 1)
        self.produce("silent", 0, 60)
        document = {**self.document("silent"), "recovery": "checkpoint",
                    "state": {"path": "state", "interval": "300ms"}}
        # A partition that becomes idle changes the state once more.
        document["source"]["time"]["idle_after"] = "7000d"
        with Sashd(document) as sashd:
            sashd.await_lines(59)
            # The oldest slice of the newest window, [49 s, 59 s), begins with record 49.
            self.await_commits("group-silent", {0: (49, 11)}, sashd)
            self.await_commits("group-silent.read", {0: (60, 0)}, sashd)
            kept = self.settled_files_of(sashd)
            checkpoints = sashd.metric("sash_checkpoint_writes_total")
            time.sleep(2)
            self.assertEqual(self.files_of(sashd), kept, "no file changes without records")
            self.assertEqual(sashd.metric("sash_checkpoint_writes_total"), checkpoints)
            self.assertLess(sashd.metric("sash_checkpoint_age_seconds"), 1,
                            "the checkpoint has every record")
            sashd.stop(signal.SIGKILL)
            sashd.start()
            sashd.await_log("(?s)go on from the checkpoint.* 0 rounds of the journal are "
                            "repeated")
            self.await_ready(sashd)
            self.assertEqual(sashd.metric("sash_source_records_total"), 0,
                             "no record is read again")
            self.produce("silent", 60, 5)
            self.assertEqual(sashd.await_lines(64)[-1]["edges"], 10)
            self.assertEqual(sashd.stop(), 0)
            self.assertEqual(self.broker.describe_group("group-silent.read"), {0: (65, 0)},
                             "the last position is committed at the stop")

    def test_commits_catch_up_with_a_silent_stream_that_is_read_again(
            self: "BrokerLifeTest") -> None:
        self.broker.create_topic("silent-again", 1)
        self.produce("silent-again", 0, 60)
        with Sashd(self.document("silent-again")) as sashd:
            sashd.await_lines(59)
            self.await_commits("group-silent-again", {0: (49, 11)}, sashd)

    def test_a_group_of_read_positions_that_is_forbidden_is_said_once_and_no_more(
            self: "BrokerLifeTest") -> None:
        denied = ("--deny-principal", "User:ANONYMOUS", "--operation", "All",
                  "--group", "group-unseen.read", "--force")
        self.broker.acls("--add", *denied)
        self.broker.create_topic("unseen", 1)
        self.produce("unseen", 0, 20)
        with Sashd(self.document("unseen")) as sashd:
            sashd.await_log(r"warning kafka\.read_positions\.failed .*group-unseen\.read: "
                            r".*uthorization")
            self.await_ready(sashd)
            self.await_commits("group-unseen", {0: (9, 11)}, sashd)
            self.produce("unseen", 20, 20)
            sashd.await_lines(39)
            self.assertEqual(self.incidents(sashd, "commit_failures"), 0)
            self.await_commits("group-unseen", {0: (29, 11)}, sashd)
            self.assertEqual(sashd.log().count("kafka.read_positions.failed"), 1, sashd.log())
            self.assertEqual(sashd.stop(), 0)

    def await_commits(self: "BrokerLifeTest", group: str, wanted: dict[int, tuple[int, int]],
                      sashd: Sashd) -> None:
        """Offset and lag of each partition, as Kafka's own tool shows them."""
        found: dict[int, tuple[int, int]] = {}

        def are_there() -> bool:
            nonlocal found
            found = self.broker.describe_group(group)
            return found == wanted
        self.assertTrue(await_that(are_there), f"{group}: {found}\n{sashd.log()}")

    @staticmethod
    def files_of(sashd: Sashd) -> dict[str, tuple[int, int]]:
        """For the files of the state: sizes, and modification times."""
        found = [(path, path.stat()) for path in (sashd.folder / "state").rglob("*")]
        return {path.name: (status.st_size, status.st_mtime_ns) for path, status in found}

    def settled_files_of(self: "BrokerLifeTest", sashd: Sashd) -> dict[str, tuple[int, int]]:
        """The files when the last checkpoint before the silence has been written."""
        found = {}

        def stay() -> bool:
            before = self.files_of(sashd)
            time.sleep(1)
            found.clear()
            found.update(before)
            return self.files_of(sashd) == before
        self.assertTrue(await_that(stay), "the files go on changing without records")
        return found

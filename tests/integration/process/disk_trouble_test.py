"""Full disks, missing folders, files of other programs."""
import json
import pathlib
import resource
import signal
import unittest

from sashd_process import RESULTS, Sashd, await_that, edges, live, replay, run

ROWS = [("a", "b", 500), ("b", "c", 1500), ("c", "a", 2500)]
FOREIGN = b"meeting at ten\n{\"schema\":1}\n"
HALF_FOREIGN = b"{\"a\": 1}\nno end of line"


def file_sink(path: str) -> list:
    return [{"file": {"path": path}}]


class FileSinkTest(unittest.TestCase):
    def test_a_folder_that_is_not_there_is_an_error_at_start(self):
        ended = run(replay(sinks=file_sink("none/results.jsonl")), edges(ROWS))
        self.assertEqual(ended.code, 1)
        self.assertRegex(ended.log, r"error +process\.start_failed +sinks\[0\]: file sink: "
                                    r"open none/results\.jsonl: the folder none does not exist")
        self.assertEqual(len(ended.log.splitlines()), 2, "no other step is logged")

    def test_a_full_disk_ends_a_replay_with_a_failure_that_says_so(self):
        ended = run(replay(sinks=file_sink("/dev/full")), edges(ROWS))
        self.assertEqual(ended.code, 1)
        self.assertRegex(ended.log, r"error +results\.failed +results are not durable, "
                                    r"committing stops: .*/dev/full")
        self.assertRegex(ended.log, r"error +results\.lost +results are lost: "
                                    r".*No space left on device")

    def test_a_file_that_may_not_grow_is_a_full_disk(self):
        rows = [(f"a{i}", f"b{i}", 1000 * i) for i in range(200)]
        ended = run(replay(), edges(rows), preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (32 << 10, 32 << 10)))
        self.assertEqual(ended.code, 1, ended.log)
        self.assertRegex(ended.log, r"error +results\.lost +results are lost: .*File too large")

    def test_what_memory_does_not_suffice_for_is_said_and_nothing_aborts(self):
        for kilobytes in (64_000, 72_000, 80_000, 100_000):
            with self.subTest(kilobytes):
                ended = run(replay(memory={"limit": "8GiB"}), edges(ROWS),
                            preexec_fn=lambda: resource.setrlimit(
                                resource.RLIMIT_AS, (kilobytes << 10, kilobytes << 10)))
                self.assertIn(ended.code, (0, 1), ended.log)
                self.assertNotIn("terminate called", ended.log)
                self.assertTrue(ended.code == 0 or "sashd: " in ended.log or "error" in ended.log)

    def test_a_full_disk_does_not_stop_a_live_stream_and_is_seen(self):
        document = live(sinks=[*file_sink("/dev/full"), RESULTS])
        with Sashd(document) as sashd:
            sashd.generate("--rate", "1000", "--scale", "8")
            sashd.await_lines(3)
            status, _, body = await_that(lambda: (got := sashd.get("/readyz"))[0] == 503 and got)
            self.assertEqual(status, 503)
            self.assertIn("results cannot be made durable", body)
            self.assertGreater(sashd.metric("sash_sink_failures_total"), 0)
            sashd.await_lines(6)
            self.assertEqual(sashd.log().count("committing stops"), 1)
            self.assertEqual(sashd.stop(), 1, "results were lost")

    def test_a_file_that_holds_something_else_is_refused_and_left_as_it_was(self):
        for content in (FOREIGN, HALF_FOREIGN):
            with self.subTest(content), Sashd(live(), before=lambda folder: (
                    folder / "results.jsonl").write_bytes(content)) as sashd:
                self.assertEqual(sashd.wait(), 1)
                self.assertRegex(sashd.log(),
                                 r"error +process\.start_failed +sinks\[0\]: file sink: "
                                               r"results\.jsonl:1: not a result, .*name another")
                self.assertEqual((sashd.folder / "results.jsonl").read_bytes(), content)

    def test_a_second_process_on_the_same_file_is_refused(self):
        with Sashd(live()) as first:
            first.await_log("reading 4 partitions")
            path = str(first.folder / "results.jsonl")
            with Sashd(live(sinks=file_sink(path))) as second:
                self.assertEqual(second.wait(), 1)
                self.assertIn(path, second.log().splitlines()[-1])
            self.assertEqual(first.stop(), 0)


class SameFileTest(unittest.TestCase):
    def test_a_link_to_something_that_is_named_is_refused_and_left_as_it_was(self):
        content = edges(ROWS)
        for make, key in ((lambda folder: (folder / "link").symlink_to("events"),
                           "source.replay.path"),
                          (lambda folder: (folder / "link").hardlink_to(folder / "events"),
                           "source.replay.path"),
                          (lambda folder: (folder / "link").symlink_to("sashd.yaml"),
                           "the configuration file")):
            for how in ("--check", "--config"):
                with self.subTest(key=key, how=how):
                    ended = run(replay(sinks=file_sink("link")), content, before=make,
                                arguments=[how, "sashd.yaml"])
                    self.assertEqual(ended.code, 78, ended.log)
                    self.assertIn("sinks[0].file.path: `link` is ", ended.log)
                    self.assertIn(key, ended.log)
                    self.assertEqual(ended.files["events"], content)

    def test_a_replay_empties_no_file_of_others(self):
        for path, document in (("results.jsonl", replay()),
                               ("letters", replay(dead_letters={"path": "letters"}))):
            with self.subTest(path):
                ended = run(document, edges(ROWS), before=lambda folder, name=path: (
                    folder / name).write_bytes(FOREIGN))
                self.assertEqual(ended.code, 1)
                self.assertRegex(ended.log, rf"{path}:1: not written by sash, .*name another")
                self.assertEqual(ended.files[path], FOREIGN)


class RotationTest(unittest.TestCase):
    def test_a_result_is_in_the_file_or_in_the_one_that_was_moved_once(self):
        with Sashd(live(sinks=[RESULTS])) as sashd:
            path = sashd.folder / "results.jsonl"
            sashd.generate("--rate", "1000", "--scale", "8")
            sashd.await_lines(3)
            path.rename(path.with_suffix(".jsonl.1"))
            sashd.send(signal.SIGUSR1)
            sashd.await_log(r"files\.reopen_asked")
            sashd.await_log(r"info +file\.moved .*results\.jsonl was moved away")
            sashd.await_lines(3)
            with path.open() as deleted:
                path.unlink()
                sashd.await_log(r"warning +file\.deleted .*results\.jsonl was deleted")
                sashd.await_lines(3)
                self.assertEqual(sashd.stop(), 0, sashd.log())
                gone = [json.loads(line)["snapshot"] for line in deleted]
            moved = [line["snapshot"] for line in sashd.lines("results.jsonl.1")]
            there = [line["snapshot"] for line in sashd.lines()]
            for file in (moved, gone, there):
                self.assertEqual(sorted(set(file)), sorted(file), "each file has a result once")
            self.assertEqual(set(moved) & set(gone + there), set())
            found = set(moved + gone + there)
            self.assertEqual(found, set(range(1, len(found) + 1)))

    def test_dead_letters_go_on_in_a_new_file(self):
        with Sashd(live(dead_letters={"path": "letters"})) as sashd:
            path = sashd.folder / "letters"
            sashd.produce(b"broken")
            sashd.await_lines(1, "letters")
            path.rename(sashd.folder / "letters.1")
            sashd.produce(b"broken, too")
            self.assertEqual(sashd.await_lines(1, "letters")[0]["offset"], 1)
            path.unlink()
            sashd.produce(b"once more")
            self.assertEqual(sashd.await_lines(1, "letters")[0]["offset"], 2)
            self.assertEqual(sashd.stop(), 0, sashd.log())


class CheckpointTest(unittest.TestCase):
    def test_what_cannot_be_written_is_said_and_written_when_it_can_be(self):
        document = live(sinks=[RESULTS], recovery="checkpoint", state={"interval": "100ms"})
        # A folder in place of a file is an obstacle even for root.
        with Sashd(document, before=lambda folder: (
                folder / "state" / "manifest.next").mkdir(parents=True)) as sashd:
            sashd.generate("--rate", "1000", "--scale", "8")
            sashd.await_lines(3)
            status, _, body = await_that(lambda: (got := sashd.get("/readyz"))[0] == 503 and got)
            self.assertEqual(status, 503)
            self.assertIn("no checkpoint can be written: create state/manifest.next: Is a "
                          "directory", body)
            await_that(lambda: sashd.metric("sash_checkpoint_failures_total") > 1)
            self.assertEqual(sashd.metric("sash_checkpoint_writes_total"), 0)
            sashd.await_lines(len(sashd.lines()) + 3)
            (sashd.folder / "state" / "manifest.next").rmdir()
            await_that(lambda: sashd.get("/readyz")[0] == 200)
            self.assertGreater(sashd.metric("sash_checkpoint_writes_total"), 0)
            self.assertEqual(sashd.log().count("no checkpoint can be written"), 1)
            self.assertEqual(sashd.stop(), 0)

    def test_a_second_process_on_the_same_folder_is_refused(self):
        with Sashd(live(recovery="checkpoint")) as first:
            first.await_log("reading 4 partitions")
            path = str(first.folder / "state")
            with Sashd(live(recovery="checkpoint", state={"path": path})) as second:
                self.assertEqual(second.wait(), 1)
                self.assertIn(f"lock {path}: another process uses it",
                              second.log().splitlines()[-1])
            self.assertEqual(first.stop(), 0)

    def test_a_damaged_checkpoint_is_said_and_not_used(self):
        def damage(folder: pathlib.Path) -> None:
            (folder / "state").mkdir()
            (folder / "state" / "manifest").write_bytes(b"torn")

        with Sashd(live(recovery="checkpoint"), before=damage) as sashd:
            sashd.await_log("the checkpoint in state is damaged: state/manifest: byte 4: ")
            sashd.await_log("reading 4 partitions")
            self.assertEqual(sashd.stop(), 0)


class DeadLettersTest(unittest.TestCase):
    def test_a_folder_that_is_not_there_is_an_error_at_start(self):
        ended = run(replay(dead_letters={"path": "none/letters"}), edges(ROWS))
        self.assertEqual(ended.code, 1)
        self.assertRegex(ended.log,
                         r"error +process\.start_failed +dead letters: open none/letters: "
                                    r"the folder none does not exist")

    def test_a_file_that_holds_something_else_is_refused_and_left_as_it_was(self):
        notes = b"meeting at ten\nno end of line"
        with Sashd(live(dead_letters={"path": "notes"}),
                   before=lambda folder: (folder / "notes").write_bytes(notes)) as sashd:
            self.assertEqual(sashd.wait(), 1)
            self.assertRegex(sashd.log(), r"error +process\.start_failed +dead letters: notes:1: "
                                          r".*name another\n\Z")
            self.assertEqual((sashd.folder / "notes").read_bytes(), notes)

    def test_a_full_disk_does_not_stop_the_results_and_is_said(self):
        ended = run(replay(dead_letters={"path": "/dev/full"}), b"broken\n" + edges(ROWS))
        self.assertEqual(ended.code, 1)
        self.assertEqual(len(ended.lines()), 3)
        self.assertRegex(ended.log, r"error +dead_letters\.lost +dead letters are lost: "
                                    r".*/dev/full.*No space left")

    def test_a_full_disk_under_a_live_stream_is_said_once(self):
        with Sashd(live(dead_letters={"path": "/dev/full"})) as sashd:
            sashd.generate("--rate", "1000", "--scale", "8")
            sashd.produce(b"broken\n" * 10)
            sashd.await_log(r"error +dead_letters\.failed +dead letters are not written: "
                            r".*/dev/full")
            count = len(sashd.lines())
            sashd.await_lines(count + 3)
            sashd.produce(b"broken\n" * 10)
            self.assertTrue(await_that(lambda: sashd.metric("sash_source_refused_total") == 20))
            self.assertEqual(sashd.log().count("dead letters are not written"), 1)
            self.assertEqual(sashd.stop(), 1, "records were lost")

    def test_a_replay_that_cannot_open_its_input_leaves_earlier_results(self):
        earlier = b"{\"schema\":1,\"job\":\"shape\"}\n"
        ended = run(replay("none"), before=lambda folder: pathlib.Path(
            folder, "results.jsonl").write_bytes(earlier))
        self.assertNotEqual(ended.code, 0)
        self.assertEqual(ended.files["results.jsonl"], earlier)


if __name__ == "__main__":
    unittest.main()

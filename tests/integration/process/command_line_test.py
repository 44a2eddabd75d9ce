"""The command line of `sashd`: actions, output, exit codes."""
import pathlib
import subprocess
import tempfile
import unittest

from sashd_process import Sashd, edges, program, replay

USAGE = ("usage: sashd --config FILE | --check FILE | --print-config FILE | --print-schema | "
         "--verify PATH | --version | --help\n"
         "       sashd --check FILE --record FILE|- [--topic NAME]\n"
         "       sashd --infer FILE|-\n"
         "       sashd --infer --topic NAME [--brokers HOST:PORT,...] [--config FILE]\n"
         "       sashd --probe --config FILE\n"
         "       sashd --replay-dead-letters FILE|topic --config FILE [--into TOPIC] [--dry-run]\n"
         "       sashd --replay --from TIME --to TIME --config FILE [--refuse-at-most PERCENT] "
         "[--dry-run]")


def sashd(*arguments: str, **more) -> subprocess.CompletedProcess:
    more = {"stdout": subprocess.PIPE, "cwd": tempfile.gettempdir(), **more}
    return subprocess.run([program("SASHD", "sashd"), *arguments], stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, timeout=60, check=False, **more)


class CommandLineTest(unittest.TestCase):
    def test_wrong_usage_exits_2_and_says_what_is_wrong_and_what_is_right(self):
        for arguments, message in (
                ([], "nothing to do"),
                (["--frobnicate"], "unknown option: --frobnicate"),
                (["--config", "a.yaml", "--frobnicate"], "unknown option: --frobnicate"),
                (["a.yaml"], "unexpected argument: a.yaml"),
                (["--version", "a.yaml"], "unexpected argument: a.yaml"),
                (["--check", "a.yaml", "--config", "b.yaml"], "give only one command"),
                (["--check", "a.yaml", "--version"], "give only one command"),
                (["--check", "a.yaml", "--check", "b.yaml"], "--check"),
                (["--config"], "--config"),
                (["--config", ""], "--config: the name of the file is empty"),
                (["--verify", ""], "--verify: the name of the folder is empty"),
                (["--infer", ""], "--infer: the name of the file is empty"),
                (["--infer", "a.csv", "--check", "a.yaml"], "give only one command"),
                (["--infer", "--topic", "t"], "--infer --topic needs --brokers HOST:PORT, or "
                 "--config FILE with source.kafka"),
                (["--infer", "a.csv", "--topic", "t", "--brokers", "b:1"],
                 "give --infer FILE, or --infer --topic NAME"),
                (["--infer", "a.csv", "--brokers", "b:1"],
                 "--topic goes with --infer or --record, and --brokers with --infer --topic"),
                (["--infer", "--topic", "t", "--brokers", "b"],
                 "--brokers: `b` "),
                (["--config", "a.yaml", "--dry-run"],
                 "--dry-run goes with --replay-dead-letters or --replay"),
                (["--replay", "--config", "a", "--from", "0"], "needs --from TIME and --to TIME"),
                (["--config", "a", "--to", "0"], "needs --from TIME and --to TIME"),
                (["--replay", "--from", "0", "--to", "1"], "--replay needs --config FILE"),
                (["--replay", "--config", "a", "--from", "x", "--to", "1"],
                 "--from: `x` is not a time from 1970 on"),
                (["--replay", "--config", "a", "--from", "0", "--to", "2026-01-01"],
                 "--to: `2026-01-01` is not a time from 1970 on"),
                (["--replay", "--config", "a", "--from", "1", "--to", "1"],
                 "--from: must be before --to"),
                (["--config", "a", "--refuse-at-most", "9%"],
                 "--refuse-at-most goes with --replay"),
                (["--replay", "--config", "a", "--from", "0", "--to", "1", "--refuse-at-most", "2"],
                 "--refuse-at-most: `2` is not a percentage; give 0% to 100%, such as 50%"),
                (["--config", "a", "--record", "r"], "--record goes with --check"),
                (["--check", "a", "--record", ""], "--record: the name of the file is empty"),
                (["--probe"], "--probe needs --config FILE"),
                (["--probe", "--config", "a", "--replay", "--from", "0", "--to", "1"],
                 "give only one command"),
                (["--replay-dead-letters", "l.jsonl"], "needs FILE or topic, and --config FILE"),
                (["--replay-dead-letters", "l", "--check", "a"], "needs FILE or topic"),
                (["--replay-dead-letters", "l", "--config", "a", "--into", ""],
                 "--into: the name of the topic is empty")):
            with self.subTest(arguments):
                done = sashd(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, "")
                said, *usage = done.stderr.splitlines()
                self.assertTrue(said.startswith("sashd: "), said)
                self.assertIn(message, said)
                self.assertEqual("\n".join(usage), USAGE)

    def test_help_names_every_command_and_the_exit_codes(self):
        done = sashd("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("--config", "--check", "--record", "--probe", "--infer", "--print-config",
                     "--print-schema", "--version", "78"):
            self.assertIn(word, done.stdout)

    def test_verify_of_what_is_no_checkpoint_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            done = sashd("--verify", folder)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"open {folder}/manifest: No such file or directory\n")
            (pathlib.Path(folder) / "manifest").write_bytes(b"SASHCKPT of somebody else")
            done = sashd("--verify", folder)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr,
                             f"{folder}/manifest: byte 8: the checksum of the format's version "
                             "is wrong\n")
            self.assertEqual(done.stdout, f"{folder}: damaged: 1 files, 0 bytes, 0 slices with 0 "
                                          "events, 0 rounds since then\n")
            done = sashd("--verify", folder + "/missing")
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"open {folder}/missing: No such file or directory\n"))

    def test_version_is_one_line(self):
        done = sashd("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\Asashd \d+\.\d+\.\d+\n\Z")

    def test_an_answer_that_nobody_could_read_is_a_failure(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = sashd("--version", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)

    def test_check_of_a_good_configuration_forecasts_first_results_and_memory(self):
        with Sashd(replay(memory={"limit": "1GiB"}), arguments=["--check", "sashd.yaml"]) as good:
            self.assertEqual((good.wait(), good.log()), (0, ""))
            first, memory = good.output().splitlines()
        self.assertEqual(first,
                         "ok       windows[0] w: first result within 3s of event time after the "
                         "first event (slide 1s, disorder 2s), of a whole window within 13s; at "
                         "the end of the file at the latest")
        self.assertRegex(memory,
                         r"\Aok       windows\[0\] w: a million edges take about [0-9.]+ MiB, and "
                         r"[0-9.]+ MiB more temporarily \(at 8 edges a vertex\); of the limit "
                         r"1GiB it may hold about [0-9.]+ million edges before reading is slowed "
                         r"down\Z")

    def test_probe_says_what_it_found_and_fails_with_what_is_wrong(self):
        with Sashd(replay(), edges([("a", "b", 1_767_225_600_000)]),
                   arguments=["--probe", "--config", "sashd.yaml"]) as good:
            self.assertEqual((good.wait(), good.log()), (0, ""))
            lines = good.output().splitlines()
            self.assertTrue(all(line.startswith("ok       ") for line in lines), lines)
            self.assertIn("ok       source.replay.path: the first record that decodes, at offset "
                          "0: \"a\" -> \"b\", weight 1, event time 2026-01-01T00:00:00.000Z, add",
                          lines)
        with Sashd(replay(), b"no JSON\n", arguments=["--probe", "--config", "sashd.yaml"]) as bad:
            self.assertEqual((bad.wait(), bad.log()), (1, ""))
            self.assertIn("\nerror    source.replay.path: of the first 1 records 1 do not decode; "
                          "the first, at offset 0: invalid_syntax: line 1: ", "\n" + bad.output())
        with Sashd(replay(windows=[]), arguments=["--probe", "--config", "sashd.yaml"]) as wrong:
            self.assertEqual((wrong.wait(), wrong.output()), (78, ""))
            self.assertIn("sashd.yaml:1: windows: ", wrong.log())

    def test_what_cannot_be_read_is_said_with_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            for path, reason in ((f"{folder}/none.yaml", "no such file"), (folder, "folder")):
                for command in ("--check", "--config", "--print-config"):
                    with self.subTest(command=command, path=path):
                        done = sashd(command, path)
                        self.assertEqual((done.returncode, done.stdout), (78, ""))
                        self.assertRegex(done.stderr, rf"\A{path}:1: .*{reason}\n\Z")

    def test_what_print_config_prints_is_accepted_and_prints_the_same(self):
        with Sashd(replay(), arguments=["--print-config", "sashd.yaml"]) as process:
            self.assertEqual((process.wait(), process.log()), (0, ""))
            printed = process.output()
            self.assertIn("shutdown_deadline: 10s", printed, "defaults are filled in")
            (process.folder / "printed.yaml").write_text(printed)
            again = sashd("--print-config", "printed.yaml", cwd=process.folder)
            self.assertEqual((again.returncode, again.stdout, again.stderr), (0, printed, ""))
            checked = sashd("--check", "printed.yaml", cwd=process.folder)
            self.assertEqual((checked.returncode, checked.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()

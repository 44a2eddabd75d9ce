"""The completions of `sashctl` in real shells, including names of a running `sashd`."""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import tempfile
import unittest

from sashd_process import PATIENCE_SECONDS, SHAPE, Sashd, await_that, live, program

RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w"}
COMMANDS = ["alerts", "completion", "diffs", "export", "jobs", "leases", "path", "reload",
            "results", "status", "tap", "top", "vertex", "why", "windows"]
GLOBAL = ["--ca-file", "--help", "--json", "--token-file", "--url", "--version"]


def shell(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise unittest.SkipTest(f"there is no {name}")
    return found


class CompletionCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.shell = shell(cls.name)
        cls.sashd = Sashd(live(jobs=[SHAPE, RANKS],
                               alerts=[{"name": "large", "job": "shape", "on": "result"}]))
        cls.sashd.start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.sashd.url("")
        cls.temporary = tempfile.TemporaryDirectory(prefix="sash-completion-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "job.yaml").touch()
        programs = pathlib.Path(program("SASHCTL", "control/sashctl")).resolve().parent
        cls.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": cls.temporary.name,
                           "TERM": "dumb", "LC_ALL": "C.UTF-8", "SASHCTL_URL": cls.sashd.url("")}

    def run_shell(self, *arguments: str, **environment: str) -> str:
        done = subprocess.run([self.shell, *arguments], capture_output=True, text=True, check=False,
                              env={**self.environment, **environment}, cwd=self.folder,
                              timeout=PATIENCE_SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout


class OfferedCase:
    """For shells that can print their completions."""

    def offered(self, line: str, **environment: str) -> list[str]:
        raise NotImplementedError

    def test_commands_options_and_names_are_offered_where_they_belong(self):
        other = self.sashd.url("")
        for line, wanted in (("sashctl ", COMMANDS), ("sashctl --json re", ["reload", "results"]),
                             ("sashctl jobs ",
                              ["add", "change", "pause", "remove", "resume", "show", "trigger"]),
                             ("sashctl windows sh", ["show"]), ("sashctl alerts show ", ["large"]),
                             ("sashctl alerts ", ["add", "change", "pause", "remove", "resume",
                                                  "show", "test"]),
                             ("sashctl jobs pause ", ["ranks", "shape"]),
                             ("sashctl top ra", ["ranks"]), ("sashctl windows show ", ["w"]),
                             ("sashctl path ", ["w"]), ("sashctl path w a --m", ["--most"]),
                             ("sashctl results ranks ", []), ("sashctl vertex ranks ", []),
                             ("sashctl results --limit 3 s", ["shape"]),
                             ("sashctl results --limit ", []), ("sashctl --url ", []),
                             ("sashctl completion ", ["bash", "fish", "zsh"]),
                             ("sashctl jobs add j", ["job.yaml"]),
                             ("sashctl --token-file j", ["job.yaml"]),
                             ("sashctl -", GLOBAL), ("sashctl top --o", ["--once"]),
                             ("sashctl jobs --n", ["--names"]), ("sashctl jobs pause --n", [])):
            with self.subTest(line):
                self.assertEqual(sorted(self.offered(line)), wanted)
        nowhere = "http://127.0.0.1:1"
        for line in (f"sashctl --url {other} top ", f"sashctl top --url={other} "):
            with self.subTest(line):
                self.assertEqual(sorted(self.offered(line, SASHCTL_URL=nowhere)),
                                 ["ranks", "shape"])
        self.assertEqual(self.offered("sashctl top ", SASHCTL_URL=nowhere), [], "no error is shown")


class BashTest(OfferedCase, CompletionCase):
    name = "bash"

    def offered(self, line: str, **environment: str) -> list[str]:
        return self.run_shell("--norc", "-uc", """
            eval "$(sashctl completion bash)"
            COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1) COMP_CWORD=1
            $(complete -p sashctl | sed 's/.*-F \\(.*\\) sashctl/\\1/')
            for each in "${COMPREPLY[@]}"; do echo "$each"; done
            """, "-", line, **environment).split()


    def test_shellcheck_finds_nothing_wrong(self):
        shellcheck = shell("shellcheck")
        script = self.run_shell("-c", "sashctl completion bash")
        done = subprocess.run([shellcheck, "--shell=bash", "-"], input=script, text=True,
                              stdout=subprocess.PIPE, check=False)
        self.assertEqual(done.stdout, "")


class FishTest(OfferedCase, CompletionCase):
    name = "fish"

    def offered(self, line: str, **environment: str) -> list[str]:
        text = self.run_shell("--no-config", "-c",
                              "sashctl completion fish | source; complete -C $argv[1]", line,
                              **environment)
        return [each.split("\t")[0] for each in text.splitlines()]


class ZshTest(CompletionCase):
    """Zsh completes only on a terminal."""
    name = "zsh"

    # The widget completes, and then prints the line between braces instead of running it.
    SETUP = r"""
        unsetopt zle_bracketed_paste list_beep
        autoload -U compinit
        compinit -D
        eval "$(sashctl completion zsh)"
        finish() {
          zle expand-or-complete
          BUFFER="print -r -- '{'${(qqq)BUFFER}'}'"
          zle accept-line
        }
        zle -N finish
        bindkey '^I' finish
    """

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        (cls.folder / "setup").write_text(cls.SETUP)

    def typed(self, line: str) -> str:
        """The line after the key for completion was pressed."""
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [self.shell, "-f", "-i"], stdin=slave, stdout=slave, stderr=slave, cwd=self.folder,
            env={**self.environment, "PS1": "> "}, start_new_session=True)
        os.close(slave)
        text = ""

        def says(pattern: str) -> bool:
            nonlocal text
            while select.select([master], [], [], 0.02)[0]:
                text += os.read(master, 1 << 16).decode()
            return bool(re.search(pattern, text))
        try:
            os.write(master, b"source ./setup; print rea''dy\n")
            self.assertTrue(await_that(lambda: says(r"ready\r\n")), text)
            os.write(master, line.encode() + b"\t")
            self.assertTrue(await_that(lambda: says(r"\n\{.*\}\r\n")), text)
            return re.findall(r"\n\{(.*)\}\r\n", text)[-1]
        finally:
            process.kill()
            process.wait()
            os.close(master)

    def test_what_can_only_be_one_word_is_filled_in(self):
        for line, wanted in (("sashctl rel", "sashctl reload "),
                             ("sashctl jobs pa", "sashctl jobs pause "),
                             ("sashctl top ra", "sashctl top ranks "),
                             (f"sashctl top --url {self.sashd.url('')} ra",
                              f"sashctl top --url {self.sashd.url('')} ranks "),
                             ("sashctl windows show ", "sashctl windows show w "),
                             ("sashctl jobs add j", "sashctl jobs add job.yaml "),
                             ("sashctl completion f", "sashctl completion fish "),
                             ("sashctl top --on", "sashctl top --once "),
                             ("sashctl --tok", "sashctl --token-file ")):
            with self.subTest(line):
                self.assertEqual(self.typed(line), wanted)


del CompletionCase  # not a test by itself

if __name__ == "__main__":
    unittest.main()

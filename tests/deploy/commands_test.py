"""Tests that the commands in the documents work. Each command is run here, or NOT_HERE names the
test that runs it, or the reason why it cannot be run. So a new command that cannot run here needs
a line in NOT_HERE.

`deploy.guides` runs the commands of the guides, `integration.examples` those of the examples.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration" / "process"))
from sashd_process import PATIENCE_SECONDS, ROOT, Sashd, await_that, program  # noqa: E402

# All documents except the guides, which have their own test.
DOCUMENTS = sorted(
    name for name in (path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.md"))
    if not name.startswith(("build/", "deploy/guides/")) and "node_modules" not in name)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REMARK = re.compile(r"(?:^| +)# .*$")
TIME = re.compile(r"\b[\d.]+(?:e-\d+)? (?:ns|us|ms|s)\b")

# The beginning of a command -> why it is not run here.
NOT_HERE = {
    # other tests run it
    "deploy/quickstart.sh": "integration.quickstart",
    "kcat -C -b kafka-1": "integration.check_record; there is no such broker",
    "sashd --infer": "integration.infer",
    "cat calls.csv": "integration.infer",
    "sashd --probe": "integration.command_line; the document shows the output for another cluster",
    "sashd --replay --from": "integration.bounded_replay; it needs records of that day",
    "curl 'http://127.0.0.1:9640/api/v1/windows/last-1m/vertices/v2565?snapshot":
        "integration.history; the window of the example has no `retain`",
    "curl 'http://127.0.0.1:9640/api/v1/windows/last-1m/paths?from=v2565&to=v1185&at":
        "integration.history",
    "curl -X POST 'http://127.0.0.1:9640/api/v1/jobs/ranks/trigger?snapshot": "integration.history",
    "curl 'http://127.0.0.1:9640/api/v1/windows/last-1m/vertices/v2565?view=live":
        "integration.live_view; the window of the example is not `live`",
    "lease=$(curl": "integration.leases; the window of the example is not exported",
    "at=http": "integration.leases",
    "for file in $(printf %s": "integration.leases",
    "curl -fsS -C - -o": "integration.leases",
    "done": "integration.leases: the end of the loop over files",
    "curl -fsS -X DELETE": "integration.leases",
    "sashd --replay-dead-letters": "integration.dead_letters; it needs dead letters of that topic",
    "cmake -S . -B build/library": "integration.library",
    "cmake --build build/library": "integration.library",
    "cmake --install build/library": "integration.library",
    "pip install ./connectors/spark": "tests/run.sh installs Spark once, for all tests",
    "sash-spark --snapshot": "integration.spark_snapshot",
    "sash-spark --slices": "integration.spark_slices",
    "spark-submit --master": "integration.spark_snapshot; there is no such master",
    "SASH_KILLS=": "integration.kills, with fewer kills",
    "ctest --preset release -R dashboard_panels": "the command runs a test",
    "tests/bench/run.sh": "the quick form is a test labelled bench; the others measure",
    "daemon/console/bundle.sh": "integration.console_bundle",
    # these build or test everything, including this test
    "tests/run.sh": "runs this test",
    "ctest --preset debug": "runs this test",
    "ctest --preset release -L mutants": "takes ten minutes; tests/run.sh --slow does it",
    "cmake --preset": "builds everything",
    "SASH_FUZZ_SECONDS=": "takes 10 minutes, as it says; tests/run.sh fuzzes for a shorter time",
    "SASH_FIRST_SEED=": "takes hours; store_test does the same with fewer scripts",
    # these need something that is not available here
    "docker": "needs a container engine; deploy.container checks the files",
    "SASHCTL_TOKEN=": "the address is an example; integration.sashctl does it with real ones",
    "PYTHONPATH=tests/integration build/venv/bin/python": "replaces the pictures of the documents",
    "export SASHD=": "only names programs",
}


# The file of the example of --check in configs/README.md.
WRONG = """\
source:
  kafka: {topic: interactions}
  format:
    json: {source: /from, target: /to, time: /ts}
  time: {from: field, unit: ms, disorder: 2}
windows:
  - {name: last-5m, length: 5m, slide: 7s}
jobs:
  - {name: ranks, kernel: pagerank, window: last-5}
sinks: [{terminal: {}}]
"""


def commands(document: str) -> list[str]:
    """The commands of a document in order, each on one line, without the comment after it."""
    found = []
    for kind, body in BLOCK.findall((ROOT / document).read_text(encoding="utf-8")):
        body = body.replace("\\\n", " ")
        if kind in ("sh", "console"):
            lines = [line.removeprefix("$ ") for line in body.splitlines()]
        else:
            lines = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
        found += [line for line in (REMARK.sub("", line).strip() for line in lines) if line]
    return found


def shortened(value):
    """The value with scores of three digits, as the documents show them."""
    if isinstance(value, dict):
        return {name: shortened(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shortened(member) for member in value]
    return round(value, 3) if isinstance(value, float) else value


def why_not_here(command: str) -> str | None:
    return next((why for start, why in NOT_HERE.items() if command.startswith(start)), None)


def demo() -> dict:
    """The quick start's configuration on a free port, with the windows that the documents name."""
    document = yaml.safe_load((ROOT / "configs/quickstart.yaml").read_text(encoding="utf-8"))
    document["http"] = {"listen": "127.0.0.1:0"}
    document["windows"] += [{"name": "last-5m", "length": "5m", "slide": "5s"},
                            {"name": "recent", "length": "10s", "slide": "5s"}]
    document["sinks"] = [{"file": {"path": "results.jsonl"}}]
    return document


class CommandsTest(unittest.TestCase):
    def shell(self, command: str, sashd: Sashd) -> subprocess.CompletedProcess:
        """Runs a command as a reader types it: in the root of the repository, with the programs in
        the path. curl fails if the answer is an error."""
        programs = {pathlib.Path(program(*names)).resolve().parent
                    for names in (("SASHD", "sashd"), ("SASHCTL", "control/sashctl"),
                                  ("SASH_GENERATE", "generate/sash-generate"))}
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "SASHCTL_URL": sashd.url("")}
        environment["PATH"] = os.pathsep.join([*map(str, programs), environment["PATH"]])
        command = command.replace("http://127.0.0.1:9640", sashd.url(""))
        command = command.replace("--to demo.csv",
                                  f"--to {shlex.quote(str(sashd.folder / 'demo.csv'))}")
        return subprocess.run(
            ["bash", "-c", 'set -euo pipefail; curl() { command curl -fsS "$@"; }\n'
             f"api={sashd.url('/api/v1')}\n{command}"],
            cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE_SECONDS, check=False)

    def test_every_command_does_what_it_is_there_for(self):
        with Sashd(demo()) as sashd:
            generators = [command for command in commands("daemon/generate/README.md")
                          if command.startswith("sash-generate --to kafka")]
            self.assertEqual(len(generators), 1)
            words = shlex.split(generators[0])
            self.assertEqual(words[:5],
                             ["sash-generate", "--to", "kafka", "--brokers", "127.0.0.1:9092"])
            # README.md requests a vertex of the quick start's stream.
            sashd.generate(*[word for word in words[5:] if word not in ("--topic", "interactions")],
                           "--seed", "1", "--scale", "12", topic="interactions")
            self.assertTrue(await_that(lambda: sashd.get(
                "/api/v1/jobs/influencers/results/latest")[0] == 200), sashd.log())
            run = 0
            for document in DOCUMENTS:
                for command in commands(document):
                    if command in generators or command.startswith(("api=", "sashd --check")) \
                            or why_not_here(command):
                        continue
                    with self.subTest(document=document, command=command):
                        self.expect_success(command, sashd)
                    run += 1
            self.assertGreater(run, 14)
            self.assertTrue((sashd.folder / "demo.csv").stat().st_size > 100_000)

    def expect_success(self, command: str, sashd: Sashd) -> None:
        # A new job has no result yet, and the first window has very few vertices.
        if command.startswith("curl ") and "-X" not in command:
            await_that(lambda: self.shell(command, sashd).returncode == 0)
        done = self.shell(command, sashd)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}{sashd.log()}")
        if "sashctl jobs add" in command:  # the example of the API adds the same job
            self.assertEqual(self.shell("curl -X DELETE $api/jobs/groups", sashd).returncode, 0)
        # The output of an evaluated command is evaluated; a request that deletes has no answer.
        if "eval" not in command and "DELETE" not in command and "--to" not in command:
            self.assertNotEqual(done.stdout.strip(), "", command)

    def sashd(self, folder: str, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([program("SASHD", "sashd"), *arguments], cwd=folder,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "KAFKA_PASSWORD": "secret"},
                              capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                              check=False)

    def test_what_is_wrong_in_a_configuration_is_said_as_the_readme_shows_it(self):
        text = (ROOT / "configs/README.md").read_text(encoding="utf-8")
        shown = re.search(r"^\$ sashd --check wrong\.yaml\n(.*?)^```$", text, re.M | re.S)[1]
        with tempfile.TemporaryDirectory(prefix="sash-commands-") as folder:
            (pathlib.Path(folder) / "wrong.yaml").write_text(WRONG, encoding="utf-8")
            done = self.sashd(folder, "--check", "wrong.yaml")
        self.assertEqual(done.returncode, 78)
        self.assertEqual(done.stderr, shown.replace("\n  ", " "))

    def test_whole_configurations_in_the_documents_are_right(self):
        checked = 0
        for document in DOCUMENTS:
            for kind, body in BLOCK.findall((ROOT / document).read_text(encoding="utf-8")):
                whole = {"source", "windows", "jobs"}
                if kind != "yaml" or not whole <= set(yaml.safe_load(body) or ()):
                    continue
                with self.subTest(document=document, begins=body[:40]), \
                        tempfile.TemporaryDirectory(prefix="sash-commands-") as folder:
                    (pathlib.Path(folder) / "shown.yaml").write_text(body, encoding="utf-8")
                    (pathlib.Path(folder) / "edges.csv").touch()
                    done = self.sashd(folder, "--check", "shown.yaml")
                    self.assertEqual(done.returncode, 0, done.stderr)
                checked += 1
        self.assertGreater(checked, 2)

    def test_the_file_of_the_example_gives_what_is_shown(self):
        text = (ROOT / "configs/README.md").read_text(encoding="utf-8")
        blocks = [body for _, body in BLOCK.findall(text)]
        edges = next(body for body in blocks if body.startswith("from,to,"))
        replay = next(body for body in blocks if "path: edges.csv" in body)
        shown = next(body for body in blocks if body.startswith("last-20s"))
        results = (ROOT / "connectors/sinks/results.md").read_text(encoding="utf-8")
        result, diff = (json.loads(body) for language, body in BLOCK.findall(results)
                        if not language)  # other blocks are parts of results
        with tempfile.TemporaryDirectory(prefix="sash-commands-") as folder:
            (pathlib.Path(folder) / "edges.csv").write_text(edges, encoding="utf-8")
            (pathlib.Path(folder) / "replay.yaml").write_text(
                replay.replace("sinks:\n",
                               "sinks:\n  - file: {path: diffs.jsonl, content: diffs}\n"),
                encoding="utf-8")
            done = self.sashd(folder, "--config", "replay.yaml")
            self.assertEqual(done.returncode, 0, done.stderr)
            written, diffs = ([json.loads(line) for line in
                               (pathlib.Path(folder) / name).read_text().splitlines()]
                              for name in ("results.jsonl", "diffs.jsonl"))
        self.assertEqual(TIME.sub("TIME", done.stdout),
                         TIME.sub("TIME", re.sub(r"\n {4}", " ", shown)))
        found = next(line for line in written if line["job"] == result["job"])
        self.assertEqual({**found, "seconds": 0}, {**result, "seconds": 0})
        found = next(line for line in diffs
                     if (line["job"], line["snapshot"]) == (diff["job"], diff["snapshot"]))
        self.assertEqual(shortened(found), diff)

    def test_what_is_not_run_here_is_in_the_documents(self):
        every = [command for document in DOCUMENTS for command in commands(document)]
        for start in NOT_HERE:
            with self.subTest(start):
                self.assertTrue(any(command.startswith(start) for command in every),
                                "no document contains this command any more")


if __name__ == "__main__":
    unittest.main()

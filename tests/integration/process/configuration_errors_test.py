"""Wrong configurations: each message names file, line, key, and the remedy."""
import pathlib
import re
import unittest

from sashd_process import ROOT, Sashd

GOOD = """\
source:
  replay: {path: events}
  format:
    json: {source: /from, target: /to, time: /ts}
  time: {unit: ms}
windows:
  - {name: w, length: 10s, slide: 1s}
jobs:
  - {name: ranks, kernel: pagerank, window: w}
sinks:
  - file: {path: results.jsonl, jobs: [ranks]}
http: {listen: "127.0.0.1:0"}
"""
KAFKA = ("replay: {path: events}",
         "kafka: {topics: [a], options: {group.id: x, fetch.min.byte: 1}}")

# The change to GOOD; line and key of each error, and a word of its remedy.
WRONG = {
    "unknown key": (("http:", "htpp:"), [(12, "htpp", "did you mean `http`")]),
    "duration without unit": (("length: 10s", "length: 10"),
                              [(7, "windows[0].length", "10s")]),
    "length no multiple of slide": (("slide: 1s", "slide: 3s"),
                                    [(7, "windows[0].length", "9s or 12s")]),
    "misspelt kernel": (("pagerank", "pagrank"), [(9, "jobs[0].kernel", "`pagerank`")]),
    "no such window": (("window: w", "window: x"), [(9, "jobs[0].window", "windows: w")]),
    "no such job in a sink": (("[ranks]", "[rank]"),
                              [(11, "sinks[0].file.jobs[0]", "did you mean `ranks`")]),
    "key given twice": (("name: w,", "name: w, name: v,"), [(7, "windows[0].name", "keep one")]),
    "required section missing": (("windows:\n  - {name: w, length: 10s, slide: 1s}\n", ""),
                                 [(1, "windows", "give at least one")]),
    "no JSON pointer": (("/from", "from"), [(4, "source.format.json.source", "/from")]),
    "out of range": (("window: w", "window: w, parameters: {damping: 1.0, max_iterations: 0}"),
                     [(9, "jobs[0].parameters.damping", "below 1"),
                      (9, "jobs[0].parameters.max_iterations", "1 to 1000000")]),
    "misspelt implementation": (("slide: 1s", "slide: 1s, implementation: rebuilt"),
                                [(7, "windows[0].implementation", "`rebuild`")]),
    "one file for two": (("results.jsonl", "events"),
                         [(11, "sinks[0].file.path", "its own file")]),
    "bfs without roots": (("pagerank", "bfs"), [(9, "jobs[0].parameters.roots", "[alice]")]),
    "reachable from outside": (("127.0.0.1:0", "0.0.0.0:9640"),
                               [(12, "http.listen", "127.0.0.1:9640")]),
    "wrong type": (("http: {listen: \"127.0.0.1:0\"}", "log: [json]"), [(12, "log", "mapping")]),
    "options of librdkafka": (KAFKA, [
        (2, "source.kafka.options.group.id", "source.kafka.group"),
        (2, "source.kafka.options.fetch.min.byte", "No such configuration property")]),
    "errors of all sections": (("/from, target: /to", "from, target: to"), [
        (4, "source.format.json.source", "/from"), (4, "source.format.json.target", "/to")]),
}
ERROR = re.compile(r"sashd\.yaml:(\d+): ([\w.\[\]]+|\(yaml\)): (.+)")


class ConfigurationErrorsTest(unittest.TestCase):
    def errors(self, text: str, command: str) -> list[tuple[int, str, str]]:
        with Sashd(arguments=[command, "sashd.yaml"], before=lambda folder: (
                folder / "sashd.yaml").write_text(text)) as sashd:
            code = sashd.wait()
            found = []
            for line in sashd.log().splitlines():
                match = ERROR.fullmatch(line)
                self.assertIsNotNone(match, f"not file:line: key: message: {line}")
                found.append((int(match[1]), match[2], match[3]))
            self.assertEqual(code, 78 if found else 0)
            if found:
                self.assertEqual(sashd.output(), "", "no forecast for a configuration with errors")
            self.assertFalse((sashd.folder / "results.jsonl").exists())
        return found

    def test_the_one_that_the_others_are_made_of_is_good(self):
        self.assertEqual(self.errors(GOOD, "--check"), [])

    def test_every_error_is_named_with_line_key_and_remedy(self):
        for name, ((right, wrong), expected) in WRONG.items():
            self.assertEqual(GOOD.count(right), 1, name)
            for command in ("--check", "--config"):
                with self.subTest(name, command=command):
                    errors = self.errors(GOOD.replace(right, wrong), command)
                    self.assertEqual([error[:2] for error in errors],
                                     [error[:2] for error in expected])
                    for (_, _, message), (_, _, remedy) in zip(errors, expected):
                        self.assertIn(remedy, message)

    def test_a_kafka_option_is_judged_beside_errors_of_other_sections(self):
        errors = self.errors(GOOD.replace(*KAFKA).replace("slide: 1s", "slide: 3s"), "--check")
        self.assertEqual([key for _, key, _ in errors],
                         ["source.kafka.options.group.id", "source.kafka.options.fetch.min.byte",
                          "windows[0].length"])

    def test_broken_yaml_is_one_error_with_its_line(self):
        errors = self.errors(GOOD.replace("length: 10s, slide", "length: 10s slide"), "--check")
        self.assertEqual(len(errors), 1)
        self.assertEqual(errors[0][0], 7)
        self.assertIn("not valid YAML", errors[0][2])

    def test_an_error_in_an_included_file_names_that_file(self):
        def write(folder: pathlib.Path) -> None:
            (folder / "parts").mkdir()
            (folder / "parts/kafka.yaml").write_text(
                "source:\n  kafka:\n    topics: [a]\n    options:\n      fetch.min.byte: 1\n")
            (folder / "sashd.yaml").write_text(
                "include: [parts/kafka.yaml]\nwindows: [{name: w, length: 3s, slide: 2s}]\n"
                "source: {format: {json: {source: /s, target: /t}}}\n")

        with Sashd(before=write, arguments=["--check", "sashd.yaml"]) as sashd:
            self.assertEqual(sashd.wait(), 78)
            window, option = sashd.log().splitlines()
        self.assertRegex(window, r"\Asashd\.yaml:2: windows\[0\]\.length: 3s is not a multiple")
        self.assertRegex(option,
                         r"\Aparts/kafka\.yaml:5: source\.kafka\.options\.fetch\.min\.byte: ")

    def test_the_configurations_of_the_project_are_good(self):
        for file in sorted((ROOT / "configs").rglob("*.yaml")):
            with self.subTest(file.name), Sashd(arguments=["--check", str(file)]) as sashd:
                self.assertEqual((sashd.wait(), sashd.log()), (0, ""))


if __name__ == "__main__":
    unittest.main()

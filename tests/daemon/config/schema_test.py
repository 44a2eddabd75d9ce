"""Compares configs/sash.schema.json with the parser: a validator and `sashd` agree on every text in
the tests of the parser, valid and invalid, except for rules that only the parser can check.

CONFIG_TEST names the program with those tests; it records the answers of the parser.
"""
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from typing import Any

import jsonschema
import jsonschema_rs  # the same answers in a hundredth of the time
import yaml

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"

# Tests with YAML documents that have single odd values or keys. Tests with random noise are not in
# the list.
RECORDED = ("*ConfigErrorsTest*:ManyErrorsTest.All*:ManyErrorsTest.Missing*:ManyErrorsTest.Replay*:"
            "IncludeTest.Wrong*:ValidConfigTest*:ReferenceTest*:MutationTest.EveryValueReplaced*:"
            "PrintConfigTest*:AlertConfigTest*:ExportConfigTest.SlicesAre*:"
            "ShardErrorsTest*:LiveJobConfigTest*")

# Errors that a schema cannot express, or that are lost when YAML is parsed.
EXCUSES = (
    # other files
    r"`[^`]*` cannot be read: ",
    # references to names; names and files in use
    r"there is no (window|job) ", r"is not among source\.kafka\.topics", r"is listed twice",
    r"is taken by an earlier item", r"is the file (of|that) ", r"is (the|a) topic (of|that) ",
    r"is used by ", r"is the token for reading",
    # rules that depend on another key
    r"which has no frozen snapshots", r"the time that workers have",
    r"goes with implementation: multiversioned", r"asks when edges came, but",
    r"`slices: true`", r"slices are exported once", r"because its slide cuts the slices",
    r"is not a multiple of slide", r"is not less than slide", r"must be from 1 to `of`",
    r"no mapping gives edges a type", r"but the types that mappings give are",
    r"a change takes an edge away and adds another",
    r"needs ids, and no mapping has one", r"cannot be this together with source\.dedupe",
    r"the format maps no time", r"a replay has no Kafka timestamps",
    r"all columns by name",
    r"would publish up to", r"more than memory holds", r"is taken by http\.listen",
    r"with `keys: integer` every key", r"cannot be combined with `weighted`",
    r"but `content: diffs` compares", r"the embedded broker shows",
    r"needs `transactional: true`",
    r"must be event_time with source\.export",
    r"a replay always starts from the beginning", r"every line is a row",
    r"is standard input, which",
    # regular expressions
    r"is not a regular expression of RE2",
    # formats and zones of times, and the rules between them
    r"`\d{4}-[^`]*` is not a time in the years ",
    r"` gives no year", r"`%.*` `%", r"is not a time zone of this system", r"has no effect",
    r"cannot be given together with `unit`", r"has no %z, so the zone",
    r"has \d+ fields; give 1 to 4",
    r"give the text that is put between the fields", r"can be put between fields",
    # fields beside rows of CSV, and those that the records of files do not have
    r"is not a field of a record", r"a mapping of CSV cannot read",
    r"which a replay does not have", r"which counts milliseconds",
    # the rules between mappings, schemas and registries
    r"is only for (source\.kafka|avro and json)",
    # alerts, and the sinks that take them
    r"have no such rows; give", r"there is no (member|field) `", r"has no partner",
    r"no sink with `content: alerts` has", r"is the log of the process",
    r"chooses results, which", r"transactions hold whole results",
    # rows, how they are written, and the sinks that take them
    r"have no rows, which", r"which only rows can be", r"names the columns of all rows",
    r"and `format: csv` has none", r"is for rows alone", r"events have one JSON value",
    # live jobs
    r"which needs `visibility: live`", r"on which a live job never runs", r"is live, but",
    r"cannot be combined with `visibility: live`", r"are live, so not final",
    r"whose results are live", r"have no diffs and no rows",
    # baselines
    r"the window of the job itself", r"gives vertices scores", r"which needs a baseline",
    r"but only \d+ are kept", r"one list of vertices or sets",
    # filters
    r"line \d+, column \d+: ",
    # the rules between the keys of other mapped fields
    r"which makes the key a text", r"comes without words", r"has another meaning already",
    r"is the decimal character too",
    # the rules between the edges of a format
    r"cannot be used with `", r"another field leads into its elements",
    r"are written in one way", r"the first edge has (one|none)",
    # the rules between mappings
    r"is not a topic of the source", r"matches no topic of the source",
    r"a source has one registry", r"the first mapping", r"is the name of an earlier mapping",
    r"says how times are written",
    # bounds of durations and sizes; reachability of addresses
    r"is too (long|large|small)[;,]", r"can be reached from other machines",
    r"is not an IP address to listen on",
    # options of librdkafka that the user may not set
    r"cannot be set here", r"was redacted",
    # YAML itself
    r"is given twice", r"has a key that is not text", r"has a tag", r"not valid YAML",
    r"a second document starts", r"contains a NUL", r"`1e3` is not a whole number",
)
BEYOND_SHAPE = re.compile("|".join(EXCUSES))


class CoreLoader(yaml.CSafeLoader):
    """YAML 1.2's core schema, as editors read it; keys are text."""
    yaml_implicit_resolvers: dict[str, Any] = {}

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}


def resolve(tag: str, pattern: str, first: str) -> None:
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"),
                                     list(first))


resolve("null", "~|null|Null|NULL|", "~nN\0")
CoreLoader.yaml_implicit_resolvers.setdefault("", []).append(
    ("tag:yaml.org,2002:null", re.compile("^$")))
resolve("bool", "true|True|TRUE|false|False|FALSE", "tTfF")
resolve("int", "[-+]?[0-9]+", "-+0123456789")
resolve("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")
CoreLoader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value, 10))
CoreLoader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))
CoreLoader.add_constructor("tag:yaml.org,2002:map",
                           lambda loader, node: loader.construct_mapping(node))


SECTION = re.compile(r"^(?=[a-z_]+:)", re.MULTILINE)  # begins with a key of the first level


@functools.cache
def load_part(text: str) -> Any:
    return yaml.load(text, Loader=CoreLoader)


def load(text: str) -> Any:
    """The document in `text`. Most texts differ from others in one section, so that each different
    section is parsed once; a text whose sections are no documents of their own is parsed whole."""
    try:
        sections = [load_part(section) for section in SECTION.split(text)]
    except yaml.YAMLError:
        return load_part(text)
    if len(sections) == 1 or not all(isinstance(section or {}, dict) for section in sections):
        return load_part(text)
    return {key: value for section in sections for key, value in (section or {}).items()}


class SchemaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = json.loads((CONFIGS / "sash.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        cls.validator = jsonschema.Draft202012Validator(schema)
        cls.is_valid = staticmethod(jsonschema_rs.validator_for(schema).is_valid)
        with tempfile.TemporaryDirectory() as folder:
            verdicts = pathlib.Path(folder) / "verdicts"
            subprocess.run([os.environ["CONFIG_TEST"], f"--gtest_filter={RECORDED}"], check=True,
                           capture_output=True, env={**os.environ, "SASH_ALL_ROUNDS": "1",
                                                  "SASH_VERDICTS": str(verdicts)})
            lines = [json.loads(line) for line in verdicts.read_text().split("\n") if line]
        # libyaml reads YAML 1.1, where these characters are line breaks.
        cls.verdicts = {line["yaml"]: line["errors"] for line in lines
                        if not re.search("[\x85\u2028\u2029]", line["yaml"])}

    def complaint(self, document: Any) -> str:
        error = jsonschema.exceptions.best_match(self.validator.iter_errors(document))
        return "" if error is None else f"{error.json_path}: {error.message}"

    def test_what_the_parser_takes_is_valid(self):
        good = [text for text, errors in self.verdicts.items() if not errors]
        self.assertGreater(len(good), 200)
        refused = {self.complaint(load(text)) for text in good
                   if not self.is_valid(load(text))}
        self.assertEqual(refused, set())

    def test_what_is_wrong_in_shape_is_invalid(self):
        in_shape = {text: error for text, errors in self.verdicts.items()
                    for error in errors if not BEYOND_SHAPE.search(error)}
        self.assertGreater(len(in_shape), 500)
        missed = {error for text, error in in_shape.items() if self.is_valid(load(text))}
        self.assertEqual(missed, set())

    def test_nothing_is_excused_that_does_not_occur(self):
        errors = "\n".join(error for errors in self.verdicts.values() for error in errors)
        self.assertEqual([excuse for excuse in EXCUSES if not re.search(excuse, errors)], [])

    def test_every_configuration_of_the_project_is_valid_and_names_the_schema(self):
        files = sorted(CONFIGS.rglob("*.yaml"))
        self.assertGreaterEqual(len(files), 2)
        for file in files:
            with self.subTest(file.name):
                self.assertEqual(self.complaint(load(file.read_text())), "")
                named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", file.read_text())
                self.assertIsNotNone(named, "its first line names the schema")
                self.assertTrue((file.parent / named[1]).samefile(CONFIGS / "sash.schema.json"))

    def test_references_stand_for_any_scalar(self):
        text = (CONFIGS / "reference.yaml").read_text()
        for key in ("top", "damping", "length", "name", "separate", "limit", "from", "brokers"):
            pattern = re.compile(rf"^( *(?:- )?{key}: )(?!\[).*$", re.MULTILINE)  # not of lists
            changed, count = pattern.subn(r'\1"${env:VALUE}"', text)
            self.assertGreater(count, 0, key)
            with self.subTest(key):
                self.assertEqual(self.complaint(load(changed)), "")


if __name__ == "__main__":
    unittest.main()

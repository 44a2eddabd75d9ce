"""The configurations in configs/examples/, over hand-made records of their shapes.

Each accepted edge is compared with a second reading of the same lines, in Python. Each other record
must be a dead letter that names the field and what was found. Only the standard library is needed.
"""
import csv
import datetime
import decimal
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Callable, Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "process"))
from sashd_process import ROOT, program  # noqa: E402

EXAMPLES = ROOT / "configs/examples"
RECORDS = pathlib.Path(__file__).resolve().parent / "shapes"
UTC = datetime.timezone.utc
# Source, target, weight, and the time in nanoseconds since 1970, which is None where the
# configuration takes the clock.
Edge = tuple[str | int, str | int, int | float, int | None]
Letter = tuple[str, str]  # the reason, and a part of the detail


def nanoseconds(time: datetime.datetime) -> int:
    return (time - datetime.datetime(1970, 1, 1, tzinfo=UTC)) // datetime.timedelta(
        microseconds=1) * 1000


def number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def read_paysim(text: str) -> Iterator[tuple[int, Edge]]:
    start = datetime.datetime(2026, 1, 1, tzinfo=UTC)
    for line, row in enumerate(csv.DictReader(text.splitlines()), 2):
        time = start + datetime.timedelta(hours=1) * (
            int(row["step"]) if row["step"].isdigit() else 0)
        if row["step"].isdigit() and row["nameDest"] and row["amount"][0].isdigit():
            yield line, (row["nameOrig"], row["nameDest"], number(row["amount"]),
                         nanoseconds(time))


def read_ibm_aml(text: str) -> Iterator[tuple[int, Edge]]:
    for line, row in enumerate(csv.reader(text.splitlines()), 1):
        if line == 1 or not row[2]:
            continue
        try:
            time = datetime.datetime.strptime(row[0], "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
        except ValueError:
            continue
        yield line, (":".join(row[1:3]), ":".join(row[3:5]), number(row[7]), nanoseconds(time))


def read_snap(text: str) -> Iterator[tuple[int, Edge]]:
    for line, row in enumerate(text.splitlines(), 1):
        fields = row.split()
        if (not row.startswith("#") and len(fields) == 2 and all(map(str.isdigit, fields))
                and int(fields[0]) < 2 ** 63):
            yield line, (int(fields[0]), int(fields[1]), 1, None)


def read_snap_temporal(text: str) -> Iterator[tuple[int, Edge]]:
    for line, row in enumerate(text.splitlines(), 1):
        fields = row.split(" ")
        if len(fields) == 3 and all(map(str.isdigit, fields)):
            yield line, (int(fields[0]), int(fields[1]), 1, int(fields[2]) * 10 ** 9)


def read_zeek(text: str) -> Iterator[tuple[int, Edge]]:
    names: list[str] = []
    for line, row in enumerate(text.splitlines(), 1):
        if row.startswith("#fields\t"):
            names = row.split("\t")[1:]
        if row.startswith("#"):
            continue
        flow = dict(zip(names, row.split("\t"), strict=True))
        weight = "1" if flow["orig_bytes"] == "-" else flow["orig_bytes"]
        if "-" not in (flow["ts"], flow["id.orig_h"]) and weight.isdigit():
            yield line, (flow["id.orig_h"], flow["id.resp_h"], int(weight),
                         int(decimal.Decimal(flow["ts"]) * 10 ** 9))


def read_vpc_flow_logs(text: str) -> Iterator[tuple[int, Edge]]:
    names, *rows = (row.split(" ") for row in text.splitlines())
    for line, row in enumerate(rows, 2):
        flow = dict(zip(names, row))
        if flow.get("log-status") == "OK" and flow["start"].isdigit():
            yield line, (flow["srcaddr"], flow["dstaddr"], int(flow["bytes"]),
                         int(flow["start"]) * 10 ** 9)


def objects(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in enumerate(text.splitlines(), 1):
        try:
            yield line, json.loads(row)
        except json.JSONDecodeError:
            pass


def read_netflow(text: str) -> Iterator[tuple[int, Edge]]:
    for line, flow in objects(text):
        weight = flow.get("bytes", 1)
        if (isinstance(flow.get("src_addr"), str) and isinstance(weight, int)
                and "time_flow_start_ns" in flow):
            yield line, (flow["src_addr"], flow["dst_addr"], weight, flow["time_flow_start_ns"])


def read_suricata(text: str) -> Iterator[tuple[int, Edge]]:
    for line, event in objects(text):
        weight = event.get("flow", {}).get("bytes_toserver", 1)
        try:
            time = datetime.datetime.strptime(event["timestamp"], "%Y-%m-%dT%H:%M:%S.%f%z")
        except ValueError:
            continue
        if "src_ip" in event and isinstance(weight, int):
            yield line, (event["src_ip"], event["dest_ip"], weight, nanoseconds(time))


def read_ethereum(text: str) -> Iterator[tuple[int, Edge]]:
    for line, transaction in objects(text):
        value = str(transaction["value"])
        if transaction["to_address"] and value.isdigit():
            weight = int(value) if int(value) < 2 ** 63 else float(value)
            yield line, (transaction["from_address"].lower(), transaction["to_address"].lower(),
                         weight, transaction["block_timestamp"] * 10 ** 9)


def read_gh_archive(text: str) -> Iterator[tuple[int, Edge]]:
    for line, event in objects(text):
        if event["actor"] and event["repo"]["name"] and event["created_at"].endswith("Z"):
            time = datetime.datetime.fromisoformat(event["created_at"].replace("Z", "+00:00"))
            yield line, (event["actor"]["login"], event["repo"]["name"], 1, nanoseconds(time))


# By the name of the file of records, whose stem is the name of the configuration: the second
# reading, and by line the letters.
SHAPES: dict[str, tuple[Callable[[str], Iterator[tuple[int, Edge]]], dict[int, Letter]]] = {
    "paysim.csv": (read_paysim, {
        5: ("invalid_time", 'line 5: time (column "step"): "one" '),
        7: ("invalid_weight", 'line 7: weight (column "amount"): "a lot" '),
        8: ("empty_key", 'line 8: target (column "nameDest") is empty'),
        10: ("invalid_syntax", "line 10: the row has 3 fields where 11 are expected")}),
    "ibm-aml.csv": (read_ibm_aml, {
        4: ("invalid_time", 'line 4: time (column 1): "2022/09/01 00:61" '),
        6: ("empty_key", "line 6: source (column 3) is empty"),
        7: ("invalid_time", 'line 7: time (column 1): "2022-09-01 00:03" ')}),
    "snap.txt": (read_snap, {
        8: ("invalid_key", 'line 8: target (column 2): "n/a" '),
        9: ("invalid_syntax", "line 9: the row has 3 fields where 2 are expected"),
        11: ("invalid_key", 'line 11: source (column 1): "9223372036854775808" ')}),
    "snap-temporal.txt": (read_snap_temporal, {
        4: ("invalid_key", 'line 4: target (column 2): "eleven" '),
        6: ("invalid_time", 'line 6: time (column 3): "2009-09-29" '),
        7: ("invalid_syntax", "line 7: the row has 2 fields where 3 are expected")}),
    "zeek.log": (read_zeek, {
        12: ("missing_field", 'line 12: time (column 1): "-" is among source.format.nulls'),
        13: ("missing_field", 'line 13: source (column 3): "-" is among source.format.nulls'),
        14: ("invalid_weight", 'line 14: weight (column 10): "many" ')}),
    "vpc-flow-logs.log": (read_vpc_flow_logs, {
        4: ("missing_field",
            'line 4: source (column "srcaddr"): "-" is among source.format.nulls'),
        5: ("missing_field",
            'line 5: source (column "srcaddr"): "-" is among source.format.nulls'),
        7: ("invalid_time", 'line 7: time (column "start"): "now" '),
        8: ("invalid_syntax", "line 8: the row has 9 fields where 14 are expected")}),
    "netflow.json": (read_netflow, {
        4: ("invalid_weight", 'line 4: weight /bytes: "many" is not a decimal number'),
        5: ("missing_field", "line 5: time /time_flow_start_ns is missing or null"),
        6: ("wrong_type", "line 6: source /src_addr is a number with a fraction "),
        7: ("invalid_syntax", "line 7: the record is not JSON: at byte ")}),
    "suricata.json": (read_suricata, {
        3: ("missing_field", "line 3: source /src_ip is missing or null"),
        4: ("invalid_time", 'line 4: time /timestamp: "1900-01-00T00:00:14.199185+0000" '),
        6: ("wrong_type", "line 6: weight /flow/bytes_toserver is an array; ")}),
    "ethereum.json": (read_ethereum, {
        3: ("missing_field", "line 3: target /to_address is missing or null"),
        5: ("invalid_weight", 'line 5: weight /value: "0x10" is not a decimal number')}),
    "gh-archive.json": (read_gh_archive, {
        3: ("missing_field", "line 3: source /actor/login is missing or null"),
        4: ("invalid_time", 'line 4: time /created_at: "2026/01/01 00:00:02 -0800" '),
        5: ("empty_key", "line 5: target /repo/name is empty")}),
}


def shapes() -> Iterator[tuple[str, str, dict[int, Edge], dict[int, Letter]]]:
    """The name of each configuration, its records, and the edges and letters by line."""
    for file, (read, letters) in SHAPES.items():
        records = (RECORDS / file).read_text(encoding="utf-8")
        yield file.partition(".")[0], records, dict(read(records)), letters


def sashd(records: str, *arguments: str, cwd: str) -> subprocess.CompletedProcess:
    return subprocess.run([program("SASHD", "sashd"), *arguments], cwd=cwd, timeout=60,
                          input=records.encode(), capture_output=True, check=False)


def time_of(line: dict[str, Any]) -> int | None:
    if line["time"] is None:
        return None
    whole, _, fraction = line["time"].removesuffix("Z").partition(".")
    seconds = nanoseconds(datetime.datetime.fromisoformat(whole).replace(tzinfo=UTC))
    return seconds + int(fraction.ljust(9, "0"))


class ShapesTest(unittest.TestCase):
    def test_each_configuration_has_records(self) -> None:
        self.assertEqual({file.stem for file in EXAMPLES.glob("*.yaml")},
                         {example for example, *_ in shapes()} | {"debezium"})

    def test_each_record_becomes_the_edge_or_the_letter_that_it_should(self) -> None:
        for example, records, expected, letters in shapes():
            with self.subTest(example), tempfile.TemporaryDirectory(prefix="sash-shape-") as folder:
                done = sashd(records, "--check", str(EXAMPLES / f"{example}.yaml"),
                             "--record", "-", cwd=folder)
                self.assertEqual(done.returncode, 1, done.stderr)
                lines = {line["line"]: line for line in map(json.loads, done.stdout.splitlines())}
                edges = {at: (line["source"], line["target"], line["weight"], time_of(line))
                         for at, line in lines.items() if line["becomes"] == "edge"}
                self.assertEqual(edges, expected)
                self.assertGreater(len(expected), 2)
                for at, edge in expected.items():  # 2 and 2.0 are equal, but not the same weight
                    self.assertIs(type(edges[at][2]), type(edge[2]))
                self.assertEqual(set(lines) - set(edges), set(letters))
                for at, (reason, detail) in letters.items():
                    self.assertEqual((lines[at]["becomes"], lines[at]["reason"]),
                                     ("dead_letter", reason))
                    self.assertEqual(lines[at]["detail"][:len(detail)], detail)

    def test_a_run_has_the_same_edges_and_letters(self) -> None:
        for example, records, expected, letters in shapes():
            with self.subTest(example), tempfile.TemporaryDirectory(prefix="sash-shape-") as folder:
                done = sashd(records, "--config", str(EXAMPLES / f"{example}.yaml"), cwd=folder)
                log = done.stderr.decode()
                self.assertEqual(done.returncode, 0, log)
                self.assertRegex(log, f"end of the source: {len(expected) + len(letters)} records, "
                                      f"{len(letters)} of them refused")
                kept = pathlib.Path(folder, "dead-letters.jsonl").read_text("utf-8").splitlines()
                self.assertEqual([json.loads(letter)["reason"] for letter in kept],
                                 [reason for reason, _ in letters.values()])
                results = pathlib.Path(folder, f"{example}.jsonl").read_text("utf-8").splitlines()
                self.assertTrue(results)
                self.assertFalse([line for line in results if "error" in json.loads(line)])

    def test_weeks_of_the_temporal_network_begin_on_monday(self) -> None:
        records = (RECORDS / "snap-temporal.txt").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="sash-shape-") as folder:
            done = sashd(records, "--config", str(EXAMPLES / "snap-temporal.yaml"), cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = pathlib.Path(folder, "snap-temporal.jsonl").read_text("utf-8").splitlines()
        weeks = [result for result in map(json.loads, lines) if result["job"] == "week"]
        self.assertEqual([(week["window_start"], week["window_end"]) for week in weeks],
                         [("2009-09-28T00:00:00.000Z", "2009-10-05T00:00:00.000Z")])


Change = tuple[str, str, str, int | float | None, int]  # the operation, and an edge


def read_debezium(text: str) -> Iterator[tuple[int, Change]]:
    """The changes of the table of edges: of an update, first what ends."""
    def edge(operation: str, row: dict[str, Any], at: int) -> Change:
        weight = row["amount"] if operation == "add" else None
        return operation, row["payer"], row["payee"], weight, at * 10 ** 6
    for line, event in objects(text):
        event = event.get("payload", event)
        before, after = (row if row and row.get("state", "draft") != "draft" else None
                         for row in (event.get("before"), event.get("after")))
        if event.get("op") not in ("c", "r", "u", "d") or (
                event["op"] in "ud" and "state" not in (event["before"] or {})):
            continue
        if before:
            yield line, edge("remove", before, event["source"]["ts_ms"])
        if after:
            yield line, edge("add", after, event["source"]["ts_ms"])


class DebeziumTest(unittest.TestCase):
    """Records that become several edges, or none without being letters."""
    RECORDS = (RECORDS / "debezium.json").read_text(encoding="utf-8")
    NOTHING = [2, 9]  # a row that `where` leaves out, and a truncation
    LETTERS = {6: "before of the update is missing or null, so the edge that ends is not known; ",
               8: "before of the delete has no /state, which source.format.where reads, ",
               11: "the record has no op, so it is not a change event of Debezium "}

    def test_each_record_becomes_the_edges_or_the_letter_that_it_should(self) -> None:
        with tempfile.TemporaryDirectory(prefix="sash-shape-") as folder:
            done = sashd(self.RECORDS, "--check", str(EXAMPLES / "debezium.yaml"), "--record", "-",
                         cwd=folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([(line["line"], (line["operation"], line["source"], line["target"],
                                          line["weight"], time_of(line)))
                          for line in lines if line["becomes"] == "edge"],
                         list(read_debezium(self.RECORDS)))
        self.assertEqual([line["line"] for line in lines if line["becomes"] == "nothing"],
                         self.NOTHING)
        letters = {line["line"]: line for line in lines if line["becomes"] == "dead_letter"}
        self.assertEqual(set(letters), set(self.LETTERS))
        for at, detail in self.LETTERS.items():
            self.assertEqual(letters[at]["reason"], "missing_field")
            self.assertIn(detail, letters[at]["detail"])
        for at in (6, 8):
            self.assertIn("REPLICA IDENTITY FULL", letters[at]["detail"])

    def test_the_window_is_the_table(self) -> None:
        table: dict[tuple[str, str], int | float] = {}
        for _, (operation, source, target, weight, _) in read_debezium(self.RECORDS):
            if operation == "add":
                table[source, target] = weight
            else:
                table.pop((source, target), None)
        with tempfile.TemporaryDirectory(prefix="sash-shape-") as folder:
            done = sashd(self.RECORDS, "--config", str(EXAMPLES / "debezium.yaml"), cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            kept = pathlib.Path(folder, "dead-letters.jsonl").read_text("utf-8").splitlines()
            results = pathlib.Path(folder, "debezium.jsonl").read_text("utf-8").splitlines()
        self.assertEqual(len(kept), len(self.LETTERS))
        last = [result for result in map(json.loads, results) if result["job"] == "transfers"][-1]
        self.assertEqual({(edge["source"], edge["target"]): edge["weight"]
                          for edge in last["top_edges"]}, table)


if __name__ == "__main__":
    unittest.main()

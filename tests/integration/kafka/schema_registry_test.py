"""Records whose schemas are in a registry, through a real broker: Avro and JSON Schema, schemas
that change, are unknown or broken, and a registry that is away or refuses."""
import json
import pathlib
import struct
import subprocess
import sys
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import protected
from broker_case import START_MS, BrokerCase
from sashd_process import Sashd, await_that, program
from schema_registry import SchemaRegistry

END = b"=END OF RECORD="
USER, PASSWORD = "reader", "a password"

FIRST = {"type": "record", "name": "Edge", "namespace": "example", "fields": [
    {"name": "from", "type": "string"},
    {"name": "to", "type": "string"},
    {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}
# A later version: fields before and between those that the mapping names.
SECOND = {"type": "record", "name": "Edge", "namespace": "example", "fields": [
    {"name": "tags", "type": {"type": "map", "values": "string"}},
    {"name": "from", "type": ["null", "string"]},
    {"name": "amount", "type": ["null", {"type": "bytes", "logicalType": "decimal",
                                         "precision": 9, "scale": 2}]},
    {"name": "to", "type": "string"},
    {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-micros"}}]}


def long(value: int) -> bytes:
    bits = (value << 1) ^ (value >> 63)
    encoded = bytearray()
    while bits >= 0x80:
        encoded.append(bits & 0x7F | 0x80)
        bits >>= 7
    encoded.append(bits)
    return bytes(encoded)


def text(value: str) -> bytes:
    return long(len(value.encode())) + value.encode()


def framed(number: int, content: bytes) -> bytes:
    return b"\0" + struct.pack(">I", number) + content


def first(source: str, second: int) -> bytes:
    return text(source) + text("b") + long(START_MS + second * 1000)


def later(source: str, second: int, cents: int) -> bytes:
    tags = long(2) + text("k") + text("v") + text("l") + text("w") + long(0)
    amount = long(1) + long(2) + struct.pack(">h", cents)
    return (tags + long(1) + text(source) + amount + text("b")
            + long((START_MS + second * 1000) * 1000))


class SchemaRegistryTest(BrokerCase):
    def stream(self, topic: str, registry: SchemaRegistry, kind: str = "avro",
               **more: Any) -> dict[str, Any]:
        self.broker.create_topic(topic, 1)
        document = self.document(topic)
        document["source"]["format"] = {
            kind: {"source": "/from", "target": "/to", "time": "/ts", "weight": "/amount"},
            "registry": {"url": registry.url, **more}}
        document["source"]["dead_letters"] = {"path": "letters.jsonl"}
        document["jobs"] = [{"name": "shape", "kernel": "window", "window": "w",
                             "overrun": {"queue": 100}}]
        return document

    def send(self, topic: str, records: list[bytes]) -> None:
        subprocess.run(
            ["kcat", "-P", "-q", "-b", self.broker.address, "-t", topic, "-p", "0", "-D",
             END.decode()], input=END.join(records), check=True, timeout=60)

    def test_each_record_is_read_by_the_schema_that_it_names(self) -> None:
        with SchemaRegistry() as registry:
            one = registry.register("edges-value", FIRST)
            two = registry.register("edges-value", SECOND)
            broken = registry.register("broken-value", '{"type": "record", "name": "X"}')
            proto = registry.register("proto-value", "message X {}", "PROTOBUF")
            records = []
            for second in range(20):
                records.append(framed(one, first("a", second)))
                records.append(framed(two, later("c", second, 250)))
            wrong = [framed(99, b"x"), framed(broken, b"x"), framed(proto, b"x"), b"bare",
                     framed(one, b"\x02")]
            with Sashd(self.stream("versions", registry)) as sashd:
                self.send("versions", records[:20] + wrong + records[20:])
                lines = sashd.await_lines(19)
                whole = next(line for line in lines if line["edges"] == 20)
                self.assertEqual(whole["weight"], 10 * 1 + 10 * 2.5)
                self.assertEqual(whole["vertices"], 3)
                letters = sashd.await_lines(5, "letters.jsonl")
                self.assertEqual([letter["reason"] for letter in letters],
                                 ["schema"] * 4 + ["invalid_syntax"])
                for letter, part in zip(letters, (
                        "knows no schema 99", f"schema {broken} is broken: record \"X\"",
                        f"schema {proto} is of type PROTOBUF", "has no schema number",
                        f"names schema {one}, but is not written by it: at byte 6")):
                    self.assertIn(part, letter["detail"])
                self.assertEqual(sorted(registry.requests),
                                 sorted(f"/schemas/ids/{each}" for each in (one, two, broken,
                                                                            proto, 99)),
                                 "each schema is asked for once")
                self.assertEqual(self.incidents(sashd, "registry_requests"), 5)
                self.assertEqual(self.reasons(sashd), [])
                self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_schema_may_use_others(self) -> None:
        with SchemaRegistry() as registry:
            registry.register("party", {"type": "record", "name": "shared.Party", "fields": [
                {"name": "name", "type": "string"}]})
            uses = registry.register(
                "pairs-value", {"type": "record", "name": "Pair", "fields": [
                    {"name": "a", "type": "shared.Party"}, {"name": "b", "type": "shared.Party"},
                    {"name": "ts", "type": "long"}]},
                references=[{"name": "shared.Party", "subject": "party", "version": 1}])
            document = self.stream("pairs", registry)
            document["source"]["format"]["avro"] = {"source": "/a/name", "target": "/b/name",
                                                    "time": "/ts"}
            with Sashd(document) as sashd:
                self.send("pairs", [framed(uses, text("x") + text("y") + long(START_MS + i * 1000))
                                    for i in range(12)])
                self.assertEqual(sashd.await_lines(11)[-1]["edges"], 10)

    def test_json_schema_is_read_behind_its_number(self) -> None:
        with SchemaRegistry() as registry:
            number = registry.register("json-value", {"type": "object"}, "JSON")
            avro = registry.register("avro-value", FIRST)
            with Sashd(self.stream("json", registry, "json")) as sashd:
                records = [framed(number, json.dumps(
                    {"from": "a", "to": "b", "ts": START_MS + i * 1000, "amount": 2}).encode())
                    for i in range(12)]
                self.send("json", [framed(avro, first("a", 0)), *records])
                self.assertEqual(sashd.await_lines(11)[-1]["weight"], 20)
                self.assertIn(f"schema {avro} is an Avro schema; give `avro`",
                              sashd.await_lines(1, "letters.jsonl")[0]["detail"])

    def test_a_registry_that_is_away_or_refuses_holds_the_stream_and_nothing_is_lost(self) -> None:
        with SchemaRegistry(USER, PASSWORD) as registry:
            one = registry.register("edges-value", FIRST)
            two = registry.register("edges-value", SECOND)
            document = self.stream("away", registry, user=USER, password="${file:password}")
            before = lambda folder: (folder / "password").write_text("not-the-password\n")
            with Sashd(document, before=before) as sashd:
                self.send("away", [framed(one, first("a", second)) for second in range(15)])
                self.await_reason(sashd, f"away [0] offset 0, whose schema {one} is not known: the "
                                         f"schema registry {registry.url} answers 401")
                self.assertIn("check user and password", " ".join(self.reasons(sashd)))
                self.assertEqual(sashd.lines(), [])
                self.assertNotIn("not-the-password", sashd.log())
                self.assertEqual(sashd.stop(), 0, sashd.log())
                (sashd.folder / "password").write_text(PASSWORD)
                sashd.start()
                self.assertEqual(sashd.await_lines(14)[-1]["edges"], 10)
                registry.fails_with = 503
                self.send("away", [framed(two, later("c", 15 + second, 100))
                                   for second in range(10)])
                self.await_reason(sashd, "answers 503")
                registry.stop()
                registry.fails_with = None
                self.await_reason(sashd, "cannot be asked")
                self.assertGreaterEqual(self.incidents(sashd, "registry_holds"), 1)
                self.assertGreater(self.incidents(sashd, "registry_failures"), 0)
                self.assertEqual(len(sashd.lines()), 14, "no window closes while records wait")
                registry.start()
                self.await_ready(sashd)
                last = sashd.await_lines(24)[-1]
                self.assertEqual((last["edges"], last["weight"], last["gap"]), (10, 10, False))
                self.assertEqual(sashd.lines("letters.jsonl"), [])
                self.assertRegex(sashd.log(), "the schema registry answers; reading goes on")

    def test_topics_of_mappings_with_a_registry_wait_for_it_and_others_go_on(self) -> None:
        with SchemaRegistry() as registry:
            one = registry.register("card-value", FIRST)
            document = self.stream("card", registry)
            self.broker.create_topic("cash", 1)
            source = document["source"]
            source["kafka"]["topics"] = ["card", "cash"]
            avro = source.pop("format")
            source["mappings"] = [{"name": "card", "topics": {"pattern": "^card"}, **avro},
                                  {"name": "cash", "topics": ["cash"], "json": avro["avro"]}]
            cash = [json.dumps({"from": "c", "to": "b", "ts": START_MS + second * 1000}).encode()
                    for second in range(15)]
            registry.fails_with = 503
            with Sashd(document) as sashd:
                self.send("card", [framed(one, first("a", second)) for second in range(15)])
                self.await_reason(sashd, "the topics of mappings with a registry wait at card [0] "
                                         f"offset 0, whose schema {one} is not known")
                self.send("cash", cash)
                positions = lambda: [(each["topic"], each["position"]) for each in
                                     sashd.json("/api/v1/source")["partitions"]]
                self.assertTrue(await_that(lambda: positions() == [("card", 0), ("cash", 15)]),
                                f"{positions()}\n{sashd.log()}")
                self.assertEqual(sashd.lines(), [], "windows wait for the records that wait")
                registry.fails_with = None
                self.assertEqual(sashd.await_lines(14)[-1]["edges"], 20)
                self.await_ready(sashd)
                self.send("card", [framed(99, b"x")])
                letter, = sashd.await_lines(1, "letters.jsonl")
                self.assertEqual([place["mapping"] for place in letter["places"]], ["card"])
                self.assertIn("mapping card: the schema registry knows no schema 99",
                              letter["detail"])
                counts = {each["name"]: (each["accepted"], each["refused"])
                          for each in sashd.json("/api/v1/source")["mappings"]}
                self.assertEqual(counts, {"card": (15, 1), "cash": (15, 0)})
                self.assertEqual(sashd.stop(), 0, sashd.log())
                (sashd.folder / "record").write_bytes(framed(one, first("x", 1)))
                for arguments, edge in ((["--probe", "--config", "sashd.yaml"], '"c" -> "b"'),
                                        (["--check", "sashd.yaml", "--record", "record", "--topic",
                                          "card"], '"mapping":"card","source":"x","target":"b"')):
                    ended = subprocess.run([program("SASHD", "sashd"), *arguments],
                                           cwd=sashd.folder, capture_output=True, text=True,
                                           check=False, timeout=60)
                    self.assertIn(edge, ended.stdout + ended.stderr)

    def test_tls_with_the_certificates_of_both_sides_and_a_password(self) -> None:
        def certificates(folder: pathlib.Path) -> None:
            for name in ("server", "client"):
                protected.certificate(folder / name)
            (folder / "password").write_text(PASSWORD)

        sashd = Sashd(before=certificates)
        folder = sashd.folder
        with SchemaRegistry(USER, PASSWORD, certificate=folder / "server",
                            clients=folder / "client/certificate.pem") as registry:
            number = registry.register("edges-value", FIRST)
            document = self.stream("tls", registry, ca="server/certificate.pem",
                                   certificate="client/certificate.pem", key="client/key.pem",
                                   user=USER, password="${file:password}")
            (folder / "sashd.yaml").write_text(json.dumps(document))
            self.send("tls", [framed(number, first("a", second)) for second in range(12)])
            with sashd:
                self.assertEqual(sashd.await_lines(11)[-1]["edges"], 10)
                self.assertEqual(sashd.stop(), 0, sashd.log())
                probe = subprocess.run([program("SASHD", "sashd"), "--probe", "--config",
                                        "sashd.yaml"],
                                       cwd=folder, capture_output=True, text=True, check=False,
                                       timeout=60)
                self.assertIn('"a" -> "b"', probe.stdout + probe.stderr)
                given = document["source"]["format"]["registry"]
                without = {key: value for key, value in given.items()
                           if key not in ("certificate", "key")}
                another = {**given, "ca": "client/certificate.pem"}
                for group, wrong, why in (("without", without, "cannot be asked"),
                                          ("another", another, "certificate")):
                    document["source"]["format"]["registry"] = wrong
                    document["source"]["kafka"]["group"] = group
                    (folder / "sashd.yaml").write_text(json.dumps(document))
                    (folder / "log").unlink()
                    sashd.start()
                    self.await_reason(sashd, why)
                    self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main()

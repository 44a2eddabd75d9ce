"""Tests of what `sashd` finds out about topics without a run: `--probe` and `--infer`.

broker_life_test.py runs them.
"""
import subprocess
from typing import TYPE_CHECKING, Any

import yaml

from broker_case import START_MS
from sashd_process import edges, run

if TYPE_CHECKING:
    from broker_life_test import BrokerLifeTest


class Probing:
    """Tests for a BrokerCase."""

    def test_a_configuration_is_inferred_from_the_newest_records_of_a_topic(
            self: "BrokerLifeTest") -> None:
        self.broker.create_topic("unknown", 2)
        for partition in (0, 1):
            subprocess.run(
                ["kcat", "-P", "-q", "-b", self.broker.address, "-t", "unknown", "-p",
                 str(partition)], check=True, timeout=60,
                input=edges((f"a{i % 7}", f"a{i % 5}", START_MS + i * 1000)
                            for i in range(30 * partition, 30 * partition + 30)))
        ended = run(None, arguments=["--infer", "--topic", "unknown", "--brokers",
                                     self.broker.address])
        self.assertEqual((ended.code, ended.log), (0, ""), ended.output)
        proposed = yaml.safe_load(ended.output)["source"]
        self.assertEqual(proposed["kafka"],
                         {"brokers": self.broker.address, "topics": ["unknown"]})
        self.assertEqual(proposed["format"]["json"],
                         {"source": "/from", "target": "/to", "time": "/ts"})
        self.assertEqual(self.broker.describe_group("sash"), {}, "it commits nothing")

    def test_a_probe_says_what_a_run_would_find_and_changes_nothing(self: "BrokerLifeTest") -> None:
        self.broker.create_topic("probed", 2)
        self.produce("probed", 0, 5, partition=0)
        self.produce("probed", 5, 4, partition=1, source="newest")
        document = self.document("probed")
        code, lines = self.probe(document)
        self.assertEqual(code, 0, lines)
        self.assertIn(f"source.kafka.brokers: {self.broker.address} answers; the brokers of the "
                      f"cluster advertise {self.broker.address}", lines["ok"])
        self.assertIn("source.kafka.topics[0] probed: 2 partitions with 9 offsets: [0] 0..5, [1] "
                      "0..4",
                      lines["ok"])
        self.assertIn("source.kafka.topics[0] probed: the newest record, probed [1] offset "
                      "3: \"newest\" -> \"b\", weight 1, event time 2026-01-01T00:00:08.000Z, add",
                      lines["ok"])
        self.assertIn("source.kafka.group group-probed: may be read; nothing is committed yet",
                      lines["ok"], "the probe commits nothing")
        rate = [line for line in lines["ok"] if line.startswith("windows[0] w: at ")]
        self.assertRegex(rate[0],
                         r"at 0\.15 events/s \(of the (last minute|minute to .*)\) it holds "
                                  r"about 1\.5 edges: about 0\.0 MiB")
        again = self.probe(document)[1]
        self.assertEqual(*[[line for line in each["ok"] if "source.kafka" in line]
                           for each in (lines, again)], "nothing has changed by probing")

        kcat = ["kcat", "-P", "-q", "-b", self.broker.address, "-t", "probed", "-p", "0"]
        subprocess.run(kcat, input=b"no JSON", check=True, timeout=60)
        password = "a-password-that-is-nowhere-to-be-seen"
        document["sinks"] += [{"kafka": {"topic": "no-results"}},
                              {"file": {"path": "none/results"}},
                              {"kafka": {"topic": "t", "brokers": "127.0.0.1:1",
                                         "outbox": {"path": "o"},
                                         "options": {"sasl.username": "u",
                                                     "sasl.password": password}}}]
        code, lines = self.probe(document)
        self.assertEqual(code, 1, lines)
        for line in ("source.kafka.topics[0] probed: the newest record, probed [0] offset 5, does "
                     "not decode: invalid_syntax: ",
                     "sinks[1].kafka.topic no-results: there is no topic no-results; create it",
                     "sinks[2].file.path: `none/results` cannot be made: there is no folder `none`",
                     "sinks[3].kafka.brokers: 127.0.0.1:1 does not answer: "):
            self.assertTrue(any(line in error for error in lines["error"]), f"{line}\n{lines}")
        self.assertEqual(len(lines["error"]), 5, lines)  # the fifth: that topic is not tried
        self.assertNotIn(password, str(lines))

        denied = ("--operation", "Read", "--topic", "probed")
        self.broker.acls("--add", "--allow-principal", "User:somebody-else", *denied)
        code, lines = self.probe(self.document("probed"))
        self.assertEqual(code, 1, lines)
        self.assertIn("authorization failed", str(lines["error"]))
        self.assertIn("have the broker's administrator grant it", str(lines["error"]))

    def probe(self: "BrokerLifeTest", document: dict[str, Any]) -> tuple[int, dict[str, list[str]]]:
        """The exit code, and the findings by grade."""
        ended = run(document, arguments=["--probe", "--config", "sashd.yaml"])
        self.assertEqual(ended.log, "")
        self.assertEqual(set(ended.files), {"sashd.yaml", "log"}, "the probe writes no file")
        found: dict[str, list[str]] = {"ok": [], "warning": [], "error": []}
        for line in ended.output.splitlines():
            grade, _, rest = line.partition(" ")
            found[grade].append(rest.strip())
        return ended.code, found

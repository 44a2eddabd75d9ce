#!/usr/bin/env python3
"""Row `ingest_json`: JSON records of a filled topic of a real broker, read into open slices.

Starts the broker, fills a topic, and has sash_topic_bench read it again and again. Its programs are
those of the release preset, or named by SASH_GENERATE and SASH_TOPIC_BENCH.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import kafka_broker

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOPIC = "edges"
PARTITIONS = 4
SECONDS = 600


def program(variable: str, name: str) -> str:
    return os.environ.get(variable) or str(ROOT / "build/release" / name)


def fill(brokers: str, records: int, padding: int) -> None:
    generate = [program("SASH_GENERATE", "daemon/generate/sash-generate"), "--edges", str(records),
                "--rate", "0", "--event-rate", "1000000", "--scale", "18", "--format", "json"]
    if not padding:
        subprocess.run([*generate, "--to", "kafka", "--brokers", brokers, "--topic", TOPIC,
                        "--partitions-count", str(PARTITIONS)],
                       check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)
        return
    # Small fields before the mapped ones, until the record has the wanted size.
    fields = "".join(f'"field{i}": {i}.5, "name{i}": "value {i}", '
                     for i in range(padding // 40 + 1))
    with (subprocess.Popen(generate, stdout=subprocess.PIPE) as made,
          subprocess.Popen(["sed", f"s/^{{/{{{fields}/"], stdin=made.stdout,
                           stdout=subprocess.PIPE) as padded):
        subprocess.run(["kcat", "-P", "-b", brokers, "-t", TOPIC, "-X", "linger.ms=20"],
                       stdin=padded.stdout, check=True, timeout=SECONDS)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--records", type=int, default=2_000_000)
    arguments.add_argument("--repetitions", type=int, default=5)
    arguments.add_argument("--padding", type=int, default=0,
                           help="about so many bytes of other fields in each record")
    arguments.add_argument("--json", type=pathlib.Path, help="write the rows to this file, too")
    given = arguments.parse_args()
    try:
        with kafka_broker.KafkaBroker() as broker:
            broker.create_topic(TOPIC, PARTITIONS)
            fill(broker.address, given.records, given.padding)
            command = [program("SASH_TOPIC_BENCH", "tests/bench/sash_topic_bench"), broker.address,
                       TOPIC, str(given.records), str(given.repetitions)]
            if given.json:
                command.append(str(given.json.resolve()))
            return subprocess.run(command, check=False, timeout=SECONDS).returncode
    except kafka_broker.Unavailable as reason:
        print(f"ingest_bench: {reason}", file=sys.stderr)
        return 77


if __name__ == "__main__":
    sys.exit(main())

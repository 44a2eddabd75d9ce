"""Tests the broker of the tests: it stores and returns records, and never outlives its test."""
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import unittest

import kafka_broker


@unittest.skipUnless(sys.platform == "linux", "the broker is tied to its test by prctl")
class KafkaBrokerTest(unittest.TestCase):
    def setUp(self):
        try:
            kafka_broker.require_tools()
            kafka_broker.fetch()
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))

    def test_records_come_back_from_their_partition(self):
        with kafka_broker.KafkaBroker() as broker:
            broker.create_topic("edges", partitions=4)
            kcat = ["kcat", "-q", "-b", broker.address, "-t", "edges", "-p", "3"]
            subprocess.run([*kcat, "-P"], input=b"one\ntwo\n", check=True, timeout=30)
            read = subprocess.run([*kcat, "-C", "-e", "-o", "beginning"], capture_output=True,
                                  check=True, timeout=30)
        self.assertEqual(read.stdout, b"one\ntwo\n")

    def test_it_ends_with_a_test_that_is_killed(self):
        script = ("import kafka_broker, signal\n"
                  "with kafka_broker.KafkaBroker() as broker:\n"
                  "  print(broker.nodes[1].pid, broker._folder, flush=True)\n"
                  "  signal.pause()\n")
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                              cwd=pathlib.Path(__file__).parent) as parent:
            pid, folder = parent.stdout.readline().split()
            watch = os.pidfd_open(int(pid))
            parent.send_signal(signal.SIGKILL)
        # A pidfd becomes readable when its process has ended.
        ready, _, _ = select.select([watch], [], [], 20)
        os.close(watch)
        shutil.rmtree(folder)  # nothing else is left to remove it
        self.assertTrue(ready, "the broker outlived its test")


if __name__ == "__main__":
    unittest.main()

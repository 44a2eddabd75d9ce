"""spark-submit to a master with two workers, whose Python does not have the package."""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import pyspark

from engines import PACKAGE, differences, document, read_results, records, require_spark
from sashd_replay import Replay

KEYS = [f"v{i}" for i in range(12)]
PATIENCE_SECONDS = 120
SPARK = pathlib.Path(pyspark.__file__).parent


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class ClusterTest(unittest.TestCase):
    def setUp(self) -> None:
        require_spark()
        scratch = tempfile.TemporaryDirectory(prefix="sash-spark-cluster-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.environment = {**without, "SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1",
                            "SPARK_SCALA_VERSION": "2.13",  # workers of pip's package ask for it
                            "PYSPARK_PYTHON": sys.executable}

    def start(self, name: str, *arguments: str) -> pathlib.Path:
        """Starts a process of Spark, which the test ends; returns its log."""
        log = self.folder / f"{name}.log"
        with open(log, "wb") as file:
            process = subprocess.Popen(
                [str(SPARK / "bin" / "spark-class"), *arguments], env=self.environment,
                cwd=self.folder, stdout=file, stderr=subprocess.STDOUT)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return log

    def await_line(self, log: pathlib.Path, line: str) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while line not in log.read_text(errors="replace"):
            self.assertLess(time.monotonic(), until, log.read_text(errors="replace")[-3000:])
            time.sleep(0.2)

    def test_jobs_run_in_a_cluster_as_in_sashd(self) -> None:
        master = f"spark://127.0.0.1:{free_port()}"
        log = self.start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1",
                         "--port", master.rpartition(":")[2], "--webui-port", str(free_port()))
        self.await_line(log, "I have been elected leader")
        for worker in ("worker-1", "worker-2"):
            self.start(worker, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1",
                       "--webui-port", str(free_port()), "-c", "1", "-m", "1g", "-d",
                       str(self.folder / worker), master)
            self.await_line(self.folder / f"{worker}.log", "Successfully registered with master")
        jobs = [{"name": "t", "kernel": "triangles", "window": "w"},
                {"name": "c", "kernel": "wcc", "window": "w"},
                {"name": "s", "kernel": "strength", "window": "w"}]
        replay = Replay(document("string", [{"name": "w"}], jobs, [
            {"parquet": {"path": "export", "windows": ["w"]}}]), records(1, KEYS, [1, 2], 100))
        self.addCleanup(replay.__exit__)
        replay.run()
        done = subprocess.run(
            [str(SPARK / "bin" / "spark-submit"), "--master", master, "--executor-memory", "512m",
             "--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.ui.enabled=false",
             str(PACKAGE / "sash_spark" / "__main__.py"), "--snapshot",
             str(replay.folder / "export" / "w"), "--config", str(replay.folder / "sashd.yaml"),
             "--output", str(replay.folder / "out"), "--blocks", "3"],
            env=self.environment, cwd=self.folder, capture_output=True, text=True,
            timeout=PATIENCE_SECONDS * 5, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        expected = read_results(replay.folder / "top.jsonl")
        found = read_results(replay.folder / "out" / "results.jsonl")
        self.assertEqual(len(found), len(jobs))
        for identity, result in found.items():
            with self.subTest(identity=identity):
                self.assertEqual(differences(result, expected[identity]), [])
        for worker in ("worker-1", "worker-2"):
            self.assertIn("Asked to launch executor", (self.folder / f"{worker}.log").read_text(),
                          "each worker had an executor")


if __name__ == "__main__":
    unittest.main()

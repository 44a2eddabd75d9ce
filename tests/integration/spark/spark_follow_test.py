"""`sash-spark --follow` while slices come: its results are those of `--slices` over all of them."""
import contextlib
import fcntl
import io
import json
import pathlib
import shutil
import threading
import time
import unittest
from typing import Callable

import pyspark  # noqa: F401  (run_test.py reports that it is missing)

from engines import differences, disturbed, read_files, read_results, records
from slices_case import KEYS, SEED, SlicesCase

from sash_spark.configuration import load_configuration
from sash_spark.errors import InputError
from sash_spark.follow_run import follow_slices
from sash_spark.result_files import ResultFiles
from sash_spark.waiting import Ending

PATIENCE_SECONDS = 500
NAMES = ["drop-where", "weigh-types", "drop-types"]  # all with a length


class Follower:
    """A follower in a thread, which reads what is moved into its folder."""

    def __init__(self, configuration: pathlib.Path, folder: pathlib.Path, output: pathlib.Path
                 ) -> None:
        self.said = io.StringIO()
        self.ending = Ending()
        self._code: list[int] = []
        self._given = (configuration, folder, output)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> int:
        self.ending.ask()
        self._thread.join(PATIENCE_SECONDS)
        return self._code[0] if self._code else -1

    def _run(self) -> None:
        configuration, folder, output = self._given
        with contextlib.redirect_stderr(self.said):
            try:
                with ResultFiles(output) as files:
                    self._code.append(follow_slices(
                        folder, load_configuration(configuration), None, files, 2**32, True, None,
                        0.1, self.ending))
            except InputError as error:
                self.said.write(str(error))
                self._code.append(78)


class FollowTest(SlicesCase):
    def test_results_are_those_of_all_slices_at_once(self) -> None:
        content = disturbed(records(SEED, KEYS, [0, 1, 2, 2**40, 0.5, -3], 120), SEED)
        source = self.replayed(NAMES, content)
        code, said = self.ran(source, "--vertices", "all", "--output", str(source / "out"))
        self.assertEqual(code, 0, said)
        expected = read_results(source / "out" / "results.jsonl")
        folder = source / "followed"
        folder.mkdir()
        manifests = sorted((source / "slices").glob("slice-*.json"))
        for part in (manifests[:len(manifests) // 2], manifests[len(manifests) // 2:]):
            follower = Follower(source / "sashd.yaml", folder, source / "follow")
            self.addCleanup(follower.end)
            if part[0] != manifests[0]:  # it has read the slices of the first part, and no other
                self.await_that(follower, lambda one=follower: "follows" in one.said.getvalue())
            for manifest in part:
                shutil.copy(manifest.with_suffix(".parquet"), folder)
                shutil.copy(manifest, folder / "part")
                (folder / "part").rename(folder / manifest.name)
                end = json.loads(manifest.read_text())["end"]
                due = len([identity for identity in expected if identity[1] <= end])
                self.await_that(follower, lambda least=due: len(
                    [*(source / "follow" / "results").glob("*.json")]) >= least)
            if part[-1] == manifests[-1]:
                # Those of the first part are forgotten; it does so after the last result.
                self.await_that(follower, lambda: self.remove_unlocked(folder) > 0)
            self.assertEqual(follower.end(), 0, follower.said.getvalue())
        found = read_files(source / "follow")
        self.assertEqual(sorted(found), sorted(expected))
        for identity, result in found.items():
            with self.subTest(identity=identity, seed=SEED):
                self.assertEqual(differences(result, expected[identity]), [])
                self.assertEqual(result["snapshot"], expected[identity]["snapshot"])
        vectors = [sorted(path.name for path in (source / each / "vectors").iterdir())
                   for each in ("out", "follow")]
        self.assertEqual(*vectors)

    def await_that(self, follower: Follower, what: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not what():
            self.assertLess(time.monotonic(), until, follower.said.getvalue())
            time.sleep(0.1)

    def remove_unlocked(self, folder: pathlib.Path) -> int:
        """Removes the oldest slices up to the first locked one, as `keep` does; returns how
        many."""
        count = 0
        for path in sorted(folder.glob("slice-*.json")):
            with open(path, "rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return count
            path.unlink()
            path.with_suffix(".parquet").unlink()
            count += 1
        return count


if __name__ == "__main__":
    unittest.main()

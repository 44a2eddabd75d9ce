"""`sashd --infer`: what it proposes for a file passes --check, and replays the file."""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from typing import Any

import yaml

from sashd_process import PATIENCE_SECONDS, ROOT, program

SHARED = ROOT.parent / "shared"

PAYMENTS = "step,type,amount,nameOrig,oldbalanceOrg,nameDest,isFraud\n" + "".join(
    f"{1 + i // 20},TRANSFER,{100 + i}.25,C{i % 17},0,C{i % 13},0\n" for i in range(600))
CALLS = "caller;callee;date;time;duration\n" + "".join(
    f"+49170{i % 11:04};+49151{i % 7:04};26.11.2025;{8 + i // 60:02}:{i % 60:02}:00;{i}\n"
    for i in range(300))
GRAPH = "# FromNodeId\tToNodeId\n" + "".join(f"{i % 19}\t{i % 23}\n" for i in range(200))
FLOWS = "".join(
    json.dumps({"timestamp": f"2024-09-24T23:{i // 60:02}:{i % 60:02}.5+0000",
                "event_type": "flow", "src_ip": f"10.0.0.{i % 9}", "dest_ip": f"10.0.0.{i % 7}",
                "flow": {"bytes_toserver": i}}) + "\n" for i in range(400))


def fields(text: str) -> dict[str, Any]:
    """The mapped fields of a configuration; of a key that is joined, the last of its fields."""
    form = yaml.safe_load(text)["source"]["format"]
    mapping = form.get("json") or form["csv"]
    found = {}
    for name in ("source", "target", "time"):
        field = mapping.get(name)
        if isinstance(field, dict):
            field = field["from"]
        found[name] = field[-1] if isinstance(field, list) else field
    return found


class InferTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="sash-infer-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def sashd(self, *arguments: str, input: bytes | None = None) -> subprocess.CompletedProcess:
        return subprocess.run([program("SASHD", "sashd"), *arguments], cwd=self.folder,
                              input=input, capture_output=True, timeout=PATIENCE_SECONDS,
                              check=False)

    def propose(self, file: str) -> str:
        done = self.sashd("--infer", file)
        self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())
        (self.folder / "sash.yaml").write_bytes(done.stdout)
        return done.stdout.decode()

    def replay(self, input: bytes | None = None) -> tuple[list[dict], int]:
        """The results of the proposal, which passes --check, and the number of dead letters."""
        done = self.sashd("--check", "sash.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.sashd("--config", "sash.yaml", input=input)
        self.assertEqual(done.returncode, 0, done.stderr)
        results = [json.loads(line)
                   for line in (self.folder / "results.jsonl").read_text().splitlines()]
        letters = self.folder / "dead-letters.jsonl"
        return results, len(letters.read_text().splitlines()) if letters.exists() else 0

    def most_edges(self, results: list[dict]) -> int:
        return max(result["edges"] for result in results)

    def test_proposals_for_files_of_many_shapes_run(self) -> None:
        for name, text in (("payments.csv", PAYMENTS), ("calls 2025.csv", CALLS),
                           ("g.txt", GRAPH), ("eve.json", FLOWS)):
            with self.subTest(name):
                (self.folder / "results.jsonl").unlink(missing_ok=True)
                (self.folder / name).write_text(text)
                yaml = self.propose(name)
                results, letters = self.replay()
                self.assertEqual(letters, 0, yaml)
                self.assertGreater(self.most_edges(results), 30, yaml)

    def test_compressed_files_and_standard_input_are_read(self) -> None:
        (self.folder / "payments.gz").write_bytes(gzip.compress(PAYMENTS.encode()))
        self.assertIn("compressed with gzip", self.propose("payments.gz"))
        self.assertEqual(self.replay()[1], 0)
        (self.folder / "results.jsonl").unlink()
        done = self.sashd("--infer", "-", input=FLOWS.encode())
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.folder / "sash.yaml").write_bytes(done.stdout)
        results, letters = self.replay(FLOWS.encode())
        self.assertEqual(letters, 0)
        self.assertGreater(self.most_edges(results), 30)

    def test_what_cannot_be_told_is_said_with_code_1(self) -> None:
        (self.folder / "f.csv").write_text("temperature,humidity\n20.5,40\n21.5,41\n")
        done = self.sashd("--infer", "f.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"sashd: --infer: f.csv: it is not clear which fields are", done.stderr)
        self.assertTrue(all(line.startswith("#") for line in done.stdout.decode().splitlines()))
        done = self.sashd("--infer", "missing.csv")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"missing.csv: cannot be opened: No such file or directory", done.stderr)

    def test_the_document_shows_what_it_prints(self) -> None:
        text = (ROOT / "configs/first-run.md").read_text(encoding="utf-8")
        shown = re.search(r"^\$ cat calls\.csv\n(.*?)^\$ sashd --infer calls\.csv\n(.*?)^```$",
                          text, re.MULTILINE | re.DOTALL)
        assert shown is not None
        (self.folder / "calls.csv").write_text(shown[1])
        self.assertEqual(self.propose("calls.csv"), shown[2])
        self.assertEqual(self.replay()[1], 0)

    def test_well_known_files_are_mapped_as_in_the_worked_configurations(self) -> None:
        """A third of the records in these files are broken on purpose."""
        shapes = sorted((ROOT / "tests/integration/shapes").iterdir())
        self.assertGreater(len(shapes), 9)
        for shape in shapes:
            with self.subTest(shape.name):
                worked = (ROOT / f"configs/examples/{shape.stem}.yaml").read_text()
                self.assertEqual(fields(self.propose(str(shape))), fields(worked))

    def test_public_files_run(self) -> None:
        if not SHARED.exists():
            self.skipTest("there is no ../shared beside this checkout")
        found = [SHARED / "data/enron-emails.csv",
                 *SHARED.glob("data/graphalytics/example/example-directed.e"),
                 *SHARED.glob("field/cases/*/g.txt"), *SHARED.glob("field/cases/*/conn.log"),
                 *SHARED.glob("field/cases/*/body.tsv")]
        for path in found:
            with self.subTest(path.name):
                (self.folder / "results.jsonl").unlink(missing_ok=True)
                (self.folder / "dead-letters.jsonl").unlink(missing_ok=True)
                shutil.copyfile(path, self.folder / path.name)
                os.chmod(self.folder / path.name, 0o600)
                yaml = self.propose(path.name)
                results, letters = self.replay()
                records = len(path.read_text().splitlines())
                self.assertLess(letters, 0.02 * records + 1, yaml)
                self.assertGreater(self.most_edges(results), 0, yaml)


if __name__ == "__main__":
    unittest.main()

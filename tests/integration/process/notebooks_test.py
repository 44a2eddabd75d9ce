"""The notebooks of the Python package, executed by Jupyter's own client with a running sashd.

nbclient with ipykernel runs the cells as a reader's Jupyter does: with the display of figures and
tables, and the values of last lines, which exec() of the cells would not have.
"""
import os
import re
import subprocess
import tempfile
import unittest
from typing import Any

import matplotlib  # noqa: F401  # the notebooks need it, and pandas
import nbclient
import nbformat
import pandas  # noqa: F401
from traitlets.config import Config

from sashd_process import PATIENCE_SECONDS, ROOT, Sashd, program

PACKAGE = ROOT / "connectors" / "python"
FOLDER = PACKAGE / "notebooks"
RING = {f"ring-1-{i}" for i in range(1, 9)}


def generated(text: str) -> bytes:
    """The output of the command in the comment of notebooks.yaml."""
    command = text.split("#   sash-generate ")[1].split(" > payments.jsonl")[0]
    return subprocess.run([program("SASH_GENERATE", "generate/sash-generate"),
                           *command.replace("\\\n#", "").split()],
                          capture_output=True, check=True, timeout=PATIENCE_SECONDS).stdout


class NotebooksTest(unittest.TestCase):
    def setUp(self) -> None:
        own = tempfile.TemporaryDirectory(prefix="sash-notebooks-")
        self.addCleanup(own.cleanup)
        text = (FOLDER / "notebooks.yaml").read_text()
        files = {"payments.jsonl": generated(text),
                 "sashd.yaml": f'{text}\nhttp: {{listen: "127.0.0.1:0"}}\n'.encode()}
        self.sashd = Sashd(before=lambda folder: [(folder / name).write_bytes(content)
                                                  for name, content in files.items()])
        self.sashd.start()
        self.addCleanup(self.sashd.__exit__)
        self.sashd.await_log(r"process\.end_of_source")
        for name, value in (("SASH_URL", self.sashd.url("")), ("PYTHONPATH", str(PACKAGE)),
                            ("JUPYTER_RUNTIME_DIR", own.name), ("IPYTHONDIR", own.name)):
            self.addCleanup(self.set_back, name, os.environ.get(name))
            os.environ[name] = value

    @staticmethod
    def set_back(name: str, value: Any) -> None:
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value

    def execute(self, name: str) -> tuple[list[str], int]:
        """The texts of all values, and the number of figures."""
        notebook = nbformat.read(FOLDER / name, as_version=4)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            self.assertEqual((cell.get("outputs", []), cell.get("execution_count")), ([], None),
                             "the outputs of a notebook are not committed")
        nbclient.NotebookClient(
            notebook, timeout=PATIENCE_SECONDS, kernel_name="python3",
            config=Config(KernelManager={"transport": "ipc"})).execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        self.assertEqual([output.text for output in outputs if output.output_type == "stream"], [])
        values = [output["data"] for output in outputs]
        return ([value["text/plain"] for value in values if "image/png" not in value],
                sum("image/png" in value for value in values))

    def test_the_ring_is_found_by_its_alert(self):
        texts, figures = self.execute("fraud.ipynb")
        self.assertEqual(figures, 3)
        _, alerts, members, *_ = texts
        for account in RING:
            self.assertIn(account, alerts)
            self.assertIn(account, members)

    def test_the_score_of_a_notebook_is_that_of_its_job(self):
        texts, figures = self.execute("own-score.ipynb")
        self.assertEqual(figures, 2)
        for account in RING:
            [computed, of_job] = (re.search(rf"{account} .*?(0\.\d{{6}})", text)[1]
                                  for text in texts[1:3])
            self.assertEqual(computed, of_job)
        self.assertNotIn("returned", [job["name"] for job in self.sashd.json("/api/v1/jobs")])


if __name__ == "__main__":
    unittest.main()

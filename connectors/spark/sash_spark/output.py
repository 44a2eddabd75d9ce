"""Where results go: a folder, or standard output."""
from __future__ import annotations

import errno
import pathlib
import sys
from typing import IO, Any, Optional

from sash_spark.errors import InputError
from sash_spark.results import line_of

RESULTS = "results.jsonl"
RESULT_FILES = "results"  # the folder of --follow


def file_stem(job: str, end: str) -> str:
    """The name of the files of a result: its job, and the end of its window."""
    return f"{job}-{end.replace(':', '')}"


class Output:
    """Writes each result as one line when its job has run. InputError: the folder has results, or
    cannot be written."""

    def __init__(self, folder: Optional[pathlib.Path]) -> None:
        self.folder = folder
        self._file: Optional[IO[str]] = None
        if folder is None:
            return
        try:
            self._open(folder)
        except FileExistsError as error:
            raise InputError(f"{error.filename}: exists; give another --output, or remove it "
                             "first") from error
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror}") from error

    def _open(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / RESULT_FILES).exists():
            raise FileExistsError(errno.EEXIST, "", str(folder / RESULT_FILES))
        self._file = open(folder / RESULTS, "x", encoding="utf-8")

    def write(self, result: dict[str, Any]) -> None:
        file = self._file or sys.stdout
        file.write(line_of(result) + "\n")
        file.flush()

    def has(self, job: str, end: str) -> bool:
        """Whether the result of a job for the window that ends then was there before this run."""
        return False

    def vectors(self, job: str, end: str) -> Optional[pathlib.Path]:
        """Where the vectors of a result go; None: nowhere."""
        if self.folder is None:
            return None
        return self.folder / "vectors" / f"{file_stem(job, end)}.parquet"

    def __enter__(self) -> Output:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

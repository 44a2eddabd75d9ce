"""Where results go: a folder, or standard output."""
from __future__ import annotations

import pathlib
import sys
from typing import IO, Any, Optional

from sash_spark.errors import InputError
from sash_spark.results import line_of

RESULTS = "results.jsonl"


class Output:
    """Whole lines, each written when its job has run. InputError: the folder has results."""

    def __init__(self, folder: Optional[pathlib.Path]) -> None:
        self.folder = folder
        self._file: Optional[IO[str]] = None
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = open(folder / RESULTS, "x", encoding="utf-8")
        except FileExistsError as error:
            raise InputError(f"{error.filename}: exists; give another --output, or remove it "
                             "first") from error
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror}") from error

    def write(self, result: dict[str, Any]) -> None:
        file = self._file or sys.stdout
        file.write(line_of(result) + "\n")
        file.flush()

    def vectors(self, name: str) -> Optional[pathlib.Path]:
        """Where the vectors of a result go; None: nowhere."""
        return None if self.folder is None else self.folder / "vectors" / f"{name}.parquet"

    def __enter__(self) -> Output:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

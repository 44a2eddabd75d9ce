#!/usr/bin/env python3
"""Runs one unittest module, or one class of it, as one test of CTest.

  run_test.py FILE [CLASS]

It moves into build/venv when that is there (tests/run.sh makes it). Exit code 77 tells CTest that
everything was skipped, with the reason printed.
"""
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
VENV_PYTHON = HERE.parents[1] / "build" / "venv" / "bin" / "python"
SKIPPED = 77


def enter_venv() -> None:
    """Restarts the program with the interpreter that has the packages."""
    if VENV_PYTHON.exists() and pathlib.Path(sys.prefix) != VENV_PYTHON.parents[1]:
        os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])


def main() -> int:
    enter_venv()
    file = pathlib.Path(sys.argv[1]).resolve()
    sys.path[:0] = [str(file.parent), str(HERE)]
    try:
        __import__(file.stem)
    except ModuleNotFoundError as error:
        if error.name in ("numpy", "scipy", "networkx", "yaml", "jsonschema", "jsonschema_rs",
                          "celpy", "duckdb", "matplotlib", "nbclient", "pandas", "polars",
                          "pyarrow", "pyspark"):
            print(f"skipped: no Python package {error.name}; tests/run.sh installs it")
            return SKIPPED
        raise
    tests = unittest.defaultTestLoader.loadTestsFromName(".".join([file.stem, *sys.argv[2:]]))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    for test, reason in result.skipped:
        print(f"skipped: {reason}: {test.id()}")
    if not result.wasSuccessful():
        return 1
    # A test that is skipped counts as run; of a class that is skipped as a whole, none does.
    skipped = sum(isinstance(test, unittest.TestCase) and not hasattr(test, "test_case")
                  for test, _ in result.skipped)  # a subTest has a test_case
    return SKIPPED if result.testsRun == skipped else 0


if __name__ == "__main__":
    sys.exit(main())

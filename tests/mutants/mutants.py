#!/usr/bin/env python3
"""Runs the tests with seeded bugs: each bug must make some test fail.

All bugs are compiled into one copy of the sources, disabled; SASH_SEEDED_BUG enables one of them.
So it takes one build, and a short run for each bug. Those of sashd are for delivery_mutants.py.

  mutants.py fit                      passes when each bug fits the sources
  mutants.py list                     the names of those that unit tests find, one a line
  mutants.py build SCRATCH            copies the sources, seeds the bugs, builds the test programs
                                      and sashd in SCRATCH/build
  mutants.py run SCRATCH NAME         passes when a test fails; NAME "none": when none does
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys

import delivery_bugs
from every_bug import NUMBERS, seeded_sources
from seeded_bugs import BUGS
from seeding import ROOT, VARIABLE, DoesNotFit

COPIED = ("CMakeLists.txt", "windows", "connectors", "daemon", "tests/CMakeLists.txt", "tests/lint",
          "tests/support", "tests/windows", "tests/connectors", "tests/daemon")
PROGRAMS = tuple(dict.fromkeys(bug.program for bug in BUGS))
SECONDS = 120  # for one program; the control takes a few
BYTES = 16 << 30  # of address space, so that a bug cannot fill the memory of the machine
SCRIPTS = "40"


def build(scratch: pathlib.Path) -> None:
    tree = scratch / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name in COPIED:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name)
        else:
            shutil.copy2(ROOT / name, tree / name)
    for name, text in seeded_sources().items():
        (tree / name).write_text(text)
    binaries = scratch / "build"
    subprocess.run(["cmake", "-S", tree, "-B", binaries, "-G", "Ninja",
                    "-DCMAKE_BUILD_TYPE=Seeded", "-DCMAKE_CXX_FLAGS_SEEDED=-O1 -w",
                    "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0"], check=True)
    targets = [pathlib.PurePath(path).name for path, _ in PROGRAMS]
    subprocess.run(["cmake", "--build", binaries, "--target", "sashd", *targets], check=True)


def failed_tests(scratch: pathlib.Path, program: tuple[str, str], number: int) -> list[str]:
    """The tests that fail while the bug with this number is enabled; a crash or hang counts too."""
    path, tests = program
    name = pathlib.PurePath(path).name
    environment = os.environ | {VARIABLE: str(number), "SASH_SCRIPTS": SCRIPTS,
                                "SASH_SHRINK": "0", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [scratch / "build/tests" / path, f"--gtest_filter={tests}",
             "--gtest_fail_fast", "--gtest_brief=0"],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            errors="replace", timeout=SECONDS, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES)))
    except subprocess.TimeoutExpired:
        return [f"{name} hangs"]
    if done.returncode == 0:
        return []
    lines = done.stdout.splitlines()
    failed = [line.split()[3].rstrip(",") for line in lines
              if line.startswith("[  FAILED  ]") and line.endswith("ms)")]
    if done.returncode < 0:
        running = [line.split()[-1] for line in lines if line.startswith("[ RUN      ]")]
        failed = [f"{running[-1] if running else name} (signal {-done.returncode})"]
    if not failed:
        sys.exit(f"{name} ended with {done.returncode} and names no failed test:\n{done.stdout}")
    return failed


def run(scratch: pathlib.Path, name: str) -> None:
    if name == "none":
        for program in PROGRAMS:
            failed = failed_tests(scratch, program, 0)
            if failed:
                sys.exit(f"with no bug enabled these fail: {', '.join(failed)}")
        print("with no bug enabled every test passes")
        return
    program = next(bug.program for bug in BUGS if bug.name == name)
    failed = failed_tests(scratch, program, NUMBERS[name])
    if not failed:
        sys.exit(f"no test sees that {name.replace('_', ' ')}")
    print(f"seen by {', '.join(failed)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fit")
    commands.add_parser("list")
    commands.add_parser("build").add_argument("scratch", type=pathlib.Path)
    running = commands.add_parser("run")
    running.add_argument("scratch", type=pathlib.Path)
    running.add_argument("name", choices=["none", *(bug.name for bug in BUGS)])
    arguments = parser.parse_args()
    if arguments.command == "fit":
        seeded_sources()
        print(f"{len(BUGS)} bugs for unit tests and {len(delivery_bugs.BUGS)} for kills fit")
    elif arguments.command == "list":
        print("\n".join(bug.name for bug in BUGS))
    elif arguments.command == "build":
        build(arguments.scratch.resolve())
    else:
        run(arguments.scratch.resolve(), arguments.name)


if __name__ == "__main__":
    try:
        main()
    except DoesNotFit as problems:
        sys.exit(str(problems))

#!/usr/bin/env python3
"""Carries out --room and --changed of tests/run.sh: builds the unit tests of some rooms in the
debug preset, and runs them together with the lints.

A room is a folder of sources that has a test program: windows/store, connectors/kafka. CMake labels
its tests with it (sash_test in tests/CMakeLists.txt). The tests in Python, which run whole
programs, have no such label.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lint"))
import check_layers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "debug"
# A file that belongs to a room although it is in another folder.
ELSEWHERE = {"configs": "daemon/config"}


def programs_of_rooms() -> dict[str, list[str]]:
    """The test programs of each room, from the list that CMake writes when it is configured."""
    rooms = {}
    for line in (BUILD / "tests" / "rooms.txt").read_text(encoding="utf-8").splitlines():
        room, program = line.split()
        rooms.setdefault(room, []).append(program)
    return rooms


def rooms_named(name: str, rooms: list[str]) -> list[str]:
    """The room of that path, or else all rooms with that last component, or else all below it."""
    name = name.strip("/")
    for exact in (name, name.removeprefix("tests/")):
        if exact in rooms:
            return [exact]
    return ([room for room in rooms if room.endswith("/" + name)] or
            [room for room in rooms if room.startswith(name + "/")])


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *arguments],
                          capture_output=True, text=True, check=False)
    if done.stderr and done.returncode:  # git grep without a match: 1, no message
        raise SystemExit(f"rooms: git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def changed_files() -> tuple[str, list[str]]:
    """The name of the commit that the working tree is compared with, and the files that differ."""
    def since(commit: str) -> list[str]:
        # Without renames: a file that has left a room has changed the room.
        return git("diff", "--name-only", "--no-renames", commit).splitlines() + \
            git("ls-files", "--others", "--exclude-standard").splitlines()

    branches = git("for-each-ref", "--format=%(refname:short)", "refs/remotes/origin/main",
                   "refs/heads/main").split()
    if branches:
        branch = "origin/main" if "origin/main" in branches else "main"
        base = git("merge-base", "HEAD", branch).strip()
        if files := since(base):
            return f"{base[:12]}, where HEAD and {branch} part", files
    if files := since("HEAD"):
        return "HEAD", files
    return "HEAD~1, since nothing else has changed", since("HEAD~1")


def users_of_support(path: str) -> list[str]:
    """The files outside tests/support that include a header of it, directly or through others."""
    users, open_files = [], [path]
    for file in open_files:
        header = re.sub(r"\.cc$", ".h", file)
        found = git("grep", "--untracked", "-l", "-F", f'#include "{header}"', "--", "tests")
        for user in found.splitlines():
            if not user.startswith("tests/support/"):
                users.append(user)
            elif user not in open_files:
                open_files.append(user)
    return users


def rooms_of_file(path: str, rooms: list[str]) -> set[str]:
    """The innermost room around a file or its test; the rooms whose tests use a file of support."""
    if path.startswith("tests/support/"):
        return set().union(*(rooms_of_file(user, rooms) for user in users_of_support(path)))
    mirrored = path.removeprefix("tests/")
    top = mirrored.partition("/")[0]
    around = [room for room in rooms if path.startswith(room + "/") or
              mirrored.startswith(room + "/") or ELSEWHERE.get(top) == room]
    return set(sorted(around, key=len)[-1:])


def rooms_above(chosen: list[str], rooms: list[str]) -> list[str]:
    """The other rooms that may include one of these, by the arrows of the layer lint."""
    allowed, _ = check_layers.allowed_layers()
    below = {row for row in allowed if rooms_of_file(row + "/", rooms) & set(chosen)}
    above = {room for row in allowed if allowed[row] & below
             for room in rooms_of_file(row + "/", rooms)}
    return sorted(above - set(chosen))


def choose_changed(rooms: list[str]) -> list[str]:
    base, files = changed_files()
    print(f"rooms: compared with {base}: {len(files)} file{'s' * (len(files) != 1)}")
    chosen, outside = {}, []
    for path in files:
        found = rooms_of_file(path, rooms)
        for room in found:
            chosen.setdefault(room, []).append(path)
        if not found:
            outside.append(path)
    for room, paths in sorted(chosen.items()):
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        print(f"rooms:   {room}: {', '.join(paths[:3])}{more}")
    if outside:
        print(f"rooms:   without unit tests: {', '.join(outside[:5])}{' ...' * (len(outside) > 5)}")
    chosen = [room for room in rooms if room in chosen]
    if above := rooms_above(chosen, rooms):
        print(f"rooms: not tested, although they may include the rooms above: {', '.join(above)}")
    return chosen


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/run.sh",
                                     usage="%(prog)s (--room ROOM ... | --changed)")
    parser.add_argument("--room", action="append", default=[], metavar="ROOM")
    parser.add_argument("--changed", action="store_true")
    asked = parser.parse_args()
    if asked.changed == bool(asked.room):
        parser.error("name rooms or say --changed")

    os.chdir(ROOT)
    subprocess.run(["cmake", "--preset", "debug"], stdout=subprocess.DEVNULL, check=True)
    programs = programs_of_rooms()
    rooms = sorted(programs)
    chosen = choose_changed(rooms) if asked.changed else []
    for name in asked.room:
        named = rooms_named(name, rooms)
        if not named:
            all_rooms = "\n  ".join(rooms)
            print(f"rooms: no room with unit tests is called {name}; these are\n  {all_rooms}",
                  file=sys.stderr)
            return 2
        chosen += [room for room in named if room not in chosen]

    print(f"rooms: tests {', '.join(chosen) or 'no room'} and the lints", flush=True)
    targets = [program for room in chosen for program in programs[room]]
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
    if targets and subprocess.run(["cmake", "--build", "--preset", "debug", "-j", jobs, "--target",
                                   *targets], check=False).returncode:
        return 1
    labels = "^lint$" + "".join(f"|:{room}$" for room in chosen)
    os.environ.setdefault("SASH_FEWER_SCRIPTS", "1")
    return subprocess.run(["ctest", "--preset", "debug", "-j", jobs, "--progress",
                           "-L", labels, "-LE", "^slow:"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

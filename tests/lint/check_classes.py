#!/usr/bin/env python3
"""Fails when a class is implemented in more than two .cc files: then it is split by noun."""
import collections
import pathlib
import re
import sys

MOST_FILES = 2
FOLDERS = ("windows", "connectors", "daemon")
# The definition of a member begins in the first column: "Result<T> Class::Member(".
DEFINITION = re.compile(r"^(?:[A-Za-z_][\w:<>,&* ]*[ &*])?([A-Z]\w*)::~?\w+\(", re.MULTILINE)


def classes_of(text: str) -> set[str]:
    return set(DEFINITION.findall(text))


def faults_of(files: dict[str, str]) -> list[str]:
    """`files`: text by name."""
    places = collections.defaultdict(list)
    for name, text in sorted(files.items()):
        for each in classes_of(text):
            places[each].append(name)
    return [f"{each} is implemented in {len(names)} files, {MOST_FILES} at most: {', '.join(names)}"
            for each, names in sorted(places.items()) if len(names) > MOST_FILES]


def main(root: pathlib.Path) -> int:
    files = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
             for folder in FOLDERS for path in (root / folder).rglob("*.cc")}
    errors = faults_of(files)
    print("\n".join(errors) or f"classes of {len(files)} files ok")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))

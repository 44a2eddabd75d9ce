#!/usr/bin/env python3
"""Fails when a line of code exceeds 100 columns, or one of a document 120.

A line that cannot be broken may be longer: a row of a table, a line within a code fence of
Markdown, and a line with a single word after its prefix, such as a link.
"""
import pathlib
import re
import sys

MOST = 100
MOST_OF_PROSE = 120  # of Markdown
SUFFIXES = {".cc", ".h", ".in", ".py", ".sh", ".cmake", ".mjs", ".ts", ".tsx", ".css", ".yaml",
            ".yml", ".md"}
NAMES = {"CMakeLists.txt", "Dockerfile", "run"}
SKIPPED_FOLDERS = {
    "build", ".git", "node_modules",
    "daemon/console/bundle",  # generated
    "tests/fuzz/corpus", "tests/fuzz/regressions",  # inputs
}
SKIPPED_FILES = {
    "tests/dashboards/schema/kinds.ts",  # names chosen by Grafana
}
BEGINS = re.compile(r"^\s*(?:(?://|#|[-*]|\d+\.|>|\[[^]]+\]:|/\*)\s+)*")


def is_whole(line: str) -> bool:
    """Whether it has no place for a break."""
    return " " not in line[BEGINS.match(line).end():].rstrip()


def faults_of(name: str, text: str) -> list[str]:
    errors = []
    is_markdown = name.endswith(".md")
    most = MOST_OF_PROSE if is_markdown else MOST
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if is_markdown and line.lstrip().startswith("```"):
            fenced = not fenced
        if len(line) <= most or is_whole(line):
            continue
        if is_markdown and (fenced or line.lstrip().startswith("|")):
            continue
        errors.append(f"{name}:{number}: {len(line)} columns, {most} at most")
    return errors


def files(folder: pathlib.Path, root: pathlib.Path):
    for path in sorted(folder.iterdir()):
        name = path.relative_to(root).as_posix()
        if path.is_symlink() or {name, path.name} & SKIPPED_FOLDERS:
            continue
        if path.is_dir():
            yield from files(path, root)
        elif (path.suffix in SUFFIXES or path.name in NAMES) and name not in SKIPPED_FILES:
            yield path, name


def main(root: pathlib.Path) -> int:
    errors = []
    for path, name in files(root, root):
        errors += faults_of(name, path.read_text(encoding="utf-8"))
    print("\n".join(errors) or "lines ok")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))

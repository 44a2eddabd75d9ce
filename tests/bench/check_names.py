#!/usr/bin/env python3
"""Fails when the benchmark's rows differ from the rows that its pages explain."""
import json
import pathlib
import re
import sys


def explained(text: str) -> set[str]:
    """Names in backticks in the first column of a page's tables."""
    names = set()
    for line in text.splitlines():
        if line.startswith("|"):
            names.update(re.findall(r"`([a-z0-9_]+)`", line.split("|")[1]))
    return names


def main(rows_path: str, *page_paths: str) -> int:
    rows = json.loads(pathlib.Path(rows_path).read_text(encoding="utf-8"))
    known = set()
    for path in page_paths:
        known |= explained(pathlib.Path(path).read_text(encoding="utf-8"))
    errors = []
    for row in rows:
        if list(row) != ["name", "value", "unit", "spread", "ratio"]:
            errors.append(f"{row}: not the keys that readers of the file rely on")
        if not row["value"] > 0:
            errors.append(f"{row['name']}: {row['value']} cannot be")
    printed = {row["name"] for row in rows}
    errors += [f"{name}: printed, but not explained" for name in printed - known]
    errors += [f"{name}: explained, but not printed" for name in known - printed]
    print("\n".join(sorted(errors)) or f"{len(printed)} rows ok")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

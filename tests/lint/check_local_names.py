#!/usr/bin/env python3
"""Fails when two files of a library or program use the same local name for different things.

In sanitizer builds, the files of a target are compiled as one unit, so the names in each anonymous
namespace are visible in all the other files. Two types of the same name do not compile; of two
functions, the wrong one may be called.
"""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"(?:struct|class|enum class|enum) (\w+)")
ALIAS = re.compile(r"using (\w+) = (.*);")
# At the beginning of a line: a name after a type, followed by arguments, a value or nothing.
OTHER = re.compile(r"(?!return|using|namespace|else|case|public|private|[A-Z_]+\()"
                   r"[\w:<>,*&\[\] ()]*?[\s*&](\w+)(?:\(|\s*=|\{|\[|;)")


def local_names(text: str) -> dict[str, tuple[int, str]]:
    """The names in anonymous namespaces, each with its line and, for an alias, its meaning."""
    names: dict[str, tuple[int, str]] = {}
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("namespace {"):
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif inside and line and line[0] not in " #/}":
            alias = ALIAS.match(line)
            found = TYPE.match(line) or (None if line.startswith("using") else OTHER.match(line))
            if alias:
                names.setdefault(alias[1], (number, alias[2]))
            elif found:
                names.setdefault(found[1], (number, f"another thing, {number}"))
    return names


def target_of(file: pathlib.Path) -> pathlib.Path:
    """The folder whose CMakeLists.txt names the file."""
    folder = file.parent
    while not (folder / "CMakeLists.txt").exists():
        folder = folder.parent
    if folder.name != "windows":
        return folder
    # Each room of the engine, and of its tests, is a target of the common list, with its folders.
    return folder / file.relative_to(folder).parts[0]


def check(root: pathlib.Path) -> list[str]:
    seen: dict[pathlib.Path, dict[str, tuple[str, str]]] = collections.defaultdict(dict)
    errors = []
    for top in ("windows", "connectors", "daemon", "tests"):
        for file in sorted((root / top).rglob("*.cc")):
            names = seen[target_of(file)]
            for name, (line, thing) in local_names(file.read_text()).items():
                here = f"{file.relative_to(root)}:{line}"
                thing = f"{here} {thing}" if thing.startswith("another") else thing
                other, other_thing = names.setdefault(name, (here, thing))
                if other_thing != thing:
                    errors.append(f"{here}: {other} also has a {name}; rename one of them")
    return errors


def main() -> int:
    errors = check(pathlib.Path(sys.argv[1]))
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

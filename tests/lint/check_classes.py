#!/usr/bin/env python3
"""Fails when a class is implemented in more than two .cc files: then it is split by noun.

A class of many methods or members needs a sentence in its header that says why: "It has more
methods than other classes: ...".
"""
import collections
import pathlib
import re
import sys

MOST_FILES = 2
MOST_METHODS = 40
MOST_MEMBERS = 20
REASON = re.compile(r"has more (?:methods|members|members and methods) than other classes:")
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


NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
CLASS = re.compile(r"^ *(?:class|struct) (?:SASH_\w+(?:\([^)]*\))? )?(\w+)(?: final)?"
                   r"(?: *:[^;{]*)?\s*\{", re.MULTILINE)
# Declarations that are neither methods nor members.
OTHERS = re.compile(r"(?:using|friend|static_assert|enum|typedef|class|struct|static constexpr)\b")


def declarations_of(code: str, begin: int) -> list[str]:
    """The declarations of the class whose body begins there, without the bodies of functions."""
    found, current, depth = [], "", 1
    for c in code[begin:]:
        depth += (c == "{") - (c == "}")
        if depth == 0:
            break
        if depth == 1 and (c == ";" or (c == "}" and "(" in without_angles(current))):
            found.append(current)
            current = ""
        elif depth == 1 and c != "}":
            current += c
    return [re.sub(r"\b(?:public|private|protected):", "", each).strip() for each in found]


def without_angles(text: str) -> str:
    previous = None
    while previous != text:
        previous, text = text, re.sub(r"<[^<>]*>", "", text)
    return text


def size_of(declarations: list[str]) -> tuple[int, int]:
    """The numbers of methods and of members."""
    methods = members = 0
    for each in declarations:
        plain = without_angles(re.sub(r"SASH_\w+\([^()]*\)", "", each))
        plain = re.sub(r"^template\s+", "", plain)
        if not plain or OTHERS.match(plain):
            continue
        if "(" in plain.split(" = ")[0] or "operator" in plain:
            methods += 1
        else:
            members += 1
    return methods, members


def sizes_of(text: str) -> dict[str, tuple[int, int]]:
    """The numbers of methods and of members of each class in a header."""
    code = NO_CODE.sub("", text)
    return {found[1]: size_of(declarations_of(code, found.end())) for found in CLASS.finditer(code)}


def size_faults_of(headers: dict[str, str]) -> list[str]:
    faults = []
    for name, text in sorted(headers.items()):
        if REASON.search(re.sub(r"\n// ?", " ", text)):
            continue
        faults += [f"{name}: {each} has {methods} methods and {members} members, "
                   f"{MOST_METHODS} and {MOST_MEMBERS} at most without a reason"
                   for each, (methods, members) in sizes_of(text).items()
                   if methods > MOST_METHODS or members > MOST_MEMBERS]
    return faults


def files_of(root: pathlib.Path, ending: str) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
            for folder in FOLDERS for path in (root / folder).rglob("*" + ending)}


def main(root: pathlib.Path) -> int:
    files = files_of(root, ".cc")
    errors = faults_of(files) + size_faults_of(files_of(root, ".h"))
    print("\n".join(errors) or f"classes of {len(files)} files ok")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))

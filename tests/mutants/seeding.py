"""Bugs as text edits of sources: all of them in one copy, disabled; SASH_SEEDED_BUG enables one of
them."""
import collections
import dataclasses
import pathlib
import re
from typing import Iterable

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIABLE = "SASH_SEEDED_BUG"
HEADER = "windows/base/awake_bug.h"
_HEADER_TEXT = f"""#pragma once
#include <cstdlib>
inline const int awake_bug = [] {{
  const char* const bug = std::getenv("{VARIABLE}");
  return bug == nullptr ? 0 : std::atoi(bug);
}}();
"""


@dataclasses.dataclass(frozen=True)
class Edit:
    """The old text occurs exactly once in its file. It is a whole expression, or whole statements
    that declare nothing used after them."""
    file: str  # from the root
    old: str
    new: str


class DoesNotFit(Exception):
    """The edits that no longer fit the sources."""


def seeded(bugs: Iterable[tuple[str, Iterable[Edit]]]) -> dict[str, str]:
    """The files that have bugs, containing all of them, and a header; the first bug's number is
    1."""
    variants: dict[tuple[str, str], list[tuple[int, str]]] = collections.defaultdict(list)
    names = {}
    for number, (name, edits) in enumerate(bugs, 1):
        for edit in edits:
            variants[edit.file, edit.old].append((number, edit.new))
            names[edit.file, edit.old] = name
    texts = {file: (ROOT / file).read_text() for file, _ in variants}
    problems = []
    for (file, old), of_one in variants.items():
        if not _is_whole(old):
            problems.append(f"{names[file, old]}: neither an expression nor statements:\n  {old}")
        if (count := texts[file].count(old)) != 1:
            problems.append(f"{names[file, old]}: {file} holds {count} times:\n  {old}")
        elif not _begins_well(old, texts[file].partition(old)[0]):
            problems.append(f"{names[file, old]}: begins within an expression or a statement:"
                            f"\n  {old}")
        else:
            texts[file] = texts[file].replace(old, _asleep(old, of_one))
    if problems:
        raise DoesNotFit("seeded bugs that no longer fit the code; adapt them in tests/mutants:\n"
                         + "\n".join(problems))
    return {HEADER: _HEADER_TEXT,
            **{file: f'#include "{HEADER}"\n{text}' for file, text in texts.items()}}


def _is_whole(old: str) -> bool:
    """Whether it may be an expression or statements: brackets are balanced, and there is something
    on both sides of operators."""
    if any(old.count(begin) != old.count(end) for begin, end in ("()", "[]", "{}")):
        return False
    text = old.strip()
    if text.startswith("}"):
        return False
    if text.endswith((";", "}")):
        return True
    operators = ("&&", "||", "?", ": ", ",", "=")
    has_both_branches = text.count("?") <= text.replace("::", "").count(":")
    return (";" not in text and has_both_branches and not text.endswith(operators)
            and not text.startswith(operators))


def _begins_well(old: str, before: str) -> bool:
    """Whether statements begin where the statement `before` them has ended, and an expression with
    no word that begins a statement."""
    if not old.rstrip().endswith((";", "}")):
        if before.endswith((".", "->")):
            return False
        return not re.match(r"\s*(if|for|while|switch|do|else|return|const|auto)\b", old)
    code = re.sub(r"//.*", "", before)
    return code.rstrip().endswith((";", "{", "}", ")", ":", "else"))


def _asleep(old: str, variants: list[tuple[int, str]]) -> str:
    """`old`, unless one of the bugs is enabled."""
    text = old
    for number, new in variants:
        if old.rstrip().endswith((";", "}")):
            text = f"if (awake_bug == {number}) {{ {new} }} else {{ {text} }}"
        else:
            text = f"(awake_bug == {number} ? ({new}) : ({text}))"
    return text

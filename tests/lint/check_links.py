#!/usr/bin/env python3
"""Fails when a link in a document leads nowhere: a relative path that is not in the tree, or a
#anchor that no heading of its page has. Anchors are as GitHub makes them. Code is skipped, and so
are links to other sites."""
import collections
import functools
import pathlib
import re
import subprocess
import sys
import urllib.parse

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
HTML_ANCHOR = re.compile(r"<a\s[^>]*?(?:id|name)=\"([^\"]+)\"")
# [text](target "title"), also of images; and [label]: target
INLINE = re.compile(r"\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def without_fences(text: str) -> list[str]:
    """The lines; those of fenced code are empty, so that line numbers stay."""
    lines, fence = [], ""
    for line in text.splitlines():
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
            lines.append("")
        elif mark:
            fence = mark[1]
            lines.append("")
        else:
            lines.append(line)
    return lines


def anchor_of(heading: str) -> str:
    """Ignores other headings of the page."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)  # a link is replaced with its text
    text = re.sub(r"[*`]", "", text)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


@functools.cache
def anchors(page: pathlib.Path) -> frozenset[str]:
    found, seen = set(), collections.Counter()
    for line in without_fences(page.read_text(encoding="utf-8")):
        found.update(HTML_ANCHOR.findall(line))
        if heading := HEADING.match(line):
            anchor = anchor_of(heading[1])
            found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
            seen[anchor] += 1
    return frozenset(found)


def links(page: pathlib.Path) -> list[tuple[int, str]]:
    """(line, target) of each link."""
    text = "\n".join(without_fences(page.read_text(encoding="utf-8")))
    text = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    return sorted((text.count("\n", 0, link.start()) + 1, link[1])
                  for form in (INLINE, REFERENCE) for link in form.finditer(text))


def fault(root: pathlib.Path, page: pathlib.Path, target: str) -> str | None:
    """Why a link of the page leads nowhere."""
    if ELSEWHERE.match(target):
        return None
    path, _, anchor = target.partition("#")
    place = (page.parent / urllib.parse.unquote(path)).resolve() if path else page
    if not place.is_relative_to(root):
        return "leads out of the tree"
    if not place.exists():
        return "there is no such file or folder"
    if anchor and place.suffix == ".md" and urllib.parse.unquote(anchor) not in anchors(place):
        return f"{place.relative_to(root)} has no heading with the anchor #{anchor}"
    return None


def faults(root: pathlib.Path, pages: list[pathlib.Path]) -> list[str]:
    root = root.resolve()
    return [f"{page.relative_to(root)}:{line}: {target}: {why}"
            for page in pages for line, target in links(page)
            if (why := fault(root, page, target)) is not None]


def documents(root: pathlib.Path) -> list[pathlib.Path]:
    """The files that git tracks, or would add."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard",
         "--", "*.md"], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        found = {root / name for name in listed.stdout.split("\0") if name}
    else:  # an archive without git
        found = {path for path in root.rglob("*.md")
                 if not {"build", "node_modules"} & set(path.relative_to(root).parts)}
    return sorted(path for path in found if path.exists())


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    pages = documents(root)
    if not pages:
        print(f"{root}: no documents")
        return 1
    wrong = faults(root, pages)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Fails when the events of the log differ from their reference, deploy/log_events.md.

Events are declared only in files named log_events.h, so each id is written once. Each event has a
row in the reference with its severity, whether it is limited, and an existing runbook entry; each
is logged somewhere; every row belongs to an event.
"""
import pathlib
import re
import sys

ROOMS = ("windows", "connectors", "daemon")
REFERENCE = "deploy/log_events.md"
DECLARED = re.compile(r'LogEvent (k\w+)\{\s*"([^"]*)",\s*LogSeverity::k(\w+)'
                      r'(?:,\s*LogPace::k(\w+))?\}')
NAMESPACE = re.compile(r"^namespace sash::(\w+) \{", re.M)
ID = re.compile(r"[a-z][a-z_]*(\.[a-z][a-z_]*)+")
ANY_EVENT = re.compile(r"\bLogEvent (\w+ ?)?\{")
TOLD = re.compile(r"\b\w+_events::k\w+")
ROW = re.compile(r"^\| `([^`]+)` \| (\w+) \| (\w+) \| (.+) \| (.+) \|$", re.M)
LINK = re.compile(r"\(runbook\.md#([\w-]+)\)")
# Members that every JSON line has; a field with one of these names would occur twice.
TAKEN = ("time", "level", "event", "message", "held_back", "held_back_seconds")
FIELD = re.compile(r'\{"(%s)", ' % "|".join(TAKEN))


def sources(root: pathlib.Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
            for room in ROOMS for path in sorted((root / room).rglob("*"))
            if path.suffix in {".h", ".cc"}}


def declared_in(texts: dict[str, str]) -> tuple[dict[str, tuple[str, str, str]], list[str]]:
    """For each id its severity, whether it is limited, and its name; and the errors found."""
    events, errors = {}, []
    for name, text in texts.items():
        if not name.endswith("/log_events.h"):
            if name != "windows/base/event_log.h" and ANY_EVENT.search(text):
                errors.append(f"{name}: an event is declared; that is for a log_events.h")
            continue
        space = NAMESPACE.search(text)
        found = DECLARED.findall(text)
        if space is None or len(found) != text.count("LogEvent k"):
            errors.append(f"{name}: a declaration is not of the usual form")
            continue
        for constant, event, severity, pace in found:
            if not ID.fullmatch(event):
                errors.append(f"{name}: {event}: an id is lower case and dotted")
            if event in events:
                errors.append(f"{name}: {event} is declared twice")
            limited = "no" if pace == "Always" else "yes"
            events[event] = (severity.lower(), limited, f"{space[1]}::{constant}")
    return events, errors


def compare(events: dict[str, tuple[str, str, str]], reference: str, runbook: str) -> list[str]:
    errors = []
    entries = {title.lower() for title in re.findall(r"^### (\w+)$", runbook, re.M)}
    rows = {}
    for event, severity, limited, _, remedy in ROW.findall(reference):
        if event in rows:
            errors.append(f"{REFERENCE}: {event} has two rows")
        rows[event] = (severity, limited)
        errors += [f"{REFERENCE}: {event}: the runbook has no entry #{entry}"
                   for entry in LINK.findall(remedy) if entry not in entries]
    for event, (severity, limited, _) in events.items():
        if event not in rows:
            errors.append(f"{REFERENCE}: {event} has no row")
        elif rows[event] != (severity, limited):
            errors.append(f"{REFERENCE}: {event} is {' '.join(rows[event])} there, and "
                          f"{severity} {limited} in the sources")
    errors += [f"{REFERENCE}: {event} is no event" for event in rows if event not in events]
    return errors


def main(root: pathlib.Path) -> int:
    texts = sources(root)
    events, errors = declared_in(texts)
    told = {name for text in texts.values() for name in TOLD.findall(text)}
    errors += [f"{event}: no code logs it ({name})" for event, (_, _, name) in events.items()
               if name not in told]
    errors += [f"{name}: a field is called {field}, which every line has"
               for name, text in texts.items() if "log_events.h" in text
               for field in FIELD.findall(text)]
    errors += compare(events, (root / REFERENCE).read_text(encoding="utf-8"),
                      (root / "deploy/runbook.md").read_text(encoding="utf-8"))
    print("\n".join(errors) or f"{len(events)} log events ok")
    return 1 if errors or not events else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))

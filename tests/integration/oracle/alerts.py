"""Which alerts the results of a job send, looked up in the whole history of its lists."""
import dataclasses
import datetime
import json
from typing import Any, Callable

TOP = 50  # rows that a job lists by default; a file may have more
Row = dict[str, Any]
Sent = tuple[str, str]  # end of the window, subject


@dataclasses.dataclass(frozen=True)
class Alert:
    """`holds` is the condition as a function of a row; `members`: where a result has its rows,
    and the members that name the subject of one."""
    spec: dict[str, Any]  # as in the configuration
    holds: Callable[[Row], bool]
    members: tuple[str, ...] = ("top", "vertex")

    @property
    def count(self) -> int:
        return self.spec.get("for", 1)


def sent(lines: list[str], alert: Alert) -> list[Sent]:
    """The alerts that the results in `lines` send, in the order of the results; those of one result
    are sorted by subject."""
    results = [result for result in map(json.loads, lines) if result["job"] == alert.spec["job"]]
    results.sort(key=lambda result: result["window_end"])
    if alert.spec["on"] == "result":
        lists = [{"": result} for result in results]
    else:
        name, *subject = alert.members
        lists = [{_subject([row[each] for each in subject]): row for row in result[name][:TOP]}
                 for result in results]
    last: dict[str, datetime.datetime] = {}
    told = []
    for i, result in enumerate(results):
        end = datetime.datetime.fromisoformat(result["window_end"])
        for subject in sorted({each for rows in lists[:i + 1] for each in rows}):
            if not _is_due(lists[:i + 1], subject, alert):
                continue
            pause = datetime.timedelta(seconds=float(alert.spec.get("at_most", "0s")[:-1]))
            if pause and subject in last and end - last[subject] < pause:
                continue
            last[subject] = end
            told.append((result["window_end"], subject))
    return told


def _subject(parts: list[Any]) -> str:
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return json.dumps(parts if len(parts) > 1 else parts[0], separators=(",", ":"),
                      ensure_ascii=False)


def _is_due(lists: list[dict[str, Row]], subject: str, alert: Alert) -> bool:
    on, count = alert.spec["on"], alert.count
    if len(lists) < count:
        return False
    newest, before = lists[-count:], lists[-count - 1] if len(lists) > count else None
    if on in ("row", "edge", "result"):
        return all(subject in rows and alert.holds(rows[subject]) for rows in newest)
    if before is None:
        return False
    if on == "entered":
        return subject not in before and all(
            subject in rows and alert.holds(rows[subject]) for rows in newest)
    if on == "left":
        return (subject in before and not any(subject in rows for rows in newest)
                and alert.holds(before[subject]))
    assert on == "changed"
    return all(subject in then and subject in now and now[subject] != then[subject]
               and alert.holds(now[subject])
               for then, now in zip([before, *newest], newest))

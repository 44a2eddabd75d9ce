"""Events of a replay that are far ahead of their neighbours (windows/semantics.md, "Wrong clocks").

Follows the rule literally: each event is judged by itself, with the whole list available.
"""
from collections.abc import Iterable, Iterator

from .records import Event, Refused

NEXT = 100


def set_aside(read: Iterable[Event | Refused], limit: int | None) -> Iterator[Event | Refused]:
    """The records of one partition, with the outliers refused; without a limit there are none."""
    records = list(read)
    if limit is None:
        yield from records
        return
    events = [record for record in records if isinstance(record, Event)]
    newest: int | None = None  # of the accepted events
    number = 0  # of the next event
    for record in records:
        if isinstance(record, Refused):
            yield record
            continue
        number += 1
        following = events[number:number + NEXT]
        if _is_outlier(record, newest, following, limit):
            yield Refused(record.topic, record.partition, record.offset, "ahead")
            continue
        newest = record.time if newest is None else max(newest, record.time)
        yield record


def _is_outlier(event: Event, newest: int | None, following: list[Event], limit: int) -> bool:
    if newest is None:
        if following and following[0].time >= event.time - limit:
            return False
    elif event.time <= newest + limit:
        return False
    before = sum(1 for other in following if other.time < event.time - limit)
    return bool(following) and 10 * before >= 9 * len(following)

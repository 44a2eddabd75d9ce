"""Events of a replay that are far ahead of their neighbours (windows/semantics.md, "Wrong clocks").

Follows the rule literally: each event is judged by itself, with the whole list available, by the
records around its own.
"""
from collections.abc import Iterable, Iterator

from .records import Event, Refused, by_record

NEXT = 100


def set_aside(read: Iterable[Event | Refused], limit: int | None) -> Iterator[Event | Refused]:
    """The records of one partition, with the outliers refused; without a limit there are none."""
    records = list(read)
    if limit is None:
        yield from records
        return
    groups = list(by_record(records))
    times = [max(event.time for event in group.events) for group in groups if group.events]
    newest: int | None = None  # of the accepted events
    number = 0  # of the next record that is not refused
    for group in groups:
        yield from group.refused
        if not group.events:
            continue
        number += 1
        following = times[number:number + NEXT]
        accepted = []
        for event in group.events:
            if _is_outlier(event, newest, following, limit):
                yield Refused(event.topic, event.partition, event.offset, "ahead")
            else:
                accepted.append(event)
        yield from accepted
        newest = max([event.time for event in accepted] + ([] if newest is None else [newest]),
                     default=None)


def _is_outlier(event: Event, newest: int | None, following: list[int], limit: int) -> bool:
    """`following`: the newest times of the next records."""
    if newest is None:
        if following and all(other >= event.time - limit for other in following[:2]):
            return False
    elif event.time <= newest + limit:
        return False
    before = sum(1 for other in following if other < event.time - limit)
    return bool(following) and 10 * before >= 9 * len(following)

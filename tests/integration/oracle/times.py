"""Times and durations as whole nanoseconds, so that no rule ever rounds."""
import calendar
import re
from datetime import datetime, timedelta
from decimal import Decimal, ROUND_HALF_EVEN

UNIT_NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}

_DURATION = re.compile(r"(\d+)(ns|us|ms|s|m|h|d)", re.ASCII)
_DURATION_NANOSECONDS = {**UNIT_NANOSECONDS, "m": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9}
_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)",
    re.ASCII)

_EARLIEST = calendar.timegm((1700, 1, 1, 0, 0, 0)) * 10**9
_LATEST = calendar.timegm((2201, 1, 1, 0, 0, 0)) * 10**9


def parse_duration(text: str) -> int:
    """`5m`, `250ms` in nanoseconds."""
    match = _DURATION.fullmatch(text)
    if not match:
        raise ValueError(f"not a duration: {text!r}")
    return int(match[1]) * _DURATION_NANOSECONDS[match[2]]


def is_representable(time: int) -> bool:
    """Whether an event may have this time: the years 1700 to 2200."""
    return _EARLIEST <= time < _LATEST


def parse_rfc3339(text: str) -> int:
    """Nanoseconds since the epoch; raises ValueError."""
    match = _RFC3339.fullmatch(text)
    if not match:
        raise ValueError(f"not an RFC 3339 time: {text!r}")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    if not (1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
        raise ValueError(f"no such day: {text!r}")
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(f"no such time of day: {text!r}")
    seconds = calendar.timegm((year, month, day, hour, minute, second))
    fraction = int((match[7] or "0").ljust(9, "0"))
    zone = match[8]
    if zone not in "Zz":
        hours, minutes = int(zone[1:3]), int(zone[4:6])
        if hours > 23 or minutes > 59:
            raise ValueError(f"no such zone: {text!r}")
        seconds -= (hours * 3600 + minutes * 60) * (1 if zone[0] == "+" else -1)
    return seconds * 10**9 + fraction


def from_number(number: int | Decimal | float, unit: str) -> int:
    """A time field's number; a fraction is rounded to the microsecond."""
    scale = UNIT_NANOSECONDS[unit]
    if isinstance(number, int):
        return number * scale
    microseconds = Decimal(number) * scale / 1000
    return int(microseconds.to_integral_value(rounding=ROUND_HALF_EVEN)) * 1000


def from_result(text: str) -> int:
    """A time as results print it: UTC, 3 decimals, more only when not whole milliseconds."""
    time = parse_rfc3339(text)
    if not text.endswith("Z") or "." not in text:
        raise ValueError(f"a result's time has a fraction and ends in Z: {text!r}")
    if time % 10**6 == 0 and len(text.partition(".")[2]) != len("000Z"):
        raise ValueError(f"whole milliseconds print 3 decimals: {text!r}")
    return time


def to_text(time: int) -> str:
    """The inverse, for messages and for tests that write streams."""
    seconds, fraction = divmod(time, 10**9)
    moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    digits = f"{fraction:09d}"
    while len(digits) > 3 and digits.endswith("000"):
        digits = digits[:-3]
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{digits}Z"

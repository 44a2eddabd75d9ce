"""Times and durations as whole nanoseconds, so that no rule ever rounds."""
import calendar
import re
from decimal import Decimal, ROUND_HALF_EVEN

UNIT_NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}

_DURATION = re.compile(r"(\d+)(ns|us|ms|s|m|h|d)", re.ASCII)
_DURATION_NANOSECONDS = {**UNIT_NANOSECONDS, "m": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9}
_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)

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
    """The other way, for messages and for tests that write streams."""
    seconds, fraction = divmod(time, 10**9)
    days, rest = divmod(seconds, 86400)
    year, month, day = _civil(days)
    digits = f"{fraction:09d}"
    digits = digits[:3] if fraction % 10**6 == 0 else digits[:6] if fraction % 10**3 == 0 else digits
    return (f"{year:04d}-{month:02d}-{day:02d}T"
            f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}.{digits}Z")


def _civil(days: int) -> tuple[int, int, int]:
    """Year, month, day of a number of days since the epoch, in the Gregorian calendar."""
    days += 719468
    era, day_of_era = divmod(days, 146097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted_month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted_month + 2) // 5 + 1
    month = shifted_month + 3 if shifted_month < 10 else shifted_month - 9
    return year_of_era + era * 400 + (month <= 2), month, day

"""Times and durations in whole nanoseconds, as configurations and results write them."""
from __future__ import annotations

import calendar
import re
from datetime import datetime, timedelta

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9,
          "d": 86400 * 10**9}
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3,9})Z", re.ASCII)


def parse_duration(text: str) -> int:
    """`5m` in nanoseconds. ValueError: it is not one."""
    match = re.fullmatch(r"(\d+)(ns|us|ms|s|m|h|d)", text, re.ASCII)
    if not match:
        raise ValueError(text)
    return int(match[1]) * _UNITS[match[2]]


def parse_time(text: str) -> int:
    """A time of a result in nanoseconds since 1970. ValueError: it is not one."""
    match = _TIME.fullmatch(text)
    if not match:
        raise ValueError(text)
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    return (calendar.timegm((year, month, day, hour, minute, second)) * 10**9
            + int(match[7].ljust(9, "0")))


def time_text(time: int) -> str:
    """The inverse: with 3 decimals, or 6 or 9 if it needs them."""
    seconds, fraction = divmod(time, 10**9)
    moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    digits = f"{fraction:09d}"
    while len(digits) > 3 and digits.endswith("000"):
        digits = digits[:-3]
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{digits}Z"

"""Weights: 64-bit integers stay exact; all other numbers are doubles."""
import math
import re
from fractions import Fraction

INT64 = range(-(2**63), 2**63)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


class Sum(float):
    """A sum of doubles, with the magnitude of its parts, which limits its rounding error."""

    magnitude: float

    def __new__(cls, value: float, magnitude: float) -> "Sum":
        result = super().__new__(cls, value)
        result.magnitude = magnitude
        return result


def parse_weight(text: str) -> int | float:
    """A number without point or exponent is an integer. Raises ValueError."""
    match = _NUMBER.fullmatch(text)
    if not match:
        raise ValueError(f"not a number: {text!r}")
    if match[1] is None and match[2] is None:
        return checked_weight(int(text))
    return checked_weight(float(text))


def checked_weight(number: int | float) -> int | float:
    """An integer beyond 64 bits becomes a double. Refuses NaN, infinities and what becomes one."""
    if isinstance(number, int):
        if number in INT64:
            return number
        try:
            return float(number)
        except OverflowError as error:
            raise ValueError(f"beyond a double: {number}") from error
    if not math.isfinite(number):
        raise ValueError(f"not finite: {number}")
    return number


def total(weights: list[int | float]) -> int | float:
    """The exact sum: an integer when all are integers and it fits in 64 bits."""
    if len(weights) == 1:
        return weights[0]
    if all(isinstance(weight, int) for weight in weights):
        value = sum(weights)
        if value in INT64:
            return value
    magnitude = float(sum(_magnitude(weight) for weight in weights))
    return Sum(float(sum(Fraction(weight) for weight in weights)), magnitude)


def negated(weight: int | float) -> int | float:
    return Sum(-weight, weight.magnitude) if isinstance(weight, Sum) else -weight


def _magnitude(weight: int | float) -> Fraction:
    return Fraction(weight.magnitude if isinstance(weight, Sum) else abs(weight))


def comparable(weight: int | float) -> int | float:
    """A weight as results compare it: an integer exactly, another number to nine digits."""
    return weight if isinstance(weight, int) else float(f"{weight:.8e}")


def same(expected: int | float, found: object) -> bool:
    """Whether they are equal; for sums of doubles, up to the rounding of their parts."""
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return False
    if isinstance(expected, Sum):
        return abs(expected - found) <= 1e-15 * expected.magnitude + 1e-12 * abs(expected)
    return expected == found


def negative_edges(edges: int, needing: str) -> str:
    """The error of a result."""
    return (f"{edges} {'edge has' if edges == 1 else 'edges have'} a negative weight; {needing} "
            "weights of at least 0")

"""Which edges a window with `types` or `where` shows (configs/windows.md, "Filters").

The expressions are a small part of the daemon's language (connectors/codec/filter/README.md):
comparisons, `in`, `&&`, `||`, `!`, `has()` and `double()` of fields and literals.
"""
import re
from dataclasses import dataclass
from typing import Any, Callable

from .weights import INT64

ReadField = Callable[[str], Any]  # None: the record does not have the field

_TOKEN = re.compile(r"""\s*(?:(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    |(?P<text>"[^"\\]*"|'[^'\\]*')|(?P<quoted>`[^`]+`)
    |(?P<operator>&&|\|\||[<>=!]=|[<>!()\[\],])
    |(?P<field>/[\w/]+|\$\d+)|(?P<word>\w+))""", re.VERBOSE)


class NoValue(Exception):
    """The expression has no value for the record, so the record does not pass."""


@dataclass(frozen=True)
class WindowFilter:
    """`types` (empty: all) and `where` (empty: none) of a window."""

    types: tuple[str, ...] = ()
    where: str = ""

    def passes(self, operation: str, edge_type: str | None, judged: frozenset[str]) -> bool:
        """`judged`: the expressions that are true for the record."""
        if operation == "remove_vertex":
            return True
        if operation == "remove":
            return not self.types or edge_type is None or edge_type in self.types
        return ((not self.types or edge_type in self.types)
                and (not self.where or self.where in judged))


def is_true(where: str, read: ReadField) -> bool:
    try:
        value = _Parser(where, read).whole()
    except NoValue:
        return False
    return value is True


class _Parser:
    """Evaluates while it parses. A value is a function, so that one side of && or || may have no
    value."""

    def __init__(self, text: str, read: ReadField) -> None:
        self._read = read
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            assert match and match.lastgroup, f"not a part of the oracle's language: {text[at:]!r}"
            self._tokens.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()

    def whole(self) -> Any:
        value = self._or()
        assert not self._tokens, self._tokens
        return value()

    def _next_is(self, *operators: str) -> bool:
        return bool(self._tokens) and self._tokens[0] in [("operator", each) for each in operators]

    def _take(self, *operators: str) -> str:
        assert self._next_is(*operators), (operators, self._tokens)
        return self._tokens.pop(0)[1]

    def _or(self) -> Callable[[], Any]:
        return self._decided("||", self._and, True)

    def _and(self) -> Callable[[], Any]:
        return self._decided("&&", self._comparison, False)

    def _decided(self, operator: str, side: Callable[[], Callable[[], Any]],
                 by: bool) -> Callable[[], Any]:
        sides = [side()]
        while self._next_is(operator):
            self._take(operator)
            sides.append(side())
        return sides[0] if len(sides) == 1 else lambda: _decide(sides, by)

    def _comparison(self) -> Callable[[], Any]:
        left = self._operand()
        if self._tokens[:1] == [("word", "in")]:
            self._tokens.pop(0)
            listed = self._list()
            return lambda: (value := left()) is not None and any(
                _equal(value, each) for each in listed)
        if not self._next_is("<", ">", "<=", ">=", "==", "!="):
            return left
        operator = self._tokens.pop(0)[1]
        right = self._operand()
        return lambda: _compare(operator, left(), right())

    def _list(self) -> list[Any]:
        self._take("[")
        listed = [self._operand()()]
        while self._take(",", "]") == ",":
            listed.append(self._operand()())
        return listed

    def _operand(self) -> Callable[[], Any]:
        kind, text = self._tokens.pop(0)
        if kind == "operator" and text == "!":
            negated = self._operand()
            return lambda: _not(negated())
        if kind == "operator":
            assert text == "(", text
            inner = self._or()
            self._take(")")
            return inner
        if kind == "number":
            number = int(text) if re.fullmatch(r"-?\d+", text) else float(text)
            return lambda: number
        if kind == "text":
            return lambda: text[1:-1]
        if kind == "word" and self._next_is("("):
            self._take("(")
            argument = self._operand()
            self._take(")")
            call = {"double": _double, "has": lambda value: value is not None}[text]
            return lambda: call(argument())
        name = text.strip("`")
        return lambda: _plain(self._read(name))


def _plain(value: Any) -> Any:
    """A number that is not a 64-bit integer is a double."""
    if isinstance(value, int) and not isinstance(value, bool) and value not in INT64:
        return float(value)
    return value


def _decide(sides: list[Callable[[], Any]], by: bool) -> bool:
    failed = False
    for side in sides:
        try:
            value = side()
        except NoValue:
            failed = True
            continue
        if not isinstance(value, bool):
            failed = True
        elif value is by:
            return by
    if failed:
        raise NoValue
    return not by


def _not(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NoValue
    return not value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _equal(left: Any, right: Any) -> bool:
    if _is_number(left) and _is_number(right):
        return left == right
    return type(left) is type(right) and left == right


def _compare(operator: str, left: Any, right: Any) -> bool:
    if left is None or right is None:
        return False
    if operator in ("==", "!="):
        return _equal(left, right) == (operator == "==")
    if not (_is_number(left) and _is_number(right)) and not (
            isinstance(left, str) and isinstance(right, str)):
        raise NoValue
    if isinstance(left, str):
        left, right = left.encode(), right.encode()
    return {"<": left < right, ">": left > right, "<=": left <= right,
            ">=": left >= right}[operator]


def _double(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise NoValue
    try:
        return float(value)
    except ValueError as error:
        raise NoValue from error

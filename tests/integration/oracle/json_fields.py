"""Fields of JSON records, and the rules for types and ids, which CSV shares."""
import json
from typing import Any, Callable, NamedTuple

from .configuration import Mapping, Stream
from .weights import checked_weight, parse_weight

MAX_RECORD_BYTES = 1 << 20
MAX_TYPE_BYTES = 255
FROM_RECORD = "$record"  # before a pointer that does not begin at the element


class Refusal(Exception):
    """Why a record is not an edge event."""


def parse_json(record: bytes) -> Any:
    if len(record) > MAX_RECORD_BYTES:
        raise Refusal("too large")
    try:
        text = record.decode("utf-8")
        document = json.loads(text, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode("utf-8")  # a lone surrogate fails here
        return document
    except (UnicodeError, ValueError, RecursionError) as error:
        raise Refusal(str(error)) from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


ABSENT = object()


def resolve(document: Any, pointer: str) -> Any:
    """RFC 6901, without `-`, which no mapping needs."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and token in document:
            document = document[token]
        elif isinstance(document, list) and token.isdigit() and int(token) < len(document):
            document = document[int(token)]
        else:
            return ABSENT
    return document


def present(value: Any) -> Any:
    return None if value is ABSENT else value


class Fields(NamedTuple):
    """The values that a mapping finds in a JSON record; keys and time are checked when needed."""

    operation: str
    weight: int | float
    source: Any
    target: Any
    time: Any
    type: str | None
    id: str | None


def json_fields(element: Any, record: Any, mapping: Mapping, stream: Stream) -> Fields:
    """`element` is the record, its row, or an element of `each`."""
    def at(pointer: str | int | None) -> Any:
        path = str(pointer)
        return (resolve(record, path.removeprefix(FROM_RECORD))
                if path.startswith(FROM_RECORD) else resolve(element, path))

    def optional(pointer: str | int | None, otherwise: Any) -> Any:
        value = ABSENT if pointer is None else at(pointer)
        return otherwise if value is ABSENT or value is None else value

    weight = optional(mapping.weight, 1)
    if isinstance(weight, bool) or not isinstance(weight, (int, float, str)):
        raise Refusal("the weight is not a number")
    operation = optional(mapping.operation, "add")
    if not isinstance(operation, str):
        raise Refusal("the operation is not text")
    try:
        weight = (parse_weight(weight or "1") if isinstance(weight, str)
                  else checked_weight(weight))
    except ValueError as error:
        raise Refusal(str(error)) from error
    time = at(mapping.time) if stream.time_from == "field" else None
    return Fields(operation or "add", weight, at(mapping.source), at(mapping.target), time,
                   type_of(mapping, at), text_of(mapping.id, at))


def type_of(mapping: Mapping, at: Callable[[str | int | None], Any]) -> str | None:
    """A text that is not a field is the type itself."""
    if isinstance(mapping.type, str) and not mapping.type.startswith("/"):
        return mapping.type
    found = text_of(mapping.type, at)
    if found is not None and len(found.encode()) > MAX_TYPE_BYTES:
        raise Refusal("the type is too long")
    return found


def text_of(given: str | int | dict[str, Any] | None,
          at: Callable[[str | int | None], Any]) -> str | None:
    """A string or an integer, behind the prefix; None if there is none, or it is empty."""
    spelled = given if isinstance(given, dict) else {"from": given}
    value = None if given is None else present(at(spelled["from"]))
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise Refusal("neither text nor an integer")
    return spelled.get("prefix", "") + str(value)

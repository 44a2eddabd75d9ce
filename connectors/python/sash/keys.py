"""The keys of the vertices of a snapshot."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union, overload

import numpy

if TYPE_CHECKING:
    import pyarrow

Array = numpy.ndarray[Any, Any]
Key = Union[str, int]


class Keys(Sequence[Key]):
    """keys[v] is the key of the vertex with id v: text, or an integer with `keys: integer`.

    Keys ascend: texts by their UTF-8 bytes, integers as numbers.
    """

    def __init__(self, integers: Optional[Array], offsets: Optional[Array],
                 text: Optional[Array]) -> None:
        self._integers = integers
        self._offsets = offsets
        self._text = text

    @property
    def are_integers(self) -> bool:
        return self._integers is not None

    def __len__(self) -> int:
        if self._integers is not None:
            return len(self._integers)
        assert self._offsets is not None
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, vertex: int) -> Key: ...
    @overload
    def __getitem__(self, vertex: slice) -> list[Key]: ...

    def __getitem__(self, vertex: Union[int, slice]) -> Union[Key, list[Key]]:
        if isinstance(vertex, slice):
            return [self[v] for v in range(*vertex.indices(len(self)))]
        at = vertex + len(self) if vertex < 0 else vertex
        if not 0 <= at < len(self):
            raise IndexError(f"{vertex} is not an id of a vertex; there are {len(self)} vertices")
        if self._integers is not None:
            return int(self._integers[at])
        return self._bytes(at).decode()

    def place(self, key: Key) -> int:
        """The id of the vertex with this key. KeyError: it is not in the window."""
        if self._integers is not None:
            if isinstance(key, int) and -2**63 <= key < 2**63:
                at = int(numpy.searchsorted(self._integers, numpy.int64(key)))
                if at < len(self) and self._integers[at] == key:
                    return at
            raise KeyError(key)
        if not isinstance(key, str):
            raise KeyError(key)
        wanted, first, last = key.encode(), 0, len(self)
        while first < last:
            middle = (first + last) // 2
            if self._bytes(middle) < wanted:
                first = middle + 1
            else:
                last = middle
        if first < len(self) and self._bytes(first) == wanted:
            return first
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        try:
            self.place(key)  # type: ignore[arg-type]
        except KeyError:
            return False
        return True

    def index(self, value: Any, start: int = 0, stop: Optional[int] = None) -> int:
        """As the index() of a list, but by binary search."""
        try:
            at = self.place(value)
        except KeyError:
            raise ValueError(f"{value!r} is not a key") from None
        first, last, _ = slice(start, stop).indices(len(self))
        if not first <= at < last:
            raise ValueError(f"{value!r} is not a key in this range")
        return at

    def to_numpy(self) -> Array:
        """All keys as an array: int64 without a copy, or objects."""
        if self._integers is not None:
            return self._integers
        return numpy.array(list(self), dtype=object)

    def to_arrow(self) -> pyarrow.Array[Any]:
        """All keys as an Arrow array that shares this memory: integers or text."""
        import pyarrow
        if self._integers is not None:
            return pyarrow.array(self._integers)
        assert self._offsets is not None and self._text is not None
        is_short = self._offsets.dtype == numpy.int32
        made = pyarrow.StringArray if is_short else pyarrow.LargeStringArray
        return made.from_buffers(len(self), pyarrow.py_buffer(self._offsets),
                                 pyarrow.py_buffer(self._text))

    def _bytes(self, vertex: int) -> bytes:
        assert self._offsets is not None and self._text is not None
        return self._text[int(self._offsets[vertex]):int(self._offsets[vertex + 1])].tobytes()

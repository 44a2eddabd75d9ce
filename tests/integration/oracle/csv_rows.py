"""CSV as in RFC 4180, on bytes: quoted cells may hold delimiters, doubled quotes and line ends."""
from typing import Iterator, NamedTuple


class Row(NamedTuple):
    fields: list[bytes] | None  # None: not RFC 4180
    size: int  # bytes, without the line end


def rows(content: bytes, delimiter: bytes) -> Iterator[Row]:
    """The rows, without blank lines."""
    begin = 0
    while begin < len(content):
        end = content.find(b"\n", begin)
        end = len(content) if end < 0 else end
        if b'"' not in content[begin:end]:
            line = content[begin:end].removesuffix(b"\r")
            if line:
                yield Row(line.split(delimiter), len(line))
        else:
            fields, end = _quoted_row(content, begin, delimiter)
            yield Row(fields, len(content[begin:end].removesuffix(b"\r")))
        begin = end + 1


def _quoted_row(content: bytes, begin: int, delimiter: bytes) -> tuple[list[bytes] | None, int]:
    """The cells of the row that begins here, and where its line end is."""
    fields: list[bytes] | None = []
    at = begin
    while True:
        if content[at:at + 1] == b'"':
            cell, at = _quoted_cell(content, at + 1)
            if cell is None:
                return None, len(content)  # no closing quote up to the end
            if content[at:at + 1] == b"\r" and content[at + 1:at + 2] in (b"\n", b""):
                at += 1
        else:
            ends = [found for found in (content.find(delimiter, at), content.find(b"\n", at))
                    if found >= 0]
            stop = min(ends, default=len(content))
            cell, at = content[at:stop], stop
            if content[at:at + 1] != delimiter:
                cell = cell.removesuffix(b"\r")
            if b'"' in cell:
                fields = None
        if fields is not None:
            fields.append(cell)
        following = content[at:at + 1]
        if following in (b"\n", b""):
            return fields, at
        if following != delimiter:  # text after a closing quote
            line_end = content.find(b"\n", at)
            return None, len(content) if line_end < 0 else line_end
        at += 1


def _quoted_cell(content: bytes, at: int) -> tuple[bytes | None, int]:
    """The cell after its opening quote, and the position after its closing quote."""
    parts = []
    while True:
        quote = content.find(b'"', at)
        if quote < 0:
            return None, len(content)
        parts.append(content[at:quote])
        if content[quote + 1:quote + 2] != b'"':
            return b"".join(parts), quote + 1
        parts.append(b'"')
        at = quote + 2

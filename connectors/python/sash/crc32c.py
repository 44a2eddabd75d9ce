"""CRC-32C (Castagnoli) of files, as the exports of Sash state it: with NumPy alone, about 2 GB/s.

The checksum of a text is the remainder of a polynomial, its bits, divided by the polynomial of
CRC-32C. So a word may be moved towards the end of a text: it is added (XOR) at the distances from
the first term of a multiple of that polynomial to each of its other terms. If the multiple has four
terms, that takes three XORs. (Sam Russell, "Chorba: A
novel CRC32 implementation", 2024, does this for CRC-32.) The 64th power of a multiple is a multiple
too, with the same terms 64 times as far apart: it moves whole words.

connectors/spark has this file as a link, so that neither package needs the other one.
"""
from __future__ import annotations

import pathlib
from collections.abc import Iterable
from typing import Any

import numpy

Array = numpy.ndarray[Any, Any]

_REFLECTED = 0x82F63B78
# The exponents of the polynomial itself, and of a multiple with four terms. The gap behind the
# first term is the number of words that move together; no shorter multiple has so wide a gap.
_OWN = (32, 28, 27, 26, 25, 23, 22, 20, 19, 18, 14, 13, 11, 10, 9, 8, 6, 0)
_SPARSE = (5685, 1362, 426, 0)
_KEPT = _SPARSE[0]  # words
_CHUNK = 8 * (_SPARSE[0] - _SPARSE[1])  # words; what fits into the caches of a core is fastest
_ALL = 0xFFFFFFFF


def _table() -> list[int]:
    table = list(range(256))
    for _ in range(8):
        table = [entry >> 1 ^ (_REFLECTED if entry & 1 else 0) for entry in table]
    return table


_TABLE = _table()


def _followed(register: int, content: Iterable[int]) -> int:
    """The register of the division after some more bytes, one by one."""
    for byte in content:
        register = register >> 8 ^ _TABLE[(register ^ byte) & 0xFF]
    return register


def _move(words: Array, count: int, exponents: tuple[int, ...], scale: int = 1) -> None:
    """Moves the first `count` words behind them, where at least exponents[0] * scale more are."""
    moves = [(exponents[0] - each) * scale for each in exponents[1:]]
    for begin in range(0, count, moves[0]):
        end = min(begin + moves[0], count)
        for move in moves:
            words[begin + move:end + move] ^= words[begin:end]


def _register(words: Array) -> int:
    """The register after some words, of which there are at least _OWN[0]."""
    text = numpy.empty(_KEPT + _CHUNK, dtype="<u8")
    length = 0
    for begin in range(0, len(words), _CHUNK):
        chunk = words[begin:begin + _CHUNK]
        text[length:length + len(chunk)] = chunk
        if begin == 0:
            text[0] ^= numpy.uint64(_ALL)  # what the register begins with
        length += len(chunk)
        if length > _KEPT:
            _move(text, length - _KEPT, _SPARSE)
            text[:_KEPT] = text[length - _KEPT:length]
            length = _KEPT
    text = text[:length]
    for scale in (128, 64, 32, 16, 8, 4, 2, 1):
        excess = len(text) - _OWN[0] * scale
        if excess > 0:
            _move(text, excess, _OWN, scale)
            text = text[excess:]
    return _followed(0, text.tobytes())


def crc32c(content: Array) -> int:
    """The CRC-32C of an array of bytes."""
    words = content[:len(content) // 8 * 8].view("<u8")
    if len(words) < _OWN[0]:
        return _followed(_ALL, content.tobytes()) ^ _ALL
    return _followed(_register(words), content[8 * len(words):].tobytes()) ^ _ALL


def crc32c_of_file(path: pathlib.Path) -> str:
    """The CRC-32C of a file, as eight hexadecimal digits. OSError: it cannot be read."""
    if path.stat().st_size == 0:
        return "00000000"
    return f"{crc32c(numpy.memmap(path, dtype=numpy.uint8, mode='r')):08x}"

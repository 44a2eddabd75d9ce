"""CRC-32C (Castagnoli) of files, as manifests of exports have it.

Lanes of a chunk are taken together, eight bytes at a time, and then joined: the CRC of a text that
zeros follow is a linear map of its own.
"""
from __future__ import annotations

import functools
import pathlib
from typing import Any

import numpy

Array = numpy.ndarray[Any, Any]

_POLYNOMIAL = 0x82F63B78
_LANES = 1 << 12
_LANE_BYTES = 1 << 10
_ALL = 0xFFFFFFFF


def _tables() -> list[Array]:
    """tables[k][pair]: the remainder of two bytes (little-endian) that 2 k zero bytes follow."""
    table = numpy.arange(1 << 16, dtype=numpy.uint32)
    for _ in range(16):
        table = numpy.where(table & 1, table >> 1 ^ numpy.uint32(_POLYNOMIAL), table >> 1)
    tables = [table]
    for _ in range(3):
        last = tables[-1]
        tables.append(table[last & 0xFFFF] ^ last >> 16)
    return tables


_TABLES = _tables()


def _mapped(images: Array, values: Array) -> Array:
    """The linear map with these images of the 32 bits, applied to each value."""
    result = numpy.zeros_like(values)
    for bit in range(32):
        result ^= numpy.where(values >> numpy.uint32(bit) & 1, images[bit], numpy.uint32(0))
    return result


@functools.lru_cache(maxsize=None)
def _zeros(power: int) -> Array:
    """The images of the map "2^power zero bytes follow"."""
    if power == 0:
        images = numpy.uint32(1) << numpy.arange(32, dtype=numpy.uint32)
        for _ in range(8):
            images = numpy.where(images & 1, images >> 1 ^ numpy.uint32(_POLYNOMIAL), images >> 1)
        return images
    half = _zeros(power - 1)
    return _mapped(half, half)


def _followed(value: int, zeros: int) -> int:
    """The remainder `value` after this number of zero bytes."""
    values = numpy.array([value], dtype=numpy.uint32)
    power = 0
    while zeros >> power:
        if zeros >> power & 1:
            values = _mapped(_zeros(power), values)
        power += 1
    return int(values[0])


def _remainder(chunk: Array) -> int:
    """Of a chunk of lanes in a row; zeros before a text do not change its remainder."""
    pairs = chunk.view("<u2").reshape(_LANES, _LANE_BYTES // 2).T.astype(numpy.intp)
    lanes = numpy.zeros(_LANES, dtype=numpy.uint32)
    for at in range(0, len(pairs), 4):
        low = numpy.bitwise_xor(pairs[at], lanes & 0xFFFF, dtype=numpy.intp, casting="unsafe")
        high = numpy.bitwise_xor(pairs[at + 1], lanes >> 16, dtype=numpy.intp, casting="unsafe")
        lanes = _TABLES[3].take(low)
        lanes ^= _TABLES[2].take(high)
        lanes ^= _TABLES[1].take(pairs[at + 2])
        lanes ^= _TABLES[0].take(pairs[at + 3])
    power = _LANE_BYTES.bit_length() - 1
    while len(lanes) > 1:
        lanes = _mapped(_zeros(power), lanes[0::2]) ^ lanes[1::2]
        power += 1
    return int(lanes[0])


def crc32c(content: Array) -> int:
    """Of an array of bytes."""
    size = _LANES * _LANE_BYTES
    remainder = 0
    first = len(content) % size
    if first:
        padded = numpy.zeros(size, dtype=numpy.uint8)
        padded[size - first:] = content[:first]
        remainder = _remainder(padded)
    for begin in range(first, len(content), size):
        whole = numpy.ascontiguousarray(content[begin:begin + size])
        remainder = _followed(remainder, size) ^ _remainder(whole)
    return _followed(_ALL, len(content)) ^ remainder ^ _ALL


def crc32c_of_file(path: pathlib.Path) -> str:
    """As eight hexadecimal digits. OSError: it cannot be read."""
    if path.stat().st_size == 0:
        return "00000000"
    return f"{crc32c(numpy.memmap(path, dtype=numpy.uint8, mode='r')):08x}"

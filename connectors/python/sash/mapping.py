"""Locks a frozen snapshot, and maps its arrays into memory.

A mapped array keeps the lock: as long as an array, or a view of one, is in use, the daemon does not
remove the snapshot.
"""
from __future__ import annotations

import fcntl
import mmap
import os
import pathlib
from typing import Any, Optional

import numpy
import numpy.lib.format

from sash.crc32c import crc32c
from sash.errors import SnapshotError

SNAPSHOT_FILE = "snapshot.json"
_npy: Any = numpy.lib.format  # without types in some versions


class Lock:
    """A shared lock on snapshot.json, held until close() or until nothing refers to it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: Optional[int] = descriptor

    @classmethod
    def take(cls, folder: pathlib.Path) -> Optional[Lock]:
        """Locks the snapshot in a folder. None: it was removed before the lock was there."""
        try:
            descriptor = os.open(folder / SNAPSHOT_FILE, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        lock = cls(descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if os.fstat(descriptor).st_nlink == 0:
            lock.close()
            return None
        return lock

    def read(self) -> bytes:
        if self._descriptor is None:
            raise SnapshotError("the snapshot is closed")
        return os.pread(self._descriptor, os.fstat(self._descriptor).st_size, 0)

    def checksum(self) -> str:
        """The CRC-32C of the locked snapshot.json."""
        return f"{crc32c(numpy.frombuffer(self.read(), dtype=numpy.uint8)):08x}"

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __del__(self) -> None:
        self.close()


class _LockedMap(mmap.mmap):
    """The bytes of a file; arrays on them keep this object alive, and so the lock."""

    lock: Lock


def map_array(folder: pathlib.Path, name: str, lock: Lock) -> numpy.ndarray[Any, Any]:
    """The array of a file of numpy's format 1.0, mapped and read-only."""
    path = folder / name
    try:
        with open(path, "rb") as file:
            if _npy.read_magic(file) != (1, 0):
                raise SnapshotError(f"{path}: it is not of format 1.0")
            shape, _, kind = _npy.read_array_header_1_0(file)
            begin = file.tell()
            mapped = _LockedMap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except PermissionError:
        raise
    except (OSError, ValueError) as error:
        raise SnapshotError(f"{path}: {error}") from error
    mapped.lock = lock
    if len(mapped) < begin + int(numpy.prod(shape)) * kind.itemsize:
        raise SnapshotError(f"{path}: the file is cut off")
    array: numpy.ndarray[Any, Any] = numpy.ndarray(shape, kind, mapped, begin)
    return array

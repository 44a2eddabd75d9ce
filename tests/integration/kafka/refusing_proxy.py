"""A TCP proxy in front of a broker that refuses the first batch of a producer, as a broker does
that does not lead the partition yet, and lets the second one through, which is on its way."""
import asyncio
import struct

from frame_proxy import HEAD, FrameProxy

PRODUCE = 0  # the API key
NOT_LEADER = 6


def _string(frame: bytes, begin: int) -> tuple[bytes, int]:
    """A string with its length, which may be -1, and where it ends."""
    [length] = struct.unpack_from(">h", frame, begin)
    end = begin + 2 + max(length, 0)
    return frame[begin:end], end


def refusal(frame: bytes) -> bytes:
    """The answer to a Produce request (versions 5 to 7) for one partition: NOT_LEADER."""
    _, version, number = HEAD.unpack_from(frame)
    assert 5 <= version <= 7, version
    _, at = _string(frame, HEAD.size)  # the client's name
    _, at = _string(frame, at)  # the transactional id
    topic, at = _string(frame, at + 2 + 4 + 4)  # behind acks, timeout, number of topics
    [partition] = struct.unpack_from(">i", frame, at + 4)  # behind the number of partitions
    body = (struct.pack(">i", 1) + topic
            + struct.pack(">iihqqq", 1, partition, NOT_LEADER, -1, -1, -1) + struct.pack(">i", 0))
    return struct.pack(">ii", 4 + len(body), number) + body


class RefusingProxy(FrameProxy):
    """The refusal is sent once the second batch has come. So the producer learns of it before it
    learns that the second batch was taken."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self._first: bytes | None = None
        self.has_refused = False

    def lets_through(self, frame: bytes, back: asyncio.StreamWriter) -> bool:
        if HEAD.unpack_from(frame)[0] != PRODUCE or self.has_refused:
            return True
        if self._first is None:
            self._first = frame
            return False
        back.write(refusal(self._first))
        self.has_refused = True
        return True

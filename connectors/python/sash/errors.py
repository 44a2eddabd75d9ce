"""The errors of this package."""


class SashError(Exception):
    """The base of all errors of this package."""


class SnapshotError(SashError):
    """A frozen snapshot does not exist, was removed, or cannot be read."""

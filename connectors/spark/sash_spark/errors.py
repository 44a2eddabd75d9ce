"""The errors of this package."""
from __future__ import annotations


class InputError(Exception):
    """What was given cannot be used; the text says what, where, and what would be right."""


class NotThereYet(InputError):
    """What was given lacks something that a running sashd may still write."""


class JobRefused(Exception):
    """A job cannot run here: the others run, and the exit code is 1."""

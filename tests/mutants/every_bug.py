"""Every seeded bug, with the number that enables it."""
import delivery_bugs
import seeded_bugs
from seeding import seeded

EVERY = (*seeded_bugs.BUGS, *delivery_bugs.BUGS)
NUMBERS = {bug.name: number for number, bug in enumerate(EVERY, 1)}


def seeded_sources() -> dict[str, str]:
    """The files that have bugs, containing all of them. Raises DoesNotFit."""
    return seeded((bug.name, bug.edits) for bug in EVERY)

"""The seeded bugs that unit tests find: what each does, and the text that causes it; by the room of
that text."""
from seeded_bugs import (
    connector_bugs, daemon_bugs, ingest_bugs, kernel_bugs, slide_bugs, store_bugs)

BUGS = (*store_bugs.BUGS, *ingest_bugs.BUGS, *slide_bugs.BUGS, *kernel_bugs.BUGS,
        *connector_bugs.BUGS, *daemon_bugs.BUGS)

"""Reads the windows of Sash.

    import sash

    with sash.open_snapshot("/dev/shm/sash/last-1h") as snapshot:
        ranks = snapshot.to_scipy().sum(axis=0)
        print(snapshot.keys[int(ranks.argmax())])
"""
from sash.adjacency import Adjacency
from sash.errors import SashError, SnapshotError
from sash.keys import Keys
from sash.snapshot import Snapshot, open_snapshot

__all__ = ["Adjacency", "Keys", "SashError", "Snapshot", "SnapshotError", "open_snapshot"]
__version__ = "0.1.0"

"""Reads the windows of Sash, and computes its external jobs.

    import sash

    client = sash.connect("http://127.0.0.1:9640")
    with client.window("last-1h").snapshot() as snapshot:
        ranks = snapshot.to_scipy().sum(axis=0)
        print(snapshot.keys[int(ranks.argmax())])

    @client.job("in-degree")
    def in_degree(snapshot):
        return snapshot.in_.degrees()

    client.serve()
"""
from sash.adjacency import Adjacency
from sash.alerts import Alert, Alerts
from sash.client import Client, connect
from sash.errors import ApiError, ConnectionFailed, SashError, SnapshotError
from sash.events import Event
from sash.jobs import Job, Jobs
from sash.keys import Keys
from sash.leases import Lease, Leases
from sash.results import Diff, Result, Vertex
from sash.rows import Rows
from sash.snapshot import Snapshot, open_snapshot
from sash.windows import Window, Windows

__all__ = ["Adjacency", "Alert", "Alerts", "ApiError", "Client", "ConnectionFailed", "Diff",
           "Event", "Job", "Jobs", "Keys", "Lease", "Leases", "Result", "Rows", "SashError",
           "Snapshot", "SnapshotError", "Vertex", "Window", "Windows", "connect", "open_snapshot"]
__version__ = "0.1.0"

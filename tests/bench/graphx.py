#!/usr/bin/env python3
"""The kernels that GraphX has, beside those of `sash-spark`: seconds of both on one exported
window, in one session of Spark, run one after the other (deploy/sizing.md).

GraphX is in the jars of pyspark, and is called in the same Java process. Both have the edges in
memory: `sash-spark` its blocks, GraphX its partitions; what making these takes is a row of its own.
Answers are compared where they are defined: sets of vertices, distances, triangles, and the ranks.
The exit code is 1 if they differ.

The programs are those of the release preset, or named by SASHD and SASH_GENERATE.
"""
import argparse
import os
import pathlib
import re
import statistics
import sys
import tempfile
import time
from typing import Any, Callable

import numpy
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "connectors/spark"))
sys.path.insert(0, str(ROOT / "tests/bench"))
from sash_spark.answer import Run  # noqa: E402
from sash_spark.configuration import JobSpec  # noqa: E402
from sash_spark.graph import Graph  # noqa: E402
from sash_spark.kernels import RUN  # noqa: E402
from sash_spark.keys import FileKeys  # noqa: E402
from sash_spark.progress import Progress  # noqa: E402
from sash_spark.session import fit_shuffles, open_session  # noqa: E402
from sash_spark.snapshot import Snapshot  # noqa: E402
from shards import exported  # noqa: E402

ITERATIONS = 20
DAMPING = 0.85
DRIVER_BYTES = 8 << 30

Values = numpy.ndarray[Any, Any]


class Ours:
    """`sash-spark` on the window."""

    def __init__(self, session: Any, snapshot: Snapshot, parameters: dict[str, dict[str, Any]]
                 ) -> None:
        self.session, self._parameters = session, parameters
        about = snapshot.about
        self.graph = Graph(session, FileKeys(snapshot.vertices), int(about["vertices"]),
                           session.read.parquet(*map(str, snapshot.edges)), int(about["edges"]))

    def run(self, kernel: str) -> Any:
        job = JobSpec(kernel, kernel, "w", self._parameters.get(kernel, {}), 1, 10)
        progress = Progress(self.session.sparkContext, kernel, kernel, "w")
        return RUN[kernel](Run(self.graph, job, dict(job.parameters), 10, DRIVER_BYTES, progress))


class GraphX:
    """The same edges in GraphX. Each method runs a kernel to its end; values() reads the result."""

    def __init__(self, session: Any, edges: pathlib.Path, partitions: int, root: int) -> None:
        self._java = session.sparkContext._jvm
        self._context = session.sparkContext._jsc.sc()
        package = self._java.org.apache.spark.graphx
        self._library = package.lib
        memory = self._java.org.apache.spark.storage.StorageLevel.MEMORY_ONLY()
        begun = time.monotonic()
        self.graph = package.GraphLoader.edgeListFile(
            self._context, str(edges), False, partitions, memory, memory).partitionBy(
                getattr(self._java.org.apache.spark.graphx,
                        "PartitionStrategy$EdgePartition2D$").__getattr__("MODULE$")).cache()
        self.graph.edges().count()
        self.graph.vertices().count()
        self.built = time.monotonic() - begun
        self._number = getattr(self._java.scala.reflect, "ClassTag$").__getattr__("MODULE$").Int()
        self._roots = self._java.org.apache.spark.api.python.PythonUtils.toSeq(
            self._java.java.util.stream.LongStream.of(root).boxed().toList())

    def _run(self, library: Any, *arguments: Any, tags: int = 2) -> Any:
        result = library.run(*arguments, *[self._number] * tags)
        result.vertices().count()
        return result

    def pagerank(self) -> Any:
        return self._run(self._library.PageRank, self.graph, ITERATIONS, 1 - DAMPING)

    def wcc(self) -> Any:
        return self._run(self._library.ConnectedComponents, self.graph)

    def scc(self) -> Any:
        return self._run(self._library.StronglyConnectedComponents, self.graph, ITERATIONS)

    def cdlp(self) -> Any:
        return self._run(self._library.LabelPropagation, self.graph, ITERATIONS, tags=1)

    def triangles(self) -> Any:
        return self._run(self._library.TriangleCount, self.graph)

    def sssp(self) -> Any:
        # It gives the distances to a vertex.
        return self._run(self._library.ShortestPaths, self.graph.reverse(), self._roots, tags=1)

    def values(self, result: Any, vertices: int) -> Values:
        """By id; of vertices that no value has: NaN."""
        values = numpy.full(vertices, numpy.nan)
        with tempfile.TemporaryDirectory(prefix="sash-graphx-") as scratch:
            path = pathlib.Path(scratch, "values")
            result.vertices().saveAsTextFile(str(path))
            for part in path.glob("part-*"):
                for line in part.read_text().splitlines():
                    numbers = re.findall(r"-?[\d.]+(?:E-?\d+)?", line)
                    if len(numbers) > 1:
                        values[int(numbers[0])] = float(numbers[-1])
        return values


def sets_of(labels: Values) -> Values:
    """A name for each set that does not depend on the labels: its least vertex."""
    _, first, places = numpy.unique(labels, return_index=True, return_inverse=True)
    return first[places]


def differ(kernel: str, ours: Any, theirs: Values) -> str:
    """Why the answers are not equal; empty: they are, or the kernel leaves them open."""
    if kernel in ("wcc", "scc"):
        return "" if numpy.array_equal(sets_of(ours.groups), sets_of(theirs)) else "other sets"
    if kernel == "triangles":
        found, expected = ours.parts[0].figures["triangles"], numpy.nansum(theirs) / 3
        return "" if found == expected else f"{found} triangles, not {expected}"
    if kernel == "sssp":
        [distances] = ours.vectors.values()
        near = numpy.isfinite(theirs)
        same = numpy.array_equal(numpy.asarray(distances, dtype=float)[near], theirs[near])
        return "" if same else "other distances"
    if kernel == "pagerank":
        [scores] = ours.vectors.values()
        error = float(numpy.abs(scores - theirs / theirs.sum()).sum())
        return "" if error < 0.02 else f"the ranks differ by {error:.3g} in all"
    return ""


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.monotonic()
    result = run()
    return time.monotonic() - begun, result


def compare(given: argparse.Namespace, edges: int) -> bool:
    is_equal = True
    with tempfile.TemporaryDirectory(prefix="sash-graphx-") as scratch:
        folder = pathlib.Path(scratch, "w")
        snapshot = Snapshot(exported(folder, edges))
        table = pyarrow.parquet.read_table(snapshot.edges)
        sources, targets = (table[name].to_numpy() for name in ("source", "target"))
        text = pathlib.Path(scratch, "edges.txt")
        numpy.savetxt(text, numpy.column_stack([sources, targets]), "%d")
        root = int(numpy.bincount(sources).argmax())
        vertices = int(snapshot.about["vertices"])
        session = open_session("graphx")
        fit_shuffles(session, edges)
        keys = pyarrow.parquet.read_table(snapshot.vertices)["key"]
        ours = Ours(session, snapshot, {
            "pagerank": {"damping": DAMPING, "tolerance": 0.0, "max_iterations": ITERATIONS,
                         "weighted": False, "sources": None, "direction": "out"},
            "cdlp": {"max_iterations": ITERATIONS},
            "sssp": {"roots": [keys[root].as_py()], "direction": "out"}})
        theirs = GraphX(session, text, given.threads, root)
        print(f"{edges} edges, {vertices} vertices, {given.threads} threads; GraphX made its graph "
              f"in {theirs.built:.1f} s", flush=True)
        for kernel in given.kernels:
            first, answer = timed(lambda: ours.run(kernel))
            seconds: dict[str, list[float]] = {"ours": [], "theirs": []}
            result = None
            for _ in range(given.repetitions):
                spent, answer = timed(lambda: ours.run(kernel))
                seconds["ours"].append(spent)
                spent, result = timed(getattr(theirs, kernel))
                seconds["theirs"].append(spent)
            why = differ(kernel, answer, theirs.values(result, vertices))
            ratio = statistics.median(
                one / other for one, other in zip(seconds["theirs"], seconds["ours"]))
            ours_usual, theirs_usual = (statistics.median(each) for each in seconds.values())
            print(f"{kernel:10} first {first:6.1f} s, then {ours_usual:6.2f} s; GraphX "
                  f"{theirs_usual:6.2f} s, {ratio:5.1f} times{'; ' + why if why else ''}",
                  flush=True)
            is_equal = is_equal and not why
            result.unpersist(False)
        ours.graph.close()
        snapshot.close()
        session.stop()
    return is_equal


KERNELS = ("pagerank", "wcc", "triangles", "sssp", "scc", "cdlp")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--kernels", nargs="+", choices=KERNELS, default=list(KERNELS))
    given = parser.parse_args()
    os.environ["PYSPARK_SUBMIT_ARGS"] = (
        f"--master local[{given.threads}] --driver-memory 2g pyspark-shell")
    equal = [compare(given, edges) for edges in given.edges]
    sys.exit(0 if all(equal) else 1)


if __name__ == "__main__":
    main()

"""The session of Spark; where it runs is decided by Spark's own means (spark-submit, its files)."""
from __future__ import annotations

import atexit
import os
import pathlib
import shutil
import sys
import tempfile
import zipfile

from pyspark import SparkConf
from pyspark.sql import SparkSession

_EDGES_OF_A_PARTITION = 500_000
_SENT: set[object] = set()  # contexts whose executors have the package


def open_session(name: str) -> SparkSession:
    """The session of this process. Executors get this package, so they need only pyarrow, numpy."""
    settings = SparkConf()
    if settings.get("spark.master", "local[*]").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    if not settings.contains("spark.ui.showConsoleProgress"):
        builder = builder.config("spark.ui.showConsoleProgress", "false")  # progress.py says more
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("WARN")
    _send_package(session)
    return session


def fit_shuffles(session: SparkSession, edges: int) -> None:
    """Joins get partitions by the number of edges, if Spark's settings do not say how many: with
    200, its default, a small window takes minutes."""
    context = session.sparkContext
    if not context.getConf().contains("spark.sql.shuffle.partitions"):
        wanted = max(context.defaultParallelism, edges // _EDGES_OF_A_PARTITION)
        session.conf.set("spark.sql.shuffle.partitions", str(wanted))


def _send_package(session: SparkSession) -> None:
    """Executors import its functions by name, once for each session."""
    context = session.sparkContext
    if context in _SENT:
        return
    package = pathlib.Path(__file__).resolve().parent
    folder = tempfile.mkdtemp(prefix="sash-spark-")  # executors may ask for it until the end
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    archive = pathlib.Path(folder, "sash_spark.zip")
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(package.rglob("*.py")):
            file.write(path, path.relative_to(package.parent))
    context.addPyFile(str(archive))
    _SENT.add(context)

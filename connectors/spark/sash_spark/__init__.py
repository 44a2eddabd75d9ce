"""Runs the jobs of Sash on Apache Spark, over windows and slices that sashd exported.

`python -m sash_spark --help` says how. The parts: configuration (what to run), snapshot (what was
exported), graph and rows (edges as blocks), kernels, results.
"""
from sash_spark.errors import InputError, JobRefused

__all__ = ["InputError", "JobRefused"]

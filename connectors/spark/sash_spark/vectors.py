"""Whole vectors as Parquet: the value of every vertex."""
from __future__ import annotations

import os
import pathlib

import numpy
import pyarrow
import pyarrow.parquet

from sash_spark.answer import Answer, Run


def write_vectors(run: Run, answer: Answer, path: pathlib.Path) -> bool:
    """Writes the columns id, key, and what the job gives each vertex; for a set, the key that names
    it. False: there is no file, because the job gives vertices nothing, or there are none. The file
    gets its name when it is whole and durable."""
    vectors = dict(answer.vectors)
    if not vectors and answer.groups is None:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    writer = None
    begin = 0
    for keys in run.graph.keys.batches():
        rows = slice(begin, begin + len(keys))
        columns = {"id": pyarrow.array(numpy.arange(begin, begin + len(keys))), "key": keys}
        columns |= {name: pyarrow.array(values[rows], from_pandas=True)
                    for name, values in vectors.items()}
        if answer.groups is not None:
            columns[answer.group_name] = run.graph.keys.of(answer.groups[rows])
        table = pyarrow.table(columns)
        writer = writer or pyarrow.parquet.ParquetWriter(part, table.schema, compression="zstd")
        writer.write_table(table)
        begin += len(keys)
    if writer is None:
        return False
    writer.close()
    with open(part, "rb") as file:
        os.fsync(file.fileno())
    part.rename(path)
    return True

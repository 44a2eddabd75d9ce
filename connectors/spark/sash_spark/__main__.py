"""python -m sash_spark, and the file for spark-submit."""
import pathlib
import sys

if __package__ in (None, ""):  # spark-submit runs this file by its path
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from sash_spark.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())

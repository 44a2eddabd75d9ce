"""python3 -m oracle CONFIG: compares the file sinks of a finished replay with the oracle."""
import argparse
import sys

from . import configuration, outliers, records
from .compare import compare, read_lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="oracle", description=__doc__)
    parser.add_argument("config", help="the configuration of a replay that sashd has finished")
    given = configuration.load(parser.parse_args().config)
    read = records.read_file(given.stream.path, given.stream)
    differences, compared = compare(given, outliers.set_aside(read, given.stream.ahead_limit),
                                    read_lines)
    print(differences or f"{compared} results equal")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

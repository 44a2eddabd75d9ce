"""The dashboards by the names of their files. draw.py converts them to Grafana's JSON."""
from ingest_board import INGEST
from jobs_board import JOBS
from overview_board import OVERVIEW
from results_board import RESULT_BOARD
from windows_board import WINDOWS

BOARDS = {"overview": OVERVIEW, "ingest": INGEST, "windows": WINDOWS, "jobs": JOBS,
          "results": RESULT_BOARD}

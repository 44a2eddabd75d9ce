"""A follower with an HTTP API."""
import json
import pathlib
import sys
import urllib.error
import urllib.request
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import kafka_broker
from killed_stream import Follower
from stream_truth import PATIENCE_SECONDS


class AskedFollower(Follower):
    def __init__(self, folder: pathlib.Path, given: dict[str, Any]) -> None:
        address = f"127.0.0.1:{kafka_broker.free_ports(1)[0]}"
        self.url = f"http://{address}"
        super().__init__(folder, {**given, "http": {"listen": address}})

    def get(self, path: str) -> str:
        try:
            with urllib.request.urlopen(self.url + path, timeout=PATIENCE_SECONDS) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.read().decode()

    def reasons(self) -> str:
        """Why it is not ready, as one text; also when it does not listen yet."""
        try:
            return "; ".join(json.loads(self.get("/readyz"))["reasons"])
        except OSError as error:
            return str(error)

    def is_ready(self) -> bool:
        return self.reasons() == ""

    def metric(self, name: str, labels: str = "") -> float:
        series = f"{name}{{{labels}}} " if labels else f"{name} "
        return next(float(line.rpartition(" ")[2]) for line in self.get("/metrics").splitlines()
                    if line.startswith(series))

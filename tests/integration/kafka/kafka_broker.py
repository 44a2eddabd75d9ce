"""A real Apache Kafka broker (KRaft), or several, on free loopback ports, while a test needs them.

An archive of the classes that it loads is made once, beside its jars (kafka_jars.py), which halves
the processor time of a start and of each tool. Whatever happens to the test, SIGKILL included, the
broker ends with it: the kernel kills it when its parent dies (PR_SET_PDEATHSIG). Its files live in
a temporary folder of its own.
"""
import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import zlib
from typing import Any

from kafka_jars import Unavailable, cache, fetch, require_tools

__all__ = ["KafkaBroker", "KafkaCluster", "Node", "Unavailable", "end_with_parent", "fetch",
           "free_ports", "require_tools"]

CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"  # fixed: a random one may start with a dash
START_SECONDS = 60
# For processes that end soon. Without the log, nothing but their own output is on stdout.
JAVA_FLAGS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xlog:disable"]
_PR_SET_PDEATHSIG = 1
_BATCH_HEAD = 61  # bytes
_FOLDER_PREFIX = "sash-kafka-"


def archived_classes() -> list[str]:
    """The flag with which java reads the archive of loaded classes; it is made if missing."""
    told = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr
    archive = cache() / f"classes-{zlib.crc32(told.encode()):08x}.jsa"
    with open(cache() / "classes.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not archive.exists():
            _archive_classes(archive)
    return [f"-XX:SharedArchiveFile={archive}"]


def _archive_classes(archive: pathlib.Path) -> None:
    """Runs a broker that writes the classes that it has loaded when it ends."""
    new = archive.with_suffix(".next")
    try:
        with KafkaCluster(1, archives_to=new) as cluster:
            cluster.create_topic("loaded", 1)
            for client in (["-P"], ["-C", "-e"]):
                subprocess.run(["kcat", "-b", cluster.address, "-t", "loaded", *client], input=b"a",
                               capture_output=True, check=True, timeout=START_SECONDS)
            cluster.nodes[1].end()
        new.rename(archive)
    except (OSError, RuntimeError, subprocess.SubprocessError) as failure:
        print(f"brokers start more slowly: no archive of their classes: {failure}", flush=True)
        archive.touch()  # java goes on without classes from it


def end_with_parent() -> None:
    """Called in a child between fork and exec: it dies when its parent does."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _sweep() -> None:
    """Removes the folders of brokers whose tests were killed."""
    for folder in pathlib.Path(tempfile.gettempdir()).glob(f"{_FOLDER_PREFIX}*-*"):
        owner = folder.name.removeprefix(_FOLDER_PREFIX).partition("-")[0]
        if owner.isdigit() and not pathlib.Path(f"/proc/{owner}").exists():
            shutil.rmtree(folder, ignore_errors=True)


class Node:
    """One process of a cluster, broker and controller in one; its files outlive it."""

    def __init__(self, folder: pathlib.Path, settings: dict[str, object], address: str) -> None:
        self.folder, self.address = folder, address
        folder.mkdir()
        self.properties = folder / "server.properties"
        self.properties.write_text("".join(f"{key}={value}\n" for key, value in
                                           {**settings, "log.dirs": folder / "topics"}.items()))
        self._process: subprocess.Popen | None = None

    def begin(self, java: list[str]) -> None:
        with open(self.folder / "broker.log", "a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [*java, "-Xms256m", "-Xmx512m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                 "kafka.Kafka", str(self.properties)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                preexec_fn=end_with_parent)

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def await_start(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the broker did not start: {self.log_tail()}")
            time.sleep(0.1)

    def end(self) -> None:
        assert self._process
        self._process.terminate()
        self._process.wait(START_SECONDS)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def log_tail(self) -> str:
        return (self.folder / "broker.log").read_text(errors="replace")[-2000:]

    def _answers(self) -> bool:
        """Whether it serves its topics to a client: the port alone opens earlier."""
        done = subprocess.run(["kcat", "-b", self.address, "-L", "-m", "1"], capture_output=True,
                              check=False)
        return done.returncode == 0


class KafkaCluster:
    """`with KafkaCluster(3) as cluster: cluster.create_topic("edges", partitions=4)`.

    Every topic is on as many nodes, up to three. `proxied`: it also listens on `proxied_port`,
    where the only node calls itself by that other port of the machine. `archives_to`: a node that
    ends writes its loaded classes there.
    """

    def __init__(self, size: int, proxied: int | None = None,
                 archives_to: pathlib.Path | None = None, **settings: object) -> None:
        require_tools()
        self._java = ["java", *JAVA_FLAGS, "-cp", f"{fetch()}/*"]
        self._broker = [*self._java, f"-XX:ArchiveClassesAtExit={archives_to}"]
        if archives_to is None:
            self._java = self._broker = [*self._java, *archived_classes()]
        _sweep()
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{_FOLDER_PREFIX}{os.getpid()}-"))
        self._size, self._settings, self._proxied = size, settings, proxied
        self.proxied_port = 0
        self.replication = min(size, 3)
        self.nodes: dict[int, Node] = {}  # by broker number

    def __enter__(self) -> "KafkaCluster":
        try:
            self._configure()
            for node in self.nodes.values():
                self._run("-Xmx256m", "kafka.tools.StorageTool", "format", "-t", CLUSTER_ID,
                          "-c", str(node.properties))
                node.begin(self._broker)
            for node in self.nodes.values():
                node.await_start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes.values():
            node.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def address(self) -> str:
        return ",".join(node.address for node in self.nodes.values())

    def restart_node(self, number: int) -> None:
        """Restarts it on the same address, with its data."""
        self.nodes[number].begin(self._broker)
        self.nodes[number].await_start()

    def leaders(self, topic: str) -> dict[int, int]:
        """The number of the node that leads each partition, for the partitions that have a
        leader."""
        return {each["partition"]: each["leader"] for each in self._partitions(topic)
                if each["leader"] > 0}

    def in_sync(self, topic: str) -> bool:
        """Whether every node that keeps a replica has all of it."""
        return all(len(each["isrs"]) == len(each["replicas"]) for each in self._partitions(topic))

    def _partitions(self, topic: str) -> list[dict[str, Any]]:
        told = subprocess.run(["kcat", "-b", self.address, "-L", "-J", "-t", topic],
                              stdout=subprocess.PIPE, check=True, timeout=START_SECONDS).stdout
        return json.loads(told)["topics"][0]["partitions"]

    def create_topic(self, name: str, partitions: int, *arguments: str) -> None:
        self.topics("--create", "--topic", name, "--partitions", str(partitions),
                    "--replication-factor", str(self.replication), *arguments)

    def topics(self, *arguments: str) -> None:
        """Runs Apache Kafka's own tool: --alter, --delete, ..."""
        self._tool("org.apache.kafka.tools.TopicCommand", *arguments)

    def describe_group(self, group: str) -> dict[int, tuple[int, int]]:
        """For each partition, its committed offset and its lag according to Apache Kafka's own
        tool; the group has commits of one topic."""
        told = self._tool("org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
                          "--describe", "--group", group)
        rows = [line.split() for line in told.splitlines()]
        # GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG ...
        return {int(row[2]): (int(row[3]), int(row[5])) for row in rows
                if len(row) > 5 and row[0] == group and row[3].isdigit()}

    def members_of_group(self, group: str) -> list[dict[str, str]]:
        """For each member, the tool's row by column heading: CLIENT-ID, ..."""
        told = self._tool("org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
                          "--describe", "--members", "--group", group)
        rows = [line.split() for line in told.splitlines()]
        headings = next((row for row in rows if row[:1] == ["GROUP"]), [])
        return [dict(zip(headings, row)) for row in rows if row[:1] == [group]]

    def delete_records(self, topic: str, partition: int, before: int) -> None:
        """Deletes records like retention."""
        wanted = self._folder / "delete.json"
        wanted.write_text(json.dumps({"version": 1, "partitions": [
            {"topic": topic, "partition": partition, "offset": before}]}))
        self._tool("org.apache.kafka.tools.DeleteRecordsCommand", "--offset-json-file", str(wanted))

    def spoil_batch(self, topic: str, partition: int, offset: int) -> None:
        """Overwrites all bytes but the head of the batch at this offset, on the disk of the only
        node."""
        [node] = self.nodes.values()
        log = node.folder / "topics" / f"{topic}-{partition}" / f"{0:020}.log"
        with open(log, "r+b") as file:
            while len(head := file.read(12)) == 12:
                first, size = struct.unpack(">qi", head)
                if first == offset:
                    file.seek(_BATCH_HEAD - 12, os.SEEK_CUR)
                    file.write(b"\xff" * (size + 12 - _BATCH_HEAD))
                    return
                file.seek(size, os.SEEK_CUR)
        raise AssertionError(f"no batch begins at offset {offset}")

    def _tool(self, name: str, *arguments: str) -> str:
        return self._run("-Xmx128m", name, "--bootstrap-server", self.address, *arguments)

    def _configure(self) -> None:
        ports = free_ports(2 * self._size)
        controllers = ",".join(f"{number}@127.0.0.1:{port}"
                               for number, port in enumerate(ports[self._size:], 1))
        for number, (port, controller) in enumerate(zip(ports, ports[self._size:]), 1):
            address = f"127.0.0.1:{port}"
            settings = {
                "process.roles": "broker,controller", "node.id": number,
                "controller.quorum.voters": controllers,
                "listeners": f"PLAINTEXT://{address},CONTROLLER://127.0.0.1:{controller}",
                "advertised.listeners": f"PLAINTEXT://{address}",
                "controller.listener.names": "CONTROLLER",
                "inter.broker.listener.name": "PLAINTEXT", "auto.create.topics.enable": "false",
                "log.retention.ms": -1,  # records may have very old times
                "default.replication.factor": self.replication,
                "offsets.topic.replication.factor": self.replication,
                "offsets.topic.num.partitions": 4,
                "group.initial.rebalance.delay.ms": 0,
                "transaction.state.log.replication.factor": self.replication,
                "transaction.state.log.min.isr": 1, "transaction.state.log.num.partitions": 1,
                "broker.session.timeout.ms": 2000, "broker.heartbeat.interval.ms": 500,
                **self._proxied_listener(address, controller), **self._settings}
            self.nodes[number] = Node(self._folder / str(number), settings, address)

    def _proxied_listener(self, address: str, controller: int) -> dict[str, object]:
        if self._proxied is None:
            return {}
        [self.proxied_port] = free_ports(1)
        return {
            "listeners": f"PLAINTEXT://{address},PROXIED://127.0.0.1:{self.proxied_port},"
                         f"CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners":
                f"PLAINTEXT://{address},PROXIED://127.0.0.1:{self._proxied}",
            "listener.security.protocol.map":
                "PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT"}

    def _run(self, memory: str, *arguments: str) -> str:
        """Runs one of the broker's tools to its end; returns its output."""
        done = subprocess.run(
            [*self._java, memory, *arguments],
            capture_output=True, text=True, check=False, timeout=START_SECONDS)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments[0]} failed: {done.stdout[-1000:]}{done.stderr[-1000:]}")
        return done.stdout


class KafkaBroker(KafkaCluster):
    """A cluster of one, with rules: `with KafkaBroker() as broker: ...`."""

    def __init__(self, **settings: object) -> None:
        # Brokers that know no rules yet would refuse each other.
        super().__init__(1, **{
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found": "true", **settings})

    def acls(self, *arguments: str) -> None:
        """Changes the rules. Without a rule everything is allowed; clients are User:ANONYMOUS."""
        self._tool("kafka.admin.AclCommand", *arguments)

    def kill(self) -> None:
        """Kills the broker; its files stay, for restart()."""
        self.nodes[1].kill()

    def restart(self) -> None:
        """Restarts it on the same address, with its data."""
        self.restart_node(1)

    def log_tail(self) -> str:
        return self.nodes[1].log_tail()

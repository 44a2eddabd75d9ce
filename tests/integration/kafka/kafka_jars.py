"""The jars of Apache Kafka: from Maven, once, in ${XDG_CACHE_HOME:-~/.cache}/sash/kafka-VERSION."""
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

POM = pathlib.Path(__file__).with_name("pom.xml")
JAVA_NEEDED = 17


class Unavailable(Exception):
    """The reason why no broker can run on this machine."""


def kafka_version() -> str:
    root = xml.etree.ElementTree.parse(POM).getroot()
    found = root.find(".//{*}kafka.version")
    assert found is not None and found.text
    return found.text


def require_tools() -> None:
    """Raises Unavailable when a broker cannot be fetched or run here."""
    java = shutil.which("java")
    if not java:
        raise Unavailable("there is no java (package default-jre-headless)")
    version = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    major = re.search(r'version "(?:1\.)?(\d+)', version)
    if not major or int(major[1]) < JAVA_NEEDED:
        raise Unavailable(f"java {JAVA_NEEDED} or newer is needed, this is: {version.strip()[:60]}")
    if not shutil.which("kcat"):
        raise Unavailable("there is no kcat (package kcat) to ask the broker")
    if not _is_fetched(cache()) and not shutil.which("mvn"):
        raise Unavailable("there is no mvn (package maven) to fetch the broker")


def cache() -> pathlib.Path:
    """The folder of what is fetched and made once for this version."""
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "sash" / f"kafka-{kafka_version()}"


def _is_fetched(folder: pathlib.Path) -> bool:
    return (folder / "complete").exists()


def fetch() -> pathlib.Path:
    """The folder of the jars, fetched if missing; tests that start together fetch once."""
    folder = cache()
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_fetched(folder):
            command = ["mvn", "-B", "-q", "-Dstyle.color=never", "-f", str(POM),
                       "dependency:copy-dependencies", "-DincludeScope=runtime",
                       f"-DoutputDirectory={folder / 'lib'}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
            if done.returncode != 0:
                raise Unavailable(f"mvn could not fetch the broker: {done.stdout.strip()[-500:]}")
            for jar in (folder / "lib").glob("slf4j-reload4j-*.jar"):
                jar.unlink()  # a second logging backend
            (folder / "complete").touch()
    return folder / "lib"

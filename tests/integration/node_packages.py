"""Node.js for tests: whether it is installed, and the packages of a lock file, in build/ and not
among the sources."""
import fcntl
import json
import pathlib
import re
import shutil
import subprocess
import unittest

BUILD = pathlib.Path(__file__).resolve().parents[2] / "build"
LEAST_NODE = 18
INSTALL_SECONDS = 900
# npm's error codes for a faulty lock file; other codes mean that the registry is not reachable.
OWN_FAULTS = {"EUSAGE", "EINTEGRITY", "EJSONPARSE", "ERESOLVE"}


def node_version() -> int:
    """The major version of Node.js; 0 without Node.js or npm."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return 0
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(said.lstrip("v").split(".")[0])


def require_node() -> None:
    """Raises SkipTest when Node.js is missing or too old."""
    if node_version() < LEAST_NODE:
        raise unittest.SkipTest(f"no Node.js {LEAST_NODE} or newer with npm")


def installed(sources: pathlib.Path, name: str) -> pathlib.Path:
    """build/NAME: a copy of a folder with a package-lock.json, and with the packages.

    They stay, and are fetched again only for another lock file. SkipTest when they cannot be
    fetched.
    """
    require_node()
    work = BUILD / name
    with open(BUILD / f"{name}.lock", "w", encoding="utf-8") as lock:  # tests run beside each other
        fcntl.flock(lock, fcntl.LOCK_EX)
        _install(sources, work)
    return work


def _install(sources: pathlib.Path, work: pathlib.Path) -> None:
    for folder in (each for each in sources.iterdir() if each.is_dir()):
        shutil.rmtree(work / folder.name, ignore_errors=True)  # drops files that no longer exist
    shutil.copytree(sources, work, dirs_exist_ok=True)
    lock, mark = work / "package-lock.json", work / "node_modules/.installed"
    if not mark.exists() or mark.read_bytes() != lock.read_bytes():
        npm = subprocess.run(["npm", "ci", "--ignore-scripts", "--loglevel=error"], cwd=work,
                             capture_output=True, text=True, timeout=INSTALL_SECONDS)
        if npm.returncode != 0:
            said = re.search(r"npm error code (\w+)", npm.stderr)
            if said is None or said[1] in OWN_FAULTS:
                raise AssertionError(f"npm ci in {work}:\n{npm.stderr}")
            raise unittest.SkipTest(f"npm cannot fetch the packages: {said[1]}")
        shutil.copy(lock, mark)


def check_pins(test: unittest.TestCase, sources: pathlib.Path) -> None:
    """Versions are exact, the fetched packages are the locked ones, and no registry is named."""
    package = json.loads((sources / "package.json").read_text())
    for kind in ("dependencies", "devDependencies"):
        for name, version in package.get(kind, {}).items():
            test.assertRegex(version, r"^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+$", name)
    lock = json.loads((sources / "package-lock.json").read_text())
    for path, entry in lock["packages"].items():
        test.assertNotIn("resolved", entry, path)
        test.assertTrue(path == "" or entry["integrity"].startswith("sha512-"), path)

"""Tests deploy/sashd.service: systemd accepts it, its sandbox is tight, and `sashd` works in it.

systemd need not be running: systemd-analyze reads the unit as a file.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration" / "process"))
from sashd_process import ROOT, Sashd, await_that, live, program, replay, run  # noqa: E402

UNIT = ROOT / "deploy" / "sashd.service"
MOST_EXPOSURE = 2.0


def tool(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise unittest.SkipTest(f"no {name} (Debian package {package})")
    return found


def analyze(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([tool("systemd-analyze", "systemd"), *arguments], capture_output=True,
                          text=True, check=False)


def settings(key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", UNIT.read_text(), re.MULTILINE)


def system_calls(group: str) -> set[str]:
    """The system calls of a group such as @system-service, and of the groups in it; or one call."""
    if not group.startswith("@"):
        return {group}
    done = analyze("syscall-filter", group)
    if done.returncode != 0:
        raise unittest.SkipTest(f"systemd-analyze syscall-filter: {done.stderr}")
    names = set(re.findall(r"^\s+([@\w-]+)$", done.stdout, re.MULTILINE))
    return {name for each in names for name in (system_calls(each) if each[0] == "@" else {each})}


class ServiceUnitTest(unittest.TestCase):
    def test_systemd_understands_every_line(self):
        with tempfile.TemporaryDirectory(prefix="sash-unit-") as folder:
            unit = pathlib.Path(folder) / UNIT.name
            unit.write_text(UNIT.read_text().replace("/usr/bin/sashd", program("SASHD", "sashd")))
            done = analyze("verify", "--man=no", str(unit))
            # The exit code is 0 even if keys are wrong; messages may be about other units.
            self.assertEqual([line for line in done.stderr.splitlines() if UNIT.name in line
                              or str(unit) in line], [])
            unit.write_text(UNIT.read_text() + "\n[Service]\nPrivateTemp=yes\n")
            self.assertIn("PrivateTemp", analyze("verify", "--man=no", str(unit)).stderr)

    def test_its_exposure_is_small(self):
        done = analyze("security", "--offline=true", "--no-pager", str(UNIT))
        found = re.search(r"exposure level for sashd\.service: ([\d.]+)", done.stdout)
        self.assertTrue(found, done.stdout + done.stderr)
        self.assertLessEqual(float(found[1]), MOST_EXPOSURE, done.stdout)

    def test_its_commands_are_those_of_sashd(self):
        for command in settings("ExecStartPre") + settings("ExecStart"):
            self.assertRegex(command, r"^/usr/bin/sashd --(check|config) /etc/sash/sashd\.yaml$")
        document = replay(windows=[])
        final = settings("RestartPreventExitStatus")[0].split()
        for option in ("--check", "--config"):
            wrong = run(document, b"", arguments=[option, "sashd.yaml"])
            self.assertIn(str(wrong.code), final, wrong.log)

    def test_sashd_makes_no_system_call_that_the_sandbox_refuses(self):
        allowed = set()
        for line in settings("SystemCallFilter"):
            groups = set().union(*map(system_calls, line.removeprefix("~").split()))
            allowed = allowed - groups if line.startswith("~") else allowed | groups
        self.assertGreater(len(allowed), 100)
        strace = tool("strace", "strace")
        trace = [strace, "-f", "-qq", "-o", "calls", "-e", "signal=none"]
        with Sashd(live()) as broker:  # separate: all calls of a client are traced
            address = broker.broker()
            document = live(plugins=["plugins"],
                            jobs=[{"name": "ranks", "kernel": "pagerank", "window": "w"},
                                  {"name": "apart", "kernel": "plugin", "window": "w",
                                   "plugin": "plugins/reciprocity.so", "isolate": True}],
                            exports=[{"frozen": {"path": "snapshots", "windows": ["w"]}}])
            document["source"]["kafka"]["brokers"] = address
            with Traced(trace, document) as sashd:
                broker.generate("--rate", "1000")
                sashd.await_lines(2)
                self.assertTrue(await_that(
                    lambda: sashd.json("/api/v1/jobs/apart")["runs"] > 0), sashd.log())
                self.assertEqual(sashd.json("/healthz"), {"status": "ok"})
                self.assertIn("sash_build_info", sashd.get("/metrics")[2])
                self.assertTrue(await_that(
                    lambda: sashd.metric("sash_export_written_total") > 0), sashd.log())
                sashd.stop_traced()
                calls = (sashd.folder / "calls").read_text()
            self.assertEqual(broker.stop(), 0)
        made = set(re.findall(r"^\d+\s+(\w+)\(", calls, re.MULTILINE))
        self.assertGreater(len(made), 30, calls[:2000])
        self.assertIn("memfd_create", made, "the plug-in has had its copy of a window")
        self.assertEqual(made - allowed, set())
        # glibc tries AF_NETLINK to get the machine's addresses, and works without it.
        families = set(re.findall(r"\bsocket\((\w+)", calls)) - {"AF_NETLINK"}
        self.assertLessEqual(families, set(settings("RestrictAddressFamilies")[0].split()))
        self.assertIn("AF_INET", families)


def with_plugin(folder: pathlib.Path) -> None:
    (folder / "plugins").mkdir(mode=0o755)
    built = pathlib.Path(program("SASHD", "sashd")).parent / "plugins" / "examples"
    shutil.copy(built / "reciprocity.so", folder / "plugins")
    (folder / "plugins" / "reciprocity.so").chmod(0o755)


class Traced(Sashd):
    """A `sashd` under strace, which does not forward signals."""

    def __init__(self, trace, document):
        super().__init__(document, before=with_plugin)
        self._trace = trace

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self._trace, program("SASHD", "sashd"), *self._arguments], cwd=self.folder,
                stderr=log, **self._popen)

    def stop_traced(self):
        child = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        subprocess.run(["kill", "-TERM", *child.read_text().split()], check=True)
        if self.wait() != 0:
            raise AssertionError(self.log())


if __name__ == "__main__":
    unittest.main(verbosity=2)

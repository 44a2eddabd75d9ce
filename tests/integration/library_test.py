"""The engine as an installed library: another program is built with it, outside the source tree.

Nothing of the checkout is needed once it is installed: the example is copied away, finds
the package, and runs.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = "-Wall -Wextra -Wpedantic -Werror"
# Payments pane by pane: 0->1 5, 1->2 7, 0->1 3 | 3->1 4 | 0->1 1, 2->3 6 | 3->0 2. Two panes are
# visible.
# The amounts follow from that by hand; the ranks are those of the definition, iterated in Python.
EXPECTED = """\
pane 0: 2 edges
  0: rank 18 %, 8 to 1
  1: rank 34 %, 7 to 2
  2: rank 47 %
pane 1: 3 edges
  0: rank 13 %, 8 to 1
  1: rank 34 %, 7 to 2
  2: rank 41 %
  3: rank 13 %, 4 to 1
pane 2: 3 edges
  0: rank 14 %, 1 to 1
  1: rank 47 %
  2: rank 14 %, 6 to 3
  3: rank 25 %, 4 to 1
pane 3: 3 edges
  0: rank 30 %, 1 to 1
  1: rank 37 %
  2: rank 12 %, 6 to 3
  3: rank 21 %, 2 to 0
"""


def run(*command, **more) -> subprocess.CompletedProcess:
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **more)


class InstalledLibrary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="sash-library-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        # The options of `release`, in a folder of the same depth, so that ccache has its objects.
        build = ROOT / "build" / "library"
        cls.must("cmake", "-S", ROOT, "--preset", "release", "-B", build,
                 "-DSASH_BUILD_DAEMON=OFF", "-DSASH_BUILD_TESTS=OFF")
        cls.must("cmake", "--build", build, "-j", os.cpu_count())
        cls.must("cmake", "--install", build, "--prefix", cls.prefix, "--component", "engine")

    @classmethod
    def must(cls, *command) -> str:
        done = run(*command, cwd=cls.folder)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, command))}:\n{done.stdout[-4000:]}")
        return done.stdout


class LibraryTest(InstalledLibrary):
    def configure(self, source: pathlib.Path, build: str) -> subprocess.CompletedProcess:
        # Headers of an imported target are system headers, which hide warnings: not here.
        return run("cmake", "-S", source, "-B", self.folder / build, "-G", "Ninja",
                   f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON",
                   f"-DCMAKE_CXX_FLAGS={WARNINGS}", cwd=self.folder)

    def test_the_example_builds_and_runs_against_what_is_installed(self):
        source = self.folder / "example-source"
        shutil.copytree(ROOT / "windows" / "example", source)
        configured = self.configure(source, "example")
        self.assertEqual(configured.returncode, 0, configured.stdout)
        self.must("cmake", "--build", self.folder / "example")
        self.assertEqual(self.must(self.folder / "example" / "payments"), EXPECTED)
        dependencies = self.must("ninja", "-C", self.folder / "example", "-t", "deps")
        self.assertIn(str(self.prefix / "include/sash/windows/store/window_store.h"), dependencies)
        self.assertNotIn(str(ROOT), dependencies)

    def test_the_package_names_no_path_of_the_source_or_build_tree(self):
        files = list((self.prefix / "lib").rglob("*.cmake"))
        self.assertGreaterEqual(len(files), 4)
        for file in files:
            text = file.read_text(encoding="utf-8")
            self.assertNotIn(str(ROOT), text, file)
            self.assertNotIn(str(self.folder), text, file)

    def test_another_minor_version_is_refused(self):
        source = self.folder / "later"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(later LANGUAGES CXX)\n"
            "find_package(sash 0.99 REQUIRED)\n", encoding="utf-8")
        configured = self.configure(source, "later-build")
        self.assertNotEqual(configured.returncode, 0)
        self.assertIn("0.99", configured.stdout)


class HeadersTest(InstalledLibrary):
    def test_every_header_compiles_alone_without_warnings(self):
        include = self.prefix / "include" / "sash"
        headers = sorted(include.rglob("*.h"))
        self.assertGreater(len(headers), 50)
        self.assertFalse([h for h in headers if "example" in h.parts])

        def compiled(header: pathlib.Path) -> str:
            return run("c++", "-std=c++20", *WARNINGS.split(), "-fsyntax-only", f"-I{include}",
                       "-include", header, "-x", "c++", "/dev/null").stdout

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for header, said in zip(headers, pool.map(compiled, headers)):
                with self.subTest(header.relative_to(include)):
                    self.assertEqual(said, "")


if __name__ == "__main__":
    unittest.main()

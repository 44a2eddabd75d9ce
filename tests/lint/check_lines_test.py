#!/usr/bin/env python3
"""Tests that the lint of line lengths finds violations."""
import pathlib
import sys
import tempfile
import unittest

import check_lines

WORDS = "word " * 30
LINK = "https://example.org/" + "a" * 100


class CheckLinesTest(unittest.TestCase):
    def faults(self, name: str, *lines: str) -> list[str]:
        return check_lines.faults_of(name, "\n".join(lines))

    def test_a_hundred_columns_pass_and_one_more_does_not(self):
        self.assertEqual(self.faults("x.cc", "int a;", "// " + "é " * 48 + "b"), [])
        self.assertEqual(self.faults("x.cc", "int a;", "// " + "é " * 49 + "b"),
                         ["x.cc:2: 102 columns, 100 at most"])

    def test_what_cannot_be_broken_passes(self):
        self.assertEqual(self.faults("x.py", f"    # {LINK}"), [])
        self.assertEqual(self.faults("x.md", f"- {LINK}", f"[a]: {LINK}", f"| a | {WORDS} |",
                                     "```", WORDS, "```"), [])

    def test_prose_and_code_around_it_do_not(self):
        self.assertEqual(len(self.faults("x.md", WORDS, "```", WORDS, "```", f"- {WORDS}")), 2)
        self.assertEqual(len(self.faults("x.py", f"| a | {WORDS} |", f"# see {LINK}")), 2)

    def test_every_kind_of_source_is_read_and_generated_folders_are_not(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            bundle = root / "daemon" / "console" / "bundle"
            bundle.mkdir(parents=True)
            (bundle / "app.css").write_text(WORDS)
            sources = ["run", *(f"x{suffix}" for suffix in check_lines.SUFFIXES)]
            for name in (*sources, "x.json", "x.svg"):
                (root / name).write_text(WORDS)
            self.assertEqual({name for _, name in check_lines.files(root, root)}, set(sources))
            for suffix in (".tsx", ".css", ".yaml", ".yml"):
                self.assertIn(f"x{suffix}", sources)
            self.assertEqual(len(self.faults("x.tsx", WORDS)), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

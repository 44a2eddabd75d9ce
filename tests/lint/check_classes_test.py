#!/usr/bin/env python3
"""The lint of classes sees definitions, and only these."""
import unittest

import check_classes


class ClassesTest(unittest.TestCase):
    def test_a_class_in_three_files_is_a_fault(self):
        text = "void Reader::Read() {\n}\n"
        self.assertEqual(check_classes.faults_of({"a.cc": text, "b.cc": text}), [])
        [fault] = check_classes.faults_of({"a.cc": text, "b.cc": text, "c.cc": text})
        self.assertIn("Reader is implemented in 3 files, 2 at most: a.cc, b.cc, c.cc", fault)

    def test_definitions_of_all_kinds_are_seen(self):
        for text in ("Reader::Reader(int x) : x_(x) {}", "Reader::~Reader() {}",
                     "Result<std::vector<int>> Reader::Read(int count) {",
                     "const Row& Reader::row() const {"):
            self.assertEqual(check_classes.classes_of(text), {"Reader"}, text)

    def test_a_call_is_not_a_definition(self):
        self.assertEqual(check_classes.classes_of(
            "void F() {\n  Reader::Open(1);\n  return Reader::Open(2);\n}\n"), set())


if __name__ == "__main__":
    unittest.main()

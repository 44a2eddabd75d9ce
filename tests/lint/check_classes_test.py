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

    def test_methods_and_members_are_counted(self):
        text = """
class Reader final : public Source {
 public:
  Reader() : rows_(1) {}  // a method (not two)
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    if (rows_ > 0) { visit(1); }
  }
  int rows() const SASH_REQUIRES(mutex_) { return rows_; }
  static constexpr int kMost = 3;
  using Row = std::vector<int>;
  bool operator==(const Reader&) const = default;

 private:
  struct Place {
    int row;
  };
  int rows_ SASH_GUARDED_BY(mutex_) = 0;
  std::map<int, std::function<void(int)>> places_{};
};
"""
        self.assertEqual(check_classes.sizes_of(text), {"Reader": (4, 2), "Place": (0, 1)})

    def test_many_methods_need_a_reason(self):
        methods = "".join(f"  int F{i}() const;\n" for i in range(check_classes.MOST_METHODS + 1))
        text = f"// Reader: reads.\n#pragma once\nclass Reader {{\n{methods}}};\n"
        [fault] = check_classes.size_faults_of({"reader.h": text})
        self.assertIn("reader.h: Reader has 41 methods and 0 members", fault)
        reason = "// It has more methods than\n// other classes: each is one.\n"
        self.assertEqual(check_classes.size_faults_of({"reader.h": reason + text}), [])

    def test_many_members_need_a_reason(self):
        members = "".join(f"  int m{i} = 0;\n" for i in range(check_classes.MOST_MEMBERS + 1))
        self.assertEqual(len(check_classes.size_faults_of(
            {"status.h": f"struct Status {{\n{members}}};\n"})), 1)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""What summary.py makes of CTest's JUnit files."""
import contextlib
import io
import pathlib
import tempfile
import unittest
from xml.sax.saxutils import escape

import summary

PASSED = "[ RUN      ] A.Passes\n[       OK ] A.Passes (0 ms)\n"
SKIPPED = ("[ RUN      ] A.Skips\na_test.cc:7: Skipped\nno such device\n"
           "[  SKIPPED ] A.Skips (0 ms)\n")
FAILED = "[ RUN      ] A.Fails\na_test.cc:9: Failure\n1 is not 2\n[  FAILED  ] A.Fails (0 ms)\n"
BROKE_OFF = "[ RUN      ] A.Ends\nSegmentation fault\n"


def case(status: str, output: str, message: str = "") -> str:
    """A testcase of CTest: `status` as CTest writes it, `message` of its element `skipped`."""
    inner = f'<skipped message="{message}"/>' if message else ""
    return (f'<testcase name="case" status="{status}">{inner}'
            f"<system-out>{escape(output)}</system-out></testcase>")


class SummaryTest(unittest.TestCase):
    def read(self, *cases: str) -> summary.Suite:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "suite.xml"
            path.write_text("<testsuite>" + "".join(cases) + "</testsuite>")
            return summary.read("suite", str(path))

    def expect(self, suite: summary.Suite, passed: int, failed: list[str],
               skipped: list[str]) -> None:
        self.assertEqual((suite.passed, suite.failed, suite.skipped), (passed, failed, skipped))

    def test_a_process_of_many_tests_counts_each(self) -> None:
        suite = self.read(case("fail", PASSED + SKIPPED + FAILED + PASSED))
        self.expect(suite, 2, ["A.Fails"], ["A.Skips: no such device"])
        self.assertIn("1 is not 2", suite.said["A.Fails"])

    def test_a_skipped_test_with_a_process_of_its_own_is_only_skipped(self) -> None:
        suite = self.read(case("notrun", SKIPPED, "SKIP_REGULAR_EXPRESSION_MATCHED"))
        self.expect(suite, 0, [], ["A.Skips: no such device"])

    def test_a_test_that_ended_its_process_has_failed(self) -> None:
        self.expect(self.read(case("fail", PASSED + BROKE_OFF)), 1, ["A.Ends"], [])

    def test_a_process_that_fails_after_its_tests_has_failed(self) -> None:
        leak = "LeakSanitizer: detected memory leaks\n"
        suite = self.read(case("fail", PASSED + leak))
        self.expect(suite, 1, ["case"], [])
        self.assertIn("memory leaks", suite.said["case"])

    def test_other_tests_of_ctest(self) -> None:
        suite = self.read(
            case("run", "fine"), case("fail", "FAIL: x\nwrong"),
            case("notrun", "skipped: no data: x", "SKIP_RETURN_CODE=77"),
            case("disabled", ""), case("notrun", "", "Unable to find executable"))
        self.expect(suite, 1, ["case", "case: Unable to find executable"],
                    ["case: no data: x", "case: no reason given"])

    def test_the_exit_code_and_the_last_line(self) -> None:
        for arguments, code, last in ((["one=none"], 1, "0 passed, 1 failed, 0 skipped"),
                                      (["one=late"], 1, "0 passed, 0 failed, 1 skipped")):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                self.assertEqual(summary.main(arguments), code)
            self.assertEqual(printed.getvalue().splitlines()[-1], last)


if __name__ == "__main__":
    unittest.main()

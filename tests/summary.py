#!/usr/bin/env python3
"""Sums up JUnit files of CTest: summary.py SUITE=FILE...

Prints a table; each failed test with the part of its output that shows the reason; each skipped
test with the reason; and as the last line "N passed, N failed, N skipped". Exits with 1 if anything
failed. A suite without its FILE, which did not build or did not run, counts as one failure. If FILE
is "late", the suite could not begin in time and is skipped as a whole. A program of GoogleTest may
run many tests as one test of CTest: each of them counts.
"""
import re
import sys
import textwrap
import xml.etree.ElementTree
from dataclasses import dataclass, field

LINES_SHOWN = 40  # of the output of a test that failed


@dataclass
class Suite:
    name: str
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)  # failed test -> the end of its output


def skip_reason(output: str) -> str:
    """The reason in "skipped: reason: test" (run_test.py), or after "file:1: Skipped"
    (GoogleTest)."""
    ours = re.search(r"^skipped: (.*)$", output, re.MULTILINE)
    googletest = re.search(r": Skipped\n(.*)$", output, re.MULTILINE)
    found = ours or googletest
    return found[1] if found and found[1] else "no reason given"


def failure(output: str) -> str:
    """The output from the first "FAIL: test" (unittest) or "file:1: Failure" (GoogleTest) on; if
    there is none, its end."""
    lines = output.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"(FAIL|ERROR): ", line) or line.endswith(": Failure"):
            return "\n".join(lines[number:number + LINES_SHOWN])
    return "\n".join(lines[-LINES_SHOWN:])


def read(name: str, path: str) -> Suite:
    suite = Suite(name)
    if path == "late":
        suite.skipped.append("the whole suite: it would have ended after --minutes")
        return suite
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        suite.failed.append("did not build or did not run")
        return suite
    for case in root.iter("testcase"):
        test, status = case.get("name", "?"), case.get("status")
        output = case.findtext("system-out", "")
        skipped = case.find("skipped")
        why = skipped.get("message", "") if skipped is not None else ""
        was_skipped = status == "disabled" or why.startswith("SKIP_")
        if status != "disabled" and "[ RUN      ] " in output:
            add_googletest(suite, test, output, status == "run" or was_skipped)
        elif status == "run":
            suite.passed += 1
        elif was_skipped:
            suite.skipped.append(f"{test}: {skip_reason(output)}")
        else:  # "fail", or "notrun" if the test's program is missing
            suite.failed.append(f"{test}: {why}" if why else test)
            suite.said[suite.failed[-1]] = failure(output)
    return suite


def add_googletest(suite: Suite, case: str, output: str, good: bool) -> None:
    """Adds the tests of one process of GoogleTest. `case` is the name that CTest has for it; `good`
    says that CTest does not call it failed. A test that began and did not end has ended the
    process."""
    failed_before = len(suite.failed)
    for of_one in output.split("[ RUN      ] ")[1:]:
        test = of_one.split("\n", 1)[0].strip()
        end = re.search(r"^.*\[( +OK|  FAILED |  SKIPPED) \] " + re.escape(test) + r"\b.*$", of_one,
                        re.MULTILINE)
        if end and end[1].strip() == "OK":
            suite.passed += 1
        elif end and end[1].strip() == "SKIPPED":
            suite.skipped.append(f"{test}: {skip_reason(of_one)}")
        else:
            suite.failed.append(test)
            suite.said[test] = failure(of_one[:end.end()] if end else of_one)
    if not good and len(suite.failed) == failed_before:  # as when memory leaked
        suite.failed.append(case)
        suite.said[case] = failure(output)


def main(arguments: list[str]) -> int:
    suites = [read(*argument.split("=", 1)) for argument in arguments]
    print(f"\n{'suite':<14}{'passed':>8}{'failed':>8}{'skipped':>8}")
    for suite in suites:
        print(f"{suite.name:<14}{suite.passed:>8}{len(suite.failed):>8}{len(suite.skipped):>8}")
    for suite in suites:
        for test in suite.failed:
            print(f"failed   {suite.name}: {test} (build/logs/{suite.name}.log)")
            print(textwrap.indent(suite.said.get(test, ""), "    "))
        for test in suite.skipped:
            print(f"skipped  {suite.name}: {test}")
    passed = sum(suite.passed for suite in suites)
    failed = sum(len(suite.failed) for suite in suites)
    skipped = sum(len(suite.skipped) for suite in suites)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

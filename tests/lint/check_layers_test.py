#!/usr/bin/env python3
"""Tests that the lint of layers finds violations."""
import pathlib
import sys
import unittest
from unittest import mock

import check_layers

ROOT = pathlib.Path(__file__).resolve().parents[2]


def faults(path: str, *includes: str) -> list[str]:
    text = "".join(f'#include "{name}"\n' for name in includes)
    return check_layers.check_file(path, text, check_layers.allowed_layers()[0])


class CheckLayersTest(unittest.TestCase):
    def test_arrows_to_rows_that_are_named_pass(self):
        self.assertEqual(faults("daemon/pipeline/x.cc", "daemon/pipeline/y.h",
                                "daemon/recovery/recovery.h", "windows/store/lists/list_page.h"),
                         [])
        self.assertEqual(faults("windows/kernels/rows/x.h", "windows/kernels/graph_view.h"), [])
        self.assertEqual(faults("windows/store/x.cc", "windows/store/lists/list_page.h"), [])
        self.assertEqual(faults("daemon/x.cc", "daemon/shutdown/drain.h"), [])

    def test_an_arrow_back_is_refused(self):
        for path, include in (("daemon/recovery/x.h", "daemon/pipeline/pipeline.h"),
                              ("daemon/shutdown/x.cc", "daemon/application.h"),
                              ("windows/store/lists/x.h", "windows/store/window_store.h"),
                              ("windows/kernels/x.h", "windows/kernels/following/bfs_follow.h"),
                              ("connectors/sinks/x.h", "connectors/sinks/kafka/kafka_sink.h")):
            with self.subTest(path):
                self.assertEqual(len(found := faults(path, include)), 1, found)
                self.assertIn("must not include", found[0])

    def test_a_room_without_a_row_is_refused(self):
        for path in ("daemon/loose/x.cc", "windows/store/more/x.h", "connectors/x.h"):
            with self.subTest(path):
                self.assertEqual(len(found := faults(path)), 1, found)
                self.assertIn("no row for", found[0])

    def test_every_room_of_the_daemon_has_a_row(self):
        rooms = {f"daemon/{path.parent.name}" for path in ROOT.glob("daemon/*/*.h")}
        self.assertGreater(len(rooms), 10)
        self.assertLessEqual(rooms, check_layers.LAYERS.keys())

    def test_the_standard_library_s_locks_are_refused(self):
        allowed = check_layers.allowed_layers()[0]
        for include in ("mutex", "condition_variable"):
            for path, count in (("daemon/http/x.h", 1), ("windows/store/x.cc", 1),
                                ("windows/base/mutex.h", 0), ("tests/daemon/http/x.cc", 0)):
                with self.subTest(path):
                    found = check_layers.check_file(path, f"#include <{include}>\n", allowed)
                    self.assertEqual(len(found), count, found)

    def test_a_row_may_name_only_rows_above_it(self):
        with mock.patch.dict(check_layers.LAYERS, {"one": ["two"], "two": ["one"]}, clear=True):
            self.assertEqual(len(errors := check_layers.allowed_layers()[1]), 1, errors)
            self.assertIn("one names two", errors[0])

    def test_an_arrow_that_no_file_uses_is_refused(self):
        rows = {"one": [], "two": ["one"], "three": ["one", "two"]}
        with mock.patch.dict(check_layers.LAYERS, rows, clear=True):
            used = check_layers.arrows_of("two/x.cc", '#include "one/y.h"\n')
            used |= check_layers.arrows_of("three/x.cc", '#include "two/y.h"\n')
            self.assertEqual(check_layers.unused_arrows(used),
                             ["LAYERS: three names one, but includes nothing from it"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

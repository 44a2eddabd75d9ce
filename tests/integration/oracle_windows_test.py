"""Tests the oracle's windows: examples worked out by hand."""
import random
import unittest

from oracle import outliers, records
from oracle.configuration import from_document
from oracle.filters import WindowFilter, is_true
from oracle.records import Event, Refused
from oracle.slices import cut
from oracle.windows import windows
from oracle_script import SECOND, configuration, ends, script, windows_of


class WindowsTest(unittest.TestCase):
    def test_first_window_is_that_of_the_first_event_and_last_that_of_the_last(self):
        self.assertEqual(ends(windows_of(script((15, "add", "a"), (39, "add", "b")))), [20, 30, 40])

    def test_wanted_windows_are_those_among_all_that_are_wanted(self):
        chance = random.Random(1)
        time, steps = 0, []
        for _ in range(200):
            time += chance.choice([1, 1, 3, 70])
            operation = chance.choice(["add", "add", "remove_vertex"])
            steps.append((time, operation, "a"))
        for length in ("20s", "forever"):
            given = configuration({"length": length})
            slices = cut(script(*steps), given)
            every = list(windows(given.windows[0], slices))
            self.assertTrue(any(window.empty for window in every))
            for stride in (1, 2, 3, 7):
                some = list(windows(given.windows[0], slices, lambda end: end % stride == 0))
                self.assertEqual([(each.end, each.edges) for each in some],
                                 [(each.end, each.edges) for each in every
                                  if each.advance % stride == 0])
                self.assertTrue(some)

    def test_a_silence_of_years_gives_one_empty_window_or_none(self):
        steps = script((5, "add", "a"), (10**9, "add", "a"))
        self.assertEqual(ends(windows_of(steps)), [10, 20, 30, 10**9 + 10])
        self.assertEqual(ends(windows_of(steps, window={"empty_windows": "skip"})),
                         [10, 20, 10**9 + 10])

    def test_duplicates_as_in_the_table(self):
        steps = script((5, "add", "a", "b", 3), (15, "add", "a", "b", 4), (25, "add", "x"))
        for policy, both, newer in (("keep", [3, 4], [4]), ("drop", [4], [4]), ("weigh", [7], [4])):
            found = windows_of(steps, window={"duplicates": policy})
            weights = [sorted(edge[2] for edge in window.edges if edge[0] == "a")
                       for window in found]
            self.assertEqual(weights, [[3], both, newer], policy)

    def test_a_removal_undoes_what_is_before_it_in_time_and_nothing_after(self):
        steps = script((5, "add", "a"), (9, "add", "a"), (7, "remove", "a"))
        found = windows_of(steps, time={"disorder": "5s"})
        self.assertEqual([len(window.edges) for window in found], [1])

    def test_removing_a_vertex_takes_both_directions(self):
        steps = script((1, "add", "a", "b"), (1, "add", "b", "c"), (1, "add", "c", "d"),
                       (2, "remove_vertex", "b", None))
        self.assertEqual([edge[:2] for edge in windows_of(steps)[0].edges], [("c", "d")])

    def test_late_is_decided_by_the_end_of_the_slice(self):
        steps = script((5, "add", "a"), (10, "add", "b"), (9, "add", "late"), (10, "add", "c"))
        for policy, edges in (("drop", [1, 3]), ("next_slice", [1, 4])):
            found = windows_of(steps, time={"late": policy})
            self.assertEqual([len(window.edges) for window in found], edges, policy)
            self.assertEqual([window.late for window in found], [0, 1], policy)

    def test_refused_ones_count_in_the_slice_before_them(self):
        steps = [None, (5, "add", "a"), None, (15, "add", "b"), None, None]
        found = windows_of(script(*steps), window={"length": "10s"})
        self.assertEqual([window.refused for window in found], [2, 2])
        self.assertEqual(found[1].offsets, {"replay": {"0": [3, 3]}})

    def test_landmark_windows_begin_with_the_first_slice(self):
        found = windows_of(script((15, "add", "a"), (39, "add", "b")), window={"length": "forever"})
        self.assertEqual([(window.start // SECOND, len(window.edges)) for window in found],
                         [(10, 1), (10, 1), (10, 2)])

    def test_by_events_the_bounds_are_the_least_and_greatest_time(self):
        steps = script((30, "add", "a"), (10, "add", "b"), (20, "add", "c"), (40, "add", "d"),
                       (50, "add", "e"))
        found = windows_of(steps, window={"by": "events", "length": 4, "slide": 2})
        self.assertEqual([(window.start // SECOND, window.end // SECOND, window.accepted)
                          for window in found], [(10, 30, 2), (10, 40, 4), (20, 50, 5)])

    def test_an_offset_moves_the_ends_and_cuts_the_panes(self):
        steps = script((15, "add", "a"), (19, "add", "b"), (39, "add", "c"))
        found = windows_of(steps, window={"offset": "4s"})
        self.assertEqual([(window.start // SECOND, window.end // SECOND, len(window.edges))
                          for window in found],
                         [(4, 24, 2), (14, 34, 2), (24, 44, 1)])
        self.assertEqual(cut(steps, configuration({"offset": "4s"})).pane, 2 * SECOND)
        found = windows_of(steps, window={"offset": "4s", "length": "forever"})
        self.assertEqual([(window.start // SECOND, window.end // SECOND) for window in found],
                         [(14, 24), (14, 34), (14, 44)])
        monday = windows_of(script((1_700_000_000, "add", "a")),
                            window={"length": "7d", "slide": "7d", "offset": "4d"})
        self.assertEqual([(window.start // SECOND, window.end // SECOND, window.advance)
                          for window in monday], [(1_699_833_600, 1_700_438_400, 2811)])

    def test_two_windows_share_the_pane(self):
        given = from_document({
            "source": {"replay": {"path": "-"}, "format": {"json": {
                "source": "/s", "target": "/t", "time": "/ts"}}},
            "windows": [{"name": "a", "length": "6s", "slide": "6s"},
                        {"name": "b", "length": "8s", "slide": "4s"}]})
        self.assertEqual(cut(script((1, "add", "a")), given).pane, 2 * SECOND)


class FilteredWindowsTest(unittest.TestCase):
    def windows_of(self, *steps: tuple, **window) -> list[tuple[int, list[str]]]:
        """The end of each window and its sources. A step is (seconds, operation, source, type,
        whether the expression is true)."""
        events = [Event(time * SECOND, "replay", 0, offset, 0, operation, source, "b", 1, kind,
                        judged=frozenset({"/n > 4"} if judged else ()))
                  for offset, (time, operation, source, kind, judged) in enumerate(steps)]
        return [(each.end // SECOND, sorted(edge[0] for edge in each.edges))
                for each in windows_of(events, window={"length": "10s", **window})]

    def test_a_window_begins_with_the_first_event_that_passes_and_ends_with_the_stream(self):
        steps = ((5, "add", "a", None, False), (15, "add", "b", "paid", True),
                 (45, "add", "c", "paid", False))
        self.assertEqual(self.windows_of(*steps, where="/n > 4"), [(20, ["b"]), (30, [])])
        self.assertEqual(self.windows_of(*steps, types=["paid"]),
                         [(20, ["b"]), (30, []), (50, ["c"])])
        self.assertEqual(self.windows_of(*steps, types=["owed"]), [])
        self.assertEqual(self.windows_of(*steps, types=["paid"], where="/n > 4", length="forever"),
                         [(20, ["b"]), (30, ["b"]), (40, ["b"]), (50, ["b"])])

    def test_removals_pass_by_their_type_alone_or_without_one(self):
        for operation, kind, left in (("remove", "paid", []), ("remove", None, []),
                                      ("remove", "owed", ["a"]), ("remove_vertex", "owed", [])):
            self.assertEqual(self.windows_of((5, "add", "a", "paid", True),
                                             (6, operation, "a", kind, False), types=["paid"],
                                             where="/n > 4"), [(10, left)], (operation, kind))

    def test_late_and_offsets_are_those_of_the_stream(self):
        steps = [Event(time * SECOND, "replay", 0, offset, 0, "add", "a", "b", 1, kind)
                 for offset, (time, kind) in enumerate(((15, "x"), (5, "x"), (17, "paid")))]
        found, = windows_of(steps, window={"types": ["paid"]})
        self.assertEqual((found.late, found.offsets, len(found.edges)),
                         (1, {"replay": {"0": [0, 2]}}, 1))

    def test_expressions(self):
        record = {"/n": 5, "/text": "x", "/real": 2.5, "/number": "7.5", "/huge": 2**70}
        for where, expected in (
                ("/n > 4", True), ("/n > 4.5 && /real < 3", True), ("/n != 5", False),
                ("/absent != 5", False), ("/absent in [5]", False), ("!has(/absent)", True),
                ("/text == 'x' || /n == 0", True), ('/text in ["y", "x"]', True),
                ("/n == '5'", False), ("/n != '5'", True), ("double(/number) > 7.0", True),
                ("double(/absent) > 7.0", False), ("/huge > 5.0", True),
                # Without a value, unless the other side decides.
                ("/text > 4", False), ("!(/text > 4)", False), ("/text > 4 || /n == 5", True),
                ("double(/text) > 1.0 && /n == 5", False), ("/n && /n == 5", False)):
            self.assertEqual(is_true(where, record.get), expected, where)

    def test_an_edge_passes_by_type_and_expression(self):
        chosen = WindowFilter(("7", "paid"), "/n > 4")
        for kind, judged, passes in (("paid", True, True), ("7", True, True),
                                     ("paid", False, False), ("owed", True, False),
                                     (None, True, False)):
            self.assertEqual(chosen.passes("add", kind, frozenset({"/n > 4"} if judged else ())),
                             passes)


class IdsTest(unittest.TestCase):
    def counting(self, *steps: tuple, late: str = "drop") -> list[int]:
        """The offsets of the edges that count, where an id counts once in 10 s. A step is (seconds,
        id)."""
        given = from_document({
            "source": {"replay": {"path": "-"}, "dedupe": {"within": "10s"},
                       "format": {"json": {"source": "/s", "target": "/t", "time": "/ts"}},
                       "time": {"unit": "s", "disorder": "0s", "late": late}},
            "windows": [{"name": "w", "length": "forever", "slide": "5s"}]})
        events = [Event(time * SECOND, "replay", 0, offset, 0, "add", offset, "b", 1,
                        id=None if name is None else (0, 0, name))
                  for offset, (time, name) in enumerate(steps)]
        *_, last = windows(given.windows[0], cut(events, given))
        return sorted(edge[0] for edge in last.edges)

    def test_an_edge_counts_unless_one_that_counted_is_within_the_time_before_it(self):
        self.assertEqual(self.counting((0, "a"), (8, "a"), (16, "a"), (20, "a"), (27, "a")),
                         [0, 2, 4])
        self.assertEqual(self.counting((0, "a"), (0, "b"), (1, None), (2, None), (10, "a"),
                                       (21, "a")), [0, 1, 2, 3, 5])

    def test_the_order_of_effect_decides_and_a_moved_edge_has_the_time_of_its_slice(self):
        self.assertEqual(self.counting((4, "a"), (3, "a")), [1])
        self.assertEqual(self.counting((4, "a"), (20, "b"), (9, "a"), late="next_slice"), [0, 1, 2])
        self.assertEqual(self.counting((4, "x"), (20, "b"), (9, "a"), (24, "a"),
                                       late="next_slice"), [0, 1, 2])

    def test_edges_of_one_record_are_not_duplicates_of_each_other(self):
        given = from_document({
            "source": {"replay": {"path": "-"}, "dedupe": {"within": "10s"},
                       "format": {"json": {"each": "/e"}, "edges": [
                           {"source": "/s", "target": "/t", "time": "/ts", "id": "/id"},
                           {"source": "/s", "target": "/id", "time": "/ts",
                            "id": {"from": "/id", "prefix": "x"}}]},
                       "time": {"unit": "s"}},
            "windows": [{"name": "w", "length": "10s", "slide": "10s"}]})
        lines = [b'{"e":[{"s":"a","t":"b","ts":1,"id":7},{"s":"c","t":"b","ts":1,"id":"7"}]}',
                 b'{"e":[{"s":"d","t":"b","ts":1,"id":7}]}']
        events = list(records.decode_json(
            ((records.Place("t", 0, offset), line) for offset, line in enumerate(lines)),
            given.stream))
        self.assertEqual([event.id for event in events],
                         [(0, 0, "7"), (0, 1, "x7"), (0, 0, "7"), (0, 1, "x7"),
                          (0, 0, "7"), (0, 1, "x7")])
        [found] = windows(given.windows[0], cut(events, given))
        self.assertEqual(sorted(edge[:2] for edge in found.edges),
                         [("a", "7"), ("a", "b"), ("c", "7"), ("c", "b")])


class OutliersTest(unittest.TestCase):
    def test_a_first_event_is_accepted_if_neither_of_the_next_two_is_far_before_it(self):
        for times_, refused in (([90, 1, *range(2, 20)], [0]), ([90, 90, *range(2, 20)], [0, 1]),
                                ([90, 90, 90], []), ([90, 89, 88, *range(2, 20)], [])):
            found = list(outliers.set_aside(script(*((time, "add", "a") for time in times_)),
                                            10 * SECOND))
            self.assertEqual([each.offset for each in found if isinstance(each, Refused)], refused)


if __name__ == "__main__":
    unittest.main()

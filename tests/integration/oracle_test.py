"""Tests the oracle: examples worked out by hand, networkx, and a comparison that finds
differences."""
import json
import random
import unittest

import networkx
import numpy

from oracle import csv_rows, outliers, records, times
from oracle.compare import compare
from oracle.configuration import from_document
from oracle.expectations import Expectation, expectations
from oracle.filters import WindowFilter, is_true
from oracle.kernels import Graph, bfs, biased_pagerank, hits, pagerank, parents
from oracle.networks import Network
from oracle.records import Event, Refused
from oracle.render import render
from oracle.slices import cut
from oracle.windows import Window, windows

SECOND = 10**9


def configuration(window: dict | None = None, time: dict | None = None, jobs: list | None = None):
    return from_document({
        "source": {"replay": {"path": "-"},
                   "format": {"json": {"source": "/s", "target": "/t", "time": "/ts"}},
                   "time": {"unit": "s", "disorder": "0s", "late": "drop", **(time or {})}},
        "windows": [{"name": "w", "length": "20s", "slide": "10s", **(window or {})}],
        "jobs": jobs or [{"name": "shape", "kernel": "window", "window": "w"}],
        "sinks": [{"file": {"path": "results", "vertices": "all"}}]})


def script(*steps: tuple) -> list[Event | Refused]:
    """(seconds, operation, source, target, weight), or None for a refused record; in order of
    arrival."""
    result = []
    for offset, step in enumerate(steps):
        if step is None:
            result.append(Refused("replay", 0, offset, "broken"))
        else:
            defaults = (None, None, None, "b", 1)
            time, *rest = (*step, *defaults[len(step):])
            result.append(Event(time * SECOND, "replay", 0, offset, 0, *rest))
    return result


def windows_of(steps: list, **kind) -> list[Window]:
    given = configuration(**kind)
    return list(windows(given.windows[0], cut(steps, given)))


def ends(found: list[Window]) -> list[int]:
    return [window.end // SECOND for window in found]


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
        """Of (seconds, operation, source, type, whether the expression is true): the end of each
        window and its sources."""
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
        """Of (seconds, id), where an id counts once in 10 s: the offsets of those that count."""
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


class KernelsTest(unittest.TestCase):
    def test_pagerank_and_bfs_are_those_of_networkx(self):
        for seed in range(5):
            chance = random.Random(seed)
            edges = [(f"v{chance.randrange(40)}", f"v{chance.randrange(40)}", 1)
                     for _ in range(chance.choice([1, 30, 90]))]
            graph = Graph(edges)
            reference = networkx.MultiDiGraph([edge[:2] for edge in edges])
            ranks = networkx.pagerank(reference, alpha=0.85, tol=1e-14, max_iter=1000)
            found = dict(zip(graph.keys, pagerank(graph, 0.85, 1e-14, 1000)))
            for key, rank in ranks.items():
                self.assertAlmostEqual(found[key], rank, delta=1e-11)
            root = edges[0][0]
            for direction, view in (("out", reference), ("in", reference.reverse()),
                                    ("both", reference.to_undirected())):
                self.assertEqual(bfs(graph, [root], direction),
                                 networkx.single_source_shortest_path_length(view, root))

    def test_ranks_by_weight_and_from_sources_are_those_of_networkx(self):
        for seed in range(8):
            chance = random.Random(seed)
            edges = [(chance.randrange(30), chance.randrange(30),
                      chance.choice([0, 0, 1, 2.5, 7, 1e-3])) for _ in range(90)]
            graph = Graph(edges)
            reference = networkx.MultiDiGraph()
            reference.add_weighted_edges_from(edges)
            for weighted in (False, True):
                for sources in (None, [edges[0][0]], [edges[1][0], edges[2][1], 99]):
                    ranks = networkx.pagerank(
                        reference, alpha=0.85, tol=1e-14, max_iter=1000,
                        weight="weight" if weighted else None,
                        personalization=sources and dict.fromkeys(sources, 1))
                    found = dict(zip(graph.keys, biased_pagerank(graph, 0.85, 1e-14, 1000, weighted,
                                                                 sources)))
                    self.assertEqual(set(found), set(ranks))
                    for key, rank in ranks.items():
                        self.assertAlmostEqual(found[key], rank, delta=1e-11)

    def test_weights_of_any_size_are_compared_with_those_of_their_own_source_alone(self):
        small = [("a", "b", 5e-324), ("a", "c", 1e-323), ("x", "y", 1.7e308), ("x", "z", 1.7e308)]
        like = [("a", "b", 1), ("a", "c", 2), ("x", "y", 1), ("x", "z", 1)]
        found, expected = (biased_pagerank(Graph(edges), 0.85, 0, 50, True, None)
                           for edges in (small, like))
        self.assertLess(numpy.abs(found - expected).sum(), 1e-12)

    def test_nothing_is_ranked_without_a_source_or_with_a_negative_weight(self):
        graph = Graph([("a", "b", 1), ("b", "c", -1)])
        self.assertEqual(len(biased_pagerank(graph, 0.85, 0, 10, False, ["x"])), 0)
        self.assertEqual(len(biased_pagerank(graph, 0.85, 0, 10, True, None)), 0)
        self.assertEqual(len(biased_pagerank(graph, 0.85, 0, 10, False, ["a"])), 3)

    def test_parents_are_the_least_predecessors_that_networkx_finds_on_shortest_paths(self):
        for seed in range(5):
            chance = random.Random(seed)
            edges = [(chance.randrange(40), chance.randrange(40), 1) for _ in range(120)]
            graph = Graph(edges)
            directed = networkx.MultiDiGraph([edge[:2] for edge in edges])
            root = edges[0][0]
            for direction, view in (("out", directed), ("in", directed.reverse()),
                                    ("both", directed.to_undirected())):
                found = parents(graph, bfs(graph, [root], direction), direction)
                self.assertGreater(len(found), 20)
                self.assertEqual(found, {
                    vertex: min(before, default=None)
                    for vertex, before in networkx.predecessor(view, root).items()})

    def test_clustering_of_edges_both_ways_is_that_of_networkx(self):
        """networkx has another definition for directed graphs."""
        for seed in range(5):
            chance = random.Random(seed)
            edges = [(chance.randrange(20), chance.randrange(20), 1) for _ in range(60)]
            both = edges + [(target, source, 1) for source, target, _ in edges]
            plain = networkx.Graph([edge[:2] for edge in edges if edge[0] != edge[1]])
            plain.add_nodes_from(edge[0] for edge in edges)
            for vertex, score in networkx.clustering(plain).items():
                self.assertAlmostEqual(Network(both, Graph(both)).clustering()[vertex], score)

    def test_clustering_counts_the_edges_among_neighbours_in_each_direction(self):
        edges = [("a", "b", 1), ("c", "a", 1), ("a", "d", 1), ("b", "c", 1), ("d", "b", 1),
                 ("b", "d", 1), ("b", "b", 1), ("b", "d", 1)]
        self.assertEqual(Network(edges, Graph(edges)).clustering(),
                         {"a": 3 / 6, "b": 2 / 6, "c": 1 / 2, "d": 1 / 2})

    def test_reciprocity_in_all_is_that_of_networkx(self):
        for seed in range(5):
            chance = random.Random(seed)
            edges = [(chance.randrange(20), chance.randrange(20), 1) for _ in range(90)]
            plain = networkx.DiGraph([edge[:2] for edge in edges if edge[0] != edge[1]])
            network = Network(edges, Graph(edges))
            self.assertAlmostEqual(network.overall_reciprocity, networkx.reciprocity(plain))
            self.assertEqual(set(network.reciprocity()),
                             {vertex for vertex in plain if plain.out_degree(vertex)})

    def test_hubs_and_authorities_are_those_of_networkx(self):
        for seed in range(4):
            chance = random.Random(seed)
            edges = [(chance.randrange(20), chance.randrange(20), chance.choice([0, 0.5, 3]))
                     for _ in range(160)]
            for weighted in (False, True):
                graph = networkx.MultiDiGraph()
                graph.add_weighted_edges_from(
                    (source, target, weight if weighted else 1) for source, target, weight in edges)
                hubs, authorities = networkx.hits(graph, max_iter=1000, tol=1e-12)
                found = zip(Graph(edges).keys, *hits(Graph(edges), 1e-14, 5000, weighted))
                for key, authority, hub in found:
                    self.assertAlmostEqual(authority, authorities[key])
                    self.assertAlmostEqual(hub, hubs[key])

    def test_strength_is_the_weighted_degree_of_networkx(self):
        chance = random.Random(2)
        edges = [(chance.randrange(9), chance.randrange(9), chance.randrange(-5, 9))
                 for _ in range(60)]
        graph = networkx.MultiDiGraph()
        graph.add_weighted_edges_from(edges)
        network = Network(edges, Graph(edges))
        out, into = dict(graph.out_degree(weight="weight")), dict(graph.in_degree(weight="weight"))
        self.assertEqual(network.strengths("out"), out)
        self.assertEqual(network.strengths("in"), into)
        self.assertEqual(network.strengths("both"), dict(graph.degree(weight="weight")))
        self.assertEqual(network.strengths("net"), {key: into[key] - out[key] for key in graph})
        large = [("a", "b", 2**63 - 1), ("c", "b", -2**63), ("b", "d", 0.5)]
        self.assertEqual(Network(large, Graph(large)).strengths("net"),
                         {"a": -2**63 + 1, "b": -1.5, "c": float(2**63), "d": 0.5})

    def test_labels_spread_to_the_least_of_the_most_frequent(self):
        edges = [("a", "b", 1), ("c", "b", 1), ("c", "b", 1), ("x", "x", 1)]
        network = Network(edges, Graph(edges))
        self.assertEqual(network.communities(1), {"a": "b", "b": "c", "c": "b", "x": "x"})
        self.assertEqual(network.communities(2), {"a": "c", "b": "b", "c": "c", "x": "x"})

    def test_ranks_sum_to_one(self):
        graph = Graph([("a", "b", 1), ("c", "b", 1)])
        self.assertAlmostEqual(pagerank(graph, 0.85, 0, 10).sum(), 1)

    def test_an_empty_graph_has_no_ranks(self):
        self.assertEqual(len(pagerank(Graph([]), 0.85, 1e-6, 10)), 0)


class RecordsTest(unittest.TestCase):
    def decode(self, *lines: bytes, **mapping) -> list:
        stream = from_document({
            "source": {"replay": {"path": "-"}, "time": {"unit": "ms"}, "format": {
                "json": {"source": "/s", "target": "/t", "time": "/ts", "weight": "/w",
                         "operation": "/op"}, **mapping}},
            "windows": []}).stream
        places = (records.Place("replay", 0, offset) for offset in range(len(lines)))
        return list(records.decode_json(zip(places, lines), stream))

    def test_the_whole_record_is_validated(self):
        good = b'{"s":"a","t":"b","ts":5}'
        for bad in (b"", b"{", b'{"s":"a","t":"b","ts":5,"x":NaN}', b'{"s":"","t":"b","ts":5}',
                    b'{"s":1.0,"t":"b","ts":5}', b'{"s":true,"t":"b","ts":5}',
                    b'{"s":"a","t":"b"}',
                    b'{"s":"a","t":"b","ts":"now"}',
                    b'{"s":"a","t":"b","ts":5,"w":"one"}', b'{"s":"a","t":"b","ts":5,"w":[1]}',
                    b'{"s":"a","t":"b","ts":5,"op":"ADD"}',
                    b'{"s":"\xff","t":"b","ts":5}', b'{"s":"\\ud800","t":"b","ts":5}'):
            first, second = self.decode(bad, good)
            self.assertIsInstance(first, Refused, bad)
            self.assertEqual(second.offset, 1)

    def test_a_change_of_a_row_removes_what_was_before_it_and_adds_what_is_after_it(self):
        stream = from_document({
            "source": {"replay": {"path": "-"}, "time": {"unit": "s"}, "format": {"json": {
                "unwrap": "debezium", "source": "/s", "target": "/t", "time": "$record/at",
                "type": "row"}}},
            "windows": [{"name": "w", "length": "1s", "slide": "1s", "where": "/s == 'c'"}]}).stream
        before, after = {"s": "a", "t": "b"}, {"s": "c", "t": "d"}
        changes = [{"op": "c", "before": None, "after": after, "at": 1},
                   {"op": "u", "before": before, "after": after, "at": 2},
                   {"op": "d", "before": before, "after": None, "at": 3},
                   {"op": "u", "before": {"s": "a"}, "after": after, "at": 4},
                   {"op": "d", "before": None, "after": None, "at": 5}]
        found = list(records.decode_json(
            ((records.Place("t", 0, offset), json.dumps(change).encode())
             for offset, change in enumerate(changes)), stream))
        self.assertEqual([(each.offset, each.place, each.operation, each.source, each.type,
                           bool(each.judged)) for each in found if isinstance(each, Event)],
                         [(0, 0, "add", "c", "row", True), (1, 0, "remove", "a", "row", True),
                          (1, 1, "add", "c", "row", True), (2, 0, "remove", "a", "row", False)])
        self.assertEqual([each.offset for each in found if isinstance(each, Refused)], [3, 4])

    def test_types_are_words_or_fields_of_text_or_integers(self):
        line = b'{"s":"a","t":"b","ts":5,"kind":%s}'
        for kind, expected in ((b'"x"', "x"), (b"7", "7"), (b"null", None), (b'""', None)):
            event, = self.decode(line % kind, json={
                "source": "/s", "target": "/t", "time": "/ts", "type": "/kind"})
            self.assertEqual(event.type, expected)
        for kind in (b"1.5", b"true", b"[]", b'"%s"' % (b"x" * 256)):
            refused, = self.decode(line % kind, json={
                "source": "/s", "target": "/t", "time": "/ts", "type": "/kind"})
            self.assertIsInstance(refused, Refused)

    def test_null_weights_and_operations_are_absent(self):
        event, = self.decode(b'{"s":"a","t":"b","ts":5.5,"w":null,"op":null}')
        self.assertEqual((event.time, event.weight, event.operation), (5_500_000, 1, "add"))

    def test_an_integer_is_a_key_and_a_weight_may_be_text_or_beyond_64_bits(self):
        first, second = self.decode(b'{"s":7,"t":-0,"ts":5,"w":"12"}',
                                    b'{"s":"a","t":"b","ts":5,"w":9223372036854775809}')
        self.assertEqual((first.source, first.target, first.weight), ("7", "0", 12))
        self.assertEqual((type(second.weight), second.weight), (float, 9223372036854775808.0))

    def test_remove_vertex_needs_no_target_but_a_valid_weight(self):
        first, second = self.decode(b'{"s":"a","ts":5,"op":"remove_vertex"}',
                                    b'{"s":"a","ts":5,"op":"remove_vertex","w":true}')
        self.assertEqual(first.operation, "remove_vertex")
        self.assertIsInstance(second, Refused)

    def test_csv_rows_as_in_rfc_4180(self):
        content = b'a,b\r\n\n"x, ""y""\nz",2\nplain,"",\n"bad"x,1\nlast,\xff'
        self.assertEqual([row.fields for row in csv_rows.rows(content, b",")], [
            [b"a", b"b"], [b'x, "y"\nz', b"2"], [b"plain", b"", b""], None, [b"last", b"\xff"]])

    def test_times_go_there_and_back(self):
        for text in ("2026-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999999999Z",
                     "2000-02-29T12:00:00.000001Z"):
            self.assertEqual(times.to_text(times.from_result(text)), text)
        self.assertEqual(times.parse_rfc3339("2026-01-01T01:00:00+01:00"),
                         times.parse_rfc3339("2026-01-01T00:00:00Z"))


class CompareTest(unittest.TestCase):
    JOBS = [{"name": "shape", "kernel": "window", "window": "w"},
            {"name": "ranks", "kernel": "pagerank", "window": "w",
             "parameters": {"tolerance": 1e-12}},
            {"name": "biased", "kernel": "pagerank", "window": "w",
             "parameters": {"tolerance": 1e-12, "weighted": True, "sources": ["v1", "nobody"]}},
            {"name": "unranked", "kernel": "pagerank", "window": "w",
             "parameters": {"sources": ["nobody"]}},
            {"name": "reach", "kernel": "bfs", "window": "w", "parameters": {"roots": ["v1"]}},
            {"name": "each", "kernel": "bfs", "window": "w", "every": 2,
             "parameters": {"roots": ["v1", "nobody"], "separate": True, "direction": "both"}},
            {"name": "tree", "kernel": "bfs", "window": "w",
             "parameters": {"roots": ["v1"], "parents": True}},
            {"name": "far", "kernel": "sssp", "window": "w", "parameters": {"roots": ["v1"]}},
            {"name": "chains", "kernel": "paths", "window": "w",
             "parameters": {"from": ["v1", "v2"], "to": ["v3", "v7", "nobody"], "by": "weight"}},
            *({"name": kernel, "kernel": kernel, "window": "w", "top": 3} for kernel in (
                "hits", "wcc", "scc", "triangles", "lcc", "cdlp", "kcore", "degree", "strength",
                "fanout", "reciprocity", "new_edges", "vanished_edges", "cycles",
                "edge_features"))]

    def setUp(self):
        chance = random.Random(1)
        self.configuration = configuration(jobs=self.JOBS, window={"duplicates": "weigh"})
        self.records = script(*((time, "add", f"v{chance.randrange(9)}", f"v{chance.randrange(9)}",
                                 chance.choice([1, 2.5, 2**63 - 1])) for time in range(0, 60, 2)))
        self.expected: list[Expectation] = list(
            expectations(self.configuration, cut(self.records, self.configuration)))
        self.lines = [render(each, True) for each in self.expected]

    def differences(self, lines: list[str]) -> str:
        return str(compare(self.configuration, self.records, lambda path: lines)[0])

    def changed(self, job: str, change) -> str:
        lines = []
        for line in self.lines:
            result = json.loads(line)
            if result["job"] == job:
                change(result)
            lines.append(json.dumps(result))
        return self.differences(lines)

    def test_what_is_right_has_no_differences(self):
        self.assertEqual(self.differences(self.lines), "")
        self.assertEqual(len(self.lines), 6 * 23 + 3)

    def test_missing_surplus_repeated_and_disordered_results_are_seen(self):
        self.assertIn("no such result", self.differences(self.lines[1:]))
        self.assertIn("surplus", self.differences(
            self.lines + [self.lines[-1].replace("00:01:00.000Z", "00:02:00.000Z")]))
        self.assertIn("a second result", self.differences(self.lines + self.lines[-1:]))
        self.assertIn("after a newer one", self.differences(self.lines[::-1]))
        self.assertIn("not a result", self.differences(self.lines + ["{"]))

    def test_every_wrong_value_is_seen(self):
        def score(result):
            result["top"][0]["score"] *= 1.0001

        def hub(result):
            result["top"][-1]["hub"] += 1e-6

        def depth(result):
            result["top"][-1]["depth"] += 1

        def parent(result):
            result["top"][-1]["parent"] = "v1" if result["top"][-1]["parent"] != "v1" else "v2"

        def orphan(result):
            del result["top"][0]["parent"]

        def swap(result):
            top = result["top"]
            top[0], top[1] = top[1], top[0]
            top[0]["rank"], top[1]["rank"] = 1, 2

        def weight(result):
            result["top_edges"][0]["weight"] += 0.5

        def lose(result):
            result["top_edges"].pop()

        for job, change in (("ranks", score), ("ranks", swap), ("hits", score), ("hits", swap),
                            ("hits", hub), ("biased", score), ("reach", depth),
                            ("shape", weight), ("shape", lose), ("tree", depth),
                            ("tree", parent), ("tree", orphan)):
            self.assertTrue(self.changed(job, change), change.__name__)
        def group(result):
            result["members"][0]["community" if result["job"] == "cdlp" else "component"] += "0"

        def size(result):
            result["top"][0]["size"] += 1

        def distance(result):
            result["top"][-1]["distance"] += 1

        def error(result):
            result["error"] = "1 edges have a negative weight"

        def since(result):
            result["since"] = None

        def turn(result):
            for edge in result["top_edges"]:
                edge["source"], edge["target"] = edge["target"], edge["source"]

        def heavier(result):
            for name in ("top_edges", "top_cycles", "top_paths"):
                for row in result.get(name, []):
                    row["weight"] += 1

        def more(result):
            for row in result["top_edges"]:
                row["edges"] += 1

        def rotate(result):
            for cycle in result["top_cycles"]:
                cycle["vertices"].append(cycle["vertices"].pop(0))

        def back(result):
            for path in result["top_paths"]:
                path["vertices"].reverse()

        def farther(result):
            for path in result["top_paths"]:
                path["hops"] += 1

        def shorter(result):
            del result["top_paths"][-1:]

        def with_feature(name, value):
            def change(result):
                for row in result["top_features"]:
                    row[name] += value
            change.__name__ = name
            return change

        def no_feature(result):
            for row in result["top_features"]:
                del row["intermediates"]

        features = [with_feature(name, value) for name, value in (
            ("source_out_fan", 1), ("target_in_degree", 1), ("source_in_sum", 1),
            ("target_out_max", 1), ("source_out_mean", 1e-3), ("target_in_variance", 1e-3),
            ("cycles_3", 1), ("scatter_gathers", 1), ("intermediates", 1), ("edges", 1))]
        for job, change in (
                *(("edge_features", change) for change in (*features, no_feature, since, error)),
                *((job, change) for job in ("wcc", "scc", "cdlp") for change in (group, size)),
                *((job, score) for job in ("triangles", "lcc", "kcore", "degree",
                                               "strength", "fanout", "reciprocity")),
                ("strength", swap),
                *((job, change) for job in ("new_edges", "vanished_edges")
                  for change in (since, turn, heavier, more)),
                *(("cycles", change) for change in (since, rotate, heavier)),
                *(("chains", change) for change in (back, farther, shorter, heavier, error)),
                ("far", distance), ("far", error)):
            self.assertTrue(self.changed(job, change), f"{job}: {change.__name__}")
        for job, field in (("triangles", "triangles"), ("kcore", "degeneracy"),
                           ("reciprocity", "reciprocity"),
                           ("wcc", "components"), ("scc", "components"),
                           ("cdlp", "communities"), ("far", "reached"),
                           ("chains", "reached"),
                           ("new_edges", "pairs"), ("cycles", "cycles"), ("cycles", "entered"),
                           ("edge_features", "entered"),
                           ("biased", "absent_sources"),
                           ("biased", "error"), ("hits", "error"),
                           ("unranked", "absent_sources"), ("unranked", "error")):
            self.assertTrue(self.changed(job, lambda result: result.update({field: 77})), field)
        for field, value in (("edges", 7), ("vertices", 99), ("late", 1), ("refused", 1),
                             ("empty", True), ("gap", True), ("final", False), ("offsets", {}),
                             ("window_start", "1970-01-01T00:00:01.000Z"), ("schema", 2),
                             ("parameters", {"tolerance": 1}), ("reached", 0), ("levels", [])):
            self.assertTrue(self.changed("reach" if field in ("reached", "levels") else "ranks",
                                         lambda result: result.update({field: value})), field)

    def test_scores_within_the_tolerance_are_equal(self):
        def nudge(result):
            for entry in result["top"]:
                entry["score"] *= 1 + 1e-8

        self.assertEqual(self.changed("ranks", nudge), "")


class GraphTest(unittest.TestCase):
    def test_parallel_edges_count_each(self):
        twice = pagerank(Graph([("a", "b", 1), ("a", "b", 1), ("a", "c", 1)]), 0.5, 0, 200)
        self.assertTrue(numpy.all(twice[1] > twice[2]))


if __name__ == "__main__":
    unittest.main()

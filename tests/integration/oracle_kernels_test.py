"""Tests the oracle's kernels: they agree with networkx, and with examples worked out by hand."""
import random
import unittest

import networkx
import numpy

from oracle.kernels import Graph, bfs, biased_pagerank, hits, pagerank, parents
from oracle.networks import Network


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


class GraphTest(unittest.TestCase):
    def test_parallel_edges_count_each(self):
        twice = pagerank(Graph([("a", "b", 1), ("a", "b", 1), ("a", "c", 1)]), 0.5, 0, 200)
        self.assertTrue(numpy.all(twice[1] > twice[2]))


if __name__ == "__main__":
    unittest.main()

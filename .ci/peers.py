"""Measures SciPy, igraph, NetworKit and NetworkX on the graph that artifacts/graph writes for them, and checks their distances against ours.

Prints lines of Go's benchmark format, ns per (node, target), so that benchstat reads them beside `make bench`.
"""

import sys
import time

import igraph
import networkit
import networkx
import numpy
import scipy
import scipy.sparse
from scipy.sparse.csgraph import shortest_path


def read(name):
    """Reads the layout that TestTheBenchmarkedGraphCanBeHandedToPeers describes."""
    with open(name, "rb") as file:
        nodes, edges, targets = numpy.fromfile(file, "<u8", 3).tolist()
        offsets = numpy.fromfile(file, "<i4", nodes + 1)
        successors = numpy.fromfile(file, "<u4", edges)
        return offsets, successors, numpy.fromfile(file, "<u4", targets), numpy.fromfile(file, "<u8", targets)


def measure(name, nodes, targets, sums, search):
    start = time.perf_counter_ns()
    found = [search(int(t)) for t in targets]
    ns = (time.perf_counter_ns() - start) / len(targets) / nodes
    for target, want, distances in zip(targets, sums, found):
        if (got := int(numpy.asarray(distances).sum())) != int(want):
            sys.exit(f"{name}: distances to node {target} sum up to {got}, want {want}")
    print(f"BenchmarkDistances/{name}\t{len(targets)}\t{ns:.1f} ns/distance", flush=True)


def main():
    offsets, successors, targets, sums = read(sys.argv[1])
    nodes = len(offsets) - 1
    print(f"nodes: {nodes}\nedges: {len(successors)}\nscipy: {scipy.__version__}\nigraph: {igraph.__version__}", flush=True)
    print(f"networkit: {networkit.__version__}\nnetworkx: {networkx.__version__}", flush=True)

    ones = numpy.ones(len(successors))
    links = scipy.sparse.csr_matrix((ones, successors.astype("int32"), offsets), (nodes, nodes))
    turned = links.T.tocsr()
    measure("scipy", nodes, targets, sums, lambda t: shortest_path(turned, unweighted=True, indices=t))

    sources = numpy.repeat(numpy.arange(nodes), numpy.diff(offsets))
    graph = igraph.Graph(nodes, numpy.column_stack((sources, successors)), directed=True)
    measure("igraph", nodes, targets, sums, lambda t: graph.distances(source=t, mode="in")[0])
    del graph

    networkit.setNumberOfThreads(2)
    reversed_links = networkit.GraphFromCoo((successors.astype("u8"), sources.astype("u8")), n=nodes, weighted=False, directed=True)
    measure("networkit", nodes, targets, sums, lambda t: networkit_distances(reversed_links, t))
    del reversed_links

    reversed_links = networkx.DiGraph()
    reversed_links.add_nodes_from(range(nodes))
    reversed_links.add_edges_from(zip(successors.tolist(), sources.tolist()))
    # A search takes seconds here, so one target has to do.
    measure("networkx", nodes, targets[:1], sums, lambda t: networkx_distances(reversed_links, t))


def networkit_distances(graph, target):
    search = networkit.distance.BFS(graph, target, storePaths=False)
    search.run()
    return search.getDistances(asarray=True)


def networkx_distances(graph, target):
    return list(networkx.single_source_shortest_path_length(graph, target).values())


main()

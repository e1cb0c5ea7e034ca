"""Steps that other graph libraries have, too: peers.py networkx|igraph EDGES.csv

Prints a line of JSON per step: its name, seconds (the least of three), and an answer to compare.
"""

import json
import sys
import time


def least(step, work, rounds=3):
    best, answer = None, None
    for _ in range(rounds):
        start = time.perf_counter()
        answer = work()
        seconds = time.perf_counter() - start
        best = seconds if best is None else min(best, seconds)
        if best > 5:
            break
    print(json.dumps({"step": step, "seconds": best, "answer": float(answer)}), flush=True)


def run_networkx(path):
    import networkx as nx

    held = {}

    def read():
        with open(path) as lines:
            next(lines)
            held["graph"] = nx.parse_edgelist(lines, delimiter=",", nodetype=int)
        return held["graph"].number_of_edges()

    least("read", read)
    degrees = [degree for _, degree in held["graph"].degree()]
    least("erdos-gallai", lambda: nx.is_valid_degree_sequence_erdos_gallai(degrees))
    least("havel-hakimi", lambda: nx.havel_hakimi_graph(degrees).number_of_edges())

    def shape():
        clustering = nx.average_clustering(held["graph"])
        nx.number_connected_components(held["graph"])
        return clustering

    least("clustering, triangles, components", shape)


def run_igraph(path):
    import igraph

    held = {}

    def read():
        pairs = []
        with open(path) as lines:
            next(lines)
            for line in lines:
                u, v = line.split(",")
                pairs.append((int(u), int(v)))
        held["graph"] = igraph.Graph(edges=pairs)
        return held["graph"].ecount()

    def shape():
        clustering = held["graph"].transitivity_avglocal_undirected(mode="zero")
        held["graph"].connected_components()
        return clustering

    least("read", read)
    least("clustering, triangles, components", shape)
    degrees = held["graph"].degree()
    least("erdos-gallai", lambda: igraph.is_graphical(degrees))


if __name__ == "__main__":
    {"networkx": run_networkx, "igraph": run_igraph}[sys.argv[1]](sys.argv[2])

"""The NumPy contestant: one byte per value, columns compared and added with array operations.

Speaks lines on stdin and stdout (see numpy_peer.cc). Times itself, because the pipe is not part of
the contest.
"""

import sys
import time

import numpy as np

K = 100


class Table:
    def __init__(self, path, rows, attributes):
        data = np.fromfile(path, dtype=np.uint8).reshape(attributes, rows)
        self.columns = [np.ascontiguousarray(column) for column in data]
        self.scores = np.empty(rows, dtype=np.uint8)
        self.equal = np.empty(rows, dtype=bool)


def fill_scores(table, wishes):
    """Scores of all rows; wishes are (column, value, weight), weights summing to at most 255."""
    table.scores.fill(0)
    matches = table.equal.view(np.uint8)
    for column, value, weight in wishes:
        np.equal(column, value, out=table.equal)
        if weight != 1:
            np.multiply(matches, weight, out=matches)
        np.add(table.scores, matches, out=table.scores)
        # A bool array must hold 0 and 1 only.
        if weight != 1:
            table.equal.fill(False)


def kth_score_by_bincount(scores, k):
    counts = np.bincount(scores, minlength=256)
    return 255 - int(np.searchsorted(np.cumsum(counts[::-1]), k))


def kth_score_by_search(scores, k):
    low, high = 0, int(scores.max())
    while low < high:
        middle = (low + high + 1) // 2
        if np.count_nonzero(scores >= middle) >= k:
            low = middle
        else:
            high = middle - 1
    return low


def top_k(table, wishes, kth_score):
    k = min(K, len(table.scores))
    fill_scores(table, wishes)
    rows = np.flatnonzero(table.scores >= kth_score(table.scores, k))
    scores = table.scores[rows]
    best = np.argsort(255 - scores, kind="stable")[:k]
    return rows[best], scores[best]


def read_wishes(table, line):
    """'attribute:value:weight ...'"""
    wishes = []
    for wish in line.split():
        attribute, value, weight = (int(part) for part in wish.split(":"))
        wishes.append((table.columns[attribute], np.uint8(value), np.uint8(weight)))
    return wishes


def main():
    kth_score = kth_score_by_bincount if sys.argv[1] == "bincount" else kth_score_by_search
    print(np.__version__, flush=True)
    table, questions = None, []
    for line in sys.stdin:
        command, *arguments = line.split(" ", 1)
        if command == "load":
            rows, attributes, path = arguments[0].rstrip("\n").split(" ", 2)
            table = Table(path, int(rows), int(attributes))
            print("ok", flush=True)
        elif command == "ask":
            questions = [read_wishes(table, sys.stdin.readline()) for _ in range(int(arguments[0]))]
            print("ok", flush=True)
        elif command == "run":
            wishes = questions[int(arguments[0])]
            start = time.perf_counter_ns()
            rows, scores = top_k(table, wishes, kth_score)
            nanoseconds = time.perf_counter_ns() - start
            answer = " ".join(f"{row} {score}" for row, score in zip(rows, scores))
            print(nanoseconds, len(rows), answer, flush=True)


main()

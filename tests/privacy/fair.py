"""fair@10 in plain form: of the ten rows that are served, how many truly reach the tenth score."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from plain_swap import Release
from tables import People

KINDS = ("sparse", "same")


def queries(people: People, kind: str, count: int, seed: int) -> list[dict[int, int]]:
    """A random row's values, in all columns or in each with 1/2, at least one."""
    rng = np.random.default_rng(seed)
    made = []
    for row in rng.integers(people.rows, size=count):
        asked = np.ones(len(people.names), dtype=bool)
        while kind == "sparse":
            asked = rng.random(len(people.names)) < 0.5
            if asked.any():
                break
        made.append({j: int(people.codes[row, j]) for j in np.flatnonzero(asked)})
    return made


def write_queries(people: People, asked: list[dict[int, int]], path: Path) -> None:
    """As a workload that the command reads."""
    with open(path, "w") as file:
        for query in asked:
            named = {people.names[j]: people.values[j][value] for j, value in query.items()}
            file.write(json.dumps({"query": named}) + "\n")


def strengths(release: Release) -> dict[int, np.ndarray]:
    """p [z = x] + (1 - p) share(x)."""
    p, made = 1 / release.l, {}
    for i, j in enumerate(release.people.private):
        made[j] = (1 - p) * release.base[j]
        made[j][np.arange(len(made[j])), release.shown[:, i]] += p
    return made


def fair(
    people: People, served: dict[int, np.ndarray], asked: list[dict[int, int]], k: int = 10
) -> float:
    """Equal scores go by row, and rows stand in a random order."""
    shares = []
    for query in asked:
        public = np.zeros(people.rows)
        true, score = np.zeros(people.rows), np.zeros(people.rows)
        for j, value in query.items():
            match = (people.codes[:, j] == value).astype(float)
            true += match
            if j in served:
                score += served[j][:, value]
            elif j in people.public:
                public += match
        top = np.argsort(-np.round(score + public, 9), kind="stable")[:k]
        least = np.sort(true)[-k]
        shares.append(float((true[top] >= least).mean()))
    return float(np.mean(shares))


def dropped(people: People) -> dict[int, np.ndarray]:
    return {j: np.zeros((people.rows, people.domain(j))) for j in people.private}


def rr_mean(people: People, l: int, seed: int, group: np.ndarray) -> dict[int, np.ndarray]:
    """Own value with 1/l, else any value, scored by what the shown value means in the row's group."""
    rng, made = np.random.default_rng(seed), {}
    for j in people.private:
        d, rows = people.domain(j), people.rows
        true = people.codes[:, j]
        says = np.where(rng.random(rows) < 1 / l, true, rng.integers(d, size=rows))
        counts = np.zeros((group.max() + 1, d))
        np.add.at(counts, (group, true), 1)
        weight = (counts / counts.sum(axis=1, keepdims=True))[group] * (1 - 1 / l) / d
        weight[np.arange(rows), says] += (1 / l) * (counts / counts.sum(axis=1, keepdims=True))[
            group, says
        ]
        made[j] = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-12)
    return made

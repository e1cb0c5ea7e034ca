"""What an attacker learns from other people: for a private column, the chance of every value given what
is public (and, if wanted, what else is shown). Four kinds: regressions, forests, boosted trees, neighbours.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

import plain_swap

RARE = 20  # values of fewer rows are one class to trees


def cache_of_arrays(function):
    """Remembers results by what the arrays hold: the same neighbours serve every column."""
    found: dict = {}

    def asked(first: np.ndarray, second: np.ndarray, rest):
        key = (hash(first.tobytes()), hash(second.tobytes()))
        if key not in found:
            found[key] = function(first, second, rest)
        return found[key]

    return asked


class Model(Protocol):
    def learn(
        self, x: np.ndarray, domains: list[int], ordered: set[int], y: np.ndarray, domain: int
    ) -> Model: ...

    def probabilities(self, x: np.ndarray) -> np.ndarray: ...


class Regression:
    def learn(self, x, domains, ordered, y, domain):
        self.fit = plain_swap.fit(
            x, domains, ordered, y, domain, lump=10, support=15, ridge=1.0, passes=40
        )
        return self

    def probabilities(self, x):
        return floored(self.fit.probabilities(x))


class Trees:
    """A classifier of scikit-learn on place codes; rare values are one class, shared out as in training."""

    def __init__(self, classifier):
        self.classifier = classifier

    def learn(self, x, domains, ordered, y, domain):
        self.class_of = plain_swap.lumped(y, domain, RARE)
        counts = np.bincount(y, minlength=domain) + 0.5
        in_class = np.bincount(self.class_of, weights=counts)
        self.inside = counts / in_class[self.class_of]
        self.classifier.fit(self.encoded(x, domains), self.class_of[y])
        self.domains = domains
        return self

    def encoded(self, x, domains):
        return x

    def probabilities(self, x):
        found = self.classifier.predict_proba(self.encoded(x, self.domains))
        full = np.zeros((len(x), int(self.class_of.max()) + 1))
        full[:, self.classifier.classes_] = found
        return floored(full[:, self.class_of] * self.inside)


def forest() -> Trees:
    return Trees(
        RandomForestClassifier(
            n_estimators=40,
            min_samples_leaf=8,
            max_features=0.5,
            max_samples=0.5,
            n_jobs=1,
            random_state=1,
        )
    )


def boosted() -> Trees:
    return Trees(
        HistGradientBoostingClassifier(
            max_iter=50,
            learning_rate=0.1,
            max_leaf_nodes=12,
            min_samples_leaf=30,
            l2_regularization=5,
            random_state=1,
        )
    )


class Neighbours:
    """Values of the 150 other people with most columns in common, eased towards all of them."""

    def learn(self, x, domains, ordered, y, domain):
        self.people, self.domains = x, domains
        self.values, self.domain = y, domain
        self.shares = np.bincount(y, minlength=domain) / len(y)
        return self

    def probabilities(self, x):
        near = nearest(self.people, x, self.domains)
        found = np.stack([(self.values[near] == v).sum(axis=1) for v in range(self.domain)], axis=1)
        return floored((found + 10 * self.shares) / (near.shape[1] + 10))


@cache_of_arrays
def nearest(people: np.ndarray, x: np.ndarray, domains: list[int]) -> np.ndarray:
    features = plain_swap.Features.of(people, domains, set(), support=1)
    theirs = features(people).T
    return np.vstack(
        [
            np.argpartition(-(features(x[begin : begin + 1000]) @ theirs), 150, axis=1)[:, :150]
            for begin in range(0, len(x), 1000)
        ]
    )


KINDS = {"regression": Regression, "forest": forest, "boosted": boosted, "neighbours": Neighbours}


def floored(p: np.ndarray, least: float = 1e-6) -> np.ndarray:
    p = np.maximum(p, least)
    return p / p.sum(axis=1, keepdims=True)

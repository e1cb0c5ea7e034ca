"""Who knows one private attribute of somebody: what do they gain on the others?

Learns, as coin_attack does, from a release of other people of which it knows everything. For known column
a and wanted column j: the law of j given what is public and a's true value (what he believes beforehand),
the same given what is shown, too, and the chance that j's coin kept, by a classifier.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import coin_attack
import plain_swap
from coin_attack import Pairs
from people_models import floored
from plain_swap import Release

LIMITS = ("p + .2", ".7", ".9")


@dataclass
class Association:
    """Adds to log chances what known values say: one weight for each (known value, value)."""

    weights: np.ndarray

    @staticmethod
    def learned(
        base: np.ndarray, known: np.ndarray, y: np.ndarray, ridge: float = 3.0
    ) -> Association:
        offset = np.ascontiguousarray(base.T, dtype=np.float32)
        return Association(plain_swap.minimised(known, y, base.shape[1], ridge, 40, offset))

    def probabilities(self, base: np.ndarray, known: np.ndarray) -> np.ndarray:
        logits = base + self.weights[0] + known @ self.weights[1:]
        e = np.exp(logits - logits.max(axis=1, keepdims=True))
        return floored(e / e.sum(axis=1, keepdims=True))


def one_hot(codes: np.ndarray, domain: int) -> np.ndarray:
    return np.eye(domain, dtype=np.float32)[codes]


@dataclass
class Laws:
    """Log chances of a column's values, rows x values."""

    public: np.ndarray  # of true values, given public columns
    shown: np.ndarray  # of true values, given what all other columns show as well
    seen: np.ndarray  # of shown values, given the same


def codes_for(release: Release, column: int, with_shown: bool):
    people = release.people
    columns = list(people.public)
    parts = [people.codes[:, people.public]]
    if with_shown:
        rest = [i for i, j in enumerate(people.private) if j != column]
        parts.append(release.shown[:, rest])
        columns += [people.private[i] for i in rest]
    ordered = {at for at, j in enumerate(columns) if j in people.ordered}
    return np.hstack(parts), [people.domain(j) for j in columns], ordered


@dataclass
class Acquaintance:
    others: Release
    fits: dict = field(default_factory=dict)
    ties: dict = field(default_factory=dict)

    def __post_init__(self):
        people = self.others.people
        for i, j in enumerate(people.private):
            for name, y, with_shown in (
                ("public", people.codes[:, j], False),
                ("shown", people.codes[:, j], True),
                ("seen", self.others.shown[:, i], True),
            ):
                x, domains, ordered = codes_for(self.others, j, with_shown)
                self.fits[j, name] = plain_swap.fit(
                    x, domains, ordered, y, people.domain(j), lump=10, ridge=1
                )
        laws = {j: self.laws(self.others, j) for j in people.private}
        for a in people.private:
            for j in people.private:
                if a != j:
                    self.ties[a, j] = self.tie(laws[j], a, j)

    def laws(self, release: Release, column: int) -> Laws:
        made = []
        for name in ("public", "shown", "seen"):
            x, _, _ = codes_for(release, column, name != "public")
            made.append(np.log(floored(self.fits[column, name].probabilities(x))))
        return Laws(*made)

    def tie(self, laws: Laws, a: int, j: int) -> tuple[Association, Association]:
        known, y = self.known(self.others, a), self.others.people.codes[:, j]
        alone = known[:, : self.others.people.domain(a)]
        return Association.learned(laws.public, alone, y), Association.learned(laws.shown, known, y)

    @staticmethod
    def known(release: Release, a: int) -> np.ndarray:
        """a's true value, and what a shows: the second undoes what the first replaces."""
        domain, i = release.people.domain(a), release.people.private.index(a)
        return np.hstack(
            [one_hot(release.people.codes[:, a], domain), one_hot(release.shown[:, i], domain)]
        )


@dataclass
class Knowing:
    """All (row, known column, wanted column): the classifier's features and the laws behind them."""

    pairs: Pairs
    inside: np.ndarray  # known and wanted share a coin
    prior: dict
    moved: dict


def knowing(attacker: Acquaintance, release: Release) -> Knowing:
    people, rows = release.people, release.people.rows
    laws = {j: attacker.laws(release, j) for j in people.private}
    lines, kept, inside, prior, moved = [], [], [], {}, {}
    for a in people.private:
        known = attacker.known(release, a)
        match = (release.shown[:, people.private.index(a)] == people.codes[:, a]).astype(float)
        for j in people.private:
            if a == j:
                continue
            before, after = attacker.ties[a, j]
            prior[a, j] = before.probabilities(laws[j].public, known[:, : people.domain(a)])
            moved[a, j] = after.probabilities(laws[j].shown, known)
            z = release.shown[:, people.private.index(j)]
            true, seen = coin_attack.at(moved[a, j], z), laws[j].seen[np.arange(rows), z]
            same = float(release.block_of(a) == release.block_of(j))
            columns = [true, true - seen, coin_attack.at(prior[a, j], z), match]
            columns += [np.full(rows, same), np.full(rows, float(a)), np.full(rows, float(j))]
            columns.append(np.log(moved[a, j].max(axis=1)))
            lines.append(np.stack(columns, axis=1))
            kept.append(release.kept[:, release.block_of(j)])
            inside.append(np.full(rows, same > 0))
    count = len(lines)
    pairs = Pairs(
        np.vstack(lines).astype(np.float32),
        [],
        np.concatenate(kept),
        np.tile(np.arange(rows), count),
        np.repeat(np.arange(count), rows),
    )
    return Knowing(pairs, np.concatenate(inside), prior, moved)


@dataclass
class Gain:
    """Of (row, known, wanted): the largest gain over values of prior below 1/2, and over all values."""

    unlikely: np.ndarray
    any_value: np.ndarray

    @staticmethod
    def joined(parts: list[Gain]) -> Gain:
        return Gain(
            np.concatenate([part.unlikely for part in parts]),
            np.concatenate([part.any_value for part in parts]),
        )


def gains(attacker: Acquaintance, release: Release, practice: list[Release]) -> dict[str, Gain]:
    """By whether known and wanted column share a coin."""
    learned = [knowing(attacker, r).pairs for r in practice]
    columns = list(range(learned[0].features.shape[1]))
    classifier = coin_attack.train(learned, columns)
    here = knowing(attacker, release)
    own = np.concatenate([coin_attack.belief(classifier, pairs, columns) for pairs in learned])
    beliefs = knowing_l(coin_attack.belief(classifier, here.pairs, columns), own, 1 / release.l)
    found: dict[str, list] = {"other blocks": [], "inside the block": []}
    for at, (a, j) in enumerate(here.prior):
        lines = here.pairs.block == at
        gain = largest_gain(beliefs[lines], here.prior[a, j], here.moved[a, j], release, j)
        found["inside the block" if here.inside[lines][0] else "other blocks"].append(gain)
    return {where: Gain.joined(parts) for where, parts in found.items() if parts}


def knowing_l(beliefs: np.ndarray, own: np.ndarray, p: float) -> np.ndarray:
    """1/l is public: the beliefs, moved so that those about his own releases are right on average. How many
    coins fell that way there is luck, and a third of all gains lie so near 1/l that it would decide them."""

    def moved(some: np.ndarray, by: float) -> np.ndarray:
        return 1 / (1 + (1 - some) / some * np.exp(-by))

    low, high = -1.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if moved(own, middle).mean() < p else (low, middle)
    return moved(beliefs, low)


def figures(attacker: Acquaintance, release: Release, practice: list[Release]) -> dict[str, dict]:
    """Shares of (row, known, wanted) where some value of prior below 1/2 gains more than each limit."""
    return {
        where: shares(gain.unlikely, 1 / release.l)
        for where, gain in gains(attacker, release, practice).items()
    }


def largest_gain(
    belief: np.ndarray, prior: np.ndarray, moved: np.ndarray, release: Release, j: int
) -> Gain:
    z = release.shown[:, release.people.private.index(j)]
    after = belief[:, None] * one_hot(z, release.people.domain(j)) + (1 - belief[:, None]) * moved
    gain = (after - prior) / np.maximum(1 - prior, 1e-9)
    return Gain(np.where(prior < 0.5, gain, -1.0).max(axis=1), gain.max(axis=1))


def shares(gain: np.ndarray, p: float) -> dict:
    limits = (p + 0.2, 0.7, 0.9)
    return {name: float((gain > limit).mean()) for name, limit in zip(LIMITS, limits)} | {
        "largest": float(gain.max()),
        "cases": len(gain),
    }

"""Who kept their own values? A classifier learns it from releases that the attacker makes of other people
with keys of its own, and from models of people.

For row r and block b, with z what is shown: ln q_true(z) - ln q_shown(z), where q_true is the chance that
somebody with these public values *has* z, q_shown that they *show* z, both learned from other people who
went through the same mechanism. Where the two differ, the coin shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import PredefinedSplit

import plain_swap
from people_models import KINDS
from plain_swap import Release


@dataclass
class ColumnModels:
    """Of one private column and kind: by what is conditioned on, the law of true and of shown values."""

    true: object
    shown: object


@dataclass
class Attacker:
    """Learns from `others`, a release of other people, of which it knows everything."""

    others: Release
    kinds: tuple[str, ...] = ("regression", "forest")
    models: dict = field(default_factory=dict)

    def __post_init__(self):
        for kind in self.kinds:
            for scope in self.scopes():
                for b, block in enumerate(self.others.blocks):
                    for i in range(len(block)):
                        self.models[kind, scope, b, i] = self.learned(kind, scope, b, i)

    def scopes(self) -> tuple[str, ...]:
        return ("public", "all") if len(self.others.blocks) > 1 else ("public",)

    def learned(self, kind: str, scope: str, b: int, i: int) -> ColumnModels:
        """The chain inside a block: column i given the block's columns before it."""
        if kind == "neighbours" and scope == "all":
            return self.models[kind, "public", b, i]
        people, block = self.others.people, self.others.blocks[b]
        made = []
        for values in (people.codes[:, people.private], self.others.shown):
            x, domains, ordered = inputs(self.others, scope, b, i, values)
            y = values[:, place(self.others, block[i])]
            made.append(KINDS[kind]().learn(x, domains, ordered, y, people.domain(block[i])))
        return ColumnModels(*made)

    def laws(
        self, release: Release, kind: str, scope: str, b: int, i: int
    ) -> tuple[np.ndarray, np.ndarray]:
        x, _, _ = inputs(release, "public" if kind == "neighbours" else scope, b, i, release.shown)
        models = self.models[kind, scope, b, i]
        return models.true.probabilities(x), models.shown.probabilities(x)


def place(release: Release, column: int) -> int:
    return release.people.private.index(column)


def inputs(release: Release, scope: str, b: int, i: int, own: np.ndarray):
    """What column i of block b is predicted from: public columns, the block's columns before it by `own`, and
    what the other blocks show."""
    people, block = release.people, release.blocks[b]
    columns = [people.codes[:, j] for j in people.public]
    names = list(people.public)
    for j in block[:i]:
        columns.append(own[:, place(release, j)])
        names.append(j)
    if scope == "all":
        for j in people.private:
            if j not in block:
                columns.append(release.shown[:, place(release, j)])
                names.append(j)
    ordered = {at for at, j in enumerate(names) if j in people.ordered}
    return np.stack(columns, axis=1), [people.domain(j) for j in names], ordered


# ---- Features of (row, block) ----


@dataclass
class Pairs:
    """One line for each row and block, blocks one after the other."""

    features: np.ndarray
    names: list[str]
    kept: np.ndarray
    row: np.ndarray
    block: np.ndarray
    # By (kind, column): chances of true values given public columns, and given what is shown as well; for
    # gains on single attributes. Neighbours do not look at what is shown.
    prior: dict = field(default_factory=dict)
    told_moved: dict = field(default_factory=dict)


def at(p: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.log(p[np.arange(len(z)), z])


def pairs_of(attacker: Attacker, release: Release) -> Pairs:
    lines, found = [], None
    prior, told = {}, {}
    for b in range(len(release.blocks)):
        columns, names = block_features(attacker, release, b, prior, told)
        lines.append(np.stack(columns, axis=1))
        found = names
    rows, blocks = release.people.rows, len(release.blocks)
    return Pairs(
        np.vstack(lines).astype(np.float32),
        found,
        release.kept.T.ravel(),
        np.tile(np.arange(rows), blocks),
        np.repeat(np.arange(blocks), rows),
        prior,
        told,
    )


def block_features(attacker: Attacker, release: Release, b: int, prior: dict, told: dict):
    block, rows = release.blocks[b], release.people.rows
    columns, names = [np.full(rows, float(b))], ["block"]

    def add(name: str, column: np.ndarray) -> None:
        names.append(name)
        columns.append(column)

    for kind in attacker.kinds:
        for scope in attacker.scopes():
            true, shown, sure = np.zeros(rows), np.zeros(rows), np.zeros(rows)
            for i, column in enumerate(block):
                z = release.shown[:, place(release, column)]
                has, shows = attacker.laws(release, kind, scope, b, i)
                true, shown = true + at(has, z), shown + at(shows, z)
                sure += np.log(has.max(axis=1))
                (prior if scope == "public" else told)[kind, column] = has
            add(f"{kind}.{scope}.true", true)
            add(f"{kind}.{scope}.ratio", true - shown)
            add(f"{kind}.{scope}.short of the likeliest", true - sure)
    refit = refitted(release, b)
    add("refit.shown", refit)
    for kind in attacker.kinds:
        add(
            f"{kind}.over refit",
            columns[names.index(f"{kind}.{attacker.scopes()[-1]}.true")] - refit,
        )
    add(
        "rows that show it",
        np.log(equal_rows(release.shown[:, [place(release, j) for j in block]])),
    )
    add(
        "rows with these columns",
        np.log(equal_rows(release.people.codes[:, release.people.public])),
    )
    return columns, names


def refitted(release: Release, b: int) -> np.ndarray:
    """A regression fitted on what this release shows: what the mechanism's own model must be near."""
    people, total = release.people, np.zeros(release.people.rows)
    scope = "all" if len(release.blocks) > 1 else "public"
    for i, column in enumerate(release.blocks[b]):
        x, domains, ordered = inputs(release, scope, b, i, release.shown)
        z = release.shown[:, place(release, column)]
        model = plain_swap.fit(x, domains, ordered, z, people.domain(column), passes=40)
        total += at(np.maximum(model.probabilities(x), 1e-6), z)
    return total


def equal_rows(codes: np.ndarray) -> np.ndarray:
    _, inverse, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    return counts[inverse.ravel()].astype(float)


# ---- The trained attack ----


def train(pairs: list[Pairs], columns: list[int], seed: int = 1) -> CalibratedClassifierCV:
    """Boosted trees; how far their beliefs are to be believed is learned where they did not learn: one half
    of the releases teaches about the other, and of one release one half of the rows."""
    half = [at % 2 if len(pairs) > 1 else p.row % 2 for at, p in enumerate(pairs)]
    halves = np.concatenate([np.broadcast_to(h, p.row.shape) for h, p in zip(half, pairs)])
    x = np.vstack([p.features[:, columns] for p in pairs])
    y = np.concatenate([p.kept for p in pairs])
    classifier = HistGradientBoostingClassifier(
        learning_rate=0.05,
        max_iter=300,
        max_leaf_nodes=12,
        min_samples_leaf=200,
        l2_regularization=10,
        early_stopping=True,
        validation_fraction=0.25,
        n_iter_no_change=12,
        random_state=seed,
    )
    return CalibratedClassifierCV(classifier, cv=PredefinedSplit(halves), ensemble=False).fit(x, y)


def belief(classifier: CalibratedClassifierCV, pairs: Pairs, columns: list[int]) -> np.ndarray:
    return classifier.predict_proba(pairs.features[:, columns])[:, 1]


def columns_of(pairs: Pairs, kind: str | None) -> list[int]:
    """Features of one kind of model, or all."""
    return [
        i
        for i, name in enumerate(pairs.names)
        if kind is None or name.split(".")[0] in (kind, "block")
    ]


@dataclass
class CoinFigures:
    bits: float
    margin: float  # half of a 95% interval over rows
    above: dict[float, float]  # share of pairs believed kept above
    right: dict[float, float]  # how many of these were
    rows_above: dict[float, float]  # share of rows with any such coin
    largest: float
    calibration: list[tuple[float, int, float, float]]  # tenth, pairs, mean belief, share kept

    @property
    def off(self) -> float:
        """The largest miss in a tenth that holds 500 pairs or more."""
        return max((abs(b - k) for _, count, b, k in self.calibration if count >= 500), default=0.0)


def coin_figures(beliefs: np.ndarray, pairs: Pairs, p: float) -> CoinFigures:
    kept = pairs.kept.astype(bool)
    clipped = np.clip(beliefs, 1e-4, 1 - 1e-4)
    cost = -np.log2(np.where(kept, clipped, 1 - clipped))
    base = -np.where(kept, np.log2(p), np.log2(1 - p))
    by_row = np.bincount(pairs.row, weights=base - cost) / np.bincount(pairs.row)
    above, right, rows_above = {}, {}, {}
    for limit in (0.5, 0.7, 0.9):
        high = beliefs > limit
        above[limit] = float(high.mean())
        right[limit] = float(kept[high].mean()) if high.any() else float("nan")
        rows_above[limit] = len(np.unique(pairs.row[high])) / (pairs.row.max() + 1)
    tenths = []
    for t in range(10):
        inside = (beliefs >= t / 10) & (beliefs < (t + 1) / 10)
        if inside.any():
            tenths.append(
                (
                    t / 10,
                    int(inside.sum()),
                    float(beliefs[inside].mean()),
                    float(kept[inside].mean()),
                )
            )
    margin = 1.96 * by_row.std() / np.sqrt(len(by_row))
    return CoinFigures(
        float(by_row.mean()), float(margin), above, right, rows_above, float(beliefs.max()), tenths
    )


# ---- Gains on single attributes ----


@dataclass
class Gains:
    """Shares of (row, value) of prior below 1/2, of all values, and of those that rows show."""

    over_moved: float  # gain over R above p + .03
    over_prior: float  # over the model's prior above p + .03
    far_over_prior: float  # and above p + .2
    shown_over_moved: float
    shown_far_over_prior: float
    largest: float
    far_of: dict[str, int]  # by column, how many (row, value) are far over the prior


def mean_law(laws: dict, column: int, kinds: list[str]) -> np.ndarray:
    return np.mean([laws[kind, column] for kind in kinds], axis=0)


def gains(beliefs: np.ndarray, pairs: Pairs, release: Release, kind: str | None = None) -> Gains:
    """A believed coin gives the shown value; else a row has what a moved row has, by the models of this kind,
    or by all that look at what is shown."""
    kinds = sorted({k for k, _ in pairs.prior} if kind is None else {kind})
    kinds = [k for k in kinds if k != "neighbours"] or kinds
    p, counts, totals, largest = 1 / release.l, np.zeros(5), np.zeros(2), 0.0
    far_of: dict[str, int] = {}
    for b, block in enumerate(release.blocks):
        own = beliefs[pairs.block == b][:, None]
        for column in block:
            shown = (
                np.eye(release.people.domain(column))[release.shown[:, place(release, column)]] > 0
            )
            prior = mean_law(pairs.prior, column, kinds)
            moved = mean_law(pairs.told_moved or pairs.prior, column, kinds)
            after = own * shown + (1 - own) * moved
            low = prior < 0.5
            over_prior = np.where(low, (after - prior) / (1 - prior), -1)
            over_moved = np.where(low, (after - moved) / np.maximum(1 - moved, 1e-9), -1)
            counts += [
                (over_moved > p + 0.03).sum(),
                (over_prior > p + 0.03).sum(),
                (over_prior > p + 0.2).sum(),
                (over_moved[shown] > p + 0.03).sum(),
                (over_prior[shown] > p + 0.2).sum(),
            ]
            totals += [low.sum(), (low & shown).sum()]
            far_of[release.people.names[column]] = int((over_prior > p + 0.2).sum())
            largest = max(largest, float(over_prior.max()))
    return Gains(*(counts / np.maximum(totals[[0, 0, 0, 1, 1]], 1)), largest, far_of)

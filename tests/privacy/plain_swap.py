"""The fitted swap in plain form: what the product's `swap` must do, written apart from it.

Exchanges run as rounds of disjoint random pairs, which leave the same law unchanged as one pair after
the other does, and run in numpy. `exchange_one_by_one` is the sequence of the specification.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy.optimize import minimize

from tables import People

SUPPORT, LUMP, RIDGE, SWEEPS, LOCAL, CLASS_ROWS = 21, 50, 2.0, 60, 21, 100
BASE_GROUP, BASE_MIX, ROWS_A_BASE_GROUP = 50, 20, 256


# ---- Features ----


@dataclass
class Features:
    """One-hot columns of what enough rows have; ordered columns are cumulative."""

    columns: list[tuple[int, int, bool]] = field(default_factory=list)  # column, value, at most it

    @staticmethod
    def of(
        codes: np.ndarray, domains: list[int], ordered: set[int], support: int = SUPPORT
    ) -> Features:
        found = Features()
        for j in range(codes.shape[1]):
            counts = np.bincount(codes[:, j], minlength=domains[j])
            if j in ordered:
                below = np.cumsum(counts)
                found.columns += [
                    (j, v, True)
                    for v in range(domains[j] - 1)
                    if support <= below[v] <= len(codes) - support
                ]
            else:
                found.columns += [(j, v, False) for v in range(domains[j]) if counts[v] >= support]
        return found

    def __call__(self, codes: np.ndarray) -> np.ndarray:
        made = np.empty((len(codes), len(self.columns)), dtype=np.float32)
        for i, (j, v, cumulative) in enumerate(self.columns):
            made[:, i] = codes[:, j] <= v if cumulative else codes[:, j] == v
        return made


# ---- The multinomial regression ----


@dataclass
class Fit:
    features: Features
    class_of: np.ndarray  # value -> class; rare ones share the last
    weights: np.ndarray  # features x classes
    constants: np.ndarray
    rare_shares: np.ndarray  # value -> share inside its class

    def scores(self, codes: np.ndarray) -> np.ndarray:
        """The public part of the exponent, by value; the constant cancels in exchanges."""
        return (self.features(codes) @ self.weights.astype(np.float32)).astype(float)[
            :, self.class_of
        ]

    def probabilities(self, codes: np.ndarray) -> np.ndarray:
        logits = (self.features(codes) @ self.weights.astype(np.float32)).astype(
            float
        ) + self.constants
        logits -= logits.max(axis=1, keepdims=True)
        exponents = np.exp(logits)
        return (exponents / exponents.sum(axis=1, keepdims=True))[
            :, self.class_of
        ] * self.rare_shares


def lumped(values: np.ndarray, domain: int, lump: int) -> np.ndarray:
    counts = np.bincount(values, minlength=domain)
    classes = np.full(domain, -1)
    kept = np.flatnonzero(counts >= lump)
    classes[kept] = np.arange(len(kept))
    classes[classes < 0] = len(kept)
    return classes


def minimised(
    f: np.ndarray,
    y: np.ndarray,
    classes: int,
    ridge: float,
    passes: int,
    offset: np.ndarray | float = 0,
) -> np.ndarray:
    """Weights, the constant first: (features + 1) x classes. Works class by class: rows lie side by side.
    `offset`, classes x rows, is what logits are before any weight."""
    rows, width = f.shape
    index = np.arange(rows)
    hit = np.zeros((classes, rows), dtype=np.float32)
    hit[y, index] = 1

    def cost(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w = flat.reshape(classes, width + 1)
        narrow = w.astype(np.float32)
        logits = narrow[:, 1:] @ f.T
        logits += narrow[:, :1] + offset
        logits -= logits.max(axis=0)
        own = logits[y, index].sum(dtype=float)
        np.exp(logits, out=logits)
        total = logits.sum(axis=0)
        loss = np.log(total, dtype=float).sum() - own
        logits /= total
        logits -= hit
        gradient = np.empty_like(w)
        gradient[:, 0] = logits.sum(axis=1, dtype=float)
        gradient[:, 1:] = logits @ f + ridge * w[:, 1:]
        return (loss + ridge / 2 * (w[:, 1:] ** 2).sum()) / rows, gradient.ravel() / rows

    start = np.zeros((classes, width + 1))
    if np.ndim(offset) == 0:
        start[:, 0] = np.log(np.maximum(hit.mean(axis=1), 1e-9))
    found = minimize(
        cost,
        start.ravel(),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": passes, "ftol": 1e-7, "gtol": 1e-6},
    )
    return found.x.reshape(classes, width + 1).T


def fit(
    codes: np.ndarray,
    domains: list[int],
    ordered: set[int],
    truth: np.ndarray,
    domain: int,
    extra: np.ndarray | None = None,
    support: int = SUPPORT,
    lump: int = LUMP,
    ridge: float = RIDGE,
    passes: int = 200,
) -> Fit:
    """`extra`: one-hot columns of the block's other attributes; fitted along, then forgotten."""
    features = Features.of(codes, domains, ordered, support)
    classes = lumped(truth, domain, lump)
    count = int(classes.max()) + 1
    f = features(codes)
    width = f.shape[1]
    if extra is not None:
        f = np.hstack([f, extra.astype(np.float32)])
    w = minimised(f, classes[truth], count, ridge, passes)
    counts = np.bincount(truth, minlength=domain).astype(float)
    in_class = np.bincount(classes, weights=counts, minlength=count)
    shares = np.divide(counts, in_class[classes], out=np.zeros(domain), where=in_class[classes] > 0)
    return Fit(features, classes, w[1 : 1 + width], w[0], shares)


def one_hot_classes(values: np.ndarray, domain: int, lump: int = LUMP) -> np.ndarray:
    classes = lumped(values, domain, lump)
    return np.eye(int(classes.max()) + 1, dtype=np.float32)[classes[values]]


# ---- Groups by prediction ----


def median_groups(points: np.ndarray, least: int, tie: np.ndarray) -> np.ndarray:
    """Splits at the median of the widest coordinate while both halves keep `least` rows."""
    group = np.zeros(len(points), dtype=np.int64)
    todo, count = [np.arange(len(points))], 0
    while todo:
        rows = todo.pop()
        spread = points[rows].var(axis=0) if len(rows) >= 2 * least else np.zeros(1)
        if len(rows) < 2 * least:
            group[rows] = count
            count += 1
            continue
        along = points[rows, int(spread.argmax())]
        order = rows[np.lexsort((tie[rows], along))]
        todo += [order[: len(order) // 2], order[len(order) // 2 :]]
    return group


# ---- The exchange ----


@lru_cache(maxsize=1)
def acceptance() -> list[int]:
    """floor(2^64 exp(-k/1024)), k = 0 .. 40 * 1024."""
    from decimal import Decimal, getcontext

    getcontext().prec = 60
    step = (Decimal(-1) / 1024).exp()
    power, table = Decimal(1), []
    for _ in range(40 * 1024 + 1):
        table.append(min(int(power * (1 << 64)), (1 << 64) - 1))
        power *= step
    return table


def splitmix64(seed: int):
    state, mask = seed, (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def exchange_one_by_one(u, values, groups, words, steps, trace=None):
    """The sequence of the specification. `groups`: (start, length) by row; returns (arrangement, accepted)."""
    holds, rows, accepted, table = list(range(len(u))), len(u), 0, acceptance()
    high = lambda word, bound: (word * bound) >> 64
    for _ in range(steps):
        i, x = high(next(words), rows), next(words)
        start, length = groups[i] if x >= 1 << 63 else (0, rows)
        k = start + high(next(words), length - 1)
        k += k >= i
        word = next(words)
        at, there = values[holds[i]], values[holds[k]]
        d = u[i][there] + u[k][at] - u[i][at] - u[k][there]
        yes = d >= 0 or (-d < 40 * 1024 and word < table[-d])
        if yes:
            holds[i], holds[k] = holds[k], holds[i]
            accepted += 1
        if trace is not None:
            trace.append((i, k, d, yes, list(holds)))
    return holds, accepted


def exchange(
    u: list[np.ndarray], values: np.ndarray, group: np.ndarray, sweeps: int, rng
) -> np.ndarray:
    """Which row's vector each row holds in the end. `u[j][row, value]`, `values[row, j]`."""
    rows = len(group)
    holds = np.arange(rows)
    for turn in range(2 * sweeps):
        if turn % 2:
            order = np.lexsort((rng.random(rows), group))
            offset = int(rng.integers(2))
            a, b = order[offset : rows - 1 : 2], order[offset + 1 : rows : 2]
            a, b = a[: len(b)], b[: len(a)]
            same = group[a] == group[b]
            a, b = a[same], b[same]
        else:
            order = rng.permutation(rows)
            half = rows // 2
            a, b = order[:half], order[half : 2 * half]
        at, there = values[holds[a]], values[holds[b]]
        d = np.zeros(len(a))
        for j, table in enumerate(u):
            d += (
                table[a, there[:, j]]
                + table[b, at[:, j]]
                - table[a, at[:, j]]
                - table[b, there[:, j]]
            )
        yes = np.log(rng.random(len(a))) < d / 1024
        a, b = a[yes], b[yes]
        holds[a], holds[b] = holds[b], holds[a]
    return holds


# ---- A release ----


@dataclass
class Release:
    people: People  # with the true values; attackers read its public columns only
    shown: np.ndarray  # rows x private columns, codes
    kept: np.ndarray  # rows x blocks: coins
    blocks: list[list[int]]  # columns of people
    base: dict[int, np.ndarray] = field(
        default_factory=dict
    )  # column -> rows x values: shares served
    l: int = 3

    def block_of(self, column: int) -> int:
        return next(b for b, block in enumerate(self.blocks) if column in block)


def equal_classes(codes: np.ndarray, least: int) -> list[np.ndarray]:
    """Rows with equal codes where there are `least` of them; then all others."""
    _, inverse, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    inverse = inverse.ravel()
    groups = [np.flatnonzero(inverse == c) for c in np.flatnonzero(counts >= least)]
    groups.append(np.flatnonzero(counts[inverse] < least))
    return [group for group in groups if len(group) > 0]


def rounded(u: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(1024 * u), -16000, 16000)


def fitted_swap(
    people: People,
    l: int,
    seed: int,
    blocks: list[list[int]] | None = None,
    given_shown: bool = True,
    **options,
) -> Release:
    """Section 8 of the specification for a first release of `people`."""
    rng = np.random.default_rng(seed)
    blocks = [list(block) for block in (blocks or people.blocks())]
    shown = people.codes.copy()
    kept = rng.random((people.rows, len(blocks))) < 1 / l
    known = list(people.public)
    for b in rng.permutation(len(blocks)):
        x = shown[:, known]
        domains = [people.domain(j) for j in known]
        ordered = {i for i, j in enumerate(known) if j in people.ordered}
        u = [block_scores(people, blocks[b], j, x, domains, ordered, options) for j in blocks[b]]
        truth = people.codes[:, blocks[b]]
        for rows in equal_classes(x, CLASS_ROWS):
            moved = rows[~kept[rows, b]]
            if len(moved) < 2:
                continue
            tables = [table[moved] for table in u]
            group = median_groups(np.hstack(tables), LOCAL, rng.random(len(moved)))
            holds = exchange(tables, truth[moved], group, options.get("sweeps", SWEEPS), rng)
            shown[np.ix_(moved, blocks[b])] = truth[moved[holds]]
        if given_shown:
            known += blocks[b]
    release = Release(people, shown[:, people.private], kept, blocks, l=l)
    release.base = base_shares(people, shown)
    return release


def block_scores(people, block, column, x, domains, ordered, options) -> np.ndarray:
    truth = people.codes
    extra = [one_hot_classes(truth[:, j], people.domain(j)) for j in block if j != column]
    chosen = {
        name: options[name] for name in ("support", "lump", "ridge", "passes") if name in options
    }
    model = fit(
        x,
        domains,
        ordered,
        truth[:, column],
        people.domain(column),
        np.hstack(extra) if extra else None,
        **chosen,
    )
    return rounded(model.scores(x))


def base_shares(people: People, shown: np.ndarray) -> dict[int, np.ndarray]:
    """Shares of shown values in groups that public columns predict, mixed with those of the table."""
    x = people.codes[:, people.public]
    domains = [people.domain(j) for j in people.public]
    ordered = {j for j in people.public if j in people.ordered}
    models = [fit(x, domains, ordered, shown[:, j], people.domain(j)) for j in people.private]
    points = np.hstack([rounded(model.scores(x)) for model in models])
    least = max(BASE_GROUP, min(ROWS_A_BASE_GROUP, people.rows) // 2 + 1)
    group = median_groups(points, least, np.arange(people.rows))
    return {j: mixed_shares(shown[:, j], group, people.domain(j), BASE_MIX) for j in people.private}


def mixed_shares(values: np.ndarray, group: np.ndarray, domain: int, mix: int) -> np.ndarray:
    counts = np.zeros((group.max() + 1, domain))
    np.add.at(counts, (group, values), 1)
    counts += mix * np.bincount(values, minlength=domain) / len(values)
    return (counts / counts.sum(axis=1, keepdims=True))[group]


# ---- What it is held against ----


def circle(rows: np.ndarray, rng) -> np.ndarray:
    """(rows, whose vector each shows): one random cycle."""
    order = rng.permutation(rows)
    source = np.empty_like(order)
    source[:] = np.roll(order, 1)
    back = np.argsort(order)
    return source[back][np.argsort(np.argsort(rows))]


def uniform_circles(people: People, l: int, seed: int, group: np.ndarray) -> Release:
    """One coin for the whole vector; circles inside the groups; shares of true values."""
    rng = np.random.default_rng(seed)
    kept = rng.random(people.rows) < 1 / l
    source = np.arange(people.rows)
    for g in range(group.max() + 1):
        moved = np.flatnonzero((group == g) & ~kept)
        if len(moved) > 1:
            order = rng.permutation(moved)
            source[order] = np.roll(order, 1)
    shown = people.codes[np.ix_(source, people.private)]
    base = {j: mixed_shares(people.codes[:, j], group, people.domain(j), 0) for j in people.private}
    return Release(people, shown, kept[:, None], [list(people.private)], base, l)


def prediction_groups(people: People, least: int = 21, seed: int = 0) -> np.ndarray:
    x = people.codes[:, people.public]
    domains = [people.domain(j) for j in people.public]
    ordered = {j for j in people.public if j in people.ordered}
    models = [
        fit(x, domains, ordered, people.codes[:, j], people.domain(j)) for j in people.private
    ]
    points = np.hstack([np.log(np.maximum(model.probabilities(x), 1e-6)) for model in models])
    return median_groups(points, least, np.random.default_rng(seed).random(people.rows))


def rung_groups(people: People, ladder: list[list[int]], least: int = 21) -> np.ndarray:
    """Today's ladder: all public columns, coarser lists, no column at all."""
    group = np.full(people.rows, -1)
    count = 0
    for columns in [list(people.public), *ladder, []]:
        left = np.flatnonzero(group < 0)
        if len(left) == 0:
            break
        keys = (
            people.codes[np.ix_(left, columns)] if columns else np.zeros((len(left), 1), dtype=int)
        )
        _, inverse, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        inverse = inverse.ravel()
        enough = counts[inverse] >= least if columns else np.ones(len(left), dtype=bool)
        numbers = np.cumsum(np.bincount(inverse[enough], minlength=len(counts)) > 0) - 1
        group[left[enough]] = count + numbers[inverse[enough]]
        count = int(group.max()) + 1
    return group
